#include "heapv2.h"

#include "maths.h"

/* What a reader makes of s bytes in n samples. */
static double
scaled(double s, double n, double R)
{
	return s / maths_one_minus_exp(s / (n * R));
}

/* The s with scaled(s, n, R) = bytes.  scaled grows from n * R at s = 0 with
 * a slope of 1/2 to 1, so s lies in (0, bytes] and halving finds it. */
static double
solve(double bytes, double n, double R)
{
	double low = 0, high = bytes;

	for (int i = 0; i < 200; i++) {
		double mid = low + (high - low) / 2;

		if (mid <= low || mid >= high)
			break;
		if (scaled(mid, n, R) < bytes)
			low = mid;
		else
			high = mid;
	}
	return high;
}

static uint64_t
whole(double v)
{
	if (v < 1)
		return 1;
	return v < 18e18 ? (uint64_t)(v + 0.5) : UINT64_C(18000000000000000000);
}

void
heapv2_pair(double objects, double bytes, double R, uint64_t *n, uint64_t *s)
{
	*n = *s = 0;
	if (!(objects > 0 && bytes > 0))
		return;
	*n = whole(objects * maths_one_minus_exp(bytes / objects / R));
	/* n samples weigh more than n * R, however small they are. */
	if ((double)*n * R >= bytes)
		*n = bytes > 2 * R ? whole(bytes / R - 1) : 1;
	*s = whole(solve(bytes, (double)*n, R));
}
