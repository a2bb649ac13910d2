/*
 * The selected row at the side of the list, from top to bottom: facts, how it
 * came to be, sizes, the stack, source.
 */
#ifndef UI_DETAIL_SIDE_H
#define UI_DETAIL_SIDE_H

#include <stdbool.h>

#include "ui/grid.h"

struct app;
struct report_row;

void detail_side_draw(const struct app *a, const struct report_row *row,
    struct grid *g, struct rect r);

/* Rows for the stack; what it leaves is for the source. */
int detail_side_rows(const struct app *a);
/* Whether there is room for source. */
bool detail_side_source(const struct app *a);

#endif
