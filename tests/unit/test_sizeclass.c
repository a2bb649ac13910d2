/* needs: prof/sizeclass.c */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "prof/sizeclass.h"

static size_t
size_of(size_t n)
{
	return sc_info[sc_class(n)].size;
}

/* By the rule in the header: 16s to 128, then eighths of a doubling. */
static void
known_sizes(void **state)
{
	(void)state;
	assert_int_equal(size_of(0), 16);
	assert_int_equal(size_of(1), 16);
	assert_int_equal(size_of(16), 16);
	assert_int_equal(size_of(17), 32);
	assert_int_equal(size_of(128), 128);
	assert_int_equal(size_of(129), 144);
	assert_int_equal(size_of(257), 288);
	assert_int_equal(size_of(513), 576);
	assert_int_equal(size_of(1024), 1024);
	assert_int_equal(size_of(1025), 1152);
	assert_int_equal(size_of(40000), 40960);
	assert_int_equal(size_of(SC_MAX), SC_MAX);
	assert_int_equal(sc_class(SC_MAX), SC_COUNT);
	assert_int_equal(sc_class(SC_MAX + 1), 0);
	assert_int_equal(sc_class(SIZE_MAX), 0);
}

static void
every_size_fits_and_wastes_an_eighth(void **state)
{
	(void)state;
	for (size_t n = 1; n <= SC_MAX; n++) {
		unsigned c = sc_class(n);
		size_t z = sc_info[c].size;
		if (z < n || (c > 1 && sc_info[c - 1].size >= n))
			fail_msg("%zu is not of class %u", n, c);
		/* below 128 a class is 16 bytes away from the next */
		if (n > 128 ? (z - n) * 8 > z : z - n > 15)
			fail_msg("%zu wastes %zu", n, z - n);
	}
}

static void
aligned_sizes(void **state)
{
	static const struct {
		size_t size, align, want;
	} t[] = {
		{ 100, 16, 112 },
		{ 100, 32, 128 },
		{ 100, 64, 128 },
		{ 192, 64, 192 },
		{ 129, 128, 256 },
		{ 0, 64, 64 },
		{ 1, 4096, 4096 },
		{ 5000, 4096, 8192 },
		{ 1, 8192, 8192 },
		/* 9 pages of 4 KiB are no class of 4096s below 40 KiB */
		{ 33000, 4096, 36864 },
		{ 33000, 8192, 40960 },
	};
	(void)state;
	for (unsigned i = 0; i < sizeof t / sizeof *t; i++) {
		unsigned c = sc_class_aligned(t[i].size, t[i].align);
		assert_int_equal(sc_info[c].size, t[i].want);
	}
	assert_int_equal(sc_class_aligned(1, 2 * PAGE_BYTES), 0);
	assert_int_equal(sc_class_aligned(SC_MAX + 1, 64), 0);
	for (size_t align = 16; align <= PAGE_BYTES; align *= 2)
		for (size_t n = 0; n <= SC_MAX; n += 13) {
			size_t z = sc_info[sc_class_aligned(n, align)].size;
			if (z < n || z % align != 0)
				fail_msg("%zu at %zu: %zu", n, align, z);
		}
}

static void
usable_sizes(void **state)
{
	(void)state;
	assert_int_equal(sc_usable(100, 16), 112);
	assert_int_equal(sc_usable(SC_MAX + 1, 16), SC_MAX + PAGE_BYTES);
	assert_int_equal(sc_usable(0, 2 * PAGE_BYTES), PAGE_BYTES);
	assert_int_equal(sc_usable(SIZE_MAX, 16), 0);
	assert_int_equal(sc_usable((size_t)PTRDIFF_MAX + 1, 16), 0);
}

static void
objects_of_a_slab(void **state)
{
	(void)state;
	for (unsigned c = 1; c <= SC_COUNT; c++) {
		const struct sc_info *i = &sc_info[c];
		size_t slab = (size_t)i->pages * PAGE_BYTES;
		size_t used = (size_t)i->objects * i->size;
		assert_true(i->objects > 0 && i->objects <= SC_OBJECTS);
		assert_true(used <= slab && (slab - used) * 11 <= slab);
		assert_true(i->first <= i->most && i->batch <= 64);
		assert_true(i->shelf == 0 || i->shelf >= i->batch);
		for (uint32_t k = 0; k < i->objects; k++)
			assert_int_equal(sc_index(i, (size_t)k * i->size), k);
	}
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(known_sizes),
		cmocka_unit_test(every_size_fits_and_wastes_an_eighth),
		cmocka_unit_test(aligned_sizes),
		cmocka_unit_test(usable_sizes),
		cmocka_unit_test(objects_of_a_slab),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
