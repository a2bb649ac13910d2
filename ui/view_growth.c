#include "ui/view_growth.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/err.h"
#include "base/fmt.h"
#include "base/utf8.h"
#include "model/report.h"
#include "model/suspect.h"
#include "model/trend.h"
#include "ui/app.h"
#include "ui/filter.h"
#include "ui/glyph.h"
#include "ui/growth_ages.h"
#include "ui/growth_detail.h"
#include "ui/growth_list.h"
#include "ui/growth_rows.h"
#include "ui/view.h"

/* So many rows are in the report at most.  Each function adds up all that goes
 * through it, which of very many stacks costs more than a frame may: then there
 * are fewer. */
#define ROWS_MOST      1000
#define FUNCTIONS_MOST 200
#define VERY_MANY      20000

/* ---- rows that are listed ------------------------------------------------------ */

static const struct report_row *
row_at(const struct app *a, size_t i)
{
	const struct growth_view *v = &a->growth;

	return v->report && i < v->count ? &v->report->rows[v->listed[i].row]
					 : NULL;
}

/* One that is there. */
static const struct report_row *
listed(const struct app *a, size_t i)
{
	return &a->growth.report->rows[a->growth.listed[i].row];
}

static uint64_t
key_at(const void *data, size_t i)
{
	return listed(data, i)->key;
}

static struct list_rows
rows_of(const struct app *a)
{
	return (struct list_rows){ a->growth.report ? a->growth.count : 0,
		growth_page(a, a->layout.body.h), key_at, a };
}

const struct trend *
growth_trend(const struct app *a, const struct report_row *row)
{
	const struct growth_view *v = &a->growth;

	return v->report && v->trends
	    ? trends_at(v->trends, (uint32_t)(row - v->report->rows))
	    : NULL;
}

bool
growth_suspect(const struct app *a, const struct report_row *row)
{
	const struct trend *t = growth_trend(a, row);

	return t && suspect_is(a->growth.trends, a->growth.report, t);
}

/* A screen is not higher. */
#define SEEN_MOST 1000

/* Rows that are seen have a trend. */
static void
follow_seen(struct app *a)
{
	struct growth_view *v = &a->growth;
	struct list_rows rows = rows_of(a);
	uint32_t seen[SEEN_MOST];
	size_t n = 0;

	if (app_screen(a) != a->view)
		return;
	for (size_t i = v->rows.top;
	     i < rows.count && n < rows.page && n < SEEN_MOST; i++)
		seen[n++] = v->listed[i].row;
	trends_follow(v->trends, seen, n);
}

/* ---- what follows from a report ------------------------------------------------- */

static void
forget(struct app *a)
{
	struct growth_view *v = &a->growth;

	v->report = NULL;
	v->count = v->small = v->same = v->suspects = 0;
	v->smaller = (struct figures){ 0 };
	v->max = 0;
}

static void
reset(struct app *a)
{
	struct growth_view *v = &a->growth;

	trends_free(v->trends);
	free(v->listed);
	free(v->also);
	v->trends = NULL;
	v->listed = NULL;
	v->also = NULL;
	v->cap = v->also_cap = 0;
	memset(&v->rows, 0, sizeof v->rows);
}

/* The row that holds the stack. */
static void
go_to(struct app *a)
{
	const struct report *r = a->report;
	struct growth_view *v = &a->growth;

	for (size_t i = 0; a->seek.wanted && i < v->count; i++) {
		const struct report_row *row = listed(a, i);

		if (row->stack >= r->stack_count ||
		    r->stacks[row->stack].id != a->seek.stack)
			continue;
		v->rows.cursor = i;
		v->rows.key = row->key;
		v->rows.chosen = i > 0; /* the first one is anyway */
		return;
	}
}

static void
take(struct app *a)
{
	struct growth_view *v = &a->growth;

	forget(a);
	v->report = a->report;
	if (v->grouping != a->report->query.grouping)
		memset(&v->rows, 0, sizeof v->rows);
	v->grouping = a->report->query.grouping;
	v->trends = trends_begin(a->report, !a->target.untimed, v->trends);
	growth_find_ages(a);
	growth_list(v);
	go_to(a);
}

static void
update(struct app *a)
{
	struct list_rows rows = rows_of(a);

	if (!a->growth.report)
		return;
	if (app_screen(a) != a->view)
		rows.page = 0; /* it need not scroll */
	list_update(&a->growth.rows, &rows);
	follow_seen(a);
}

static size_t
rows_most(const struct app *a, const struct query *q)
{
	bool many = a->report && a->report->stack_count > VERY_MANY;

	return many && q->grouping != GROUP_STACKS ? FUNCTIONS_MOST : ROWS_MOST;
}

/* The largest changes of either sign are all that is listed, unless what did
 * not change is; in which order is for growth_list. */
static void
ask(const struct app *a, struct query *q)
{
	q->freed = true;
	q->order = ORDER_ABS_CHANGE;
	q->reverse = false;
	q->max_rows = a->growth.unchanged ? 0 : rows_most(a, q);
}

/* ---- the screen ------------------------------------------------------------------ */

static void
draw(const struct app *a, struct grid *g)
{
	if (!a->growth.report)
		return;
	if (a->layout.head.h > 0)
		growth_draw_head(a, g, a->layout.head);
	growth_draw_rows(a, g, a->layout.body);
}

static bool
detail(const struct app *a, struct grid *g)
{
	return a->growth.report && growth_detail(a, g);
}

static const struct report_row *
selected(const struct app *a)
{
	return row_at(a, a->growth.rows.cursor);
}

static const char *
order_words(const struct growth_view *v)
{
	if (v->order == GROWTH_BY_VALUE && v->shown == GROWTH_AGE)
		return v->reverse ? "youngest first" : "oldest first";
	switch (v->order) {
	case GROWTH_BY_VALUE:
		return v->reverse ? "smallest first" : "largest first";
	case GROWTH_BY_NAME: return v->reverse ? "by name, z first" : "by name";
	case GROWTH_BY_CHANGE: break;
	}
	return v->reverse ? "shrinkage first" : "growth first";
}

static void
meaning(const struct app *a, bool ascii, struct buf *b)
{
	const char *dot = glyph(GLYPH_DOT, ascii);
	const char *group = grouping_label(a->query.grouping);
	char since[32];

	if (a->mark[0].id)
		snprintf(
		    since, sizeof since, "A%sB", glyph(GLYPH_CALLS, ascii));
	else
		snprintf(since, sizeof since, "since start");
	if (a->layout.words == WORDS_LEAST) {
		buf_puts(b, since);
		return;
	}
	if (a->layout.words == WORDS_SHORT) {
		buf_printf(b, "by %s, %s", group, since);
		return;
	}
	if (a->growth.shown == GROWTH_BORN) {
		growth_born_words(a, ascii, b);
		if (a->layout.words == WORDS_LONG)
			return;
		buf_printf(b, " %s ", dot);
	}
	buf_printf(b, "%s %s by %s %s %s %s %s", metric_label(a->query.metric),
	    dot, group, dot, since, dot, order_words(&a->growth));
	if (a->layout.words == WORDS_LONGEST)
		buf_printf(b, " %s plumbing %s%s%s%s", dot,
		    a->query.cut == CUT_NOTHING ? "shown" : "hidden",
		    app_filtered(a) ? "" : " ", app_filtered(a) ? "" : dot,
		    app_filtered(a) ? "" : " no filter");
}

static void
position(const struct app *a, bool ascii, struct buf *b)
{
	const struct growth_view *v = &a->growth;
	struct list_rows rows = rows_of(a);
	size_t last = v->rows.top + rows.page, all;

	if (!v->report)
		return;
	all = v->count + v->small + v->same + v->report->remainder_count;
	last = last < rows.count ? last : rows.count;
	if (all > 0)
		buf_printf(b, "%zu%s%zu of %s",
		    rows.count ? v->rows.top + 1 : 0, glyph(GLYPH_DASH, ascii),
		    last, fmt_count((double)all, FMT_ZERO).s);
}

/* ---- keys ------------------------------------------------------------------------- */

/* What was said about the end or the names has been read. */
static void
moved(struct app *a)
{
	a->notice = NOTICE_NONE;
	a->frame = a->frame_top = 0;
	follow_seen(a);
}

static void
next_order(struct app *a)
{
	struct growth_view *v = &a->growth;

	v->order = v->order == GROWTH_BY_CHANGE ? GROWTH_BY_VALUE
	    : v->order == GROWTH_BY_VALUE       ? GROWTH_BY_NAME
						: GROWTH_BY_CHANGE;
	v->reverse = false;
	app_query_changed(a);
}

/* The next row of which a frame matches what was last looked for. */
static void
find(struct app *a, bool forward)
{
	struct list_rows rows = rows_of(a);
	size_t n = rows.count, i = a->growth.rows.cursor;
	struct err e = { "" };
	struct pattern *p;

	if (!*a->found) {
		app_say(a, false, "nothing was looked for: / begins");
		return;
	}
	p = filter_pattern(a->found, &e);
	for (size_t k = 0; p && k < n; k++) {
		i = forward ? (i + 1) % n : (i + n - 1) % n;
		if (!app_row_matches(a->report, listed(a, i), p))
			continue;
		list_select(&a->growth.rows, &rows, i);
		moved(a);
		pattern_free(p);
		return;
	}
	pattern_free(p);
	app_say(a, false, "no row matches %.*s",
	    (int)utf8_head(a->found, APP_SAY_NAME), a->found);
}

/* One who looks into a row stays with it. */
static void
choose(struct app *a)
{
	const struct report_row *row = selected(a);

	if (!row)
		return;
	a->growth.rows.key = row->key;
	a->growth.rows.chosen = true;
}

static bool
act(struct app *a, enum action action)
{
	struct growth_view *v = &a->growth;
	struct list_rows rows = rows_of(a);

	switch ((int)action) {
	case ACTION_SORT: next_order(a); return true;
	case ACTION_REVERSE:
	case ACTION_REVERSE_GROWTH:
		v->reverse = !v->reverse;
		app_query_changed(a);
		return true;
	case ACTION_UNCHANGED:
		v->unchanged = !v->unchanged;
		app_query_changed(a);
		return true;
	case ACTION_BY_CHANGE: growth_next_column(a); return true;
	case ACTION_NEXT:
	case ACTION_PREVIOUS: find(a, action == ACTION_NEXT); return true;
	case ACTION_ENTER:
	case ACTION_PANE: choose(a); return false;
	default: break;
	}
	if (!v->report || !list_act(&v->rows, &rows, action))
		return false;
	moved(a);
	return true;
}

static bool
mouse(struct app *a, struct key k)
{
	struct growth_view *v = &a->growth;
	struct list_rows rows = rows_of(a);
	size_t row;

	if (!v->report)
		return false;
	if (k.code != K_CLICK) {
		list_scroll(&v->rows, &rows, k.code == K_WHEEL_UP ? -3 : 3);
		follow_seen(a);
		return false;
	}
	if (k.y < a->layout.body.y) {
		act(a, ACTION_REVERSE_GROWTH);
		return false;
	}
	row = v->rows.top + (size_t)(k.y - a->layout.body.y);
	if (row >= rows.count || row - v->rows.top >= rows.page)
		return false;
	if (row == v->rows.cursor)
		return true; /* the second click opens */
	list_select(&v->rows, &rows, row);
	moved(a);
	return false;
}

const struct view view_growth = {
	.context = CONTEXT_GROWTH,
	.label = "Growth",
	.brief = "Growth",
	.least = "Gro",
	.ask = ask,
	.take = take,
	.forget = forget,
	.reset = reset,
	.update = update,
	.draw = draw,
	.act = act,
	.mouse = mouse,
	.selected = selected,
	.detail = detail,
	.meaning = meaning,
	.position = position,
};
