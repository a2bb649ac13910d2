/*
 * The pair of numbers that a row of a heap_v2 dump carries.
 *
 * Readers of heap_v2 (jeprof and what follows it) take a row's count n and
 * bytes s for samples taken with mean distance R and scale both by
 *
 *     f = 1 / (1 - exp(-(s / n) / R)),   N = n * f,   S = s * f.
 *
 * heaptop has unbiased N and S already (see sample.h), so it writes the pair
 * that the formula turns into them.  With the average size x = S / N, which
 * scaling leaves as it is, p = 1 - exp(-x / R): n = N * p and s = S * p.
 * Both must be whole, and a rounded n of a few samples would spoil the bytes:
 * so n is rounded first, then s is solved anew from S = s * f(s / n), which
 * grows with s; the bytes come out right to about a byte, the objects to
 * 1 / (2 n) of them.
 *
 * One sample weighs at least R bytes however small it is (z * f(z) > R), so
 * a row of less than R cannot be written.  A writer picks an R no larger than
 * its smallest row; heapv2_pair gives the nearest otherwise, n = s = 1.
 *
 * Pure: no state, no allocation, no errors.
 */
#ifndef PROF_HEAPV2_H
#define PROF_HEAPV2_H

#include <stdint.h>

/* objects, bytes >= 0, R >= 1.  Zero objects or bytes: 0 and 0. */
void heapv2_pair(
    double objects, double bytes, double R, uint64_t *n, uint64_t *s);

#endif
