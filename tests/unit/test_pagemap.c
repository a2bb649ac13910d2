/* needs: prof/pagemap.c prof/sizeclass.c prof/os.c */
/* needs: prof/meta.c prof/lock.c prof/extents.c */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "prof/pagemap.h"
#include "prof/span.h"

#define GIB ((uintptr_t)1 << 30)
/* A place in the middle of user space. */
#define BASE (0x5000 * GIB)

static struct span span;

static void
nothing_is_ours_before(void **state)
{
	(void)state;
	assert_int_equal(pagemap_get(0), 0);
	assert_int_equal(pagemap_get(BASE), 0);
	assert_int_equal(pagemap_get(UINTPTR_MAX), 0);
	assert_int_equal(pagemap_get((uintptr_t)1 << 48), 0);
}

static void
set_and_get(uintptr_t a)
{
	assert_true(pagemap_cover(a, 3));
	pagemap_set_run(a, 3, &span, 7);
	for (unsigned i = 0; i < 3; i++) {
		uint64_t e = pagemap_get(a + i * PAGE_BYTES + 100);
		assert_int_equal(pagemap_code(e), 7);
		assert_ptr_equal(pagemap_span(e), &span);
	}
	assert_int_equal(pagemap_get(a - 1), 0);
	assert_int_equal(pagemap_get(a + 3 * PAGE_BYTES), 0);
	pagemap_set_run(a, 3, NULL, 0);
	pagemap_set_ends(a, 3, &span, PAGE_LARGE);
	assert_int_equal(pagemap_code(pagemap_get(a)), PAGE_LARGE);
	assert_int_equal(pagemap_get(a + PAGE_BYTES), 0);
	assert_int_equal(
	    pagemap_code(pagemap_get(a + 2 * PAGE_BYTES)), PAGE_LARGE);
	pagemap_set_ends(a, 3, NULL, 0);
}

/* The first call decides where the near map lies: 8 GiB around BASE, of
 * which 6 whole ones are below its own. */
static void
near_and_far(void **state)
{
	(void)state;
	set_and_get(BASE);
	set_and_get(BASE - 6 * GIB);
	set_and_get(BASE - 6 * GIB - PAGE_BYTES);
	set_and_get(BASE + 2 * GIB - PAGE_BYTES);
	set_and_get(BASE + 100 * GIB);
	set_and_get(GIB - PAGE_BYTES);
	assert_false(pagemap_cover((uintptr_t)1 << 48, 1));
	assert_int_equal(pagemap_get((uintptr_t)1 << 63), 0);
	assert_int_equal(pagemap_get((uintptr_t)1 << 48), 0);
}

static void
blocks(void **state)
{
	uintptr_t lo, hi, a = BASE + 3 * PAGE_BYTES;
	(void)state;
	span = (struct span){ .start = a, .pages = 1, .class = 4 };
	pagemap_set_run(a, 1, &span, 4);
	/* class 4 is 64 bytes: 130 lies in the third object */
	assert_true(pagemap_block((char *)a + 130, &lo, &hi));
	assert_int_equal(lo, a + 128);
	assert_int_equal(hi, a + 192);
	assert_true(pagemap_owns((char *)a));
	pagemap_set(a, NULL, 0);
	assert_false(pagemap_owns((char *)a));

	/* Inside a large block the entries are of free pages. */
	span = (struct span){ .start = a, .pages = 40 };
	pagemap_set_run(a, 40, NULL, PAGE_UNUSED);
	pagemap_set_ends(a, 40, &span, PAGE_LARGE);
	assert_true(pagemap_block((char *)a + 20 * PAGE_BYTES, &lo, &hi));
	assert_int_equal(lo, a);
	assert_int_equal(hi, a + 40 * PAGE_BYTES);
	/* Behind its end there is none. */
	pagemap_set_run(a + 40 * PAGE_BYTES, 2, NULL, PAGE_UNUSED);
	assert_false(pagemap_block((char *)a + 41 * PAGE_BYTES, &lo, &hi));
	assert_false(pagemap_block((char *)a + 43 * PAGE_BYTES, &lo, &hi));
	pagemap_set_run(a, 42, NULL, 0);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(nothing_is_ours_before),
		cmocka_unit_test(near_and_far),
		cmocka_unit_test(blocks),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
