#include "ui/growth_rows.h"

#include <math.h>
#include <stdio.h>

#include "base/fmt.h"
#include "base/utf8.h"
#include "model/report.h"
#include "model/suspect.h"
#include "model/trend.h"
#include "ui/app.h"
#include "ui/chart.h"
#include "ui/columns.h"
#include "ui/glyph.h"
#include "ui/growth_ages.h"

enum at {
	AT_CHANGE,
	AT_RATE,
	AT_BAR,
	AT_TREND,
	AT_LIVE,
	AT_NAME,
	PLACES
};

struct places {
	struct {
		int x, w;
	} at[PLACES];
};

/* From which width of the table on; `gap` columns are left free before it. */
static const struct {
	int from, gap, w;
} table[PLACES] = {
	[AT_CHANGE] = { 20, 1, FMT_W_CHANGE },
	[AT_RATE] = { 56, 0, FMT_W_RATE },
	[AT_BAR] = { 72, 1, 13 },
	[AT_TREND] = { 92, 2, TREND_POINTS },
	[AT_LIVE] = { 92, 2, FMT_W_BYTES },
	[AT_NAME] = { 20, 2, 0 },
};

#define BAR_FROM     92 /* a longer bar from this width on */
#define BAR_LONG     17
#define CALLERS_FROM 40

static struct places
fit(int width)
{
	struct places p = { 0 };
	int x = 0;

	for (int i = 0; i < PLACES; i++) {
		bool longer = i == AT_BAR && width >= BAR_FROM;
		int w = longer ? BAR_LONG : table[i].w;

		if (width < table[i].from)
			continue;
		x += table[i].gap + longer;
		p.at[i].x = x;
		p.at[i].w = w ? w : width - 1 - x;
		x += p.at[i].w;
	}
	return p;
}

/* ---- titles ------------------------------------------------------------------- */

static void
put_title(struct grid *g, struct rect r, const struct places *p, enum at i,
    const char *text)
{
	if (p->at[i].w <= 0)
		return;
	if (i == AT_NAME || i == AT_TREND)
		grid_put_cut(
		    g, r.x + p->at[i].x, r.y, p->at[i].w, ROLE_DIM, text);
	else
		/* that of the rate leaves room for the bar's */
		grid_put_right(g,
		    r.x + p->at[i].x + p->at[i].w - (i == AT_RATE ? 2 : 0), r.y,
		    ROLE_DIM, text);
}

/* "shrink │ grow" about the axis. */
static void
put_bar_title(struct grid *g, struct rect r, const struct places *p)
{
	int axis = r.x + p->at[AT_BAR].x + p->at[AT_BAR].w / 2;

	if (p->at[AT_BAR].w <= 0)
		return;
	grid_put_right(g, axis - 1, r.y, ROLE_DIM, "shrink");
	grid_put(g, axis, r.y, ROLE_HAIRLINE, glyph(GLYPH_AXIS, g->ascii));
	grid_put(g, axis + 2, r.y, ROLE_DIM, "grow");
}

static void
put_sorted(struct grid *g, struct rect r, const struct places *p, enum at i,
    const char *title, bool rising)
{
	const char *mark =
	    glyph(rising ? GLYPH_ASCENDING : GLYPH_DESCENDING, g->ascii);
	char text[48];

	snprintf(text, sizeof text, "%s%s%s", title,
	    g->ascii || i == AT_NAME ? " " : "", mark);
	put_title(g, r, p, i, text);
	grid_role(g,
	    (struct rect){
		r.x + p->at[i].x, r.y, p->at[i].w > 0 ? p->at[i].w : 0, 1 },
	    ROLE_TITLE);
}

void
growth_draw_head(const struct app *a, struct grid *g, struct rect r)
{
	static const char *const values[METRIC_COUNT] = { "LIVE", "OBJECTS",
		"ALLOC", "ALLOCS" };
	const struct growth_view *v = &a->growth;
	const struct places p = fit(r.w);
	const char *name = columns_name_title(a->report, g->ascii);
	const char *value = v->shown == GROWTH_VALUE
	    ? values[a->report->query.metric]
	    : growth_column_title(a);

	put_title(g, r, &p, AT_CHANGE, "CHANGE");
	put_title(g, r, &p, AT_RATE, a->target.untimed ? "EACH TIME" : "RATE");
	put_bar_title(g, r, &p);
	put_title(g, r, &p, AT_TREND, "TREND");
	put_title(g, r, &p, AT_LIVE, value);
	put_title(g, r, &p, AT_NAME, name);
	if (v->order == GROWTH_BY_VALUE)
		put_sorted(g, r, &p, AT_LIVE, value, v->reverse);
	else if (v->order == GROWTH_BY_NAME)
		put_sorted(g, r, &p, AT_NAME, name, !v->reverse);
	else
		put_sorted(g, r, &p, AT_CHANGE, "CHANGE", v->reverse);
}

/* ---- rows ---------------------------------------------------------------------- */

static void
put_rate(const struct app *a, struct grid *g, struct rect r,
    const struct places *p, double rate, bool sure)
{
	enum role role = !sure ? ROLE_DIM : rate > 0 ? ROLE_GROW : ROLE_SHRINK;
	struct fmt f;
	int end;

	if (p->at[AT_RATE].w <= 0)
		return;
	f = suspect_rate(
	    a->growth.trends, a->report, rate, g->ascii ? FMT_ASCII : 0);
	/* a long one stays away from the change */
	end = r.x + p->at[AT_RATE].x + p->at[AT_RATE].w;
	grid_put_right(
	    g, end + (utf8_width(f.s) >= FMT_W_RATE), r.y, role, f.s);
}

static void
put_figures(const struct app *a, struct grid *g, struct rect r,
    const struct places *p, const struct figures *f)
{
	double change = figures_change(f);

	columns_draw_change(
	    g, r.x + p->at[AT_CHANGE].x, r.y, p->at[AT_CHANGE].w, a->report, f);
	if (p->at[AT_BAR].w > 0 && change != 0)
		chart_diverging(g, r.x + p->at[AT_BAR].x, r.y,
		    p->at[AT_BAR].w / 2, change, a->growth.max);
	if (p->at[AT_LIVE].w > 0 && a->growth.shown == GROWTH_VALUE)
		columns_draw_value(g, r.x + p->at[AT_LIVE].x, r.y,
		    p->at[AT_LIVE].w, a->report, f);
}

/* What the trend has to say: rate and spark line.  Where it is within its
 * noise, so is the change. */
static void
put_trend(const struct app *a, struct grid *g, struct rect r,
    const struct places *p, const struct trend *t)
{
	const struct trends *all = a->growth.trends;
	struct rect change = { r.x + p->at[AT_CHANGE].x, r.y,
		p->at[AT_CHANGE].w, 1 };
	bool sure = t->kind != TREND_NOISE;

	if (!sure)
		grid_role(g, change, ROLE_DIM);
	if (all->steps == 0)
		return;
	if (t->rate != 0)
		put_rate(
		    a, g, r, p, t->rate, sure && fabs(t->rate) > t->rate_error);
	if (p->at[AT_TREND].w > 0)
		chart_trend(g, r.x + p->at[AT_TREND].x, r.y,
		    sure ? ROLE_BAR : ROLE_DIM, t->points, (int)all->points);
}

static void
put_name(const struct app *a, struct grid *g, struct rect r,
    const struct places *p, const struct report_row *row, bool suspect)
{
	int x = r.x + p->at[AT_NAME].x, w = p->at[AT_NAME].w;

	if (suspect && w > 2) {
		grid_put(g, x, r.y, ROLE_WARN, "!");
		x += 2;
		w -= 2;
	}
	columns_draw_name(g, x, r.y, w, a->report, row, r.w >= CALLERS_FROM);
}

static void
draw_row(const struct app *a, struct grid *g, struct rect r,
    const struct places *p, size_t i)
{
	const struct growth_view *v = &a->growth;
	const struct report_row *row = &a->report->rows[v->listed[i].row];
	const struct trend *t = growth_trend(a, row);

	put_figures(a, g, r, p, &row->f);
	if (p->at[AT_LIVE].w > 0 && v->shown != GROWTH_VALUE)
		growth_draw_age(a, g, r.x + p->at[AT_LIVE].x, r.y,
		    p->at[AT_LIVE].w, v->listed[i].row);
	if (t)
		put_trend(a, g, r, p, t);
	put_name(a, g, r, p, row, v->listed[i].suspect);
	if (i != v->rows.cursor)
		return;
	grid_put(g, r.x, r.y, ROLE_TEXT, glyph(GLYPH_SELECT, g->ascii));
	grid_role(g, r, a->detail_keys ? ROLE_SELECT_IDLE : ROLE_SELECT);
	if (!a->detail_keys) {
		g->cursor_x = r.x;
		g->cursor_y = r.y;
	}
}

/* ---- what is left out ------------------------------------------------------------ */

static bool
filtered(const struct report *r)
{
	return r->total.value != r->local.value ||
	    r->total.samples != r->local.samples;
}

/* Where there is little room what is left out goes unsaid, unless it is by a
 * filter, of which nothing else is to be seen. */
static bool
says_rest(const struct app *a)
{
	return a->layout.style == LAYOUT_NORMAL || filtered(a->report);
}

/* Rows at the end: on what follows, what did not change, and what does not
 * match. */
static size_t
rests(const struct app *a, bool follows)
{
	const struct growth_view *v = &a->growth;

	return (follows || v->small > 0 || a->report->remainder_count > 0) +
	    (v->same > 0) + filtered(a->report);
}

size_t
growth_page(const struct app *a, int height)
{
	size_t h = height > 0 ? (size_t)height : 0, rest;

	if (a->growth.report == NULL || !says_rest(a))
		return h;
	rest = rests(a, false);
	if (a->growth.count + rest > h)
		rest = rests(a, true);
	return h > rest ? h - rest : 0;
}

static void
draw_rest(const struct app *a, struct grid *g, struct rect r,
    const struct places *p, const struct figures *f, const char *text)
{
	const struct trends *t = a->growth.trends;
	double change = figures_change(f);
	double seconds = t->t[t->steps];

	put_figures(a, g, r, p, f);
	if (t->steps > 0 && seconds > 0 && !a->report->query.since_start &&
	    fabs(change) > figures_change_error(f))
		put_rate(a, g, r, p, change / seconds, false);
	grid_put_cut(
	    g, r.x + p->at[AT_NAME].x, r.y, p->at[AT_NAME].w, ROLE_DIM, text);
	grid_role(g, r, ROLE_DIM);
}

/* The rows from `from` on, and those that are small. */
static void
draw_following(const struct app *a, struct grid *g, struct rect r,
    const struct places *p, size_t from)
{
	const struct growth_view *v = &a->growth;
	const struct report *report = a->report;
	bool falling = v->order == GROWTH_BY_CHANGE && from == v->count;
	size_t n = v->count - from + v->small + report->remainder_count;
	struct figures sum = report->remainder;
	char text[96];

	for (size_t i = from; i < v->count; i++)
		figures_add(&sum, &report->rows[v->listed[i].row].f);
	figures_add(&sum, &v->smaller);
	/* Together they may well be more than a row. */
	if (falling)
		snprintf(text, sizeof text, "%s %zu small or within noise",
		    glyph(GLYPH_MORE, g->ascii), n);
	else
		snprintf(text, sizeof text, "%s %zu other %s",
		    glyph(GLYPH_MORE, g->ascii), n,
		    grouping_noun(report->query.grouping, n));
	draw_rest(a, g, r, p, &sum, text);
}

/* "·   7 stacks unchanged (u to show)" */
static void
draw_same(
    const struct app *a, struct grid *g, struct rect r, const struct places *p)
{
	int at = p->at[AT_LIVE].w > 0 ? AT_BAR : AT_NAME;
	int x = r.x + p->at[at].x;
	char text[96];

	snprintf(text, sizeof text, "%zu %s unchanged (u to show)",
	    a->growth.same,
	    grouping_noun(a->report->query.grouping, a->growth.same));
	grid_put_right(g, r.x + p->at[AT_CHANGE].x + p->at[AT_CHANGE].w, r.y,
	    ROLE_DIM, glyph(GLYPH_ZERO, g->ascii));
	grid_put_cut(g, x, r.y, r.x + r.w - 1 - x, ROLE_DIM, text);
}

static void
draw_unmatched(
    const struct app *a, struct grid *g, struct rect r, const struct places *p)
{
	const struct report *report = a->report;
	struct figures rest = report->total;
	size_t n =
	    a->all > report->group_count ? a->all - report->group_count : 0;
	char text[96], count[48] = "";

	figures_sub(&rest, &report->local);
	if (n > 0)
		snprintf(count, sizeof count, "%zu %s ", n,
		    grouping_noun(report->query.grouping, n));
	snprintf(text, sizeof text, "%s %snot matching",
	    glyph(GLYPH_MORE, g->ascii), count);
	draw_rest(a, g, r, p, &rest, text);
}

/* Nothing changed by more than the noise: that is an answer, too. */
static void
draw_nothing(const struct app *a, struct grid *g, struct rect r)
{
	const char *text = a->report->row_count == 0
	    ? "nothing matches"
	    : "nothing changed by more than its noise";

	grid_put_cut(g, r.x + 3, r.y, r.w - 4, ROLE_DIM, text);
}

void
growth_draw_rows(const struct app *a, struct grid *g, struct rect r)
{
	const struct growth_view *v = &a->growth;
	const struct places p = fit(r.w);
	size_t page = growth_page(a, r.h);
	size_t i = v->rows.top < v->count ? v->rows.top : v->count, end;
	struct rect line = { r.x, r.y, r.w, 1 };
	int bottom = r.y + r.h;

	end = page < v->count - i ? i + page : v->count;
	for (; i < end; i++, line.y++)
		draw_row(a, g, line, &p, i);
	if (v->count == 0 && line.y < bottom) {
		draw_nothing(a, g, line);
		line.y++;
	}
	if (!says_rest(a))
		return;
	if (line.y < bottom &&
	    (i < v->count || v->small > 0 || a->report->remainder_count > 0)) {
		draw_following(a, g, line, &p, i);
		line.y++;
	}
	if (line.y < bottom && v->same > 0) {
		draw_same(a, g, line, &p);
		line.y++;
	}
	if (line.y < bottom && filtered(a->report))
		draw_unmatched(a, g, line, &p);
}
