/*
 * What is said in the place of figures: why there are none, what became of
 * the program, why there are no names.
 */
#ifndef UI_NOTICE_H
#define UI_NOTICE_H

#include <stdbool.h>

#include "ui/grid.h"

struct app;

/* Words from row y on, broken into rows of r; the row behind the last. */
int notice_words(
    struct grid *g, struct rect r, int y, enum role role, const char *s);
/* In the place of the detail; false: there is none to draw. */
bool notice_draw(const struct app *a, struct grid *g);
bool notice_shown(const struct app *a); /* whether there would be */
/* In the place of rows, while there are no samples. */
void notice_draw_waiting(const struct app *a, struct grid *g);
/* In the place of the output, in r: why there is none. */
void notice_draw_silent(const struct app *a, struct grid *g, struct rect r);
/* Whether there is nothing to show at all. */
bool notice_waiting(const struct app *a);

#endif
