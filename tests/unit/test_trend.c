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
			return trends_at(t, (uint32_t)i);
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
	/* 100 from one snapshot to the next */
	assert_true(fabs(find(r, t, "decode")->rate - 100) < 1e-9);
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

/*
 * A live variance of 10000 each time, accumulated figures not known: V = 20000.
 * At 0, 10, 20 s: Sxx = 200, C = 0.05 in both steps.  Independent steps give
 * 2 * 0.0025 * 20000 = 100, chains 2 * 0.0025 * 10000 = 50: W = 50, 1.96 times
 * its root 13.859.  Of squares sampling explains 20000 * (2/3 - 200 * 0.0025)
 * for each step, 6666.7, less than (1 - 2/3) * 30000.
 *	decode 1000 1050 1300: 15 a second; off by 33.3 -66.7 33.3: 6666.7
 *	index 1000 1000 1300: 15 a second; off by 50 -100 50: 15000 is more
 *	  than 2 * 6666.7, and 12.706 * sqrt(15000 / 1 / 200) = 110.04
 */
static void
lifetimes(void **state)
{
	static const double values[3][2] = { { 1000, 1000 }, { 1050, 1000 },
		{ 1300, 1300 } };
	struct profile *p = fixture_empty();
	struct report *r;
	struct trends *t;

	(void)state;
	for (unsigned i = 0; i < 3; i++) {
		put(p, 1, values[i][0], 10000, 0, 0);
		put(p, 2, values[i][1], 10000, 0, 0);
		fixture_commit(p, 5 + 10 * i);
	}
	r = ask(p, GROUP_FUNCTIONS);
	t = trends_new(r, true);
	assert_true(fabs(find(r, t, "decode")->rate - 15) < 1e-9);
	assert_true(fabs(find(r, t, "decode")->rate_error - 13.859) < 0.001);
	assert_true(fabs(find(r, t, "index")->rate - 15) < 1e-9);
	assert_true(fabs(find(r, t, "index")->rate_error - 110.04) < 0.01);
	trends_free(t);
	report_free(r);
	profile_free(p);
}

/*
 * Exact, 0 0 0 0 100 100 100 100 a second apart: mean t 3.5, Sxx = 42,
 * Sxy = 100 * (0.5 + 1.5 + 2.5 + 3.5) = 800: 19.0476 a second;
 * RSS = 20000 - 800 * 800 / 42 = 4761.9.  Off by 16.667 -2.381 -21.429 -40.476
 * and the same turned round: neighbours' products are 119.05, r = 0.025,
 * m = 8 * 0.975 / 1.025 = 7.61; t for 5.61 degrees is 2.571 - 0.61 * 0.124 =
 * 2.495; 2.495 * sqrt(4761.9 / 5.61 / 42) = 11.22.
 * The latter half begins at 3 s: 100 of 100 in one of four steps is a jump.
 */
static void
jump(void **state)
{
	struct profile *p = fixture_empty();
	struct report *r;
	struct trends *t;
	const struct trend *d;

	(void)state;
	for (unsigned i = 0; i < 8; i++) {
		put(p, 1, i < 4 ? 0 : 100, 0, i < 4 ? 0 : 100, 0);
		put(p, 2, 10 * i, 0, 10 * i, 0);
		fixture_commit(p, 5 + i);
	}
	r = ask(p, GROUP_FUNCTIONS);
	t = trends_new(r, true);
	d = find(r, t, "decode");
	assert_true(fabs(d->rate - 19.0476) < 0.0001);
	assert_true(fabs(d->rate_error - 11.22) < 0.02);
	assert_true(d->jumped);
	d = find(r, t, "index");
	assert_false(d->jumped || d->levelled);
	assert_true(fabs(d->late - 10) < 1e-9 && d->late_error == 0);
	trends_free(t);
	report_free(r);
	profile_free(p);
}

/*
 * From 5 to 15 s: of 1000 bytes with a variance of 10000 (sd 100) that were
 * allocated 600 are there, their live variance 8100 (90): D = 8100, A = 10000,
 * V = min(8100, 11900) = 8100; p = 0.6.  (8100 + 8100) / 2 * 0.4^2 +
 * (10000 - 8100) * 0.6^2 + 0 = 1980; 1.96 * sqrt(1980) / 1000 = 0.0872.
 * Objects are a tenth of bytes here.
 */
static void
kept(void **state)
{
	struct profile *p = fixture_empty();
	struct report *r;
	struct trends *t;
	const struct trend *d;

	(void)state;
	put(p, 1, 0, 0, 0, 0);
	put(p, 2, 500, 0, 500, 0);
	fixture_commit(p, 5);
	put(p, 1, 600, 8100, 1000, 10000);
	put(p, 2, 400, 0, 900, 0);
	fixture_commit(p, 15);
	r = ask(p, GROUP_FUNCTIONS);
	t = trends_new(r, true);
	d = find(r, t, "decode");
	assert_true(d->allocated == 1000);
	assert_true(fabs(d->kept - 0.6) < 1e-12);
	assert_true(fabs(d->kept_error - 0.0872) < 0.0001);
	assert_true(d->first_also == 0 && d->last_also == 60);
	/* it shrank: what is left of the new is not known */
	assert_true(find(r, t, "index")->kept == -1);
	trends_free(t);
	report_free(r);
	profile_free(p);
}

/* 100 snapshots a second apart, from 5 s on: 99 s are 19 spans of 5 s and a
 * rest.  The first of each: at 10, 15 ... 100 s; then 104 s, the last. */
static void
spans(void **state)
{
	struct profile *p = fixture_empty();
	struct report *r;
	struct trends *t;

	(void)state;
	for (unsigned i = 0; i < 100; i++) {
		/* pinned, lest history thins them */
		put(p, 1, i, 0, i, 0);
		fixture_commit(p, 5 + i);
		profile_pin(p, i + 1, 1);
	}
	r = ask(p, GROUP_FUNCTIONS);
	t = trends_new(r, true);
	assert_int_equal(t->snapshots, 100);
	assert_int_equal(t->steps, 20);
	assert_true(t->t[0] == 0 && t->t[1] == 5 && t->t[19] == 95);
	assert_true(t->t[20] == 99);
	assert_int_equal(find(r, t, "decode")->grew, 20);
	trends_free(t);
	/* without times: 31 steps, each 99 / 31 snapshots further */
	t = trends_new(r, false);
	assert_int_equal(t->steps, 31);
	assert_true(t->t[1] == 3 && t->t[31] == 99);
	assert_true(fabs(find(r, t, "decode")->rate - 1) < 1e-9);
	trends_free(t);
	report_free(r);
	profile_free(p);
}

static void
same_trend(const struct trend *a, const struct trend *b)
{
	assert_true(a && b && a->kind == b->kind && a->grew == b->grew);
	assert_true(a->first == b->first && a->last == b->last);
	assert_true(a->rate == b->rate && a->rate_error == b->rate_error);
	assert_memory_equal(a->points, b->points, sizeof a->points);
}

/* What goes on from report to report is what would be made anew, while history
 * drops snapshots and the moment compared with changes. */
static void
goes_on(void **state)
{
	struct profile *p = fixture_empty();
	const struct profile *list[1] = { p };
	struct trends *t = NULL;
	struct query q;
	unsigned random = 1;

	(void)state;
	query_init(&q);
	q.grouping = GROUP_STACKS;
	q.freed = true;
	for (unsigned i = 0; i < 200; i++) {
		struct report *r;
		struct trends *anew;
		uint32_t all[3] = { 0, 1, 2 };

		for (uint32_t s = 1; s <= 3; s++) {
			random = random * 1103515245 + 12345;
			put(p, s, i * s + (random >> 16) % 50, 100,
			    i * s * 2.0 + 100, 200.0 * i);
		}
		fixture_commit(p, 5 + i);
		q.base = i < 150 ? 0 : 100;
		r = report_build(list, 1, &q);
		t = trends_begin(r, true, t);
		trends_follow(t, all, 2 + i % 2);
		anew = trends_new(r, true);
		for (uint32_t row = 0; row < 2 + i % 2; row++)
			same_trend(trends_at(t, row), trends_at(anew, row));
		trends_free(anew);
		report_free(r);
	}
	trends_free(t);
	profile_free(p);
}

/* By figures alone +250 is above the noise (the variances are equal); what was
 * allocated says that all may have been replaced: V = 20000, 277.  Where it was
 * only those 250, it did change. */
static void
changed(void **state)
{
	struct profile *p = fixture_empty();
	const struct profile *list[1] = { p };
	struct query q;
	struct report *r;
	struct trends *t;
	bool is[3];

	(void)state;
	put(p, 1, 1000, 10000, 1000, 10000);
	put(p, 2, 1000, 10000, 1000, 10000);
	put(p, 3, 100, 0, 100, 0);
	fixture_commit(p, 5);
	put(p, 1, 1250, 10000, 6000, 458 * 458);
	put(p, 2, 1250, 12100, 1250, 12100);
	fixture_commit(p, 15);
	query_init(&q);
	q.grouping = GROUP_STACKS;
	q.base = 1;
	q.freed = true;
	r = report_build(list, 1, &q);
	t = trends_begin(r, true, NULL);
	trends_changed(t, is);
	for (size_t i = 0; i < 3; i++)
		assert_int_equal(is[i], strcmp(r->rows[i].name, "index") == 0);
	trends_free(t);
	report_free(r);
	/* A after B: there is nothing between */
	q.at = 1;
	q.base = 2;
	r = report_build(list, 1, &q);
	t = trends_begin(r, true, NULL);
	assert_int_equal(t->steps, 0);
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
		cmocka_unit_test(lifetimes),
		cmocka_unit_test(jump),
		cmocka_unit_test(kept),
		cmocka_unit_test(spans),
		cmocka_unit_test(goes_on),
		cmocka_unit_test(changed),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
