/* needs: src/base/arena.c src/base/mem.c */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <stdalign.h>
#include <string.h>

#include "base/arena.h"

static void
blocks_do_not_overlap_and_stay(void **state)
{
	struct arena a = { 0 };
	unsigned char *p[500];

	(void)state;
	for (size_t i = 0; i < 500; i++) {
		size_t n = i * 37 % 3000;

		p[i] = arena_alloc(&a, n + 1);
		assert_int_equal((uintptr_t)p[i] % alignof(max_align_t), 0);
		memset(p[i], (int)(i & 255), n + 1);
	}
	for (size_t i = 0; i < 500; i++) {
		size_t n = i * 37 % 3000;

		assert_int_equal(p[i][0], i & 255);
		assert_int_equal(p[i][n], i & 255);
	}
	arena_fini(&a);
	assert_int_equal(a.total, 0);
}

static void
large_and_small_mix(void **state)
{
	struct arena a = { 0 };
	char *s = arena_strndup(&a, "hello", 3);
	char *big = arena_calloc(&a, 1000, 10000);
	char *t = arena_strndup(&a, "world", 5);

	(void)state;
	assert_string_equal(s, "hel");
	assert_string_equal(t, "world");
	assert_int_equal(big[0] | big[9999999], 0);
	/* small strings are packed: the block goes on after a large one */
	assert_true(t > s && t - s <= 16);
	arena_fini(&a);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(blocks_do_not_overlap_and_stay),
		cmocka_unit_test(large_and_small_mix),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
