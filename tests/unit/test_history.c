/* needs: src/base/err.c src/base/mem.c src/base/buf.c src/base/arena.c src/base/map.c src/base/strtab.c src/model/history.c src/model/history_log.c */
/* libs: -lm */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <stdlib.h>
#include <string.h>

#include "model/history.h"

#define CELLS   20
#define SECONDS 9000
#define S       UINT64_C(1000000000)

static uint32_t seed;

static uint32_t
draw(void)
{
	seed = seed * 1664525 + 1013904223;
	return seed >> 8;
}

static struct cell_values
values(double v)
{
	return (struct cell_values){ .live_bytes = v,
		.live_objects = v / 3,
		.alloc_bytes = v * 2,
		.alloc_objects = v,
		.live_var_bytes = v * v,
		.live_samples = (uint64_t)v };
}

static void
commit(struct history *h, uint64_t t)
{
	struct profile_totals totals = { .now_ns = t * S };
	struct snapshot sums = { .live_bytes = (double)t };

	history_commit(h, &totals, &sums);
}

/* One commit a second; the truth is kept beside. */
static struct history *
run(uint32_t (*truth)[CELLS], size_t seconds)
{
	struct history *h = history_new();

	seed = 1;
	for (uint32_t t = 1; t <= seconds; t++) {
		memcpy(truth[t], truth[t - 1], sizeof truth[t]);
		for (uint32_t c = 0; c < CELLS; c++) {
			struct cell_values v;

			if (draw() % (c + 1) != 0 || t < c * 10)
				continue;
			truth[t][c] = draw() % 100000;
			v = values(truth[t][c]);
			history_put(h, c, t * S, &v);
		}
		commit(h, t);
	}
	return h;
}

static void
retained_snapshots_keep_their_values(void **state)
{
	uint32_t(*truth)[CELLS] = calloc(SECONDS + 1, sizeof *truth);
	struct history *h = run(truth, SECONDS);

	(void)state;
	for (size_t i = 0; i < history_count(h); i++) {
		snap_id id = history_at(h, i)->id;

		for (uint32_t c = 0; c < CELLS; c++) {
			struct history_values v = history_cell(h, c, id);

			assert_int_equal(v.live_bytes, truth[id][c]);
			assert_int_equal(v.alloc_bytes, truth[id][c] * 2);
			assert_int_equal(v.live_sd_bytes, truth[id][c]);
			assert_int_equal(v.live_samples, truth[id][c]);
		}
	}
	assert_int_equal(history_cell(h, CELLS + 5, 1).live_bytes, 0);
	assert_int_equal(history_cell(h, 19, 1).live_bytes, 0);
	assert_true(history_first_ns(h, 19) >= 190 * S);
	history_free(h);
	free(truth);
}

/* Of 9000 s: 61 whole seconds of the last minute (ages 0..60), one in ten of
 * the 3540 s before it, one in sixty of the 5400 s before that; a step that
 * is cut by a border may count twice. */
static void
thins_with_age(void **state)
{
	uint32_t(*truth)[CELLS] = calloc(SECONDS + 1, sizeof *truth);
	struct history *h = run(truth, SECONDS);
	size_t n = history_count(h);
	uint64_t last = 0, worst = 0;

	(void)state;
	assert_in_range(n, 61 + 354 + 90 - 2, 61 + 354 + 90 + 4);
	assert_int_equal(history_at(h, 0)->id, 1);
	assert_int_equal(history_at(h, n - 1)->id, SECONDS);
	for (size_t i = 0; i < n; i++) {
		uint64_t t = history_at(h, i)->totals.now_ns / S;

		if (t - last > worst)
			worst = t - last;
		if (t > SECONDS - 60)
			assert_int_equal(t - last, 1);
		last = t;
	}
	assert_true(worst <= 60);
	free(truth);
	history_free(h);
}

static void
pinned_ones_stay(void **state)
{
	struct history *h = history_new();
	struct cell_values v = values(77);

	(void)state;
	for (uint32_t t = 1; t < 8000; t++) {
		if (t == 33)
			history_put(h, 0, t * S, &v);
		commit(h, t);
		if (t == 33 || t == 35)
			history_pin(h, t, true);
	}
	assert_int_equal(history_at(h, history_index(h, 33))->id, 33);
	assert_int_equal(history_cell(h, 0, 33).live_bytes, 77);
	assert_int_equal(history_cell(h, 0, 1).live_bytes, 0);
	history_pin(h, 35, false);
	commit(h, 8000);
	assert_int_equal(history_at(h, history_index(h, 35))->id, 33);
	assert_int_equal(history_index(h, 0), history_count(h));
	assert_int_equal(history_id_at(h, 33 * S + 5), 33);
	assert_int_equal(history_id_at(h, 0), 0);
	history_free(h);
}

/* However much changes, the logs stay near the budget; 90 KB are room to work
 * in. */
static void
bounded(void **state)
{
	struct history *h = history_new();

	(void)state;
	history_set_budget(h, 200000);
	seed = 2;
	for (uint32_t t = 1; t < 20000; t++) {
		for (uint32_t c = 0; c < 50; c++) {
			struct cell_values v = values(draw());

			history_put(h, c, t * S, &v);
		}
		commit(h, t);
		assert_true(history_bytes(h) < 490000);
	}
	history_free(h);
}

static void
odd_numbers(void **state)
{
	struct history *h = history_new();
	struct cell_values v = { .live_bytes = 1e300,
		.live_var_bytes = 1e300,
		.alloc_bytes = -1e300,
		.live_samples = UINT64_MAX };
	struct history_values r = history_round(&v), got;

	(void)state;
	history_put(h, 0, 0, &v);
	commit(h, 1);
	v = values(1);
	history_put(h, 0, 0, &v);
	commit(h, 2);
	got = history_cell(h, 0, 1);
	assert_memory_equal(&got, &r, sizeof r);
	assert_int_equal(history_cell(h, 0, 2).live_bytes, 1);
	history_free(h);
	history_free(NULL);
}

/* 48 hours of MANY cells in two logs, few of which change in a second.  What
 * every cell was is kept beside for the moments that last: the first, some
 * pinned ones, the newest. */
#define TWO_DAYS (48 * 3600)
#define MANY     700

static void
two_days(void **state)
{
	struct history *h = history_new();
	static uint32_t now[MANY];
	static uint32_t pinned[5][MANY], newest[2][MANY], first[MANY];
	const uint32_t pins[5] = { 1, 77, 4000, 86400, 172000 };
	unsigned at = 0;

	(void)state;
	history_set_budget(h, 2000000);
	seed = 3;
	for (uint32_t t = 1; t <= TWO_DAYS; t++) {
		for (uint32_t i = 0; i < 3; i++) {
			uint32_t c = i ? draw() % MANY : draw() % 20;
			struct cell_values v;

			/* once in a snapshot, of which it is told */
			if (c % 3 != i)
				continue;
			now[c] = draw() % 1000000;
			v = values(now[c]);
			history_put(h, c, t * S, &v);
		}
		commit(h, t);
		if (t == 1)
			memcpy(first, now, sizeof first);
		if (at < 5 && t == pins[at]) {
			history_pin(h, t, true);
			memcpy(pinned[at++], now, sizeof now);
		}
		memcpy(newest[t % 2], now, sizeof now);
		if (t % 10000 == 0)
			assert_true(history_bytes(h) < 3000000);
	}
	assert_int_equal(history_at(h, 0)->id, 1);
	for (unsigned i = 0; i < 5; i++) {
		assert_int_equal(
		    history_at(h, history_index(h, pins[i]))->id, pins[i]);
		for (uint32_t c = 0; c < MANY; c++)
			assert_int_equal(history_cell(h, c, pins[i]).live_bytes,
			    pinned[i][c]);
	}
	for (uint32_t t = TWO_DAYS - 1; t <= TWO_DAYS; t++) {
		size_t back = TWO_DAYS - t + 1;

		assert_int_equal(history_at(h, history_count(h) - back)->id, t);
		for (uint32_t c = 0; c < MANY; c++)
			assert_int_equal(
			    history_cell(h, c, t).live_bytes, newest[t % 2][c]);
	}
	for (uint32_t c = 0; c < MANY; c++)
		assert_int_equal(history_cell(h, c, 1).live_bytes, first[c]);
	history_free(h);
}

/* All cells at once say the same as one by one, whatever was asked before. */
static void
columns_are_cells(void **state)
{
	uint32_t(*truth)[CELLS] = calloc(SECONDS + 1, sizeof *truth);
	struct history *h = run(truth, SECONDS);

	(void)state;
	for (int i = 0; i < 300; i++) {
		size_t n = history_count(h);
		snap_id id = history_at(h, draw() % n)->id;
		unsigned mask = draw() % (1u << HISTORY_FIELDS);
		struct history_columns k = history_columns(h, id, mask);

		for (uint32_t c = 0; c < CELLS; c++) {
			struct history_values v = history_cell(h, c, id);
			int64_t all[HISTORY_FIELDS];

			memcpy(all, &v, sizeof all);
			for (unsigned f = 0; f < HISTORY_FIELDS; f++) {
				if (mask >> f & 1)
					assert_int_equal(k.field[f][c], all[f]);
			}
			assert_int_equal(v.live_bytes,
			    truth[id < SECONDS ? id : SECONDS][c]);
		}
		if (i % 10 == 0)
			commit(h, SECONDS + 1 + (uint64_t)i);
	}
	history_free(h);
	free(truth);
}

/* A cell that comes later is 0 before, in columns unpacked earlier, too. */
static void
later_cells(void **state)
{
	struct history *h = history_new();
	struct cell_values v = values(5);
	struct history_columns k;

	(void)state;
	history_put(h, 0, S, &v);
	commit(h, 1);
	commit(h, 2);
	k = history_columns(h, 1, 1u << HISTORY_LIVE_BYTES);
	assert_int_equal(k.count, 1);
	assert_int_equal(k.field[HISTORY_LIVE_BYTES][0], 5);
	history_put(h, 2000, 3 * S, &v);
	commit(h, 3);
	assert_int_equal(
	    history_columns(h, 1, 1u << HISTORY_LIVE_BYTES).count, 1);
	k = history_columns(h, 2, 1u << HISTORY_ALLOC_BYTES);
	assert_int_equal(k.count, 2001);
	assert_int_equal(k.field[HISTORY_ALLOC_BYTES][0], 10);
	assert_int_equal(k.field[HISTORY_ALLOC_BYTES][2000], 0);
	assert_int_equal(history_cell(h, 2000, 2).live_bytes, 0);
	assert_int_equal(history_cell(h, 2000, 3).live_bytes, 5);
	assert_int_equal(history_last(h, 2000), 3);
	assert_int_equal(history_first_ns(h, 2000), 3 * S);
	history_free(h);
}

/* The highest moment stays however old it is, by the exact count if there is
 * one; a former peak goes as others do. */
static void
the_peak_stays(void **state)
{
	for (int exact = 0; exact < 2; exact++) {
		struct history *h = history_new();

		(void)state;
		for (uint64_t t = 1; t <= 3 * 3600; t++) {
			uint64_t live = t == 777 ? 1000 : t == 333 ? 900 : 5;
			struct profile_totals totals = { .now_ns = t * S };
			struct snapshot sums = { .live_bytes = 1 };

			if (exact) {
				totals.exact_ns = t * S;
				totals.live_bytes = live;
				sums.live_bytes = t == 555 ? 2000 : 1;
			} else {
				sums.live_bytes = (double)live;
			}
			history_commit(h, &totals, &sums);
		}
		assert_int_equal(history_id_at(h, 777 * S), 777);
		assert_int_not_equal(history_id_at(h, 333 * S), 333);
		assert_int_not_equal(history_id_at(h, 555 * S), 555);
		history_free(h);
	}
}

/* Where all is pinned and too large every second one goes; what stays is what
 * it was. */
static void
halves(void **state)
{
	struct history *h = history_new();
	uint64_t(*truth)[4] = calloc(101, sizeof *truth);

	(void)state;
	history_set_budget(h, 4000);
	assert_false(history_crowded(h));
	for (uint64_t t = 1; t <= 100; t++) {
		for (uint32_t c = 0; c < 4; c++) {
			struct cell_values v;

			truth[t][c] = draw() % 100000;
			v = values((uint32_t)truth[t][c]);
			history_put(h, c, t * S, &v);
		}
		history_commit(h, &(struct profile_totals){ .now_ns = t * S },
		    &(struct snapshot){
			.live_bytes = t == 42 ? 9 : 1, .stacks = (uint32_t)t });
		history_pin(h, (snap_id)t, true);
	}
	assert_int_equal(history_count(h), 100);
	assert_true(history_crowded(h));
	history_halve(h);
	/* 1, 3, 5 ... 99, the peak 42, and 100 */
	assert_int_equal(history_count(h), 52);
	for (int round = 0; round < 3; round++) {
		for (size_t i = 0; i < history_count(h); i++) {
			const struct snapshot *s = history_at(h, i);

			assert_int_equal(s->stacks, s->id);
			for (uint32_t c = 0; c < 4; c++)
				assert_int_equal(
				    history_cell(h, c, s->id).live_bytes,
				    truth[s->id][c]);
		}
		history_halve(h);
	}
	assert_int_equal(history_at(h, 0)->id, 1);
	assert_int_equal(history_at(h, history_count(h) - 1)->id, 100);
	assert_int_equal(history_id_at(h, 42 * S), 42);
	assert_true(history_count(h) < 10);
	history_free(h);
	free(truth);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(retained_snapshots_keep_their_values),
		cmocka_unit_test(thins_with_age),
		cmocka_unit_test(halves),
		cmocka_unit_test(pinned_ones_stay),
		cmocka_unit_test(bounded),
		cmocka_unit_test(odd_numbers),
		cmocka_unit_test(two_days),
		cmocka_unit_test(the_peak_stays),
		cmocka_unit_test(columns_are_cells),
		cmocka_unit_test(later_cells),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
