/* needs: prof/meta.c prof/lock.c prof/os.c prof/extents.c */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "prof/meta.h"

static void
zeroed_aligned_and_apart(void **state)
{
	static unsigned char *p[400];
	(void)state;
	for (unsigned i = 0; i < 400; i++) {
		size_t n = 1 + i * 37;
		p[i] = meta_alloc(n);
		assert_non_null(p[i]);
		assert_int_equal((uintptr_t)p[i] % (n > 32 ? 64 : 16), 0);
		for (size_t k = 0; k < n; k++)
			assert_int_equal(p[i][k], 0);
		memset(p[i], (int)(i % 255 + 1), n);
	}
	for (unsigned i = 0; i < 400; i++)
		for (size_t k = 0; k < 1 + i * 37; k++)
			assert_int_equal(p[i][k], i % 255 + 1);
}

static void
given_out_again(void **state)
{
	(void)state;
	char *p = meta_alloc(1000);
	memset(p, 1, 1000);
	size_t used = meta_bytes();
	meta_free(p, 1000);
	/* both are of 1024 bytes */
	char *q = meta_alloc(700);
	assert_ptr_equal(q, p);
	for (unsigned i = 0; i < 700; i++)
		assert_int_equal(q[i], 0);
	assert_int_equal(meta_bytes(), used);
	meta_free(NULL, 5);
}

static void
large_ones(void **state)
{
	(void)state;
	char *p = meta_alloc((size_t)5 << 20);
	assert_non_null(p);
	p[(5 << 20) - 1] = 1;
	assert_null(meta_alloc(SIZE_MAX / 2));
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(zeroed_aligned_and_apart),
		cmocka_unit_test(given_out_again),
		cmocka_unit_test(large_ones),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
