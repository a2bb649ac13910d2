/* needs: src/base/err.c src/base/mem.c src/base/buf.c src/base/arena.c src/base/map.c src/base/strtab.c src/base/fmt.c src/base/utf8.c src/model/modules.c src/model/frames.c src/model/plumbing.c src/model/stacks.c src/model/history.c src/model/history_log.c src/model/profile.c src/model/births.c */
/* libs: -lm */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <math.h>
#include <string.h>

#include "base/err.h"
#include "model/history.h"
#include "model/stacks.h"
#include "profile_fixture.h"

static void
holds_what_was_put(void **state)
{
	struct profile *p = fixture_empty();
	const struct profile_cell *cells;
	size_t n;

	(void)state;
	assert_null(profile_totals(p));
	fixture_cell(p, 2, 1, 300, 3, 300, 3, 100);
	fixture_commit(p, 5);
	assert_int_equal(profile_totals(p)->now_ns, UINT64_C(5000000000));
	assert_null(profile_totals_before(p));
	fixture_cell(p, 2, 1, 400, 3, 300, 3, 100);
	fixture_cell(p, 1, 7, 1, 1, 1, 1, 0);
	fixture_commit(p, 6);
	assert_int_equal(
	    profile_totals_before(p)->now_ns, UINT64_C(5000000000));
	cells = profile_cells(p, &n);
	assert_int_equal(n, 2);
	assert_int_equal(cells[0].stack, 2);
	assert_true(cells[0].v.live_bytes == 400);
	assert_int_equal(cells[1].slot, 7);
	assert_int_equal(
	    history_cell(profile_history(p), 0, 1).live_bytes, 300);
	assert_true(history_at(profile_history(p), 1)->live_bytes == 401);
	assert_string_equal(profile_facts(p)->command, "app --fast");
	assert_string_equal(profile_thread_name(p, 1), "app");
	assert_int_equal(profile_thread_tid(p, 2), 41238);
	assert_string_equal(profile_thread_name(p, 9), "");
	profile_free(p);
	profile_free(NULL);
}

/* Stacks that hold something, each once, whatever its threads. */
static void
stacks_are_counted(void **state)
{
	static const uint32_t expected[] = { 1, 2, 2, 1, 0 };
	struct profile *p = fixture_empty();

	(void)state;
	fixture_cell(p, 1, 1, 300, 3, 300, 3, 100);
	fixture_commit(p, 5);
	fixture_cell(p, 1, 2, 400, 3, 300, 3, 100);
	fixture_cell(p, 2, 7, 1, 1, 1, 1, 0);
	fixture_commit(p, 6);
	fixture_cell(p, 1, 1, 0, 0, 300, 3, 0);
	fixture_commit(p, 7);
	fixture_cell(p, 1, 2, 0, 0, 300, 3, 0);
	fixture_commit(p, 8);
	profile_clear_rest(p);
	fixture_commit(p, 9);
	for (size_t i = 0; i < 5; i++)
		assert_int_equal(
		    history_at(profile_history(p), i)->stacks, expected[i]);
	/* there is room for all */
	assert_false(profile_bound(p));
	profile_free(p);
}

/* The one snapshot of a dump: its figures are in the cells, and in history
 * once that is asked or another follows. */
static void
one_commit_is_told_late(void **state)
{
	struct profile *p = fixture_empty();
	const struct history *h = profile_snapshots(p);

	(void)state;
	fixture_cell(p, 2, 1, 300, 3, 300, 3, 100);
	assert_int_equal(profile_first_ns(p, 0), 0);
	fixture_commit(p, 5);
	profile_pin(p, 1, 1);
	profile_put_process(p, 7, 8, 9, 10);
	assert_int_equal(history_count(h), 1);
	assert_true(history_at(h, 0)->live_bytes == 300);
	assert_int_equal(profile_first_ns(p, 0), UINT64_C(5000000000));
	assert_int_equal(profile_first_ns(p, 1), 0);
	assert_ptr_equal(profile_history(p), h);
	assert_int_equal(history_cell(h, 0, 1).live_bytes, 300);
	assert_int_equal(history_first_ns(h, 0), UINT64_C(5000000000));
	assert_int_equal(history_count(h), 1);
	assert_int_equal(history_at(h, 0)->id, 1);
	assert_true(history_at(h, 0)->pinned);
	assert_int_equal(history_at(h, 0)->totals.rss_bytes, 7);
	profile_free(p);
}

static void
another_commit_tells_of_the_first(void **state)
{
	struct profile *p = fixture_empty();
	const struct history *h = profile_snapshots(p);

	(void)state;
	fixture_cell(p, 2, 1, 300, 3, 300, 3, 100);
	fixture_commit(p, 5);
	fixture_cell(p, 2, 1, 400, 4, 400, 4, 100);
	fixture_cell(p, 1, 1, 1, 1, 1, 1, 0);
	fixture_commit(p, 6);
	assert_int_equal(history_count(h), 2);
	assert_int_equal(history_cell(h, 0, 1).live_bytes, 300);
	assert_int_equal(history_cell(h, 0, 2).live_bytes, 400);
	assert_int_equal(history_cell(h, 1, 1).live_bytes, 0);
	assert_int_equal(profile_first_ns(p, 0), UINT64_C(5000000000));
	assert_int_equal(profile_first_ns(p, 1), UINT64_C(6000000000));
	profile_free(p);
}

/* A second commit without cells is one, too. */
static void
nothing_new_is_a_snapshot(void **state)
{
	struct profile *p = fixture_empty();

	(void)state;
	fixture_cell(p, 2, 1, 300, 3, 300, 3, 100);
	fixture_commit(p, 5);
	fixture_commit(p, 6);
	assert_int_equal(history_count(profile_history(p)), 2);
	assert_int_equal(
	    history_cell(profile_history(p), 0, 1).live_bytes, 300);
	assert_int_equal(
	    history_cell(profile_history(p), 0, 2).live_bytes, 300);
	profile_free(p);
}

static void
lifetimes_are_by_cell(void **state)
{
	struct profile *p = fixture_empty();
	const uint32_t life[PROFILE_LIVES] = { 1, 2, 3 };
	const uint32_t none[PROFILE_LIVES] = { 0 };

	(void)state;
	fixture_cell(p, 2, 1, 300, 3, 300, 3, 100);
	fixture_cell(p, 2, 2, 300, 3, 300, 3, 100);
	profile_put_life(p, 2, 2, none);
	assert_null(profile_life(p, 1));
	profile_put_life(p, 2, 9, life); /* there is no such cell */
	assert_null(profile_life(p, 0));
	profile_put_life(p, 2, 2, life);
	assert_memory_equal(profile_life(p, 1), life, sizeof life);
	assert_memory_equal(profile_life(p, 0), none, sizeof none);
	profile_free(p);
}

static void
sparse_ids_are_fine(void **state)
{
	struct profile *p = fixture_empty();
	struct profile_frame f = { 1, 5 };
	struct err e;

	(void)state;
	assert_int_equal(
	    profile_put_stack(p, PROFILE_IDS_MAX, 0, &f, 1, &e), 0);
	fixture_cell(p, PROFILE_IDS_MAX, 65535, 1, 1, 1, 1, 0);
	fixture_commit(p, 1);
	assert_int_equal(stacks_count(profile_stacks(p)), 4);
	profile_free(p);
}

static void
refuses(int got, const struct err *e, const char *sentence)
{
	assert_int_equal(got, -1);
	assert_string_equal(e->msg, sentence);
}

static void
hostile_input_is_refused(void **state)
{
	struct profile *p = fixture_empty();
	struct profile_frame f = { 9, 5 }, g = { 1, 5 };
	struct cell_values v = { .live_bytes = NAN };
	uint8_t id[33] = { 0 };
	struct err e;

	(void)state;
	refuses(profile_put_stack(p, 9, 0, &f, 1, &e), &e,
	    "stack 9 names module 9, which was never told of");
	refuses(profile_put_stack(p, 0, 0, &g, 1, &e), &e,
	    "0 is not a possible number of a stack");
	refuses(
	    profile_put_stack(p, 9, 0, &g, 0, &e), &e, "stack 9 has 0 frames");
	refuses(profile_put_stack(p, 1, 0, &g, 1, &e), &e,
	    "stack 1 is there already, with other frames");
	refuses(profile_put_cell(p, 44, 0, &v, &e), &e,
	    "figures for stack 44, which was never told of");
	refuses(profile_put_cell(p, 1, 0, &v, &e), &e,
	    "the figures of stack 1 are not numbers");
	refuses(profile_put_module(p, 5, 0, 1, 0, id, 33, "x", &e), &e,
	    "module 5 has a build-id of 33 bytes");
	refuses(profile_put_module(p, 5, 2, 1, 0, id, 3, "x", &e), &e,
	    "module 5 ends before it starts");
	refuses(profile_put_module(p, 1, 0, 1, 0, id, 3, "x", &e), &e,
	    "module 1 is there already, with other contents");
	refuses(profile_put_module(p, 0, 0, 1, 0, id, 3, "x", &e), &e,
	    "0 is not a possible number of a module");
	fixture_commit(p, 1);
	assert_int_equal(stacks_count(profile_stacks(p)), 3);
	profile_free(p);
}

/* Strings come from the target and end up on a terminal. */
static void
strings_are_cleaned(void **state)
{
	struct profile *p = profile_new();
	struct profile_facts f = { .command = "a\033[2Jb\n" };

	(void)state;
	profile_put_facts(p, &f);
	profile_put_thread(p, 0, 1, 1, "x\ny");
	assert_string_equal(profile_facts(p)->command, "a?[2Jb?");
	assert_string_equal(profile_facts(p)->image, "");
	assert_string_equal(profile_thread_name(p, 0), "x?y");
	assert_int_equal(profile_thread_ended(p, 0), 1);
	profile_free(p);
}

/* What /proc said stands in the totals of every later commit, and at once in
 * the newest ones, there and in history; other totals stay as they were. */
static void
process_is_merged(void **state)
{
	struct profile *p = fixture_empty();
	const struct history *h = profile_history(p);

	(void)state;
	profile_put_process(p, 100, 200, 3, 4);
	assert_null(profile_totals(p));
	assert_int_equal(history_count(h), 0);
	fixture_commit(p, 1);
	assert_int_equal(profile_totals(p)->rss_bytes, 100);
	assert_int_equal(history_at(h, 0)->totals.rss_bytes, 100);
	fixture_commit(p, 2);
	assert_int_equal(profile_totals(p)->virtual_bytes, 200);
	profile_put_process(p, 101, 202, 0, 9);
	assert_int_equal(profile_totals(p)->rss_bytes, 101);
	assert_int_equal(profile_totals(p)->now_ns, UINT64_C(2000000000));
	assert_int_equal(history_at(h, 1)->totals.virtual_bytes, 202);
	assert_int_equal(history_at(h, 1)->totals.swap_bytes, 0);
	assert_int_equal(history_at(h, 1)->totals.major_faults, 9);
	assert_int_equal(history_at(h, 1)->totals.now_ns, UINT64_C(2000000000));
	assert_int_equal(history_at(h, 0)->totals.rss_bytes, 100);
	assert_int_equal(profile_totals_before(p)->rss_bytes, 100);
	fixture_commit(p, 3);
	assert_int_equal(profile_totals(p)->rss_bytes, 101);
	assert_int_equal(profile_totals_before(p)->swap_bytes, 0);
	profile_free(p);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(holds_what_was_put),
		cmocka_unit_test(stacks_are_counted),
		cmocka_unit_test(one_commit_is_told_late),
		cmocka_unit_test(another_commit_tells_of_the_first),
		cmocka_unit_test(nothing_new_is_a_snapshot),
		cmocka_unit_test(lifetimes_are_by_cell),
		cmocka_unit_test(sparse_ids_are_fine),
		cmocka_unit_test(hostile_input_is_refused),
		cmocka_unit_test(strings_are_cleaned),
		cmocka_unit_test(process_is_merged),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
