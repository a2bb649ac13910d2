/* needs: src/merge.c
 * src/model/profile.c src/model/births.c src/model/frames.c src/model/modules.c
 * src/model/stacks.c src/model/history.c src/model/history_log.c
 * src/model/plumbing.c src/model/name.c src/base/arena.c src/base/buf.c
 * src/base/err.c src/base/map.c src/base/mem.c src/base/strtab.c
 * src/base/utf8.c */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdbool.h>
#include <string.h>

#include "merge.h"
#include "model/frames.h"
#include "model/history.h"
#include "model/modules.h"
#include "model/profile.h"
#include "model/stacks.h"

#define BASE 0x1000000u

/* A file of 0x9000 bytes, loaded at `start`. */
static void
module(struct profile *p, uint32_t id, uint64_t start, const char *path,
    uint8_t build)
{
	assert_int_equal(profile_put_module(p, id, start, start + 0x9000, start,
			     &build, build ? 1 : 0, path, NULL),
	    0);
}

/* Two frames: `offset` in the module, called from 0x500 in it. */
static void
stack(struct profile *p, uint32_t id, uint32_t in, uint64_t offset)
{
	const struct profile_frame frames[] = { { in, offset }, { in, 0x500 } };

	assert_int_equal(profile_put_stack(p, id, 0, frames, 2, NULL), 0);
}

static void
cell(struct profile *p, uint32_t in, uint16_t slot, double bytes)
{
	const struct cell_values v = { .live_bytes = bytes,
		.live_objects = 1,
		.alloc_bytes = bytes,
		.alloc_objects = 1,
		.live_samples = 1,
		.alloc_samples = 1 };

	assert_int_equal(profile_put_cell(p, in, slot, &v, NULL), 0);
}

/* Adds it as at that second, and forgets it. */
static void
add(struct merge *m, struct profile *p, uint64_t second)
{
	struct profile_totals t = { .now_ns = 5, .exact_ns = 5, .active = 1 };

	profile_put_totals(p, &t);
	profile_commit(p);
	assert_int_equal(merge_add(m, p, 0, second * 1000000000), 0);
	profile_free(p);
}

static double
live(const struct profile *p, size_t i)
{
	return history_at(profile_history(p), i)->live_bytes;
}

/* One stack in both, one in each; another order, another address. */
static void
test_series(void **state)
{
	struct merge *m = merge_new(true);
	struct profile *p = profile_new();
	const struct history *h;
	size_t cells;

	(void)state;
	module(p, 1, BASE, "/bin/x", 7);
	stack(p, 1, 1, 0x10);
	stack(p, 2, 1, 0x20);
	profile_put_thread(p, 3, 78, 0, "main");
	cell(p, 1, 3, 100);
	cell(p, 2, 3, 200);
	add(m, p, 1000);

	p = profile_new();
	module(p, 1, 2 * BASE, "/lib/y", 8);
	module(p, 2, 3 * BASE, "/bin/x", 7);
	stack(p, 1, 1, 0x10);
	stack(p, 2, 2, 0x10);
	profile_put_thread(p, 3, 78, 0, "main");
	cell(p, 1, 3, 5);
	cell(p, 2, 3, 150);
	add(m, p, 1010);

	p = merge_finish(m);
	h = profile_history(p);
	assert_int_equal(history_count(h), 2);
	assert_int_equal(stacks_count(profile_stacks(p)), 3);
	assert_int_equal(modules_max(profile_modules(p)), 2);
	profile_cells(p, &cells);
	assert_int_equal(cells, 3);
	assert_true(live(p, 0) == 300);
	assert_true(live(p, 1) == 155);
	/* in order of first appearance */
	assert_int_equal(history_cell(h, 0, 1).live_bytes, 100);
	assert_int_equal(history_cell(h, 0, 2).live_bytes, 150);
	assert_int_equal(history_cell(h, 1, 1).live_bytes, 200);
	assert_int_equal(history_cell(h, 1, 2).live_bytes, 0);
	assert_int_equal(history_cell(h, 2, 1).live_bytes, 0);
	assert_int_equal(history_cell(h, 2, 2).live_bytes, 5);
	/* the clock is that of the dumps, and begins with the first */
	assert_true(profile_facts(p)->image_ns == UINT64_C(1000000000000));
	assert_true(profile_totals(p)->now_ns == UINT64_C(1010000000000));
	assert_true(profile_totals(p)->exact_ns == UINT64_C(1010000000000));
	profile_free(p);
}

/* A second merge of the same, from one that began with its ends: ids are those
 * of before, and so are names. */
static void
test_seed(void **state)
{
	const struct frame_name name = { "f", "f.c", 3 };
	struct profile *ends = NULL, *all = NULL, *p;
	struct merge *m = merge_new(true);
	uint64_t offsets[2][3] = { { 0 } };

	(void)state;
	for (int round = 0; round < 2; round++) {
		if (round == 1) {
			m = merge_new(true);
			merge_seed(m, ends);
		}
		for (uint32_t k = 0; k < 3; k++) {
			if (round == 0 && k == 1)
				continue;
			p = profile_new();
			module(p, 1, BASE, k == 1 ? "/bin/y" : "/bin/x", 7);
			stack(p, 1, 1, 0x10 * (k + 1));
			cell(p, 1, 0, 100);
			add(m, p, 1000 + k);
		}
		if (round == 0)
			ends = merge_finish(m);
		else
			all = merge_finish(m);
		for (stack_id id = 1; id <= 2 + (stack_id)round; id++) {
			p = round ? all : ends;
			offsets[round][id - 1] =
			    frames_offset(profile_frames_const(p),
				stacks_at(profile_stacks(p), id)->frames[0]);
		}
	}
	assert_int_equal(stacks_count(profile_stacks(all)), 3);
	assert_int_equal(offsets[1][0], offsets[0][0]);
	assert_int_equal(offsets[1][1], offsets[0][1]);
	assert_int_equal(offsets[1][2], 0x20);
	assert_int_equal(history_count(profile_history(all)), 3);
	frames_set_names(profile_frames(ends), 1, &name, 1);
	frames_set_names(profile_frames(ends), 2, NULL, 0);
	frames_set_asked(profile_frames(ends), 3);
	frames_set_half(profile_frames(ends), 1, true); /* lines are to come */
	merge_names(all, ends);
	assert_string_equal(
	    frames_name(profile_frames_const(all), 1, 0).function, "f");
	assert_true(frames_half(profile_frames_const(all), 1));
	assert_int_equal(
	    frames_state(profile_frames_const(all), 1), FRAME_NAMED);
	assert_int_equal(
	    frames_state(profile_frames_const(all), 2), FRAME_NAMELESS);
	assert_int_equal(
	    frames_state(profile_frames_const(all), 3), FRAME_UNKNOWN);
	profile_free(ends);
	profile_free(all);
}

/* The same profile again and again: what it has of old is known, what is gone
 * is 0, and its modules and stacks grow. */
static void
test_more(void **state)
{
	const struct profile_totals t = { .now_ns = 5, .active = 1 };
	const uint32_t life[PROFILE_LIVES] = { 4 };
	struct merge *m = merge_new(true);
	struct profile *p = profile_new();
	const struct history *h;
	size_t cells;

	(void)state;
	profile_keep_nothing(p);
	module(p, 1, BASE, "/bin/x", 7);
	stack(p, 1, 1, 0x10);
	stack(p, 2, 1, 0x20);
	cell(p, 1, 3, 100);
	cell(p, 2, 3, 200);
	profile_put_life(p, 2, 3, life);
	profile_put_totals(p, &t);
	profile_commit(p);
	assert_int_equal(merge_add(m, p, 0, 1000), 0);
	module(p, 2, 2 * BASE, "/lib/y", 8);
	stack(p, 3, 2, 0x10);
	cell(p, 1, 3, 101);
	cell(p, 3, 3, 50);
	profile_clear_rest(p);
	profile_commit(p);
	assert_int_equal(merge_more(m, p, 0, 2000), 0);
	cell(p, 2, 3, 7);
	profile_clear_rest(p);
	profile_commit(p);
	assert_int_equal(merge_more(m, p, 0, 3000), 0);
	profile_free(p);

	p = merge_finish(m);
	h = profile_history(p);
	assert_int_equal(history_count(h), 3);
	assert_int_equal(stacks_count(profile_stacks(p)), 3);
	assert_int_equal(modules_max(profile_modules(p)), 2);
	profile_cells(p, &cells);
	assert_int_equal(cells, 3);
	assert_true(live(p, 0) == 300);
	assert_true(live(p, 1) == 151);
	assert_true(live(p, 2) == 7);
	assert_int_equal(history_cell(h, 1, 2).live_bytes, 0);
	assert_int_equal(history_cell(h, 1, 3).live_bytes, 7);
	assert_int_equal(history_cell(h, 2, 2).live_bytes, 50);
	assert_int_equal(profile_life(p, 1)[0], 4);
	profile_free(p);
}

/* A file that was built anew is another one: its stacks are others. */
static void
test_builds(void **state)
{
	static const uint8_t builds[] = { 7, 8, 7, 0 };
	struct merge *m = merge_new(true);
	struct profile *p;

	(void)state;
	for (size_t i = 0; i < 4; i++) {
		p = profile_new();
		module(p, 1, BASE, "/bin/x", builds[i]);
		stack(p, 1, 1, 0x10);
		cell(p, 1, 0, 100);
		add(m, p, 1000 + i);
	}
	p = merge_finish(m);
	assert_int_equal(stacks_count(profile_stacks(p)), 3);
	assert_int_equal(modules_max(profile_modules(p)), 3);
	for (size_t i = 0; i < 4; i++)
		assert_true(live(p, i) == 100);
	profile_free(p);
}

/* With one build-id now, the size still tells two files apart, unless sizes
 * are not comparable. */
static void
test_sizes(void **state)
{
	const uint8_t build = 7;

	(void)state;
	for (int sizes = 0; sizes < 2; sizes++) {
		struct merge *m = merge_new(sizes);
		struct profile *p = profile_new();

		module(p, 1, BASE, "/bin/x", build);
		stack(p, 1, 1, 0x10);
		cell(p, 1, 0, 100);
		add(m, p, 1000);
		p = profile_new();
		assert_int_equal(profile_put_module(p, 1, BASE, BASE + 0xa000,
				     BASE, &build, 1, "/bin/x", NULL),
		    0);
		stack(p, 1, 1, 0x10);
		cell(p, 1, 0, 100);
		add(m, p, 1001);
		p = merge_finish(m);
		assert_int_equal(
		    stacks_count(profile_stacks(p)), sizes ? 2 : 1);
		profile_free(p);
	}
}

/* Stacks that look alike add up; none is lost. */
static void
test_alike(void **state)
{
	struct merge *m = merge_new(true);
	struct profile *p = profile_new();
	size_t cells;

	(void)state;
	module(p, 1, BASE, "/bin/x", 7);
	stack(p, 1, 1, 0x10);
	stack(p, 2, 1, 0x10);
	cell(p, 1, 0, 100);
	cell(p, 2, 0, 30);
	add(m, p, 1000);
	p = merge_finish(m);
	profile_cells(p, &cells);
	assert_int_equal(cells, 1);
	assert_true(live(p, 0) == 130);
	profile_free(p);
}

/* A slot with another thread in it is another thread. */
static void
test_threads(void **state)
{
	struct merge *m = merge_new(true);
	static const char *const names[] = { "", "worker", "writer", "worker" };
	const struct profile_cell *c;
	struct profile *p;
	size_t n;

	(void)state;
	for (size_t i = 0; i < 4; i++) {
		p = profile_new();
		module(p, 1, BASE, "/bin/x", 7);
		stack(p, 1, 1, 0x10);
		profile_put_thread(p, 3, 78, 0, names[i]);
		cell(p, 1, 3, 100);
		cell(p, 1, 0, 7);
		add(m, p, 1000 + i);
	}
	p = merge_finish(m);
	c = profile_cells(p, &n);
	assert_int_equal(n, 3); /* slot 0, worker, writer */
	assert_int_equal(c[0].slot, 3);
	assert_int_equal(c[1].slot, 0);
	assert_string_equal(profile_thread_name(p, 3), "worker");
	assert_string_equal(profile_thread_name(p, c[2].slot), "writer");
	assert_true(c[0].v.live_bytes == 100);
	assert_true(c[2].v.live_bytes == 0);
	profile_free(p);
}

/* Time stands still or goes back: still one after the other. */
static void
test_time(void **state)
{
	struct merge *m = merge_new(true);
	static const uint64_t seconds[] = { 1000, 1000, 900, 1001 };
	const struct history *h;
	struct profile *p;

	(void)state;
	for (size_t i = 0; i < 4; i++)
		add(m, profile_new(), seconds[i]);
	p = merge_finish(m);
	h = profile_history(p);
	assert_int_equal(history_count(h), 4);
	assert_true(history_at(h, 1)->totals.now_ns == 1000000000001);
	assert_true(history_at(h, 2)->totals.now_ns == 1000000000002);
	assert_true(history_at(h, 3)->totals.now_ns == 1001000000000);
	profile_free(p);
}

/* Three days, a dump every quarter of an hour: all of them stay. */
static void
test_long(void **state)
{
	struct merge *m = merge_new(true);
	struct profile *p;

	(void)state;
	for (unsigned i = 0; i < 288; i++) {
		p = profile_new();
		module(p, 1, BASE + i * 0x1000u, "/bin/x", 7);
		for (unsigned k = 1; k <= 20; k++) {
			stack(p, k, 1, k + i % 3);
			cell(p, k, 0, i + k);
		}
		add(m, p, 1000 + i * 900);
	}
	p = merge_finish(m);
	assert_int_equal(history_count(profile_history(p)), 288);
	assert_int_equal(stacks_count(profile_stacks(p)), 22);
	for (unsigned i = 0; i < 288; i++) /* 20 i + 1 + ... + 20 */
		assert_true(live(p, i) == 20.0 * i + 210);
	profile_free(p);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_series),
		cmocka_unit_test(test_seed),
		cmocka_unit_test(test_more),
		cmocka_unit_test(test_builds),
		cmocka_unit_test(test_sizes),
		cmocka_unit_test(test_alike),
		cmocka_unit_test(test_threads),
		cmocka_unit_test(test_time),
		cmocka_unit_test(test_long),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
