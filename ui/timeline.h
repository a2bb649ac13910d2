/*
 * The graph of live bytes over the whole run, newest at the right, and the
 * ruler below it with the marks; the compared interval is drawn heavy.
 *
 * A column stands for an equal part of the time since the start and shows the
 * largest value in it, or the last one before.  The top is the peak of the
 * run.
 */
#ifndef UI_TIMELINE_H
#define UI_TIMELINE_H

#include <stddef.h>
#include <stdint.h>

#include "ui/grid.h"

struct app;
struct app_point;
struct history;

void timeline_draw(const struct app *a, struct grid *g);

/* What the moment that is shown is called there: "B" if it is compared with
 * A, a sign if it is looked at beside a mark B or without marks; else "". */
const char *timeline_sign(const struct app *a, bool ascii);

/* Over the graph: where a moment is. */
void timeline_point_out(const struct app *a, struct grid *g, uint64_t ns);
/* The point that is meant by a place on the graph, or the number of points. */
size_t timeline_point_at(const struct app *a, int x);

/* A ruler of `span` ns from the start on, with marks but without their times,
 * or without marks and with the end. */
void timeline_ruler(
    const struct app *a, struct grid *g, struct rect r, uint64_t span);

/* One value a column for [from, to) of time; NaN before the first point. */
void timeline_values(const struct app_point *p, size_t n, uint64_t from,
    uint64_t to, double *values, int cols);

/* The points of a history, exact where the target counted; free() them. */
size_t timeline_points(const struct history *h, struct app_point **points);

#endif
