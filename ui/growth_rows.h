/*
 * The table of Growth: how its columns lie, titles, rows, what is left out.
 */
#ifndef UI_GROWTH_ROWS_H
#define UI_GROWTH_ROWS_H

#include <stddef.h>

#include "ui/grid.h"

struct app;

/* Rows of the list seen at once in a body of `height` rows. */
size_t growth_page(const struct app *a, int height);
/* Titles in row r.y. */
void growth_draw_head(const struct app *a, struct grid *g, struct rect r);
/* The rows, and those on what is left out; parks the cursor. */
void growth_draw_rows(const struct app *a, struct grid *g, struct rect r);

#endif
