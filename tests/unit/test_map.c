/* needs: src/base/map.c src/base/mem.c */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/map.h"

static void
finds_what_was_put(void **state)
{
	struct map m = { 0 };

	(void)state;
	assert_int_equal(map_find(&m, 0), MAP_NONE);
	for (uint64_t i = 0; i < 10000; i++) {
		uint32_t *v = map_put(&m, i << 32);

		assert_int_equal(*v, MAP_NONE);
		*v = (uint32_t)i;
	}
	for (uint64_t i = 0; i < 10000; i++) {
		assert_int_equal(map_find(&m, i << 32), i);
		assert_int_equal(*map_put(&m, i << 32), i);
	}
	assert_int_equal(m.count, 10000);
	assert_int_equal(map_find(&m, 1), MAP_NONE);
	map_fini(&m);
	assert_int_equal(map_find(&m, 0), MAP_NONE);
}

/* The first outputs of splitmix64 from the seed 0 (Vigna's splitmix64.c),
 * whose state grows by the golden gamma: map_mix(0), map_mix(gamma). */
static void
mixes_like_splitmix64(void **state)
{
	(void)state;
	assert_int_equal(map_mix(0), UINT64_C(0xe220a8397b1dcdaf));
	assert_int_equal(map_mix(UINT64_C(0x9e3779b97f4a7c15)),
	    UINT64_C(0x6e789e6aa1b965f4));
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(finds_what_was_put),
		cmocka_unit_test(mixes_like_splitmix64),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
