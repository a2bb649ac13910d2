/*
 * What stands in Growth in place of what lives: how old it is, or what of
 * those born between A and B lives.
 *
 * Figures of all rows are found at once, when the report comes or another
 * column is asked for, and rows are ordered by them.
 */
#ifndef UI_GROWTH_AGES_H
#define UI_GROWTH_AGES_H

#include <stdbool.h>
#include <stdint.h>

#include "ui/grid.h"

struct app;
struct buf;

/* The next of the columns that there are. */
void growth_next_column(struct app *a);
/* Of the report that is shown, if they are wanted. */
void growth_find_ages(struct app *a);
/* "AGE", "SURVIVING" */
const char *growth_column_title(const struct app *a);
/* Of row `row` of the report, in `w` columns up to x + w. */
void growth_draw_age(
    const struct app *a, struct grid *g, int x, int y, int w, uint32_t row);
/* "born A→B: 21.5 MiB lives", of all rows together. */
void growth_born_words(const struct app *a, bool ascii, struct buf *b);

#endif
