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
	[COLUMN_CHANGE] = { 72, 1, FMT_W_CHANGE, ORDER_CHANGE },
	[COLUMN_OBJECTS] = { 92, 1, FMT_W_COUNT, ORDER_OBJECTS },
	[COLUMN_NAME] = { 20, 2, 0, ORDER_NAME },
};

#define BAR_FROM 92 /* a longer bar from this width on */
#define BAR_LONG 10

void
columns_fit(struct columns *c, int width)
{
	int x = 0;

	memset(c, 0, sizeof *c);
	for (int i = 0; i < COLUMN_COUNT; i++) {
		int w = table[i].w;

		if (width < table[i].from)
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
sorted(enum order o)
{
	switch (o) {
	case ORDER_CHANGE:
	case ORDER_ABS_CHANGE: return COLUMN_CHANGE;
	case ORDER_OBJECTS: return COLUMN_OBJECTS;
	case ORDER_NAME: return COLUMN_NAME;
	case ORDER_FLAT:
	case ORDER_CUM:
	case ORDER_COUNT: break;
	}
	return COLUMN_VALUE;
}

enum order
columns_next_order(const struct columns *c, enum order o)
{
	int at = (int)sorted(o);

	for (int i = 0; i < COLUMN_COUNT; i++) {
		at = (at + 1) % COLUMN_COUNT;
		if (c->at[at].w > 0 && columns_order((enum column)at, &o))
			break;
	}
	return o;
}

/* ---- words ------------------------------------------------------------ */

static const struct {
	const char *one, *many, *title;
} words[GROUP_COUNT] = {
	[GROUP_FUNCTIONS] = { "function", "functions", "FUNCTION" },
	[GROUP_STACKS] = { "stack", "stacks", "SITE" },
	[GROUP_LINES] = { "line", "lines", "LINE" },
	[GROUP_FILES] = { "file", "files", "FILE" },
	[GROUP_MODULES] = { "library", "libraries", "LIBRARY" },
	[GROUP_ADDRESSES] = { "address", "addresses", "ADDRESS" },
	[GROUP_THREADS] = { "thread", "threads", "THREAD" },
};

const char *
columns_noun(enum grouping grouping, size_t n)
{
	return n == 1 ? words[grouping].one : words[grouping].many;
}

const char *
columns_name_title(const struct report *r, bool ascii)
{
	if (r->query.grouping != GROUP_STACKS)
		return words[r->query.grouping].title;
	return ascii ? "SITE < CALLERS" : "SITE ← CALLERS";
}

static const char *
title_of(enum column column, const struct report *r, bool ascii)
{
	static const char *const values[METRIC_COUNT] = {
		[METRIC_LIVE_BYTES] = "LIVE",
		[METRIC_LIVE_OBJECTS] = "OBJECTS",
		[METRIC_ALLOC_BYTES] = "ALLOC",
		[METRIC_ALLOC_OBJECTS] = "ALLOCS",
	};

	switch (column) {
	case COLUMN_VALUE: return values[r->query.metric];
	case COLUMN_PERCENT: return "%";
	case COLUMN_CHANGE: return "CHANGE";
	case COLUMN_OBJECTS: return "OBJS";
	case COLUMN_NAME: return columns_name_title(r, ascii);
	case COLUMN_BAR:
	case COLUMN_COUNT: break;
	}
	return "";
}

void
columns_draw_head(const struct report *report, struct grid *g, struct rect r)
{
	const struct query *q = &report->query;
	enum column by = sorted(q->order);
	bool rising = (q->order == ORDER_NAME) != q->reverse;
	struct columns c;

	columns_fit(&c, r.w);
	for (int i = 0; i < COLUMN_COUNT; i++) {
		const char *mark = glyph(
		    rising ? GLYPH_ASCENDING : GLYPH_DESCENDING, g->ascii);
		enum role role = i == (int)by ? ROLE_TITLE : ROLE_DIM;
		char title[48];

		if (c.at[i].w <= 0)
			continue;
		/* A letter needs a blank to be told from the word. */
		snprintf(title, sizeof title, "%s%s%s",
		    title_of((enum column)i, report, g->ascii),
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

/* ---- which rows -------------------------------------------------------- */

static bool
filtered(const struct report *r)
{
	return r->total.value != r->local.value ||
	    r->total.samples != r->local.samples;
}

size_t
columns_page(const struct columns_view *v, int height)
{
	const struct report *r = v->report;
	size_t h = height > 0 ? (size_t)height : 0;
	size_t rest = v->remainder && filtered(r) ? 1 : 0;

	if (v->remainder && (r->remainder_count > 0 || r->row_count + rest > h))
		rest++;
	return h > rest ? h - rest : 0;
}

static uint64_t
key_at(const void *data, size_t i)
{
	const struct report *r = data;

	return r->rows[i].key;
}

struct list_rows
columns_rows(const struct columns_view *v, int height)
{
	return (struct list_rows){ v->report->row_count,
		columns_page(v, height), key_at, v->report };
}

/* By cum rows overlap: what each holds with all it called. */
static const struct figures *
figures_of(const struct report *r, const struct report_row *row)
{
	return r->query.order == ORDER_CUM ? &row->cum : &row->f;
}

/* Bars are relative to the largest row, seen or not. */
static double
largest(const struct columns_view *v)
{
	const struct report *r = v->report;
	double max = v->max;

	for (size_t i = 0; i < r->row_count; i++)
		max = fmax(max, figures_of(r, &r->rows[i])->value);
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
draw_numbers(struct grid *g, struct rect r, const struct columns *c,
    const struct report *report, const struct figures *f)
{
	unsigned flags = flags_of(g);

	columns_draw_value(g, r.x + c->at[COLUMN_VALUE].x, r.y,
	    c->at[COLUMN_VALUE].w, report, f);
	if (c->at[COLUMN_PERCENT].w)
		grid_put(g, r.x + c->at[COLUMN_PERCENT].x, r.y, ROLE_TEXT,
		    fmt_percent(f->value, report->total.value, flags).s);
	if (c->at[COLUMN_CHANGE].w)
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
	const struct report_row *row = &v->report->rows[i];
	const struct figures *f = figures_of(v->report, row);

	draw_numbers(g, r, c, v->report, f);
	chart_bar(g, r.x + c->at[COLUMN_BAR].x, r.y, c->at[COLUMN_BAR].w,
	    ROLE_BAR, f->value, max);
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
	if (v->report->query.order != ORDER_CUM)
		draw_numbers(g, r, c, v->report, f);
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
	size_t n = report->remainder_count + report->row_count - from;
	bool falling = sorted(q->order) == COLUMN_VALUE && !q->reverse;
	char text[96];

	for (size_t i = from; i < report->row_count; i++)
		figures_add(&sum, &report->rows[i].f);
	snprintf(text, sizeof text, "%s %zu %s %s", glyph(GLYPH_MORE, g->ascii),
	    n, falling ? "smaller" : "other", columns_noun(q->grouping, n));
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
		    columns_noun(report->query.grouping, n));
	else
		snprintf(text, sizeof text, "%s not matching",
		    glyph(GLYPH_MORE, g->ascii));
	draw_rest(v, g, r, c, &rest, text);
}

/* The list may be of the report before. */
static size_t
first_row(const struct columns_view *v)
{
	size_t n = v->report->row_count;

	return v->list->top < n ? v->list->top : n;
}

void
columns_draw(const struct columns_view *v, struct grid *g, struct rect r)
{
	const struct report *report = v->report;
	size_t page = columns_page(v, r.h), i = first_row(v);
	size_t end =
	    page < report->row_count - i ? i + page : report->row_count;
	double max = largest(v);
	struct rect line = { r.x, r.y, r.w, 1 };
	struct columns c;

	columns_fit(&c, r.w);
	for (; i < end; i++, line.y++)
		draw_row(v, g, line, &c, i, max);
	if (!v->remainder)
		return;
	if (line.y < r.y + r.h &&
	    (i < report->row_count || report->remainder_count > 0)) {
		draw_following(v, g, line, &c, i);
		line.y++;
	}
	if (line.y < r.y + r.h && filtered(report))
		draw_unmatched(v, g, line, &c);
}
