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
struct app_seek;
struct buf;
struct place;
struct query;
struct report_row;

struct view {
	enum context context;
	const char *label, *brief, *least; /* on the tab, by width; ASCII */
	/* What it asks beyond what all views share (app->query): a tree, rows
	 * that are gone...  NULL: nothing.  What the view answers to changes
	 * with app_query_changed. */
	void (*ask)(const struct app *a, struct query *q);
	/* app->report is one that was asked for this view: derive from it what
	 * is drawn, and go where app->seek says.  update follows.  NULL:
	 * nothing is derived. */
	void (*take)(struct app *a);
	/* The report goes, or the view is left: free what was derived from
	 * it.  May be called without a take. */
	void (*forget)(struct app *a);
	/* Another process is shown, or it is the end: free everything else
	 * that is the view's, as it was at first.  forget was called. */
	void (*reset)(struct app *a);
	/* There is a new report or another size: find the selection again.
	 * The report may be one of another view, which is not drawn. */
	void (*update)(struct app *a);
	/* Titles and rows, in app->layout's head and body; parks the cursor. */
	void (*draw)(const struct app *a, struct grid *g);
	/* True if it was ours. */
	bool (*act)(struct app *a, enum action action);
	/* A click or the wheel, no other, inside head or body; true if it opens. */
	bool (*mouse)(struct app *a, struct key k);
	/* The row that the detail is about, or NULL. */
	const struct report_row *(*selected)(const struct app *a);
	/* Which stack that is, for the other views; false: none.  NULL: that
	 * of the selected row. */
	bool (*where)(const struct app *a, struct app_seek *s);
	/* The pane below the list or at its side, with its rule, instead of
	 * that of the selected row; false: that one.  May be NULL. */
	bool (*detail)(const struct app *a, struct grid *g);
	/* The place whose source that pane has room for; false: none.  NULL if
	 * there is no such pane. */
	bool (*source)(const struct app *a, struct place *p);
	/* What the figures are, for the right of the tab line, in the words
	 * there is room for (app->layout.words).  NULL: that of rows. */
	void (*meaning)(const struct app *a, bool ascii, struct buf *b);
	/* "1–16 of 317" */
	void (*position)(const struct app *a, bool ascii, struct buf *b);
};

/* NULL if there is no such view. */
const struct view *view_at(enum context c);

#endif
