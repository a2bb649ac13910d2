/* needs: src/base/err.c src/base/mem.c src/base/buf.c src/base/arena.c src/base/map.c src/base/strtab.c src/base/fmt.c src/base/utf8.c src/model/modules.c src/model/frames.c src/model/plumbing.c src/model/stacks.c src/model/history.c src/model/history_log.c src/model/profile.c src/model/births.c src/model/query.c src/model/figures.c */
/* libs: -lm */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <math.h>

#include "model/figures.h"
#include "profile_fixture.h"

static struct figures
cell(const struct profile *p, const struct query *q, uint32_t i)
{
	struct moments m = moments_of(p, q);
	size_t n;

	return figures_cell(&m, q->metric, &profile_cells(p, &n)[i], i);
}

static void
present_and_past(void **state)
{
	struct profile *p = fixture_profile();
	struct figures f;
	struct query q;

	(void)state;
	query_init(&q);
	f = cell(p, &q, 0);
	assert_true(f.value == 600 && f.objects == 6 && f.base == 0);
	assert_true(f.var == 400 && f.samples == 6);
	/* 1.96 * sqrt(400) */
	assert_true(fabs(figures_error(&f) - 39.2) < 1e-9);
	fixture_cell(p, 1, 1, 750.25, 7, 1050, 10, 500);
	fixture_commit(p, 6);
	f = cell(p, &q, 0);
	assert_true(f.value == 750.25 && figures_change(&f) == 150);
	assert_true(f.change_var == 22 * 22 - 20 * 20); /* sqrt(500) = 22.4 */
	/* unchanged: no change whatever the fraction */
	fixture_commit(p, 7);
	f = cell(p, &q, 0);
	assert_true(figures_change(&f) == 0 && f.value == 750.25);
	q.base = 1;
	assert_true(
	    figures_change(&(struct figures){ .value = 3, .base = 1 }) == 2);
	f = cell(p, &q, 0);
	assert_true(figures_change(&f) == 150);
	q.at = 1;
	q.base = 0;
	f = cell(p, &q, 0);
	assert_true(f.value == 600 && figures_change(&f) == 600);
	q.at = 0;
	q.since_start = true;
	q.metric = METRIC_ALLOC_OBJECTS;
	f = cell(p, &q, 0);
	assert_true(f.value == 10 && figures_change(&f) == 10);
	profile_free(p);
}

/* Many cells at once: of every metric, moment and comparison. */
static void
view_is_cell(void **state)
{
	struct profile *p = fixture_profile();
	const struct history *h = profile_history(p);
	size_t n;

	(void)state;
	for (uint32_t t = 6; t < 60; t++) {
		/* thirds: what is rounded */
		fixture_cell(p, 1 + t % 3, 1, t * 100 / 3.0, t / 3.0, t * 300,
		    t * 2, t % 4 * 7.0);
		if (t % 5 == 0)
			fixture_cell(p, 2, (uint16_t)t, t, 1, t, 1, 0);
		fixture_commit(p, t);
	}
	fixture_cell(p, 1, 1, 12345, 1, 23456, 1, 0); /* not committed */
	for (uint32_t i = 0; i < 500; i++) {
		const struct profile_cell *c = profile_cells(p, &n);
		enum metric metric = (enum metric)(i % METRIC_COUNT);
		snap_id newest = (snap_id)history_count(h);
		struct moments m = { h, i * 7 % newest, i * 11 % newest };
		struct figures_view v = figures_view(&m, metric);

		for (uint32_t k = 0; k < n; k++) {
			struct figures a = figures_cell(&m, metric, &c[k], k);
			struct figures b;

			figures_cells(&v, &c[k], k, 1, &b);
			assert_memory_equal(&a, &b, sizeof a);
		}
	}
	profile_free(p);
}

static void
differences(void **state)
{
	struct figures f = {
		.value = 3, .base = 5, .bytes = 3, .var = 2, .change_var = 7
	};
	struct query q;

	(void)state;
	query_init(&q);
	figures_differ(&f, &q);
	assert_true(f.value == 3 && f.base == 5);
	q.difference = true;
	figures_differ(&f, &q);
	assert_true(f.value == -2 && f.base == 0 && f.bytes == -2);
	assert_true(f.var == 7);
	q.drop_negative = true;
	figures_differ(&f, &q);
	assert_true(f.value == 0 && figures_empty(&f));
	/* objects that went count as little as their bytes */
	f = (struct figures){
		.value = 3, .base = 5, .bytes = 3, .objects = -2
	};
	figures_differ(&f, &q);
	assert_true(f.bytes == 0 && f.objects == 0);
	/* where it stays what it is it has not changed */
	q.difference = false;
	f = (struct figures){ .value = 3, .base = 5, .bytes = 3 };
	figures_differ(&f, &q);
	assert_true(f.value == 3 && f.base == 3 && f.bytes == 3);
	f.base = 1;
	figures_differ(&f, &q);
	assert_true(f.value == 3 && f.base == 1);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(present_and_past),
		cmocka_unit_test(view_is_cell),
		cmocka_unit_test(differences),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
