/*
 * The cell grid: what a screen will look like, before a terminal sees it.
 *
 * Everything that draws writes into one of these and nothing else, so a
 * screen of any size can be made and compared without a terminal.  A cell
 * holds one character with its combining marks and a role (style.h); a wide
 * character takes two cells, the right one empty.  Coordinates are columns
 * and rows from 0; what lies outside the grid or its clip rectangle is left
 * out silently, and a wide character cut by an edge becomes a blank.
 *
 * Text is UTF-8 and may be of any bytes: control and direction characters do
 * not get into a cell.  A grid with `ascii` holds ASCII only; others become
 * '?'.  The owner calls grid_init and grid_fini.
 */
#ifndef UI_GRID_H
#define UI_GRID_H

#include <stdbool.h>
#include <stdint.h>

#include "ui/style.h"

struct buf;

struct rect {
	int x, y, w, h; /* w or h <= 0: empty */
};

struct cell {
	char text[14]; /* "" only in the right half of a wide character */
	uint8_t width; /* 1 or 2; 0 in that right half */
	uint8_t role;  /* enum role */
};

struct grid {
	int width, height;
	bool ascii;             /* draw with ASCII glyphs */
	bool mono;              /* colours will not show: say it with glyphs */
	struct rect clip;       /* nothing is written outside */
	int cursor_x, cursor_y; /* where to park the cursor; -1: hide it */
	bool cursor_shown;      /* it marks where text is typed */
	struct cell *cells;     /* row by row */
};

void grid_init(struct grid *g, int width, int height); /* all blank */
void grid_fini(struct grid *g);
void grid_resize(struct grid *g, int width, int height); /* all blank */
void grid_clear(struct grid *g); /* blank, no clip, no cursor */
/* Of the same size, cells and all. */
void grid_copy(struct grid *to, const struct grid *from);

/* Draw only in `r`, as far as one could before, from now on; returns the old
 * clip, to be put back into g->clip. */
struct rect grid_clip(struct grid *g, struct rect r);

/* Write s from (x, y); returns the column behind it, seen or not. */
int grid_put(struct grid *g, int x, int y, enum role role, const char *s);
int grid_printf(struct grid *g, int x, int y, enum role role, const char *fmt,
    ...) __attribute__((format(printf, 5, 6)));
/* The same, ending before column `end`; returns where it began. */
int grid_put_right(
    struct grid *g, int end, int y, enum role role, const char *s);
/* At most `cols` columns; what is too long ends in the mark for that. */
int grid_put_cut(
    struct grid *g, int x, int y, int cols, enum role role, const char *s);
/* Every cell of r becomes this one-column glyph. */
void grid_fill(struct grid *g, struct rect r, enum role role, const char *s);
/* Only the roles of r change. */
void grid_role(struct grid *g, struct rect r, enum role role);

/* The cell; (x, y) must lie inside. */
const struct cell *grid_at(const struct grid *g, int x, int y);
/* Where the next run of cells of row y that differ begins, from column
 * `from` on; `*end` is the column behind it.  -1: the rest is equal.  Both
 * grids have the same size.  Runs do not begin or end inside a character of
 * `now`. */
int grid_changed(const struct grid *before, const struct grid *now, int y,
    int from, int *end);

/* Append the rows as lines without trailing blanks. */
void grid_text(const struct grid *g, struct buf *b);
/* Append a letter a cell (style.h), each row with a newline, no trailing
 * plain text. */
void grid_roles(const struct grid *g, struct buf *b);

#endif
