/* needs: prof/heapv2.c prof/maths.c */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <math.h>

#include "prof/heapv2.h"

/* What a reader makes of a row, by the formula of the header, with libm. */
static void
read_back(uint64_t n, uint64_t s, double R, double *objects, double *bytes)
{
	double f = 1 / (1 - exp(-((double)s / (double)n) / R));

	*objects = (double)n * f;
	*bytes = (double)s * f;
}

static void
check(double objects, double bytes, double R)
{
	uint64_t n, s;
	double N, S;

	heapv2_pair(objects, bytes, R, &n, &s);
	assert_true(n >= 1 && s >= 1);
	read_back(n, s, R, &N, &S);
	/* half a byte in s is at most half a byte in S */
	assert_true(fabs(S - bytes) <= 0.51 + bytes * 1e-12);
	/* objects within the rounding of n */
	assert_true(fabs(N - objects) <= objects / (2 * (double)n) + 1);
}

static void
reads_back(void **state)
{
	static const double rates[] = { 1, 4096, 65536, 524288 };
	static const double sizes[] = { 16, 100, 4096, 81920, 1e6, 1e8 };
	static const double samples[] = { 1, 2, 3, 10, 1000, 1e6 };

	(void)state;
	for (size_t i = 0; i < 4; i++)
		for (size_t j = 0; j < 6; j++)
			for (size_t k = 0; k < 6; k++) {
				double p = 1 - exp(-sizes[j] / rates[i]);
				double N = samples[k] / p;

				check(N, N * sizes[j], rates[i]);
			}
}

/* At R = 1 and more than 40 bytes each the factor is 1: nothing to undo. */
static void
exact_stays(void **state)
{
	uint64_t n, s;

	(void)state;
	heapv2_pair(200100, 117657600, 1, &n, &s);
	assert_int_equal(n, 200100);
	assert_int_equal(s, 117657600);
}

static void
edges(void **state)
{
	uint64_t n, s;

	(void)state;
	heapv2_pair(0, 0, 4096, &n, &s);
	assert_int_equal(n, 0);
	assert_int_equal(s, 0);
	/* lighter than one sample can be: the nearest */
	heapv2_pair(1, 64, 524288, &n, &s);
	assert_int_equal(n, 1);
	assert_int_equal(s, 1);
	/* nothing overflows */
	heapv2_pair(1e18, 1e19, 1, &n, &s);
	assert_true(n > 0 && s > 0);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(reads_back),
		cmocka_unit_test(exact_stays),
		cmocka_unit_test(edges),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
