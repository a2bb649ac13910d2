/*
 * Whole numbers that add up: estimates have fractions, formats want integers,
 * and the sum of what is written is to be the rounded sum of what is meant.
 * What rounding took from one goes to the next.
 */
#ifndef EXPORT_CARRY_H
#define EXPORT_CARRY_H

#include <math.h>

struct carry {
	double meant, written; /* so far */
};

static inline double
carry_next(struct carry *c, double v)
{
	double was = c->written;

	c->meant += v;
	c->written = round(c->meant);
	return c->written - was;
}

#endif
