/*
 * The keys and the commands, in a box over the screen; made from their
 * tables.  Keys of views that do not exist are left out.
 */
#ifndef UI_HELP_H
#define UI_HELP_H

#include "ui/grid.h"

struct app;

void help_draw(const struct app *a, struct grid *g);

/* Lines there are at this size, and how many are seen at once. */
int help_lines(const struct app *a);
int help_page(const struct app *a);
/* The line where the commands begin, or as far down as one gets. */
int help_commands(const struct app *a);

#endif
