/*
 * The row of tabs: which view is shown, what there is else, and what the
 * figures below mean.
 */
#ifndef UI_TABS_H
#define UI_TABS_H

#include "ui/grid.h"
#include "ui/keymap.h"

struct app;

void tabs_draw(const struct app *a, struct grid *g);

/* The view whose tab is at column x, or CONTEXT_COUNT. */
enum context tabs_at(const struct app *a, int x);

#endif
