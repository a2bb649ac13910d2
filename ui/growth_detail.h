/*
 * The detail of Growth: what a row was at A and at B, what came and went, how
 * much of it stays, and why it is suspected.
 */
#ifndef UI_GROWTH_DETAIL_H
#define UI_GROWTH_DETAIL_H

#include <stdbool.h>

#include "ui/grid.h"

struct app;
struct report_row;

/* Rows that growth_detail_side takes beyond those of other views. */
#define GROWTH_SIDE_MORE 4

/* The pane below the list, with its rule; false: it is at the side. */
bool growth_detail(const struct app *a, struct grid *g);
/* The facts of the pane at the side, below name and place, from r.y on. */
void growth_detail_side(const struct app *a, const struct report_row *row,
    struct grid *g, struct rect r);

#endif
