/* needs: src/io/ranges.c src/base/mem.c src/base/err.c */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "io/ranges.h"

/* Values of all that hold the address, inner first, as decimal digits. */
static unsigned
at(const struct ranges *r, uint64_t address)
{
	size_t i = RANGES_END;
	unsigned digits = 0;

	while ((i = ranges_find(r, address, i)) != RANGES_END)
		digits = digits * 10 + r->items[i].value;
	return digits;
}

static void
test_nested(void **state)
{
	struct ranges r = { 0 };

	(void)state;
	assert_int_equal(at(&r, 5), 0);
	ranges_add(&r, 30, 40, 0, 4);
	ranges_add(&r, 12, 14, 2, 3);
	ranges_add(&r, 10, 30, 0, 1);
	ranges_add(&r, 12, 20, 1, 2);
	ranges_add(&r, 50, 50, 0, 9); /* empty */
	ranges_add(&r, 60, 55, 0, 9); /* reversed */
	ranges_sort(&r);
	assert_int_equal(r.count, 4);
	assert_int_equal(at(&r, 9), 0);
	assert_int_equal(at(&r, 10), 1);
	assert_int_equal(at(&r, 12), 321);
	assert_int_equal(at(&r, 14), 21);
	assert_int_equal(at(&r, 29), 1);
	assert_int_equal(at(&r, 30), 4);
	assert_int_equal(at(&r, 40), 0);
	ranges_fini(&r);
	assert_int_equal(at(&r, 12), 0);
}

/* Overlapping without nesting, and the highest addresses there are. */
static void
test_overlap(void **state)
{
	struct ranges r = { 0 };

	(void)state;
	ranges_add(&r, 0, 10, 0, 1);
	ranges_add(&r, 5, 15, 0, 2);
	ranges_add(&r, UINT64_MAX - 1, UINT64_MAX, 0, 3);
	ranges_sort(&r);
	assert_int_equal(at(&r, 0), 1);
	assert_int_equal(at(&r, 7), 21);
	assert_int_equal(at(&r, 12), 2);
	assert_int_equal(at(&r, UINT64_MAX - 1), 3);
	assert_int_equal(at(&r, UINT64_MAX), 0);
	ranges_fini(&r);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_nested),
		cmocka_unit_test(test_overlap),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
