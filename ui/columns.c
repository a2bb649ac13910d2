#include "ui/columns.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/fmt.h"
#include "model/figures.h"
#include "model/query.h"
#include "ui/chart.h"
#include "ui/glyph.h"

/* `gap` columns are left free before it; w 0: all that remains. */
static const struct {
	int from, gap, w;
	int order; /* an enum order, -1: none */
} table[] = {
	[COLUMN_VALUE] = { 20, 1, FMT_W_BYTES, ORDER_FLAT },
	[COLUMN_PERCENT] = { 56, 1, FMT_W_PERCENT, -1 },
	[COLUMN_BAR] = { 72, 1, 6, -1 },
	[COLUMN_CUM] = { 92, 2, FMT_W_BYTES, ORDER_CUM },
	[COLUMN_CHANGE] = { 72, 1, FMT_W_CHANGE, ORDER_CHANGE },
	[COLUMN_OBJECTS] = { 92, 1, FMT_W_COUNT, ORDER_OBJECTS },
	[COLUMN_NAME] = { 20, 2, 0, ORDER_NAME },
};

#define BAR_FROM  92 /* a longer bar from this width on */
#define BAR_LONG  10
#define BOTH_FROM 110 /* below it CUM stands in for OBJS */

/* Whether a row can hold less than what was called from it. */
static bool
has_cum(enum grouping g)
{
	return g != GROUP_STACKS && g != GROUP_THREADS;
}

static bool
is_there(int column, int width, enum grouping g)
{
	if (column == COLUMN_CUM && !has_cum(g))
		return false;
	if (column == COLUMN_OBJECTS && has_cum(g) && width < BOTH_FROM)
		return false;
	return width >= table[column].from;
}

void
columns_fit(struct columns *c, int width, enum grouping grouping)
{
	int x = 0;

	memset(c, 0, sizeof *c);
	for (int i = 0; i < COLUMN_COUNT; i++) {
		int w = table[i].w;

		if (!is_there(i, width, grouping))
			continue;
		if (i == COLUMN_BAR && width >= BAR_FROM)
			w = BAR_LONG;
		x += table[i].gap;
		c->at[i].x = x;
		c->at[i].w = w ? w : width - 1 - x;
		x += c->at[i].w;
	}
}

enum column
columns_at(const struct columns *c, int x)
{
	for (int i = 0; i < COLUMN_COUNT; i++) {
		if (x >= c->at[i].x && x < c->at[i].x + c->at[i].w)
			return (enum column)i;
	}
	return COLUMN_COUNT;
}

bool
columns_order(enum column column, enum order *o)
{
	if (column >= COLUMN_COUNT || table[column].order < 0)
		return false;
	*o = (enum order)table[column].order;
	return true;
}

/* The column that is sorted when the order is `o`. */
static enum column
sorted(const struct columns *c, enum order o)
{
	switch (o) {
	case ORDER_CHANGE:
	case ORDER_ABS_CHANGE: return COLUMN_CHANGE;
	case ORDER_OBJECTS: return COLUMN_OBJECTS;
	case ORDER_NAME: return COLUMN_NAME;
	case ORDER_CUM: return c->at[COLUMN_CUM].w ? COLUMN_CUM : COLUMN_VALUE;
	case ORDER_FLAT:
	case ORDER_COUNT: break;
	}
	return COLUMN_VALUE;
}

enum order
columns_next_order(const struct columns *c, enum order o)
{
	int at = (int)sorted(c, o);

	for (int i = 0; i < COLUMN_COUNT; i++) {
		at = (at + 1) % COLUMN_COUNT;
		if (c->at[at].w > 0 && columns_order((enum column)at, &o))
			break;
	}
	return o;
}

/* ---- words ------------------------------------------------------------ */

static const char *const titles[GROUP_COUNT] = {
	[GROUP_FUNCTIONS] = "FUNCTION",
	[GROUP_STACKS] = "SITE",
	[GROUP_LINES] = "LINE",
	[GROUP_FILES] = "FILE",
	[GROUP_MODULES] = "LIBRARY",
	[GROUP_ADDRESSES] = "ADDRESS",
	[GROUP_THREADS] = "THREAD",
};

const char *
columns_name_title(const struct report *r, bool ascii)
{
	if (r->query.grouping != GROUP_STACKS)
		return titles[r->query.grouping];
	return ascii ? "SITE < CALLERS" : "SITE ← CALLERS";
}

const char *
columns_value_title(enum metric metric)
{
	static const char *const values[METRIC_COUNT] = {
		[METRIC_LIVE_BYTES] = "LIVE",
		[METRIC_LIVE_OBJECTS] = "OBJECTS",
		[METRIC_ALLOC_BYTES] = "ALLOC",
		[METRIC_ALLOC_OBJECTS] = "ALLOCS",
	};

	return values[metric];
}

static const char *
title_of(enum column column, const struct report *r, bool ascii)
{
	switch (column) {
	case COLUMN_VALUE: return columns_value_title(r->query.metric);
	case COLUMN_CUM: return "CUM";
	case COLUMN_PERCENT: return "%";
	case COLUMN_CHANGE: return "CHANGE";
	case COLUMN_OBJECTS: return "OBJS";
	case COLUMN_NAME: return columns_name_title(r, ascii);
	case COLUMN_BAR:
	case COLUMN_COUNT: break;
	}
	return "";
}

/* Sorted by what was called, and no column of its own for that: it stands
 * in the first one. */
static bool
by_cum(const struct report *r, const struct columns *c)
{
	return r->query.order == ORDER_CUM && has_cum(r->query.grouping) &&
	    c->at[COLUMN_CUM].w == 0;
}

void
columns_draw_head(const struct report *report, struct grid *g, struct rect r)
{
	const struct query *q = &report->query;
	bool rising = (q->order == ORDER_NAME) != q->reverse;
	struct columns c;
	enum column by;

	columns_fit(&c, r.w, q->grouping);
	by = sorted(&c, q->order);
	for (int i = 0; i < COLUMN_COUNT; i++) {
		const char *mark = glyph(
		    rising ? GLYPH_ASCENDING : GLYPH_DESCENDING, g->ascii);
		enum role role = i == (int)by ? ROLE_TITLE : ROLE_DIM;
		char title[48];

		if (c.at[i].w <= 0)
			continue;
		/* A letter needs a blank to be told from the word. */
		snprintf(title, sizeof title, "%s%s%s",
		    title_of(i == COLUMN_VALUE && by_cum(report, &c)
			    ? COLUMN_CUM
			    : (enum column)i,
			report, g->ascii),
		    i == (int)by && (g->ascii || i == COLUMN_NAME) ? " " : "",
		    i == (int)by ? mark : "");
		if (i == COLUMN_NAME)
			grid_put_cut(
			    g, r.x + c.at[i].x, r.y, c.at[i].w, role, title);
		else
			grid_put_right(
			    g, r.x + c.at[i].x + c.at[i].w, r.y, role, title);
	}
}

void
columns_draw_title(struct grid *g, struct rect r, const struct columns *c,
    enum column column, const char *title)
{
	int w = c->at[column].w;
	struct rect place = { r.x + c->at[column].x, r.y, w, 1 };

	if (w <= 0)
		return;
	grid_fill(g, place, ROLE_TEXT, " ");
	grid_put_right(g, place.x + w, r.y, ROLE_DIM, title);
}

/* ---- which rows -------------------------------------------------------- */

static bool
lists_all(const struct report *r)
{
	return !has_cum(r->query.grouping) || r->query.order == ORDER_CUM;
}

size_t
columns_pick(const struct report *r, uint32_t *rows)
{
	bool all = lists_all(r);
	size_t n = 0;

	for (size_t i = 0; i < r->row_count; i++) {
		const struct figures *f = &r->rows[i].f;

		if (all || f->value != 0 || figures_change(f) != 0)
			rows[n++] = (uint32_t)i;
	}
	return n;
}

size_t
columns_cut(const struct report *r, size_t listed)
{
	size_t idle = lists_all(r) ? 0 : r->idle_count;

	return r->group_count - idle - listed;
}

/* Not listed because they hold nothing. */
static size_t
hidden(const struct columns_view *v)
{
	return v->report->group_count - v->count - v->cut;
}

static bool
filtered(const struct report *r)
{
	return r->total.value != r->local.value ||
	    r->total.samples != r->local.samples;
}

/* Where there is little room a filter is nowhere else to be seen. */
static bool
says_rest(const struct columns_view *v)
{
	return v->remainder || filtered(v->report);
}

size_t
columns_page(const struct columns_view *v, int height)
{
	size_t h = height > 0 ? (size_t)height : 0;
	size_t rest = filtered(v->report) ? 1 : 0;

	if (says_rest(v) &&
	    (v->cut > 0 || hidden(v) > 0 || v->count + rest > h))
		rest++;
	return h > rest ? h - rest : 0;
}

/* Bars are relative to the largest row, seen or not. */
static double
largest(const struct columns_view *v, bool cum)
{
	const struct report *r = v->report;
	double max = v->max_cum;

	if (!cum)
		return fmax(v->max, r->max_value);
	for (size_t i = 0; i < r->row_count; i++)
		max = fmax(max, r->rows[i].cum.value);
	return max;
}

/* ---- a row ------------------------------------------------------------- */

static unsigned
flags_of(const struct grid *g)
{
	return FMT_COLUMN | (g->ascii ? FMT_ASCII : 0);
}

/* So few samples that the figure is a guess, unless each is a whole object
 * as large as the distance between samples. */
static bool
is_guess(const struct report *r, const struct figures *f)
{
	uint32_t lg = r->have_totals ? r->totals.lg_sample : 0;

	if (lg == 0 || lg > 62 || f->samples >= 4 || f->objects <= 0)
		return false;
	return f->bytes / f->objects < (double)(UINT64_C(1) << lg);
}

void
columns_draw_value(struct grid *g, int x, int y, int w, const struct report *r,
    const struct figures *f)
{
	bool bytes = metric_is_bytes(r->query.metric);
	struct fmt s = bytes ? fmt_bytes(f->value, flags_of(g))
			     : fmt_count(f->value, flags_of(g));
	bool dim = is_guess(r, f) || f->value == 0;
	size_t pad = strspn(s.s, " ");
	char *unit = strchr(s.s + pad, ' ');
	int end = x + w;

	if (bytes && unit) {
		end = grid_put_right(g, end, y, ROLE_DIM, unit);
		*unit = '\0';
	}
	grid_put_right(g, end, y, dim ? ROLE_DIM : ROLE_TEXT, s.s + pad);
}

void
columns_draw_change(struct grid *g, int x, int y, int w, const struct report *r,
    const struct figures *f)
{
	double change = figures_change(f);
	struct fmt s = metric_is_bytes(r->query.metric)
	    ? fmt_change(change, flags_of(g))
	    : fmt_count_change(change, flags_of(g));
	enum role role = change > 0 ? ROLE_GROW : ROLE_SHRINK;

	if (change == 0 || fabs(change) < figures_change_error(f))
		role = ROLE_DIM;
	grid_put_right(g, x + w, y, role, s.s);
}

static void
draw_numbers(const struct columns_view *v, struct grid *g, struct rect r,
    const struct columns *c, const struct figures *f)
{
	const struct report *report = v->report;
	unsigned flags = flags_of(g);

	columns_draw_value(g, r.x + c->at[COLUMN_VALUE].x, r.y,
	    c->at[COLUMN_VALUE].w, report, f);
	if (c->at[COLUMN_PERCENT].w)
		grid_put(g, r.x + c->at[COLUMN_PERCENT].x, r.y, ROLE_TEXT,
		    fmt_percent(f->value, report->total.value, flags).s);
	if (c->at[COLUMN_CHANGE].w && !v->change)
		columns_draw_change(g, r.x + c->at[COLUMN_CHANGE].x, r.y,
		    c->at[COLUMN_CHANGE].w, report, f);
	if (c->at[COLUMN_OBJECTS].w)
		grid_put(g, r.x + c->at[COLUMN_OBJECTS].x, r.y,
		    f->objects == 0 ? ROLE_DIM : ROLE_TEXT,
		    fmt_count(f->objects, flags).s);
}

/* r is the row; the whole of it. */
static void
draw_row(const struct columns_view *v, struct grid *g, struct rect r,
    const struct columns *c, size_t i, double max)
{
	const struct report_row *row = &v->report->rows[v->rows[i]];
	const struct figures *f = by_cum(v->report, c) ? &row->cum : &row->f;

	draw_numbers(v, g, r, c, f);
	if (v->change && c->at[COLUMN_CHANGE].w)
		v->change(v->data, g,
		    (struct rect){ r.x + c->at[COLUMN_CHANGE].x, r.y,
			c->at[COLUMN_CHANGE].w, 1 },
		    v->rows[i]);
	if (c->at[COLUMN_CUM].w)
		columns_draw_value(g, r.x + c->at[COLUMN_CUM].x, r.y,
		    c->at[COLUMN_CUM].w, v->report, &row->cum);
	chart_bar(g, r.x + c->at[COLUMN_BAR].x, r.y, c->at[COLUMN_BAR].w,
	    ROLE_BAR, f->value, max);
	if (v->name)
		v->name(v->data, g,
		    (struct rect){ r.x + c->at[COLUMN_NAME].x, r.y,
			c->at[COLUMN_NAME].w, 1 },
		    v->rows[i]);
	else
		columns_draw_name(g, r.x + c->at[COLUMN_NAME].x, r.y,
		    c->at[COLUMN_NAME].w, v->report, row, r.w >= 40);
	if (i != v->list->cursor)
		return;
	grid_put(g, r.x, r.y, ROLE_TEXT, glyph(GLYPH_SELECT, g->ascii));
	grid_role(g, r, v->idle ? ROLE_SELECT_IDLE : ROLE_SELECT);
	if (!v->idle) {
		g->cursor_x = r.x;
		g->cursor_y = r.y;
	}
}

/* What is left out: figures without a bar, and a sentence. */
static void
draw_rest(const struct columns_view *v, struct grid *g, struct rect r,
    const struct columns *c, const struct figures *f, const char *text)
{
	/* What was called overlaps: it has no sum. */
	if (f && !by_cum(v->report, c))
		draw_numbers(v, g, r, c, f);
	grid_put_cut(g, r.x + c->at[COLUMN_NAME].x, r.y, c->at[COLUMN_NAME].w,
	    ROLE_DIM, text);
	grid_role(g, r, ROLE_DIM);
}

/* The rows from `from` on and the remainder. */
static void
draw_following(const struct columns_view *v, struct grid *g, struct rect r,
    const struct columns *c, size_t from)
{
	const struct report *report = v->report;
	const struct query *q = &report->query;
	struct figures sum = report->remainder;
	size_t n = v->cut + v->count - from;
	bool falling = sorted(c, q->order) == COLUMN_VALUE && !q->reverse;
	const char *more = glyph(GLYPH_MORE, g->ascii);
	char text[96], also[64] = "";

	for (size_t i = from; i < v->count; i++)
		figures_add(&sum, &report->rows[v->rows[i]].f);
	if (n == 0) {
		snprintf(text, sizeof text, "%s %zu more, nothing of their own",
		    more, hidden(v));
		draw_rest(v, g, r, c, NULL, text);
		return;
	}
	if (hidden(v))
		snprintf(also, sizeof also, ", %zu with nothing", hidden(v));
	snprintf(text, sizeof text, "%s %zu %s %s%s", more, n,
	    falling ? "smaller" : "other", grouping_noun(q->grouping, n), also);
	draw_rest(v, g, r, c, &sum, text);
}

static void
draw_unmatched(const struct columns_view *v, struct grid *g, struct rect r,
    const struct columns *c)
{
	const struct report *report = v->report;
	struct figures rest = report->total;
	size_t n = v->all - report->group_count;
	char text[96];

	figures_sub(&rest, &report->local);
	if (v->all > report->group_count)
		snprintf(text, sizeof text, "%s %zu %s not matching",
		    glyph(GLYPH_MORE, g->ascii), n,
		    grouping_noun(report->query.grouping, n));
	else
		snprintf(text, sizeof text, "%s not matching",
		    glyph(GLYPH_MORE, g->ascii));
	draw_rest(v, g, r, c, &rest, text);
}

/* The list may be of the report before. */
static size_t
first_row(const struct columns_view *v)
{
	size_t n = v->count;

	return v->list->top < n ? v->list->top : n;
}

void
columns_draw(const struct columns_view *v, struct grid *g, struct rect r)
{
	const struct report *report = v->report;
	size_t page = columns_page(v, r.h), i = first_row(v);
	size_t end = page < v->count - i ? i + page : v->count;
	struct rect line = { r.x, r.y, r.w, 1 };
	struct columns c;
	double max;

	columns_fit(&c, r.w, report->query.grouping);
	max = largest(v, by_cum(report, &c));
	for (; i < end; i++, line.y++)
		draw_row(v, g, line, &c, i, max);
	if (!says_rest(v))
		return;
	if (line.y < r.y + r.h &&
	    (i < v->count || hidden(v) > 0 || v->cut > 0)) {
		draw_following(v, g, line, &c, i);
		line.y++;
	}
	if (line.y < r.y + r.h && filtered(report))
		draw_unmatched(v, g, line, &c);
}
