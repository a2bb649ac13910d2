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

#include "ingestd.h"
#include "model/history.h"
#include "model/profile.h"
#include "model/report.h"

static void
assert_shows(const struct ingestd *r, const char *text)
{
	char *screen = ingestd_screen(r);

	if (!strstr(screen, text))
		fail_msg("\"%s\" is not in\n%s", text, screen);
	free(screen);
}

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

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(marks_bound_the_interval),
		cmocka_unit_test(pause_holds_everything_but_its_clock),
		cmocka_unit_test(moments_that_went_have_neighbours),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
