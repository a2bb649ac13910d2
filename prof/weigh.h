/*
 * The weight of a sample in the figures of a cell; sample.h has the formulas.
 */
#ifndef PROF_WEIGH_H
#define PROF_WEIGH_H

#include <stdint.h>

struct weighed;

/* What one sample of `size` bytes taken at rate 2^lg stands for.  The same
 * arguments always give the same figures, so that a free takes away exactly
 * what its allocation added. */
void weigh(uint64_t size, unsigned lg, struct weighed *w);

#endif
