#include "ui/tree_draw.h"

#include <stdio.h>
#include <string.h>

#include "base/buf.h"
#include "base/fmt.h"
#include "base/utf8.h"
#include "model/name.h"
#include "model/profile.h"
#include "model/report.h"
#include "model/tree.h"
#include "ui/app.h"
#include "ui/columns.h"
#include "ui/glyph.h"
#include "ui/tree_rows.h"

#define PERCENT_FROM 56 /* columns of the list, from which on it is there */
#define CHANGE_FROM  72
#define PLACE_FROM   92
#define PLACE_ROOM   24 /* columns, less leave none for the place */

/* Where the columns begin; 0: not there. */
struct cols {
	int percent, change, tree, end;
	bool place;
};

static struct cols
cols_of(int w)
{
	struct cols c = { .end = w - 1, .place = w >= PLACE_FROM };
	int x = 1 + FMT_W_BYTES;

	if (w >= PERCENT_FROM) {
		c.percent = x + 1;
		x += 1 + FMT_W_PERCENT;
	}
	if (w >= CHANGE_FROM) {
		c.change = x + 1;
		x += 1 + FMT_W_CHANGE;
	}
	c.tree = x + 2;
	return c;
}

/* Levels that are drawn: at most half of the tree's columns; what is deeper
 * is drawn no further right. */
static int
levels(const struct cols *c)
{
	int most = (c->end - c->tree) / 4;

	return most > 1 ? most : 1;
}

static int
sign_x(const struct cols *c, int depth)
{
	return c->tree + 2 * (depth < levels(c) ? depth : levels(c));
}

int
tree_draw_sign_x(const struct app *a, int depth)
{
	struct cols c = cols_of(a->layout.body.w);

	return a->layout.body.x + sign_x(&c, depth);
}

/* ---- guides ------------------------------------------------------------------ */

/* From the row up: each level's line is there if the row of it on the way has
 * others behind it. */
static void
draw_guides(const struct app *a, const struct tree_row *row, struct grid *g,
    int y, const struct cols *c)
{
	const struct tree_view *v = &a->tree;
	int base = a->layout.body.x, skip = row->depth - levels(c);
	const struct tree_row *up = row;

	for (int level = row->depth; level > 0; level--) {
		int x =
		    base + c->tree + 2 * (level - 1 - (skip > 0 ? skip : 0));

		if (x < base + c->tree)
			break;
		if (up != row && !up->last)
			grid_put(g, x, y, ROLE_HAIRLINE,
			    glyph(GLYPH_TREE_PASS, g->ascii));
		else if (up == row && row->kind != TREE_ROW_REST)
			grid_put(g, x, y, ROLE_HAIRLINE,
			    glyph(row->last ? GLYPH_TREE_LAST : GLYPH_TREE_TEE,
				g->ascii));
		up = &v->shown[up->above];
	}
}

static void
draw_sign(const struct tree_row *row, struct grid *g, int x, int y)
{
	if (!row->leaf)
		grid_put(g, x, y, ROLE_TEXT,
		    glyph(row->open ? GLYPH_OPEN : GLYPH_FOLDED, g->ascii));
	else if (row->depth > 0 && row->kind != TREE_ROW_REST && !g->ascii)
		/* in ASCII that is the sign of what is open */
		grid_put(g, x, y, ROLE_HAIRLINE, glyph(GLYPH_RULE, false));
}

/* ---- a row ----------------------------------------------------------------------- */

/* "decode.c:214", or the library where no line is known. */
static void
place_text(const struct app *a, const struct tree_row *row, struct buf *b)
{
	uint32_t at = tree_heaviest_place(a->tree.tree, row->own);
	const char *slash;
	struct place p;

	if (at == TREE_ALL)
		return;
	p = report_place(a->report, at);
	if (!p.file || !*p.file) {
		buf_puts(b, tree_draw_library(a, row->own));
		return;
	}
	if (a->report->query.grouping == GROUP_FILES ||
	    a->report->query.grouping == GROUP_MODULES)
		return;
	slash = strrchr(p.file, '/');
	buf_puts(b, slash ? slash + 1 : p.file);
	if (p.line)
		buf_printf(b, ":%u", p.line);
}

/* At the right, no more than a third of what there is; where it begins. */
static int
draw_place(const struct app *a, const struct tree_row *row, struct grid *g,
    int x, int y, int end)
{
	struct buf text = BUF_INIT, fit = BUF_INIT;

	place_text(a, row, &text);
	if (text.len > 0 && end - x >= PLACE_ROOM) {
		name_fit_path(&fit, buf_str(&text), (end - x) / 3, g->ascii);
		end = grid_put_right(g, end, y, ROLE_DIM, buf_str(&fit)) - 2;
	}
	buf_fini(&text);
	buf_fini(&fit);
	return end;
}

static void
rest_text(const struct app *a, const struct tree_row *row, bool ascii, char *s,
    size_t size)
{
	const char *more = glyph(GLYPH_MORE, ascii);
	size_t n = a->all > a->report->group_count
	    ? a->all - a->report->group_count
	    : 0;

	if (row->kind == TREE_ROW_SELF)
		snprintf(s, size, "%s",
		    a->report->query.invert ? "(no callers)" : "(self)");
	else if (row->kind == TREE_ROW_REST)
		snprintf(s, size, "%s %zu smaller branches", more, row->count);
	else if (n > 0)
		snprintf(s, size, "%s %zu %s not matching", more, n,
		    grouping_noun(a->report->query.grouping, n));
	else
		snprintf(s, size, "%s not matching", more);
}

/* Old from half the time that the program has run, young below a sixteenth:
 * as in Flame. */
static void
draw_age(const struct app *a, const struct tree_row *row, struct grid *g,
    struct rect r)
{
	uint64_t ran = app_since_start(a, app_shown_ns(a));
	struct fmt f;

	if (row->age_ns == 0)
		return;
	f = fmt_duration(row->age_ns - 1);
	grid_put_right(g, r.x + r.w, r.y,
	    row->age_ns > ran / 2        ? ROLE_FLAME_OLD
		: row->age_ns > ran / 16 ? ROLE_FLAME_MIDDLE
					 : ROLE_DIM,
	    f.s);
}

static void
draw_numbers(const struct app *a, const struct tree_row *row, struct grid *g,
    struct rect r, const struct cols *c)
{
	const struct report *report = a->report;
	unsigned flags = FMT_COLUMN | (g->ascii ? FMT_ASCII : 0);

	columns_draw_value(g, r.x + 1, r.y, FMT_W_BYTES, report, &row->f);
	if (c->percent)
		grid_put(g, r.x + c->percent, r.y, ROLE_TEXT,
		    fmt_percent(row->f.value, report->total.value, flags).s);
	if (c->change && a->tree.by_age)
		draw_age(a, row, g,
		    (struct rect){ r.x + c->change, r.y, FMT_W_CHANGE, 1 });
	else if (c->change)
		columns_draw_change(
		    g, r.x + c->change, r.y, FMT_W_CHANGE, report, &row->f);
}

/* r is the row; the whole of it. */
static void
draw_row(const struct app *a, size_t i, struct grid *g, struct rect r,
    const struct cols *c)
{
	const struct tree_row *row = &a->tree.shown[i];
	int x = r.x + sign_x(c, row->depth), end = r.x + c->end;
	char text[96];

	draw_numbers(a, row, g, r, c);
	draw_guides(a, row, g, r.y, c);
	draw_sign(row, g, x, r.y);
	if (row->kind == TREE_ROW_NODE) {
		if (c->place)
			end = draw_place(a, row, g, x + 2, r.y, end);
		tree_draw_chain(a, row, g, x + 2, r.y, end);
	} else {
		rest_text(a, row, g->ascii, text, sizeof text);
		x += row->kind == TREE_ROW_UNMATCHED ? 0 : 2;
		grid_put_cut(g, x, r.y, end - x, ROLE_DIM, text);
		if (row->kind != TREE_ROW_SELF)
			grid_role(g, r, ROLE_DIM);
	}
	if (i != a->tree.rows.cursor)
		return;
	grid_put(g, r.x, r.y, ROLE_TEXT, glyph(GLYPH_SELECT, g->ascii));
	grid_role(g, r, ROLE_SELECT);
	g->cursor_x = r.x;
	g->cursor_y = r.y;
}

/* ---- titles ------------------------------------------------------------------------ */

/* "all › worker_main › ingest_loop", the end of it where it is long. */
static void
breadcrumb(const struct app *a, bool ascii, struct buf *b)
{
	struct tree *t = a->tree.tree;
	uint32_t nodes[64], node = a->tree.top;
	size_t n = 0;

	for (; node != TREE_NONE && n < 64; node = tree_parent(t, node))
		nodes[n++] = node;
	while (n > 0) {
		name_fit(b, tree_name(t, nodes[--n]), TREE_NAME_COLS, ascii);
		if (n > 0)
			buf_printf(b, " %s ",
			    glyph(a->report->query.invert ? GLYPH_CALLED_BY
							  : GLYPH_CHAIN,
				ascii));
	}
}

static void
draw_tree_title(
    const struct app *a, struct grid *g, struct rect r, const struct cols *c)
{
	struct buf b = BUF_INIT, fit = BUF_INIT;
	int x = r.x + c->tree, end = r.x + c->end;
	char share[64];

	if (a->tree.top == TREE_ROOT) {
		grid_put_cut(g, x, r.y, end - x, ROLE_DIM,
		    a->report->query.invert ? "ALLOCATED IN" : "CALL TREE");
		if (a->report->query.invert && end - x > 30)
			grid_printf(g, x + 12, r.y, ROLE_DIM, " %s CALLERS",
			    glyph(GLYPH_CALLED_BY, g->ascii));
		return;
	}
	snprintf(share, sizeof share, "%s%% of all",
	    fmt_percent(tree_cum(a->tree.tree, a->tree.top)->value,
		a->report->total.value, FMT_ZERO)
		.s);
	if (end - x > 40)
		end = grid_put_right(g, end, r.y, ROLE_DIM, share) - 2;
	breadcrumb(a, g->ascii, &b);
	utf8_cut_left(&fit, buf_str(&b), end - x, glyph(GLYPH_CUT, g->ascii));
	grid_put(g, x, r.y, ROLE_TITLE, buf_str(&fit));
	buf_fini(&b);
	buf_fini(&fit);
}

static void
draw_head(const struct app *a, struct grid *g, const struct cols *c)
{
	struct rect r = a->layout.head;
	char title[32];

	if (r.h <= 0)
		return;
	/* A letter needs a blank to be told from the word. */
	snprintf(title, sizeof title, "%s%s%s",
	    columns_value_title(a->report->query.metric), g->ascii ? " " : "",
	    glyph(GLYPH_DESCENDING, g->ascii));
	grid_put_right(g, r.x + 1 + FMT_W_BYTES, r.y, ROLE_TITLE, title);
	if (c->percent)
		grid_put_right(
		    g, r.x + c->percent + FMT_W_PERCENT, r.y, ROLE_DIM, "%");
	if (c->change)
		grid_put_right(g, r.x + c->change + FMT_W_CHANGE, r.y, ROLE_DIM,
		    a->tree.by_age ? "AGE" : "CHANGE");
	draw_tree_title(a, g, r, c);
}

void
tree_draw(const struct app *a, struct grid *g)
{
	struct rect r = a->layout.body, line = { r.x, r.y, r.w, 1 };
	const struct tree_view *v = &a->tree;
	struct cols c = cols_of(r.w);

	if (!a->report || !v->tree)
		return;
	draw_head(a, g, &c);
	for (size_t i = v->rows.top; i < v->count && line.y < r.y + r.h;
	     i++, line.y++)
		draw_row(a, i, g, line, &c);
}
