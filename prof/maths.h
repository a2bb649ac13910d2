/*
 * The two functions of analysis that sampling needs, without libm (the
 * preloaded library needs libc alone).  Relative error below 4e-16 over the
 * ranges given; plain arithmetic, so they may be called anywhere.
 */
#ifndef PROF_MATHS_H
#define PROF_MATHS_H

/* 1 - exp(-x) for x >= 0, without cancellation near 0. */
double maths_one_minus_exp(double x);

/* -log(u) for 0 < u <= 1. */
double maths_neg_log(double u);

#endif
