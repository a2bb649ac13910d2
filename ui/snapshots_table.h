/*
 * What View 5 draws: the table of snapshots, and the pane below it.
 */
#ifndef UI_SNAPSHOTS_TABLE_H
#define UI_SNAPSHOTS_TABLE_H

#include <stdbool.h>

#include "ui/grid.h"

struct app;
struct snapshot_row;

/* The selected row's; NULL if there is none. */
const struct snapshot_row *snapshots_selected(const struct app *a);

/* Titles and rows. */
void snapshots_draw(const struct app *a, struct grid *g);
/* What changed over the compared interval. */
void snapshots_draw_pane(const struct app *a, struct grid *g);

#endif
