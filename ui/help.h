/*
 * The keys, in a box over the screen; made from the key table.  Keys of views
 * that do not exist are left out.
 */
#ifndef UI_HELP_H
#define UI_HELP_H

#include "ui/grid.h"

struct app;

void help_draw(const struct app *a, struct grid *g);

/* Lines there are at this size, and how many are seen at once. */
int help_lines(const struct app *a);
int help_page(const struct app *a);

#endif
