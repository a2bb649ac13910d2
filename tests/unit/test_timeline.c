/* needs: src/base/ src/model/ tests/unit/ingestd.c ui/-term.c */
#include "ui/timeline.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "ingestd_shows.h"
#include "model/history.h"
#include "model/profile.h"
#include "ui/app.h"

#include <math.h>

/* Ten columns of 10 ns: the largest in each, else the last before. */
static void
columns_show_the_largest(void **state)
{
#define P(n, at, live)                                      \
	{                                                   \
		.id = (n), .ns = (at), .live_bytes = (live) \
	}
	static const struct app_point points[] = { P(1, 115, 4), P(2, 121, 9),
		P(3, 130, 5), P(4, 131, 2), P(5, 200, 7) };
	static const double expected[] = { NAN, 4, 9, 2, 2, 2, 2, 2, 2, 7 };
	double values[10];

	(void)state;
	timeline_values(points, 5, 100, 200, values, 10);
	for (int i = 0; i < 10; i++) {
		if (isnan(expected[i]))
			assert_true(isnan(values[i]));
		else
			assert_true(values[i] == expected[i]);
	}
	timeline_values(points, 0, 100, 200, values, 10);
	assert_true(isnan(values[9]));
	timeline_values(points, 5, 200, 200, values, 1); /* no time at all */
	assert_true(values[0] == 9);                     /* of all up to it */
}

static void
points_are_the_history(void **state)
{
	struct profile *p = ingestd_profile(true);
	struct app_point *points;
	size_t n = timeline_points(profile_history(p), &points);

	(void)state;
	assert_int_equal(n, history_count(profile_history(p)));
	assert_int_equal(points[0].id, 1);
	assert_true(points[0].ns == INGESTD_AT(0, 4));
	assert_true(points[0].live_bytes == 12 * 1048576);
	assert_true(points[n - 1].live_bytes == floor(412.6 * 1048576));
	free(points);
	profile_free(p);
}

/*
 * 98 columns for 761 s: column c ends at 7.765 (c + 1) s.  The peak of 438.1
 * at 555 s is in column 71 (551.3 to 559.1 s), the largest of the run, 8
 * eighths; column 0 has 12 + 306 * 3.765 / 296 = 15.9 MiB at most, at least
 * an eighth is shown.  The last column has 412.6: 412.6 * 8 / 438.1 = 7.5,
 * rounded to even 8.
 */
static void
draws_the_peak_at_the_top(void **state)
{
	struct ingestd r;
	char *line;

	(void)state;
	ingestd_open(&r, 100, 30, true);
	line = ingestd_line(&r, 2);
	/* three bytes a block, behind a blank */
	assert_memory_equal(line + 1 + 3 * 71, "█", 3);
	assert_memory_equal(line + 1, "▁", 3);
	assert_int_equal(strlen(line), 1 + 3 * 98);
	free(line);
	ingestd_close(&r);
}

static void
marks_stand_where_they_are(void **state)
{
	struct ingestd r;

	(void)state;
	ingestd_open(&r, 60, 20, false);
	assert_line(&r, 3,
	    " 0:00 ─────────────────────────────────────────────── 12:41");
	/* 57 columns would be 761 s; 8:02 is 58 * 482 / 761 = 36.7: the end of
	 * column 36, x 37 */
	r.app.mark[0] = (struct app_mark){ 1, INGESTD_AT(8, 2) };
	assert_line(&r, 3,
	    " 0:00 ───────────────────────────────A 8:02 ━━━━━━━ B 12:41");
	/* Back at 4:00, 58 * 240 / 761 = 18.3, x 18: A is the later one. */
	r.app.query.at = r.app.at = 1;
	r.app.at_ns = INGESTD_AT(4, 0);
	assert_line(&r, 3,
	    " 0:00 ─────────── B 4:00 ━━━━━━━━━━━━A 8:02 ───────────────");
	r.app.mark[0].id = 0;
	assert_line(&r, 3,
	    " 0:00 ────────────◆ 4:00 ──────────────────────────────────");
	/* A in the place of the beginning takes it */
	r.app.query.at = r.app.at = 0;
	r.app.mark[0] = (struct app_mark){ 1, INGESTD_AT(0, 4) };
	assert_line(&r, 3,
	    " A 0:04 ━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━ B 12:41");
	ingestd_close(&r);
}

/* Back at 4:00 while B stays at 10:00, A is 2:00: 58 columns for 761 s, 9.1,
 * 18.3 and 45.7: x 9, 18 and 46. */
static void
what_is_looked_at_stands_beside_b(void **state)
{
	struct ingestd r;

	(void)state;
	ingestd_open(&r, 60, 20, false);
	r.app.mark[0] = (struct app_mark){ 1, INGESTD_AT(2, 0) };
	r.app.mark[1] = (struct app_mark){ 9, INGESTD_AT(10, 0) };
	r.app.query.at = r.app.at = 5;
	r.app.at_ns = INGESTD_AT(4, 0);
	assert_line(&r, 3,
	    " 0:00 ───A 2:00 ━ ◆ 4:00 ──────────────────── B 10:00 ─────");
	assert_string_equal(timeline_sign(&r.app, true), "@");
	r.app.query.at = r.app.at = 9;
	r.app.at_ns = INGESTD_AT(10, 0);
	assert_string_equal(timeline_sign(&r.app, true), "B");
	ingestd_close(&r);
}

/* Six rows say what their top stands for, with three digits; a column means
 * the newest snapshot up to its end. */
static void
a_high_graph_has_a_scale(void **state)
{
	struct ingestd r;
	char *line;

	(void)state;
	ingestd_open(&r, 100, 30, false);
	ingestd_keys(&r, "5");
	line = ingestd_line(&r, 2);
	assert_memory_equal(line, " 438 MiB  ", 10);
	free(line);
	r.app.peak = 1048576 * 9.96;
	line = ingestd_line(&r, 2);
	assert_memory_equal(line, " 10.0 MiB ", 10);
	free(line);
	assert_int_equal(timeline_point_at(&r.app, 0), r.app.point_count);
	assert_int_equal(timeline_point_at(&r.app, 1), 0);
	assert_int_equal(timeline_point_at(&r.app, 98), r.app.point_count - 1);
	assert_int_equal(timeline_point_at(&r.app, 99), r.app.point_count);
	ingestd_close(&r);
}

/* Twelve dumps: they count as seconds; A is the fifth, 4/11 of the way:
 * 58 * 4 / 11 = 21.1, the end of column 20, x 21. */
static void
moments_without_a_time_are_counted(void **state)
{
	struct app_point p[12];
	struct ingestd r;

	(void)state;
	ingestd_open(&r, 60, 20, false);
	for (uint32_t i = 0; i < 12; i++)
		p[i] = (struct app_point)P(i + 1, INGESTD_AT(0, i), 100);
	app_event(&r.app,
	    &(struct app_event){ .kind = APP_REPORT,
		.report = r.report,
		.points = p,
		.point_count = 12 });
	r.app.target.untimed = true;
	r.app.mark[0] = (struct app_mark){ 5, p[4].ns };
	r.app.mark[1] = (struct app_mark){ 12, p[11].ns };
	assert_line(&r, 3,
	    " 1 ──────────────────A 5 ━━━━━━━━━━━━━━━━━━━━━━━━━━━━━ B 12");
	ingestd_close(&r);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(columns_show_the_largest),
		cmocka_unit_test(points_are_the_history),
		cmocka_unit_test(draws_the_peak_at_the_top),
		cmocka_unit_test(marks_stand_where_they_are),
		cmocka_unit_test(what_is_looked_at_stands_beside_b),
		cmocka_unit_test(a_high_graph_has_a_scale),
		cmocka_unit_test(moments_without_a_time_are_counted),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
