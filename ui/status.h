/*
 * The last row: what keys do here and where we are; or what is being typed,
 * a message, a question.  And the choice of what to export, which is drawn
 * over the view.
 */
#ifndef UI_STATUS_H
#define UI_STATUS_H

#include "ui/grid.h"
#include "ui/key.h"

struct app;

void status_draw(const struct app *a, struct grid *g);
void status_draw_export(const struct app *a, struct grid *g);

/* The choice a key means: an enum app_format, APP_FORMAT_COUNT for a
 * recording, -1 for none. */
int status_export_choice(struct key k);

#endif
