/* needs: prof/index.c */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <stdlib.h>

#include "prof/index.h"
#include "prof/meta.h"
#include "prof/os.h"

#define KEYS 5000

static int memory_left = 1; /* 0: os_map() fails */
static void *maps[32];
static int nmaps;

void
meta_note(const void *p, size_t size)
{
	(void)p;
	(void)size;
}

void *
os_map(size_t size)
{
	if (!memory_left)
		return NULL;
	assert_true(nmaps < 32);
	return maps[nmaps++] = calloc(1, size);
}

static int
teardown(void **state)
{
	(void)state;
	while (nmaps > 0)
		free(maps[--nmaps]);
	memory_left = 1;
	return 0;
}

/* Different keys of the same first place, and pairs that differ in b alone. */
static struct index_key
key(uint32_t i)
{
	return (struct index_key){ (uint64_t)(i / 2) << 32 | 7, i % 2 };
}

static void
empty_has_nothing(void **state)
{
	struct index ix = { NULL };

	(void)state;
	assert_int_equal(index_find(&ix, key(0)), 0);
	assert_int_equal(index_find(&ix, (struct index_key){ 0, 0 }), 0);
}

static void
finds_what_was_added(void **state)
{
	struct index ix = { NULL };

	(void)state;
	for (uint32_t i = 0; i < KEYS; i++) {
		struct index_key k = { i * UINT64_C(0x9e3779b97f4a7c15), i };

		assert_int_equal(index_find(&ix, k), 0);
		assert_true(index_add(&ix, k, i + 1));
	}
	for (uint32_t i = 0; i < KEYS; i++) {
		struct index_key k = { i * UINT64_C(0x9e3779b97f4a7c15), i };

		assert_int_equal(index_find(&ix, k), i + 1);
		k.b++;
		assert_int_equal(index_find(&ix, k), 0);
	}
}

static void
collisions_are_kept_apart(void **state)
{
	struct index ix = { NULL };

	(void)state;
	for (uint32_t i = 0; i < 300; i++)
		assert_true(index_add(&ix, key(i), i + 1));
	for (uint32_t i = 0; i < 300; i++)
		assert_int_equal(index_find(&ix, key(i)), i + 1);
	assert_int_equal(index_find(&ix, key(300)), 0);
}

/* A reader that is still in an old array finds what was in it. */
static void
old_arrays_stay(void **state)
{
	struct index ix = { NULL }, old;

	(void)state;
	assert_true(index_add(&ix, key(0), 1));
	old = ix;
	for (uint32_t i = 1; i < KEYS; i++)
		assert_true(index_add(
		    &ix, (struct index_key){ i * UINT64_C(1000003), 0 }, 2));
	assert_true(ix.array != old.array);
	assert_int_equal(index_find(&old, key(0)), 1);
	assert_int_equal(index_find(&ix, key(0)), 1);
}

/* The first array has 128 entries, one of which stays free so that searches
 * end; and it must not need more than it has to say so. */
static void
without_memory(void **state)
{
	struct index ix = { NULL };
	uint32_t n = 0;

	(void)state;
	memory_left = 0;
	assert_false(index_add(&ix, key(0), 1));
	assert_int_equal(index_find(&ix, key(0)), 0);
	memory_left = 1;
	assert_true(index_add(&ix, key(n++), 1));
	memory_left = 0;
	while (n < 1000 && index_add(&ix, key(n), n + 1))
		n++;
	assert_true(n >= 64 && n < 128);
	assert_false(index_reserve(&ix));
	for (uint32_t i = 0; i < n; i++)
		assert_int_equal(index_find(&ix, key(i)), i + 1);
	assert_int_equal(index_find(&ix, key(n)), 0);
	memory_left = 1;
	assert_true(index_reserve(&ix));
	memory_left = 0;
	assert_true(index_add(&ix, key(n), n + 1));
	assert_int_equal(index_find(&ix, key(n)), n + 1);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_teardown(empty_has_nothing, teardown),
		cmocka_unit_test_teardown(finds_what_was_added, teardown),
		cmocka_unit_test_teardown(collisions_are_kept_apart, teardown),
		cmocka_unit_test_teardown(old_arrays_stay, teardown),
		cmocka_unit_test_teardown(without_memory, teardown),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
