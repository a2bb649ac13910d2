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

/* 1/n!, the factorials exact in a double. */
#define F2  (1 / 2.0)
#define F3  (1 / 6.0)
#define F4  (1 / 24.0)
#define F5  (1 / 120.0)
#define F6  (1 / 720.0)
#define F7  (1 / 5040.0)
#define F8  (1 / 40320.0)
#define F9  (1 / 362880.0)
#define F10 (1 / 3628800.0)
#define F11 (1 / 39916800.0)
#define F12 (1 / 479001600.0)
#define F13 (1 / 6227020800.0)
#define F14 (1 / 87178291200.0)
#define F15 (1 / 1307674368000.0)

/* exp(r) - 1 by its Taylor series, |r| <= 0.35: the term r^16/16! is below
 * 1e-20 of the sum.  Even and odd terms apart, as each multiplication waits
 * for the one before it. */
static double
expm1_near_0(double r)
{
	double q = r * r;
	double even =
	    ((((((F14 * q + F12) * q + F10) * q + F8) * q + F6) * q + F4) * q +
		F2);
	double odd =
	    ((((((F15 * q + F13) * q + F11) * q + F9) * q + F7) * q + F5) * q +
		F3);

	return (r * (even + r * odd) + 1) * r;
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
	double m, s, q, q2, even, odd;

	memcpy(&bits, &u, sizeof bits);
	e = (int)(bits >> 52 & 0x7ff) - 1023;
	bits = (bits & 0xfffffffffffffull) | (uint64_t)1023 << 52;
	memcpy(&m, &bits, sizeof m);
	if (m > 1.41421356237309504880) {
		m /= 2;
		e++;
	}
	s = (m - 1) / (m + 1);
	q = s * s;
	q2 = q * q;
	even = ((((1 / 23.0 * q2 + 1 / 19.0) * q2 + 1 / 15.0) * q2 + 1 / 11.0) *
		       q2 +
		   1 / 7.0) *
		q2 +
	    1 / 3.0;
	odd =
	    (((1 / 21.0 * q2 + 1 / 17.0) * q2 + 1 / 13.0) * q2 + 1 / 9.0) * q2 +
	    1 / 5.0;
	return -(
	    e * LN2_HI + (e * LN2_LO + 2 * s * (1 + q * (even + q * odd))));
}
