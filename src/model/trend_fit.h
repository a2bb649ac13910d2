/*
 * The line through a row's values, and what is noise; trend.h has the
 * formulas.
 */
#ifndef MODEL_TREND_FIT_H
#define MODEL_TREND_FIT_H

#include <stdbool.h>
#include <stddef.h>

#include "model/trend_track.h"

#define TREND_Z95 1.96 /* 97.5 % quantile of the normal distribution */

/* Whether accumulated figures say what came in between. */
bool trend_accumulates(
    const struct trend_point *from, const struct trend_point *to);
/* V: the variance of the change. */
double trend_var(const struct report *r, const struct trend_point *from,
    const struct trend_point *to);

/* What does not depend on the row: values from `from` on, n of them. */
struct trend_line {
	size_t from, n;
	double mean, sxx;
	double c[TREND_SNAPSHOTS];    /* weights of the values in the slope */
	double tail[TREND_SNAPSHOTS]; /* sums of c from there on */
	double most;                  /* the largest of those */
};

/* Of the points from `from` to before `end`, at times t. */
void trend_line(struct trend_line *l, const double *t, size_t from, size_t end);
/* The slope and, in *error, its 95 % half width. */
double trend_slope(const struct trends *t, const struct trend_line *l,
    const struct trend_track *k, double *error);

#endif
