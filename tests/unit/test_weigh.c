/* needs: prof/weigh.c prof/maths.c */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <math.h>

#include "prof/cells.h"
#include "prof/format.h"
#include "prof/weigh.h"

static const uint64_t sizes[] = { 16, 24, 100, 4096, 65536, 81920, 524288,
	1000000, UINT64_C(1) << 24, UINT64_C(1) << 32, UINT64_C(1) << 40 };

#define SIZES (sizeof sizes / sizeof *sizes)

static void
close_to(double got, long double wanted, long double least)
{
	assert_true(fabsl(got - wanted) <= least + wanted * 1e-12L);
}

/* w = 1 / (1 - exp(-z/R)); objects w, bytes z w, variances z^2 w (w - 1) and
 * w (w - 1).  Fixed point is right to half a unit; the variance of what is
 * nearly always seen is a difference from 1 that double has 2^-52 of. */
static void
is_the_estimator(void **state)
{
	(void)state;
	for (unsigned lg = 1; lg <= 40; lg++)
		for (size_t i = 0; i < SIZES; i++) {
			long double z = sizes[i], R = powl(2, lg);
			long double w = -1 / expm1l(-z / R);
			long double u = w - 1;
			struct weighed got;

			weigh(sizes[i], lg, &got);
			assert_int_equal(got.bytes, sizes[i]);
			close_to((double)got.est_objects, w * 65536, 0.5L);
			close_to((double)got.est_bytes, z * w * 256, 0.5L);
			close_to(
			    got.var_bytes, z * z * w * u, z * z * w * 0x1p-50L);
			close_to(got.var_objects, w * u, w * 0x1p-50L);
			assert_true(got.var_bytes >= 0);
		}
}

static void
exact_counts_as_it_is(void **state)
{
	struct weighed w;

	(void)state;
	for (size_t i = 0; i < SIZES; i++) {
		weigh(sizes[i], 0, &w);
		assert_int_equal(w.est_objects, 1 << EST_OBJECT_SHIFT);
		assert_int_equal(w.est_bytes, sizes[i] << EST_BYTE_SHIFT);
		assert_true(w.var_bytes == 0 && w.var_objects == 0);
	}
}

/* What is counted and uncounted in another order is 0 again, to the bit. */
static void
frees_take_away_what_was_added(void **state)
{
	uint64_t objects = 0, bytes = 0;
	struct weighed w;

	(void)state;
	for (unsigned lg = 0; lg <= 47; lg++)
		for (size_t i = 0; i < SIZES; i++) {
			weigh(sizes[i], lg, &w);
			objects += w.est_objects;
			bytes += w.est_bytes;
		}
	for (size_t i = SIZES; i-- > 0;)
		for (unsigned lg = 48; lg-- > 0;) {
			weigh(sizes[i], lg, &w);
			objects -= w.est_objects;
			bytes -= w.est_bytes;
		}
	assert_int_equal(objects, 0);
	assert_int_equal(bytes, 0);
}

/* A mean distance of 2^47 and the smallest object: 2^43 objects of 16 bytes
 * fit the fixed point. */
static void
extremes_fit(void **state)
{
	struct weighed w;

	(void)state;
	weigh(16, 47, &w);
	close_to((double)w.est_objects, 0x1p43L * 65536, 65536);
	close_to((double)w.est_bytes, 0x1p47L * 256, 0x1p12L);
	weigh(UINT64_C(1) << 46, 1, &w);
	assert_int_equal(w.est_objects, 65536);
	assert_int_equal(w.est_bytes, UINT64_C(1) << 54);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(is_the_estimator),
		cmocka_unit_test(exact_counts_as_it_is),
		cmocka_unit_test(frees_take_away_what_was_added),
		cmocka_unit_test(extremes_fit),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
