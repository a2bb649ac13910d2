/* needs: src/base/ src/model/ */
/* libs: -lm */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "model/report.h"
#include "model/trend.h"
#include "profile_fixture.h"

/* A live and an accumulated figure with their variances. */
static void
put(struct profile *p, uint32_t stack, double live, double var, double alloc,
    double alloc_var)
{
	struct cell_values v = { .live_bytes = live,
		.live_objects = live / 10,
		.live_var_bytes = var,
		.alloc_bytes = alloc,
		.alloc_objects = alloc / 10,
		.alloc_var_bytes = alloc_var };

	assert_int_equal(profile_put_cell(p, stack, 1, &v, NULL), 0);
}

static struct report *
ask(struct profile *p, enum grouping by)
{
	const struct profile *list[1] = { p };
	struct query q;

	query_init(&q);
	q.grouping = by;
	q.freed = true;
	return report_build(list, 1, &q);
}

static const struct trend *
find(const struct report *r, const struct trends *t, const char *name)
{
	for (size_t i = 0; i < r->row_count; i++) {
		if (strcmp(r->rows[i].name, name) == 0)
			return &t->rows[i];
	}
	fail_msg("no row %s", name);
	return NULL;
}

/*
 * Exact figures at 5, 15, 25, 35 s.
 *	decode 100 200 300 400: a straight line, 10 a second, no scatter
 *	index 100 300 200 500: mean 275, mean t 20, Sxx 500,
 *	  Sxy = -15*-175 + -5*25 + 5*-75 + 15*225 = 5500: 11 a second;
 *	  Syy = 30625 + 625 + 5625 + 50625 = 87500; scatter
 *	  (87500 - 5500*5500/500) / 2 = 13500; sqrt(13500/500) = 5.19615;
 *	  times Student's 4.303 = 22.359
 *	grow 500 400 400 100
 */
static void
exact(void **state)
{
	static const double values[4][3] = { { 100, 100, 500 },
		{ 200, 300, 400 }, { 300, 200, 400 }, { 400, 500, 100 } };
	struct profile *p = fixture_empty();
	struct report *r;
	struct trends *t;
	const struct trend *d;
	uint32_t *order;
	size_t n;

	(void)state;
	for (unsigned i = 0; i < 4; i++) {
		for (uint32_t s = 0; s < 3; s++)
			put(p, s + 1, values[i][s], 0, 1000 + 400 * i, 0);
		fixture_commit(p, 5 + 10 * i);
	}
	r = ask(p, GROUP_FUNCTIONS);
	t = trends_new(r, true);
	assert_int_equal(t->snapshots, 4);
	assert_int_equal(t->points, 4);
	assert_true(t->timed);
	d = find(r, t, "decode");
	assert_int_equal(d->kind, TREND_GREW);
	assert_int_equal(d->grew, 3);
	assert_int_equal(d->fell, 0);
	assert_true(d->first == 100 && d->last == 400 && d->error == 0);
	assert_true(fabs(d->rate - 10) < 1e-9);
	assert_true(d->rate_error == 0);
	assert_true(d->allocated == 1200);
	assert_false(d->levelled);
	d = find(r, t, "index");
	assert_int_equal(d->kind, TREND_WAVERS);
	assert_int_equal(d->grew, 2);
	assert_int_equal(d->fell, 1);
	assert_true(fabs(d->rate - 11) < 1e-9);
	assert_true(fabs(d->rate_error - 22.359) < 0.001);
	assert_true(d->points[1] == 300 && d->points[3] == 500);
	d = find(r, t, "grow");
	assert_int_equal(d->kind, TREND_SHRANK);
	/* 700 900 900 1000 */
	assert_true(t->all.first == 700 && t->all.last == 1000);
	assert_int_equal(t->all.grew, 2);
	order = trends_order(t, r, &n);
	/* passing functions were never anything right there */
	assert_int_equal(n, 3);
	assert_string_equal(r->rows[order[0]].name, "decode");
	assert_string_equal(r->rows[order[1]].name, "index");
	assert_string_equal(r->rows[order[2]].name, "grow");
	free(order);
	trends_free(t);
	t = trends_new(r, false);
	assert_false(t->timed);
	assert_true(find(r, t, "decode")->rate == 0);
	trends_free(t);
	report_free(r);
	profile_free(p);
}

/*
 * Two snapshots, each with a variance of 10000 (sd 100), then 20000 or 10000:
 *	decode 1000 -> 1250, allocated 250 with a variance of 10000, live var
 *	  20000: D = 10000, A = 10000, V = 10000, error 196: it grew
 *	index 1000 -> 1250 while 5000 were allocated (variance 200000) and as
 *	  much var stays: V = min(20000, 400000) = 20000, error 277.2: noise
 *	grow 1000 -> 1250, accumulated not known, var stays: V = 20000: noise
 */
static void
noise(void **state)
{
	struct profile *p = fixture_empty();
	struct report *r;
	struct trends *t;
	const struct trend *d;

	(void)state;
	put(p, 1, 1000, 10000, 1000, 10000);
	put(p, 2, 1000, 10000, 1000, 10000);
	put(p, 3, 1000, 10000, 0, 0);
	fixture_commit(p, 5);
	/* history keeps standard deviations as whole numbers: 141 */
	put(p, 1, 1250, 141 * 141, 1250, 141 * 141);
	put(p, 2, 1250, 10000, 6000, 458 * 458);
	put(p, 3, 1250, 10000, 0, 0);
	fixture_commit(p, 15);
	r = ask(p, GROUP_STACKS);
	t = trends_new(r, true);
	d = find(r, t, "decode");
	assert_int_equal(d->kind, TREND_GREW);
	assert_int_equal(d->grew, 1);
	/* 1.96 * sqrt(141 * 141 - 10000) */
	assert_true(fabs(d->error - 194.83) < 0.01);
	/* 250 in 10 s; one step: the error is that of the step */
	assert_true(fabs(d->rate - 25) < 1e-9);
	assert_true(fabs(d->rate_error - 19.483) < 0.001);
	d = find(r, t, "index");
	assert_int_equal(d->kind, TREND_NOISE);
	assert_int_equal(d->grew, 0);
	assert_int_equal(d->fell, 0);
	assert_true(fabs(d->error - 277.186) < 0.001);
	assert_true(d->allocated == 5000);
	d = find(r, t, "grow");
	assert_int_equal(d->kind, TREND_NOISE);
	assert_true(fabs(d->error - 277.186) < 0.001);
	assert_true(d->allocated == -1);
	trends_free(t);
	report_free(r);
	profile_free(p);
}

/* 0, 100, 200, 300, 300, 300, 300: nothing new in the latter half; seven
 * snapshots of which the ends and all between are points. */
static void
levelled(void **state)
{
	static const double values[] = { 0, 100, 200, 300, 300, 300, 300 };
	struct profile *p = fixture_empty();
	struct report *r;
	struct trends *t;

	(void)state;
	for (unsigned i = 0; i < 7; i++) {
		put(p, 1, values[i], 0, values[i], 0);
		fixture_commit(p, 5 + i);
	}
	r = ask(p, GROUP_FUNCTIONS);
	t = trends_new(r, true);
	assert_int_equal(find(r, t, "decode")->kind, TREND_GREW);
	assert_true(find(r, t, "decode")->levelled);
	assert_int_equal(t->points, 7);
	trends_free(t);
	report_free(r);
	profile_free(p);
}

/* 21 snapshots give ten points: positions 0, 2, 4, 6, 8, 11, 13, 15, 17, 20
 * (p * 20 / 9). */
static void
points(void **state)
{
	static const unsigned at[] = { 0, 2, 4, 6, 8, 11, 13, 15, 17, 20 };
	struct profile *p = fixture_empty();
	struct report *r;
	struct trends *t;

	(void)state;
	for (unsigned i = 0; i < 21; i++) {
		put(p, 1, 100 + i, 0, 100 + i, 0);
		fixture_commit(p, 5 + i);
	}
	r = ask(p, GROUP_FUNCTIONS);
	t = trends_new(r, true);
	assert_int_equal(t->points, 10);
	for (unsigned i = 0; i < 10; i++)
		assert_true(t->all.points[i] == 100 + at[i]);
	trends_free(t);
	report_free(r);
	profile_free(p);
}

/* Threads have their own figures; those of one only; and a profile without a
 * snapshot. */
static void
threads(void **state)
{
	const struct profile *list[1];
	struct profile *p = fixture_empty();
	struct query q;
	struct report *r;
	struct trends *t;

	(void)state;
	list[0] = p;
	query_init(&q);
	r = report_build(list, 1, &q);
	t = trends_new(r, true);
	assert_int_equal(t->snapshots, 0);
	trends_free(t);
	report_free(r);
	fixture_cell(p, 1, 1, 100, 1, 100, 1, 0);
	fixture_cell(p, 1, 2, 500, 1, 500, 1, 0);
	fixture_commit(p, 5);
	fixture_cell(p, 1, 1, 400, 1, 400, 1, 0);
	fixture_commit(p, 6);
	r = ask(p, GROUP_THREADS);
	t = trends_new(r, true);
	assert_true(trend_change(find(r, t, "app")) == 300);
	assert_true(trend_change(find(r, t, "thread 41238")) == 0);
	assert_true(t->all.last == 900);
	trends_free(t);
	report_free(r);
	q.thread = 1;
	r = report_build(list, 1, &q);
	t = trends_new(r, true);
	assert_true(t->all.first == 100 && t->all.last == 400);
	trends_free(t);
	report_free(r);
	profile_free(p);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(exact),
		cmocka_unit_test(noise),
		cmocka_unit_test(levelled),
		cmocka_unit_test(points),
		cmocka_unit_test(threads),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
