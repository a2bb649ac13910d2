/* needs: src/base/ src/model/ tests/unit/ingestd.c ui/-term.c */
#include "ui/app.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "ingestd_shows.h"
#include "model/history.h"
#include "model/profile.h"
#include "model/report.h"

static snap_id
id_at(const struct ingestd *r, uint64_t ns)
{
	return history_id_at(profile_history(r->profile), ns);
}

static void
marks_bound_the_interval(void **state)
{
	struct ingestd r;
	snap_id pins[3];

	(void)state;
	ingestd_open(&r, 100, 30, false);
	/* snapshots are at 12:41, 12:40, 12:30 */
	ingestd_keys(&r, "[ [ a");
	assert_int_equal(r.app.mark[0].id, id_at(&r, INGESTD_AT(12, 30)));
	assert_int_equal(r.app.query.at, r.app.mark[0].id);
	ingestd_keys(&r, "] ]");
	assert_int_equal(r.app.query.at, 0);
	assert_int_equal(r.app.query.base, r.app.mark[0].id);
	assert_false(r.app.query.since_start);
	ingestd_keys(&r, "[ b"); /* B at 12:40 */
	app_pins(&r.app, pins);
	assert_int_equal(pins[0], id_at(&r, INGESTD_AT(12, 40)));
	assert_int_equal(pins[1], id_at(&r, INGESTD_AT(12, 30)));
	assert_int_equal(pins[2], pins[0]);
	assert_shows(&r, "◆ at 12:40");
	ingestd_keys(&r, "x");
	assert_int_equal(r.app.mark[0].id, pins[0]);
	assert_int_equal(r.app.mark[1].id, pins[1]);
	ingestd_keys(&r, "F");
	assert_int_equal(r.app.query.at, 0);
	assert_int_equal(r.app.mark[1].id, 0);
	ingestd_keys(&r, "[ a"); /* the same again: no mark */
	assert_int_equal(r.app.mark[0].id, 0);
	ingestd_keys(&r, "F { { { { { { { { { { {");
	assert_int_equal(r.app.query.at, 1);
	assert_shows(&r, "◆ at 0:04");
	ingestd_close(&r);
}

/* A snapshot comes while the screen is held. */
static void
pause_holds_everything_but_its_clock(void **state)
{
	struct ingestd r;
	char *before, *after;
	struct profile_totals t;

	(void)state;
	/* without bars: history keeps whole bytes, which may be an eighth */
	ingestd_open(&r, 66, 24, true);
	ingestd_keys(&r, "space");
	before = ingestd_screen(&r);
	assert_non_null(strstr(before, "‖ paused 0:00"));
	t = *profile_totals(r.profile);
	t.now_ns = INGESTD_AT(13, 23);
	t.live_bytes *= 2;
	profile_put_totals(r.profile, &t);
	profile_commit(r.profile);
	ingestd_send(&r,
	    &(struct app_event){
		.kind = APP_DATA, .now_ns = INGESTD_AT(13, 23) });
	after = ingestd_screen(&r);
	assert_non_null(strstr(after, "‖ paused 0:42"));
	/* the rest is the same */
	assert_string_equal(
	    strstr(after, "paused 0:42") + 11, strstr(before, "paused") + 11);
	ingestd_keys(&r, "space");
	assert_shows(&r, "up 13m23s   ● live");
	assert_shows(&r, "live 825.2 MiB");
	free(before);
	free(after);
	ingestd_close(&r);
}

/* The same report, with these points. */
static void
send_points(struct ingestd *r, const struct app_point *p, size_t n)
{
	app_event(&r->app,
	    &(struct app_event){ .kind = APP_REPORT,
		.report = r->report,
		.points = p,
		.point_count = n });
}

/* Snapshots are thinned out while one looks at one of them, or while the
 * screen is held. */
static void
moments_that_went_have_neighbours(void **state)
{
	struct ingestd r;
	struct app_point p[4];
	size_t n;

	(void)state;
	ingestd_open(&r, 100, 30, false);
	n = r.app.point_count;
	ingestd_keys(&r, "[ [");
	assert_int_equal(r.app.at, r.app.points[n - 3].id);
	p[0] = r.app.points[0];
	p[1] = r.app.points[n - 5];
	p[2] = r.app.points[n - 2];
	p[3] = r.app.points[n - 1];
	send_points(&r, p, 4);
	assert_int_equal(r.app.at, p[1].id);
	assert_int_equal(r.app.at_ns, p[1].ns);
	assert_int_equal(r.app.query.at, p[1].id);
	assert_true(r.app.dirty & APP_DIRTY_PINS);
	ingestd_close(&r);

	ingestd_open(&r, 100, 30, false);
	ingestd_keys(&r, "space a x");
	assert_int_equal(r.app.mark[0].id, p[3].id);
	send_points(&r, p, 4);
	assert_int_equal(r.app.point_count, n); /* held */
	app_event(&r.app, &(struct app_event){ .key = { .code = '[' } });
	assert_int_equal(r.app.point_count, 4);
	assert_int_equal(r.app.at, p[2].id);
	ingestd_close(&r);
}

/* While the screen is held many snapshots are thinned out; keys that come
 * before it is drawn again find those that there are. */
static void
rows_are_of_the_snapshots_that_there_are(void **state)
{
	struct app_event space = { .key = { .code = ' ' } };
	struct app_event down = { .key = { .code = 'j' } };
	struct app_event enter = { .key = { .code = K_ENTER } };
	struct ingestd r;
	struct app_point p[4];
	size_t n;

	(void)state;
	ingestd_open(&r, 100, 30, false);
	ingestd_keys(&r, "5 + space");
	n = r.app.point_count;
	for (size_t i = 0; i < 4; i++)
		p[i] = r.app.points[n - 4 + i];
	send_points(&r, p, 4);
	app_event(&r.app, &space);
	app_event(&r.app, &down);
	app_event(&r.app, &enter);
	assert_int_equal(r.app.at, p[2].id);
	ingestd_close(&r);
}

/* A snapshot more, with the figures of the last. */
static void
commit(struct ingestd *r, uint64_t ns)
{
	struct profile_totals t = *profile_totals(r->profile);

	t.now_ns = ns;
	profile_put_totals(r->profile, &t);
	profile_commit(r->profile);
	ingestd_send(r, &(struct app_event){ .kind = APP_DATA, .now_ns = ns });
}

/* One looks back while it goes on: the moment stays, how far back it is
 * grows, and the newest is where one returns to. */
static void
looking_back_goes_on(void **state)
{
	struct ingestd r;
	snap_id at;
	size_t n;

	(void)state;
	ingestd_open(&r, 100, 30, false);
	ingestd_keys(&r, "[ [");
	at = r.app.query.at;
	assert_shows(&r, "◆ at 12:30  11s back");
	n = r.app.point_count;
	commit(&r, INGESTD_AT(12, 45));
	commit(&r, INGESTD_AT(13, 30));
	assert_int_equal(r.app.query.at, at);
	assert_int_equal(r.app.at, at);
	assert_int_equal(r.app.point_count, n + 2);
	assert_shows(&r, "◆ at 12:30  1m 0s back");
	ingestd_keys(&r, "]");
	assert_shows(&r, "◆ at 12:40  50s back");
	ingestd_keys(&r, "} F");
	assert_int_equal(r.app.query.at, 0);
	assert_shows(&r, "● live");
	ingestd_close(&r);
}

static void
mouse(struct ingestd *r, uint32_t code, int x, int y)
{
	ingestd_send(r,
	    &(struct app_event){ .kind = APP_KEY,
		.key = { .code = code, .x = (int16_t)x, .y = (int16_t)y } });
}

/*
 * 98 columns for 761 s: the one at x ends 761 x / 98 s after the start, and
 * means the newest snapshot up to it: at 40 that is 310.6 s, 5:10; at 70
 * 543.6 s, 9:00; at 98 the newest.
 */
static void
the_timeline_is_drawn_over(void **state)
{
	struct ingestd r;

	(void)state;
	ingestd_open(&r, 100, 30, false);
	mouse(&r, K_CLICK, 40, 2);
	assert_int_equal(r.app.at_ns, INGESTD_AT(5, 10));
	mouse(&r, K_DRAG, 40, 2); /* not moved yet */
	assert_int_equal(r.app.mark[0].id, 0);
	mouse(&r, K_DRAG, 70, 2);
	assert_int_equal(r.app.mark[0].ns, INGESTD_AT(5, 10));
	assert_int_equal(r.app.mark[1].ns, INGESTD_AT(9, 0));
	assert_int_equal(r.app.query.at, r.app.mark[1].id);
	mouse(&r, K_DRAG, 70, 9); /* beside it */
	mouse(&r, K_DRAG, 20, 2); /* the other way: A is the older one */
	assert_true(r.app.mark[0].ns < INGESTD_AT(5, 10));
	assert_int_equal(r.app.mark[1].ns, INGESTD_AT(5, 10));
	mouse(&r, K_DRAG, 98, 2); /* up to now is: as it goes on */
	assert_int_equal(r.app.mark[0].ns, INGESTD_AT(5, 10));
	assert_int_equal(r.app.query.at, 0);
	/* what began elsewhere is nothing */
	ingestd_keys(&r, "F a a");
	mouse(&r, K_CLICK, 50, 8);
	mouse(&r, K_DRAG, 70, 2);
	assert_int_equal(r.app.mark[0].id, 0);
	ingestd_close(&r);
}

static void
the_right_button_compares(void **state)
{
	struct ingestd r;

	(void)state;
	ingestd_open(&r, 100, 30, false);
	mouse(&r, K_RIGHT_CLICK, 40, 2); /* with now */
	assert_int_equal(r.app.mark[0].ns, INGESTD_AT(5, 10));
	assert_int_equal(r.app.query.at, 0);
	mouse(&r, K_CLICK, 70, 2);
	mouse(&r, K_RIGHT_CLICK, 40, 2); /* with what is looked at */
	assert_int_equal(r.app.mark[0].ns, INGESTD_AT(5, 10));
	assert_int_equal(r.app.mark[1].ns, INGESTD_AT(9, 0));
	mouse(&r, K_RIGHT_CLICK, 40, 8); /* not on the timeline */
	mouse(&r, K_RIGHT_CLICK, 99, 2);
	assert_int_equal(r.app.mark[1].ns, INGESTD_AT(9, 0));
	ingestd_close(&r);
}

/* Esc from another moment leads back to mark B; F to what is new. */
static void
a_mark_is_come_back_to(void **state)
{
	struct ingestd r;
	snap_id b;

	(void)state;
	ingestd_open(&r, 100, 30, false);
	ingestd_keys(&r, "[ [ a ] b");
	b = r.app.mark[1].id;
	ingestd_keys(&r, "{ {");
	assert_int_not_equal(r.app.query.at, b);
	ingestd_keys(&r, "Esc");
	assert_int_equal(r.app.query.at, b);
	assert_int_equal(r.app.at, 0);
	ingestd_keys(&r, "[ ] b"); /* no B any more */
	assert_int_equal(r.app.mark[1].id, 0);
	ingestd_keys(&r, "Esc");
	assert_int_equal(r.app.query.at, 0);
	ingestd_close(&r);
}

/* More of a series came: other ids, the same moments. */
static void
moments_stay_when_more_is_read(void **state)
{
	struct ingestd r;
	struct app_point p[5], few[2];
	struct app_event e = { .kind = APP_MORE, .points = p };

	(void)state;
	ingestd_open(&r, 100, 30, false);
	for (uint32_t i = 0; i < 5; i++)
		p[i] =
		    (struct app_point){ .id = i + 1, .ns = INGESTD_AT(i, 0) };
	few[0] = (struct app_point){ .id = 1, .ns = INGESTD_AT(0, 0) };
	few[1] = (struct app_point){ .id = 2, .ns = INGESTD_AT(4, 0) };
	ingestd_keys(&r, "space");
	r.app.paused = false;
	send_points(&r, few, 2);
	app_set_mark(&r.app, 0, 1, few[0].ns);
	app_set_mark(&r.app, 1, 2, few[1].ns);
	r.app.at = 2;
	r.app.at_ns = few[1].ns;
	e.point_count = 5;
	app_event(&r.app, &e);
	assert_null(r.app.report);
	assert_int_equal(r.app.point_count, 5);
	assert_int_equal(r.app.mark[0].id, 1);
	assert_int_equal(r.app.mark[1].id, 5);
	assert_int_equal(r.app.at, 5);
	assert_int_equal(r.app.query.at, 5);
	assert_int_equal(r.app.query.base, 1);
	assert_true(app_wants_report(&r.app));
	ingestd_close(&r);
}

/* ---- whatever comes ----------------------------------------------------- */

static unsigned
draw(unsigned *seed)
{
	*seed = *seed * 1103515245 + 12345;
	return *seed >> 16 & 0x7fff;
}

static bool
retained(const struct ingestd *r, snap_id id)
{
	const struct history *h = profile_history(r->profile);
	size_t i = history_index(h, id);

	return i < history_count(h) && history_at(h, i)->id == id;
}

/* What the session does with pins. */
static void
pin(struct ingestd *r, snap_id held[3])
{
	snap_id now[3];

	if (!(r->app.dirty & APP_DIRTY_PINS))
		return;
	app_pins(&r->app, now);
	for (int i = 0; i < 3; i++) {
		if (held[i])
			profile_pin(r->profile, held[i], 0);
	}
	for (int i = 0; i < 3; i++) {
		if (now[i])
			profile_pin(r->profile, now[i], 1);
		held[i] = now[i];
	}
	r->app.dirty &= ~(unsigned)APP_DIRTY_PINS;
}

/* Snapshots come, and age, while keys and clicks do as they like: what is
 * looked at and what is marked is always there, at its moment. */
static void
moments_are_retained_ones(void **state)
{
	static const char *const keys[] = { "[", "]", "{", "}", "a", "b", "x",
		"F", "Esc", "space", "1", "5", "j", "k", "End", "Home", "Enter",
		"Left", "Right", "+", "-", "PgDn" };
	struct ingestd r;
	snap_id held[3] = { 0 };
	uint64_t now = INGESTD_AT(12, 41);
	unsigned seed = 7;

	(void)state;
	ingestd_open(&r, 100, 30, true);
	for (int i = 0; i < 3000; i++) {
		unsigned what = draw(&seed) % 16;
		snap_id pins[3];

		if (what < 6) {
			now += (1 + draw(&seed) % 40) * UINT64_C(500000000);
			commit(&r, now);
		} else if (what == 6)
			mouse(&r,
			    draw(&seed) % 3       ? K_CLICK
				: draw(&seed) % 2 ? K_DRAG
						  : K_RIGHT_CLICK,
			    (int)(draw(&seed) % 100), (int)(draw(&seed) % 14));
		else
			ingestd_keys(&r,
			    keys[draw(&seed) % (sizeof keys / sizeof *keys)]);
		pin(&r, held);
		app_pins(&r.app, pins);
		for (int k = 0; k < 3; k++)
			assert_true(pins[k] == 0 || retained(&r, pins[k]));
		if (r.app.query.at)
			assert_true(retained(&r, r.app.query.at));
		if (r.app.query.base)
			assert_true(retained(&r, r.app.query.base));
	}
	ingestd_close(&r);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(marks_bound_the_interval),
		cmocka_unit_test(pause_holds_everything_but_its_clock),
		cmocka_unit_test(moments_that_went_have_neighbours),
		cmocka_unit_test(rows_are_of_the_snapshots_that_there_are),
		cmocka_unit_test(looking_back_goes_on),
		cmocka_unit_test(the_timeline_is_drawn_over),
		cmocka_unit_test(the_right_button_compares),
		cmocka_unit_test(a_mark_is_come_back_to),
		cmocka_unit_test(moments_stay_when_more_is_read),
		cmocka_unit_test(moments_are_retained_ones),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
