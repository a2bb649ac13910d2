#include "maths.h"

#include <stdint.h>
#include <string.h>

#define LN2 0.693147180559945309417232121458
/* ln 2 in two parts, the first with 32 trailing zero bits, so that k * LN2_HI is
 * exact for the k that occur (Cody and Waite's reduction). */
#define LN2_HI 6.93147180369123816490e-01
#define LN2_LO 1.90821492927058770002e-10

/* 2^k for -1022 <= k <= 1023. */
static double
power_of_two(int k)
{
	uint64_t bits = (uint64_t)(k + 1023) << 52;
	double d;

	memcpy(&d, &bits, sizeof d);
	return d;
}

/* exp(r) - 1 by its Taylor series, |r| <= 0.35: the term r^17/17! is below
 * 1e-22 of the sum. */
static double
expm1_near_0(double r)
{
	double sum = 0;

	for (int n = 17; n >= 2; n--)
		sum = (sum + 1) * r / n;
	return (sum + 1) * r;
}

double
maths_one_minus_exp(double x)
{
	int k;
	double r;

	if (x < 0.34)
		return -expm1_near_0(-x);
	if (x > 40)
		return 1; /* exp(-40) is below half a unit in the last place */
	k = (int)(x / LN2 + 0.5);
	r = (k * LN2_HI - x) + k * LN2_LO;
	return 1 - power_of_two(-k) * (1 + expm1_near_0(r));
}

/* log(m * 2^e) = e ln 2 + 2 atanh((m - 1) / (m + 1)), m in [sqrt(1/2),
 * sqrt 2); the series is cut where its terms are below 1e-18. */
double
maths_neg_log(double u)
{
	uint64_t bits;
	int e;
	double m, s, s2, sum = 0;

	memcpy(&bits, &u, sizeof bits);
	e = (int)(bits >> 52 & 0x7ff) - 1023;
	bits = (bits & 0xfffffffffffffull) | (uint64_t)1023 << 52;
	memcpy(&m, &bits, sizeof m);
	if (m > 1.41421356237309504880) {
		m /= 2;
		e++;
	}
	s = (m - 1) / (m + 1);
	s2 = s * s;
	for (int n = 23; n >= 3; n -= 2)
		sum = (sum + 1.0 / n) * s2;
	return -(e * LN2_HI + (e * LN2_LO + 2 * s * (1 + sum)));
}
