/*
 * Where things are: the size of the screen and the view → rectangles.
 *
 * A pure function; all breakpoints of height and width live here, except
 * which columns a table drops (columns.h).  What is not there at a size has
 * an empty rectangle.  Rectangles do not overlap and lie inside the screen.
 * One column is left free at the right of most rows by who draws them.
 */
#ifndef UI_LAYOUT_H
#define UI_LAYOUT_H

#include <stdbool.h>

#include "ui/grid.h"
#include "ui/keymap.h"

enum layout_style {
	LAYOUT_TINY,   /* one figure and nothing else */
	LAYOUT_ROWS,   /* a short title row and rows */
	LAYOUT_SHORT,  /* title and figures in one row, no timeline */
	LAYOUT_NORMAL, /* everything */
};

/* How much words are worth, by width. */
enum layout_words {
	WORDS_LEAST,  /* below 72 columns: "2 Gro" */
	WORDS_SHORT,  /* below 92: "5 Snaps", units once */
	WORDS_LONG,   /* below 140 */
	WORDS_LONGEST /* 140 and more */
};

struct layout {
	enum layout_style style;
	enum layout_words words;
	struct rect title;    /* row 0 */
	struct rect figures;  /* row 1; empty in SHORT: they are in the title */
	struct rect timeline; /* one, two or (snapshots) six rows */
	struct rect ruler;
	struct rect tabs;
	struct rect head;   /* titles of columns, or a breadcrumb */
	struct rect body;   /* rows */
	struct rect rule;   /* the hairline over the detail */
	struct rect split;  /* the line left of a detail at the side */
	struct rect detail; /* below the rule, or right of the split */
	struct rect hints;  /* last row */
};

/* CONTEXT_DETAIL is the full-screen detail, CONTEXT_OUTPUT what the target
 * printed; CONTEXT_OVER has no layout. */
void layout_build(struct layout *l, int width, int height, enum context view);

/* Where a pop-up of w by h cells goes: in the middle, or all there is. */
struct rect layout_popup(int width, int height, int w, int h);

#endif
