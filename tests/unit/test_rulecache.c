/* needs: prof/rulecache.c */
#include "prof/rulecache.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>

#include <cmocka.h>

static uint64_t
get(uint64_t pc, uint64_t epoch)
{
	uint64_t key = rulecache_key(pc, epoch);
	uint64_t rule = rulecache_get(pc, key, rulecache_shift());

	return rule ? rule : rulecache_find_old(pc, key);
}

static void
test_epochs(void **state)
{
	(void)state;
	assert_int_equal(get(0x1000, 0), 0);
	rulecache_put(0x1000, 0x1000, 17);
	assert_int_equal(get(0x1000, 0), 17);
	assert_int_equal(get(0x1000, 5), 17);
	rulecache_put(0x2000, rulecache_key(0x2000, 3), 18);
	assert_int_equal(get(0x2000, 3), 18);
	assert_int_equal(get(0x2000, 2), 0);
	assert_int_equal(get(0x2000, 4), 0);
}

/* Halves of two entries are no entry. */
static void
test_torn(void **state)
{
	struct rulecache_entry a = { .check = 0x1000 ^ 17 * RULECACHE_MIX,
		.rule = 18 };

	(void)state;
	assert_int_equal(rulecache_match(&a, 0x1000, 0x1000), 0);
	a.rule = 17;
	assert_int_equal(rulecache_match(&a, 0x1000, 0), 17);
	assert_int_equal(rulecache_match(&a, 0, 0x1000), 17);
	assert_int_equal(rulecache_match(&a, 0x1001, 0), 0);
}

/* Few rules stay in 32 KiB; 20,000 fill the whole, and no wrong one is ever
 * found.  4,000 in a table of 32,768 leave nearly all findable. */
static void
test_growth(void **state)
{
	unsigned i, found;

	(void)state;
	for (i = 0; i < 900; i++)
		rulecache_put(0x400000 + i * 5, 0x400000 + i * 5, i + 1);
	assert_int_equal(rulecache_shift(), 64 - RULECACHE_MIN_BITS);
	for (i = 900; i < 4000; i++)
		rulecache_put(0x400000 + i * 5, 0x400000 + i * 5, i + 1);
	assert_true(rulecache_shift() < 64 - RULECACHE_MIN_BITS);
	for (i = 0, found = 0; i < 4000; i++) {
		uint64_t rule = get(0x400000 + i * 5, 0);

		assert_true(rule == 0 || rule == i + 1);
		found += rule != 0;
	}
	assert_true(found > 2500);
	for (i = 4000; i < 20000; i++)
		rulecache_put(0x400000 + i * 5, 0x400000 + i * 5, i + 1);
	assert_int_equal(rulecache_shift(), 64 - RULECACHE_MAX_BITS);
	for (i = 0; i < 20000; i++) {
		uint64_t rule = get(0x400000 + i * 5, 0);

		assert_true(rule == 0 || rule == i + 1);
	}
}

int
main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_epochs),
		cmocka_unit_test(test_torn),
		cmocka_unit_test(test_growth),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
