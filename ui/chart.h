/*
 * Bars and graphs made of eighth blocks.
 *
 * Values are shown by length, to the nearest eighth of a cell (ASCII: the
 * nearest cell); what is above zero shows at least an eighth.  NaN stands
 * for "not known" and is blank.
 */
#ifndef UI_CHART_H
#define UI_CHART_H

#include "ui/grid.h"

/* A bar of value / max of `cols` columns, from the left. */
void chart_bar(struct grid *g, int x, int y, int cols, enum role role,
    double value, double max);

/* A bar from an axis in column x + half, to the right for growth, to the
 * left (in half cells) for shrinkage; max is the largest of either sign. */
void chart_diverging(
    struct grid *g, int x, int y, int half, double value, double max);

/* Values as a row of blocks between the least and the largest of them. */
void chart_trend(
    struct grid *g, int x, int y, enum role role, const double *values, int n);

/* An area of one value a column over r, 0 at the bottom, `max` at the top. */
void chart_area(struct grid *g, struct rect r, enum role role,
    const double *values, double max);

#endif
