/* needs: prof/extents.c */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "prof/extents.h"

static struct table_extents x;

static void
expect(uint32_t count, uint64_t bytes, uint64_t missed)
{
	uint64_t sum = 0;

	for (uint32_t i = 0; i < x.count; i++)
		sum += x.at[i].bytes;
	assert_int_equal(x.count, count);
	assert_int_equal(sum, bytes);
	assert_int_equal(x.missed, missed);
}

static void
what_touches_is_one(void **state)
{
	(void)state;
	memset(&x, 0, sizeof x);
	extents_add(&x, 0x10000, 0x1000);
	extents_add(&x, 0x12000, 0x1000);
	expect(2, 0x2000, 0);
	extents_add(&x, 0x11000, 0x1000); /* between the two */
	expect(1, 0x3000, 0);
	assert_int_equal(x.at[0].start, 0x10000);
	extents_add(&x, 0xf000, 0x1000); /* below, as kernels map */
	expect(1, 0x4000, 0);
	assert_int_equal(x.at[0].start, 0xf000);
}

static void
removed_from_the_middle(void **state)
{
	(void)state;
	memset(&x, 0, sizeof x);
	extents_add(&x, 0x10000, 0x8000);
	extents_remove(&x, 0x12000, 0x1000);
	expect(2, 0x7000, 0);
	/* of both, and of what lies between them */
	extents_remove(&x, 0x11000, 0x3000);
	expect(2, 0x5000, 0);
	extents_remove(&x, 0x10000, 0x1000);
	extents_remove(&x, 0x14000, 0x4000);
	expect(0, 0, 0);
}

/* 126 ranges find room, three of a page do not. */
static void
too_many(void **state)
{
	(void)state;
	memset(&x, 0, sizeof x);
	for (uint32_t i = 0; i < EXTENTS_MAX + 3; i++)
		extents_add(&x, 0x10000 + i * 0x2000, 0x1000);
	expect(EXTENTS_MAX, EXTENTS_MAX * 0x1000, 0x3000);
	/* the last, of which nothing is known */
	extents_remove(&x, 0x10000 + (EXTENTS_MAX + 2) * 0x2000, 0x1000);
	expect(EXTENTS_MAX, EXTENTS_MAX * 0x1000, 0x2000);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(what_touches_is_one),
		cmocka_unit_test(removed_from_the_middle),
		cmocka_unit_test(too_many),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
