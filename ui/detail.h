/*
 * The selected row in full: facts, how it came to be, its stack.
 *
 * Below the list or at its side (pane), or over the whole screen.  Frames
 * count from 0, the site; they are those of the row's heaviest stack.
 */
#ifndef UI_DETAIL_H
#define UI_DETAIL_H

#include <stdbool.h>

#include "ui/grid.h"
#include "ui/keymap.h"

struct app;
struct buf;
struct place;
struct report_row;

void detail_draw(const struct app *a, struct grid *g);      /* the pane */
void detail_draw_full(const struct app *a, struct grid *g); /* in body */

/* The frames of a row in r, from the first one seen on. */
void detail_stack(const struct app *a, const struct report_row *row,
    struct grid *g, struct rect r);

/* Moves over frames; false: the action is not ours. */
bool detail_act(struct app *a, enum action action);

/* The place whose source is to be seen beside the stack; false: there is no
 * room for any, or no line is known. */
bool detail_source(const struct app *a, struct place *p);

/* "frame 0 of 5" */
void detail_position(const struct app *a, struct buf *b);

/* The row and its stack as lines of text, full names. */
void detail_text(const struct app *a, struct buf *b);

#endif
