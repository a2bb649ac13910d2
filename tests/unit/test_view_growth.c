/* needs: src/base/ src/model/ tests/unit/ingestd.c ui/-term.c */
#include "ui/view_growth.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/buf.h"
#include "ingestd_shows.h"
#include "model/history.h"
#include "model/profile.h"
#include "model/report.h"
#include "model/suspect.h"
#include "model/trend.h"
#include "ui/view.h"

static void
assert_position(struct ingestd *r, const char *expected)
{
	struct buf b = BUF_INIT;

	view_growth.position(&r->app, false, &b);
	assert_string_equal(buf_str(&b), expected);
	buf_fini(&b);
}

/* ingestd.h changes at 0:04, 8:02 and 12:41 only, so from A on there is one
 * step among many: everything came all at once. */
static void
lists_what_changed(void **state)
{
	struct ingestd r;

	(void)state;
	ingestd_open(&r, 100, 30, true);
	ingestd_keys(&r, "2");
	assert_shows(&r, "[2 Growth]");
	assert_shows(&r, "    CHANGE▼      RATE     shrink │ grow");
	assert_shows(&r, "▌ +21.5 MiB");
	assert_shows(&r, "118.4 MiB  decode_batch ← ingest_loop");
	/* the one that shrank is the last */
	assert_shows(&r, "   -3.2 MiB");
	assert_shows(&r, "… 298 small or within noise");
	assert_shows(&r, "10 stacks unchanged (u to show)");
	assert_position(&r, "1–9 of 317");
	ingestd_close(&r);
}

/* Changes seen and what they leave out are the whole change: 51.7 MiB. */
static void
adds_up(void **state)
{
	struct ingestd r;
	const struct growth_view *v = &r.app.growth;
	double sum;

	(void)state;
	ingestd_open(&r, 80, 24, true);
	ingestd_keys(&r, "2");
	sum = figures_change(&v->smaller);
	for (size_t i = 0; i < v->count; i++)
		sum += figures_change(&r.report->rows[v->listed[i].row].f);
	assert_true(fabs(sum - figures_change(&r.report->local)) < 1);
	assert_true(fabs(sum / 1048576 - 51.7) < 0.1);
	assert_int_equal(v->count + v->small + v->same, 317);
	ingestd_close(&r);
}

static void
turns_round_and_shows_all(void **state)
{
	struct ingestd r;

	(void)state;
	ingestd_open(&r, 100, 30, true);
	ingestd_keys(&r, "2 r");
	assert_shows(&r, "CHANGE▲");
	assert_shows(&r, "▌  -3.2 MiB");
	ingestd_resize(&r, 160, 45);
	assert_shows(&r, "shrinkage first");
	ingestd_resize(&r, 100, 30);
	ingestd_keys(&r, "r u");
	assert_shows(&r, "▌ +21.5 MiB");
	assert_position(&r, "1–15 of 317");
	assert_hides(&r, "unchanged (u");
	ingestd_keys(&r, "End");
	assert_int_equal(r.app.growth.rows.cursor, 316);
	ingestd_keys(&r, "u s"); /* by value */
	assert_shows(&r, "LIVE▼");
	ingestd_keys(&r, "s"); /* by name */
	assert_shows(&r, "SITE ← CALLERS ▲");
	ingestd_keys(&r, "s");
	assert_shows(&r, "CHANGE▼");
	ingestd_close(&r);
}

static void
says_what_was_and_is(void **state)
{
	struct ingestd r;

	(void)state;
	ingestd_open(&r, 100, 30, true);
	ingestd_keys(&r, "2");
	assert_shows(&r, " A 8:02    96.9 MiB in 255k objects ");
	assert_shows(&r, " B 12:41  118.4 MiB in 312k objects ");
	assert_shows(&r, " change   +21.5 MiB, +57.0k objects (+22%) ");
	assert_shows(&r, " allocated 22.5 MiB, freed 1.0 MiB ");
	assert_shows(&r, "#0 decode_batch ");
	ingestd_resize(&r, 80, 24);
	assert_shows(&r, " +22% ──\n 96.9 MiB → 118.4 MiB; allocated 22.5 MiB");
	ingestd_resize(&r, 160, 45);
	assert_shows(&r, "│ A 8:02    96.9 MiB in 255k objects");
	assert_shows(&r, "│ churn    allocated 22.5 MiB, freed 1.0 MiB");
	ingestd_resize(&r, 36, 8);
	assert_shows(&r, "▌ +21.5 MiB  decode_batch\n");
	ingestd_close(&r);
}

/* Without marks what is there has come since the start. */
static void
begins_at_the_start(void **state)
{
	struct ingestd r;

	(void)state;
	ingestd_open(&r, 100, 30, false);
	ingestd_keys(&r, "2");
	assert_shows(&r, "▌+118.4 MiB");
	assert_shows(&r, " start      nothing ");
	assert_shows(&r, " now      118.4 MiB in 312k objects");
	ingestd_keys(&r, "a"); /* A is now: nothing changed since */
	assert_shows(&r, "nothing changed by more than its noise");
	assert_shows(&r, "317 stacks unchanged");
	assert_null(view_growth.selected(&r.app));
	assert_position(&r, "0–0 of 317");
	ingestd_resize(&r, 36, 8);
	assert_shows(&r, "nothing changed by more than it");
	ingestd_resize(&r, 100, 30);
	ingestd_keys(&r, "Enter Tab Down * ! y n N"); /* are harmless */
	ingestd_close(&r);
}

/* The row stays selected from view to view, and as the grouping changes there
 * is another list. */
static void
keeps_what_is_selected(void **state)
{
	struct ingestd r;

	(void)state;
	ingestd_open(&r, 100, 30, true);
	ingestd_keys(&r, "Down Down Down"); /* the vector */
	ingestd_keys(&r, "2");
	assert_shows(&r, "▌  -3.2 MiB");
	ingestd_keys(&r, "Up 1");
	assert_shows(&r, "▌  2.2 MiB");
	ingestd_keys(&r, "2 g");
	assert_shows(&r, "FUNCTION");
	assert_int_equal(r.app.growth.rows.cursor, 0);
	ingestd_keys(&r, "m");
	assert_shows(&r, "OBJECTS");
	assert_shows(&r, " change   +490k objects, +14.6 MiB");
	ingestd_close(&r);
}

static void
finds_and_filters(void **state)
{
	struct ingestd r;

	(void)state;
	ingestd_open(&r, 100, 30, true);
	ingestd_keys(&r, "2 /");
	ingestd_type(&r, "intern");
	assert_shows(&r, "▌ +14.6 MiB");
	assert_shows(&r, "… 315 stacks not matching");
	ingestd_keys(&r, "Esc n");
	assert_shows(&r, "▌ +14.6 MiB");
	ingestd_keys(&r, "n");
	assert_shows(&r, "▌  +6.0 MiB");
	ingestd_keys(&r, "N");
	assert_shows(&r, "▌ +14.6 MiB");
	ingestd_close(&r);
}

/* A second is added to the run, in which decode_batch grows by `more` bytes. */
static void
grow_on(struct ingestd *r, unsigned second, double more)
{
	struct app_event e = { .kind = APP_DATA,
		.now_ns = INGESTD_AT(0, second) };
	struct profile_totals t = *profile_totals(r->profile);
	size_t n;
	const struct profile_cell *c = profile_cells(r->profile, &n);
	struct cell_values v = c[0].v;

	v.live_bytes += more;
	v.alloc_bytes += more;
	v.live_objects += 10;
	v.alloc_objects += 10;
	profile_put_cell(r->profile, c[0].stack, c[0].slot, &v, NULL);
	t.now_ns = INGESTD_AT(0, second);
	profile_put_totals(r->profile, &t);
	profile_commit(r->profile);
	ingestd_send(r, &e);
}

/* What grows second after second is a suspect: the first row, with a sign and
 * a reason; what it was before does not matter. */
static void
names_suspects(void **state)
{
	struct ingestd r;

	(void)state;
	ingestd_open(&r, 100, 30, false);
	ingestd_keys(&r, "2 a");
	for (unsigned i = 1; i <= 20; i++)
		grow_on(&r, 761 + i, 65536);
	assert_shows(&r, "▌  +1.3 MiB +64.0 KiB/s");
	assert_shows(&r, "119.7 MiB  ! decode_batch");
	assert_shows(&r,
	    " ! grew in 20 of 20, +64.0 KiB/s, 100% of what it allocated since "
	    "A is still there");
	assert_int_equal(r.app.growth.suspects, 1);
	assert_true(growth_suspect(&r.app, view_growth.selected(&r.app)));
	ingestd_resize(&r, 80, 24);
	assert_shows(&r, " ! grew in 20 of 20, +64.0 KiB/s, kept 100%\n");
	ingestd_resize(&r, 160, 45);
	assert_shows(&r, "│ ! grew in 20 of 20, +64.0 KiB/s, 100% of what");
	/* the screen is held while it grows on, then it is seen again */
	ingestd_resize(&r, 100, 30);
	ingestd_keys(&r, "space");
	grow_on(&r, 782, 65536);
	assert_shows(&r, " ! grew in 20 of 20");
	ingestd_keys(&r, "space");
	assert_shows(&r, " ! grew in 21 of 21");
	/* and another process begins anew */
	app_event(&r.app, &(struct app_event){ .kind = APP_OTHER });
	assert_null(r.app.growth.trends);
	ingestd_close(&r);
}

/* Only its order is known of dumps. */
static void
counts_steps_without_times(void **state)
{
	struct app_target t;
	struct ingestd r;

	(void)state;
	ingestd_open(&r, 100, 30, true);
	t = r.app.target;
	t.untimed = true;
	ingestd_send(
	    &r, &(struct app_event){ .kind = APP_TARGET, .target = &t });
	ingestd_keys(&r, "2");
	assert_shows(&r, "EACH TIME");
	assert_hides(&r, "KiB/s");
	ingestd_close(&r);
}

static void
click(struct ingestd *r, int x, int y)
{
	struct app_event e = { .kind = APP_KEY,
		.key = { .code = K_CLICK, .x = (int16_t)x, .y = (int16_t)y } };

	ingestd_send(r, &e);
}

static void
is_led_by_the_mouse(void **state)
{
	struct app_event wheel = { .kind = APP_KEY,
		.key = { .code = K_WHEEL_DOWN, .x = 10, .y = 10 } };
	struct ingestd r;
	int y;

	(void)state;
	ingestd_open(&r, 100, 30, true);
	ingestd_keys(&r, "2");
	y = r.app.layout.body.y;
	click(&r, 10, y + 2);
	assert_int_equal(r.app.growth.rows.cursor, 2);
	click(&r, 10, y + 14); /* below the rows */
	assert_int_equal(r.app.growth.rows.cursor, 2);
	click(&r, 10, y + 2);
	assert_true(r.app.detail_full);
	ingestd_keys(&r, "Esc u");
	ingestd_send(&r, &wheel);
	assert_int_equal(r.app.growth.rows.top, 3);
	click(&r, 10, y - 1);
	assert_true(r.app.growth.reverse);
	ingestd_close(&r);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(lists_what_changed),
		cmocka_unit_test(adds_up),
		cmocka_unit_test(turns_round_and_shows_all),
		cmocka_unit_test(says_what_was_and_is),
		cmocka_unit_test(begins_at_the_start),
		cmocka_unit_test(keeps_what_is_selected),
		cmocka_unit_test(finds_and_filters),
		cmocka_unit_test(names_suspects),
		cmocka_unit_test(counts_steps_without_times),
		cmocka_unit_test(is_led_by_the_mouse),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
