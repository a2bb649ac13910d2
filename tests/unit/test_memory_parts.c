/* needs: src/base/ src/model/ */
/* libs: -lm */
#include "model/memory.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

static const struct memory_part *
part(const struct memory_parts *m, enum memory_part_kind k)
{
	for (size_t i = 0; i < m->count; i++)
		if (m->part[i].kind == k)
			return &m->part[i];
	return NULL;
}

static double
bytes(const struct memory_parts *m, enum memory_part_kind k)
{
	return part(m, k) ? part(m, k)->bytes : -1e9;
}

static struct memory_seen
seen(void)
{
	struct memory_seen s = { .ns = 1, .heap_known = true, .stacks = 2 };

	s.totals = (struct profile_totals){ .exact_ns = 1,
		.mapped_bytes = 1000000,
		.cached_bytes = 50000,
		.dirty_bytes = 100000,
		.meta_bytes = 30000 };
	s.kind[MEMORY_HEAP] = 600000;
	s.kind[MEMORY_OWN] = 40000;
	s.kind[MEMORY_ANON] = 70000;
	s.kind[MEMORY_STACK] = 8192;
	s.kind[MEMORY_CODE] = 200000;
	s.kind[MEMORY_FILE] = 20000;
	s.kind[MEMORY_SHARED] = 10000;
	s.kind[MEMORY_KERNEL] = 4096;
	for (int i = 0; i < MEMORY_KINDS; i++)
		s.rss += s.kind[i];
	return s;
}

/* Of 600000: 430000 live, 100000 free pages, 50000 free objects; 20000 are
 * left between objects. */
static void
of_the_heap(void **state)
{
	struct memory_seen s = seen();
	struct memory_live live = { 430000, true };
	struct memory_parts m;

	(void)state;
	memory_parts(&m, &s.totals, &live, &s);
	assert_true(m.known);
	assert_true(bytes(&m, PART_LIVE) == 430000);
	assert_true(bytes(&m, PART_FREE) == 50000);
	assert_true(bytes(&m, PART_PAGES) == 100000);
	assert_true(bytes(&m, PART_WASTE) == 20000);
	assert_true(bytes(&m, PART_OWN) == 40000);
	assert_true(bytes(&m, PART_ANON) == 70000);
	assert_true(bytes(&m, PART_STACKS) == 8192);
	assert_true(bytes(&m, PART_REST) == 4096);
	assert_true(m.sum == (double)s.rss);
	assert_true(m.away == 0);
	assert_string_equal(part(&m, PART_STACKS)->what,
	    "of 2 threads, as deep as they ever were");
}

/* 900000 live, of which only 600000 are there; nothing is left for what is
 * free, and no part is below 0. */
static void
more_than_is_resident(void **state)
{
	struct memory_seen s = seen();
	struct memory_live live = { 900000, true };
	struct memory_parts m;

	(void)state;
	memory_parts(&m, &s.totals, &live, &s);
	assert_true(bytes(&m, PART_LIVE) == 600000);
	assert_true(bytes(&m, PART_FREE) == 0);
	assert_true(bytes(&m, PART_PAGES) == 0);
	assert_true(bytes(&m, PART_WASTE) == 0);
	assert_true(m.away == 300000);
	assert_true(m.sum == (double)s.rss);
	/* 300000 / 1024 = 293.0 */
	assert_string_equal(part(&m, PART_LIVE)->what,
	    "usable sizes, counted exactly; 293.0 KiB more not resident");
}

/* The heap's addresses are not known: of 670000 anonymous bytes as many are
 * its as it says, and 30000 its own data. */
static void
where_the_heap_is_not_known(void **state)
{
	struct memory_seen s = seen();
	struct memory_live live = { 430000, true };
	struct memory_parts m;

	(void)state;
	s.heap_known = false;
	s.kind[MEMORY_ANON] += s.kind[MEMORY_HEAP];
	s.kind[MEMORY_HEAP] = 0;
	memory_parts(&m, &s.totals, &live, &s);
	assert_true(bytes(&m, PART_LIVE) == 430000);
	assert_true(bytes(&m, PART_PAGES) == 100000);
	assert_true(bytes(&m, PART_FREE) == 50000);
	assert_true(bytes(&m, PART_WASTE) == 0);
	assert_true(bytes(&m, PART_OWN) == 70000);
	assert_true(bytes(&m, PART_ANON) == 60000);
	assert_true(m.sum == (double)s.rss);
}

/* A snapshot, of which only totals are kept: 1000000 resident. */
static void
without_a_look(void **state)
{
	struct profile_totals t = seen().totals;
	struct memory_live live = { 430000, true };
	struct memory_parts m;

	(void)state;
	t.rss_bytes = 1000000;
	memory_parts(&m, &t, &live, NULL);
	assert_true(m.known && m.sum == 1000000);
	assert_true(bytes(&m, PART_REST) == 1000000 - 430000 - 180000);
	assert_null(part(&m, PART_STACKS));
	t.rss_bytes = 0;
	memory_parts(&m, &t, &live, NULL);
	assert_true(!m.known && m.sum == 610000);
	assert_null(part(&m, PART_REST));
}

/* 60 files of 4 KiB more each: 40 are told, the rest is a sum. */
static void
the_largest_mappings(void **state)
{
	struct memory_sum *sum = memory_sum_new();
	struct memory_seen s;
	char name[MEMORY_NAME + 60];

	(void)state;
	for (uint64_t i = 1; i <= 60; i++) {
		struct memory_piece p = { .start = i << 20,
			.end = (i << 20) + 0x80000,
			.kind = MEMORY_FILE,
			.name = name,
			.rss = i * 4096 };

		snprintf(
		    name, sizeof name, "%0*d/%d", MEMORY_NAME + 10, 0, (int)i);
		memory_sum_add(sum, &p);
	}
	memory_sum_finish(sum, &s);
	assert_int_equal(s.largest_count, 40);
	assert_int_equal(s.largest[0].rss, 60 * 4096);
	assert_int_equal(s.largest[39].rss, 21 * 4096);
	assert_int_equal(s.others, 20);
	assert_int_equal(s.others_rss, 210 * 4096);
	/* of a long name the end */
	assert_int_equal(strlen(s.largest[0].name), MEMORY_NAME - 1);
	assert_string_equal(s.largest[0].name + MEMORY_NAME - 4, "/60");
}

/* The kernel writes a path as it is, but for the end of a line. */
static void
names_do_not_move_the_cursor(void **state)
{
	struct memory_piece p = { 0, 4096, MEMORY_FILE, "/x\33[1m\x7f.so", 1, 1,
		0, 0 };
	struct memory_sum *sum = memory_sum_new();
	struct memory_seen s;

	(void)state;
	memory_sum_add(sum, &p);
	memory_sum_finish(sum, &s);
	assert_string_equal(s.largest[0].name, "/x?[1m?.so");
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(of_the_heap),
		cmocka_unit_test(more_than_is_resident),
		cmocka_unit_test(where_the_heap_is_not_known),
		cmocka_unit_test(without_a_look),
		cmocka_unit_test(the_largest_mappings),
		cmocka_unit_test(names_do_not_move_the_cursor),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
