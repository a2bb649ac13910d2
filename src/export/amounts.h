/*
 * All four figures of every stack, live and allocated, bytes and objects: for
 * formats that hold them side by side, whatever was asked for.
 *
 * The asked report's query is asked again with each metric, so its filters,
 * moments, base and cut hold for all of them.  Stacks that hold nothing in
 * one of them are there.
 */
#ifndef EXPORT_AMOUNTS_H
#define EXPORT_AMOUNTS_H

#include "model/query.h"

struct report;

struct amounts {
	struct report *r;           /* its stacks are those counted here */
	double *of[METRIC_COUNT];   /* [metric][stack of r] */
	double total[METRIC_COUNT]; /* their sums */
};

/* `difference`: as the query says, or always what is there now. */
void amounts_take(
    struct amounts *a, const struct report *asked, bool difference);
void amounts_fini(struct amounts *a);

#endif
