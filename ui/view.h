/*
 * The contract of a view.
 *
 * A view draws from `app` and never changes it; act() is the only way in.
 * Views keep no state of their own: what they need (scroll, folds, zoom) is a
 * field of struct app, so that a test can set it.  Every view that exists is
 * in the table of frame.c; tabs, keys and help show what is there.
 */
#ifndef UI_VIEW_H
#define UI_VIEW_H

#include <stdbool.h>

#include "ui/grid.h"
#include "ui/keymap.h"

struct app;
struct buf;
struct report_row;

struct view {
	enum context context;
	const char *label, *brief, *least; /* on the tab, by width; ASCII */
	/* There is a new report or another size: find the selection again. */
	void (*update)(struct app *a);
	/* Titles and rows, in app->layout's head and body; parks the cursor. */
	void (*draw)(const struct app *a, struct grid *g);
	/* True if it was ours. */
	bool (*act)(struct app *a, enum action action);
	/* A click or the wheel inside head or body; true if it opens. */
	bool (*mouse)(struct app *a, struct key k);
	/* The row that the detail is about, or NULL. */
	const struct report_row *(*selected)(const struct app *a);
	/* "1–16 of 317" */
	void (*position)(const struct app *a, bool ascii, struct buf *b);
};

/* NULL if there is no such view. */
const struct view *view_at(enum context c);

#endif
