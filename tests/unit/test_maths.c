/* needs: prof/maths.c */
/* The oracle is libm in long double. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <math.h>

#include "prof/maths.h"

static void
close_to(double got, long double want)
{
	long double rel = want == 0 ? got : (got - want) / want;

	if (fabsl(rel) > 4e-16L)
		fail_msg("%.20g is not %.20Lg (off by %Lg)", got, want, rel);
}

static void
one_minus_exp(void **state)
{
	(void)state;
	for (double x = 1e-12; x < 60; x *= 1.003)
		close_to(maths_one_minus_exp(x), -expm1l(-(long double)x));
	assert_true(maths_one_minus_exp(0) == 0);
}

static void
neg_log(void **state)
{
	(void)state;
	for (double u = 1; u > 1e-18; u *= 0.9991)
		close_to(maths_neg_log(u), -logl(u));
	for (int i = 1; i < 2000; i++) {
		double u = 1 - i * 0x1p-53;

		close_to(maths_neg_log(u), -logl(u));
	}
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(one_minus_exp),
		cmocka_unit_test(neg_log),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
