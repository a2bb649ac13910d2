/*
 * The rows above the view: who is watched and how it is, the figures of the
 * whole process, and the tabs with what the figures below mean.
 */
#ifndef UI_HEADER_H
#define UI_HEADER_H

#include <stdbool.h>

#include "ui/grid.h"

struct app;

void header_draw(const struct app *a, struct grid *g);
void header_draw_tabs(const struct app *a, struct grid *g);

/* "● live  every 1s"; what the title's last word says. */
struct header_state {
	char text[192];
	enum role role;
};
struct header_state header_state(const struct app *a, bool ascii);

/* Live bytes of the process at the moment shown; NaN if not known. */
double header_live(const struct app *a);

#endif
