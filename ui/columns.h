/*
 * The table of rows: which columns there are, how wide, and what they say.
 *
 * A column is defined once (title, width, from which width of the table on
 * it is there, what order sorts by it); Top and Threads draw with it.  Drawn
 * from a report and a few values of the state; nothing is changed.  All
 * places are relative to the table's rectangle: its first column holds the
 * mark of the selection, its last one stays free.
 *
 * Below the rows stands what they leave out: the rows that follow and the
 * report's remainder as one, and what a filter left out as another, so that
 * the figures from the first row on always add up.  Functions, lines, files
 * and libraries that hold nothing themselves are rows only where one sorts by
 * what they called; else they are counted there.
 */
#ifndef UI_COLUMNS_H
#define UI_COLUMNS_H

#include <stdbool.h>
#include <stddef.h>

#include "model/report.h"
#include "ui/grid.h"
#include "ui/list.h"

enum column {
	COLUMN_VALUE,
	COLUMN_PERCENT,
	COLUMN_BAR,
	COLUMN_CUM, /* with what was called from there */
	COLUMN_CHANGE,
	COLUMN_OBJECTS,
	COLUMN_NAME,
	COLUMN_COUNT
};

/* Where the columns lie in a table of some width; w 0: not there. */
struct columns {
	struct {
		int x, w;
	} at[COLUMN_COUNT];
};

struct columns_view {
	const struct report *report;
	const struct list *list;
	const uint32_t *rows; /* those listed, of columns_pick */
	size_t count;
	size_t cut; /* of columns_cut */
	bool idle;  /* keys go to another pane */
	/* There is room for a row of what is left out; if a filter leaves out
	 * something there is in any case. */
	bool remainder;
	/* What there would be without a filter, 0 if not known: rows, and the
	 * largest values, which bars are relative to. */
	size_t all;
	double max, max_cum;
	/* Draws the last column of a row (its index in the report) instead
	 * of columns_draw_name; may be NULL. */
	void (*name)(
	    const void *data, struct grid *g, struct rect r, uint32_t row);
	/* Draws the column of the change instead; may be NULL.  Then the
	 * remainder has none. */
	void (*change)(
	    const void *data, struct grid *g, struct rect r, uint32_t row);
	const void *data;
};

/* Which rows of the report are listed, as indices; there is room for all of
 * them.  How many. */
size_t columns_pick(const struct report *r, uint32_t *rows);

/* How many there are to be listed that the report has cut off. */
size_t columns_cut(const struct report *r, size_t listed);

void columns_fit(struct columns *c, int width, enum grouping grouping);
/* The column at x of the table, or COLUMN_COUNT. */
enum column columns_at(const struct columns *c, int x);

/* What sorts by a column; false: nothing does. */
bool columns_order(enum column column, enum order *o);
/* The order of the next column that is there and can be sorted by. */
enum order columns_next_order(const struct columns *c, enum order o);

/* How many rows are seen in a table of `height` rows. */
size_t columns_page(const struct columns_view *v, int height);

/* The titles, in row r.y. */
void columns_draw_head(
    const struct report *report, struct grid *g, struct rect r);
/* Another title for a column, which nothing sorts by. */
void columns_draw_title(struct grid *g, struct rect r, const struct columns *c,
    enum column column, const char *title);
/* The rows; parks the cursor on the selected one unless idle. */
void columns_draw(const struct columns_view *v, struct grid *g, struct rect r);

/* The parts of a row other tables use as well.  Numbers are right-aligned in
 * `w` columns from x. */
void columns_draw_value(struct grid *g, int x, int y, int w,
    const struct report *r, const struct figures *f);
void columns_draw_change(struct grid *g, int x, int y, int w,
    const struct report *r, const struct figures *f);
/* What the row is: the site and its callers, or a name and its place. */
void columns_draw_name(struct grid *g, int x, int y, int w,
    const struct report *r, const struct report_row *row, bool callers);
/* A site and its callers, as in a row of stacks. */
void columns_draw_stack(struct grid *g, int x, int y, int w,
    const struct report *r, const uint32_t *places, uint32_t count);
/* Mark what a filter matches in a name that was written at x. */
void columns_mark_match(
    struct grid *g, int x, int y, const struct pattern *match, const char *s);
/* The title of that: "SITE ← CALLERS", "FUNCTION"... */
const char *columns_name_title(const struct report *r, bool ascii);
/* "LIVE", "OBJECTS"... */
const char *columns_value_title(enum metric metric);

#endif
