/*
 * The first rows: who is watched and how it is, the figures of the whole
 * process.
 */
#ifndef UI_HEADER_H
#define UI_HEADER_H

#include <stdbool.h>
#include <stdint.h>

#include "ui/grid.h"

struct app;

void header_draw(const struct app *a, struct grid *g);

/* "● live  every 1s"; what the title's last word says.  What stands behind two
 * blanks goes where there is no room. */
struct header_state {
	char text[192];
	enum role role;
};
struct header_state header_state(const struct app *a, bool ascii);

/* Whether something per second can be said of an interval. */
bool header_rate_known(const struct app *a, uint64_t from, uint64_t to);

/* Live bytes of the process at the moment shown; NaN if not known. */
double header_live(const struct app *a);

#endif
