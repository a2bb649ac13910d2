#include "ui/timeline.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/fmt.h"
#include "base/mem.h"
#include "base/utf8.h"
#include "model/history.h"
#include "ui/app.h"
#include "ui/chart.h"
#include "ui/glyph.h"

#define COLS_MAX 1024

size_t
timeline_points(const struct history *h, struct app_point **points)
{
	size_t n = history_count(h);
	struct app_point *p = xcalloc(n ? n : 1, sizeof *p);

	for (size_t i = 0; i < n; i++) {
		const struct snapshot *s = history_at(h, i);

		p[i] = (struct app_point){ s->id, s->totals.now_ns,
			s->totals.exact_ns ? (double)s->totals.live_bytes
					   : s->live_bytes };
	}
	*points = p;
	return n;
}

void
timeline_values(const struct app_point *p, size_t n, uint64_t from, uint64_t to,
    double *values, int cols)
{
	double span = to > from ? (double)(to - from) : 1;
	double last = (double)NAN;
	size_t i = 0;

	for (int x = 0; x < cols; x++) {
		uint64_t end = from + (uint64_t)(span * (x + 1) / cols);
		double top = (double)NAN;

		for (; i < n && p[i].ns <= end; i++) {
			last = p[i].live_bytes;
			top = fmax(top, last);
		}
		values[x] = isnan(top) ? last : top;
	}
}

/* Times since the start, and columns of them. */
struct scale {
	int x, cols;
	uint64_t span;
	bool terse; /* marks without times */
};

/* The column whose end is nearest to the moment. */
static int
column_of(const struct scale *s, uint64_t t)
{
	double at = s->span ? (double)t / (double)s->span * s->cols : 0;

	at = nearbyint(at) - 1;
	return s->x + (at < 0 ? 0 : at < s->cols ? (int)at : s->cols - 1);
}

/* A moment with a label, somewhere on the ruler. */
struct moment {
	const char *sign; /* "A" */
	enum role role;
	uint64_t t;
	struct fmt clock; /* "" without */
};

/* Blanks around it but before A, which begins the heavy part. */
static int
draw_moment(struct grid *g, const struct scale *s, int y,
    const struct moment *m, int from, bool blank)
{
	char text[64];
	int end = s->x + s->cols, x = column_of(s, m->t), w;

	snprintf(text, sizeof text, "%s%s%s", m->sign,
	    *m->sign && *m->clock.s ? " " : "", m->clock.s);
	w = utf8_width(text);
	if (x + w > end)
		x = end - w;
	if (x < from || w == 0)
		return from;
	if (blank)
		grid_put(g, x - 1, y, ROLE_TEXT, " ");
	x = grid_put(g, x, y, m->role, text);
	if (x < end)
		grid_put(g, x, y, ROLE_TEXT, " ");
	return x + 1;
}

static void
draw_ruler(const struct app *a, struct grid *g, const struct scale *s, int y)
{
	uint64_t shown = app_since_start(a, app_shown_ns(a));
	uint64_t mark = app_since_start(a, a->mark[0].ns);
	bool marked = a->mark[0].id != 0, back = a->query.at && !a->paused;
	struct moment to = { marked ? "B"
		    : back          ? glyph(GLYPH_STATE_AT, g->ascii)
				    : "",
		marked || back ? ROLE_MARK_B : ROLE_DIM, shown,
		app_clock(a, app_shown_ns(a)) };
	struct moment from = { "A", ROLE_MARK_A, mark,
		app_clock(a, a->mark[0].ns) };
	struct fmt start = app_clock(a, a->target.start_ns);
	struct rect r = { s->x, y, s->cols, 1 };
	bool first = shown >= mark; /* A stands before B */
	int x;

	grid_fill(g, r, ROLE_HAIRLINE, glyph(GLYPH_RULE, g->ascii));
	if (s->span == 0)
		return;
	if (marked) {
		r.x = column_of(s, first ? mark : shown);
		r.w = column_of(s, first ? shown : mark) - r.x + 1;
		grid_fill(g, r, ROLE_BAR_AB, glyph(GLYPH_RULE_HEAVY, g->ascii));
	}
	if (s->terse && marked) /* there is room for the signs only */
		to.clock.s[0] = from.clock.s[0] = '\0';
	if (marked &&
	    column_of(s, first ? mark : shown) <= s->x + utf8_width(start.s))
		x = s->x; /* it begins with a mark */
	else
		x = grid_printf(g, s->x, y, ROLE_DIM, "%s ", start.s);
	if (marked && first)
		x = draw_moment(g, s, y, &from, x, false);
	x = draw_moment(g, s, y, &to, x, marked || !back);
	if (marked && !first)
		draw_moment(g, s, y, &from, x, false);
}

void
timeline_ruler(
    const struct app *a, struct grid *g, struct rect r, uint64_t span)
{
	struct scale s = { r.x, r.w, span, true };

	if (r.h > 0 && r.w >= 16)
		draw_ruler(a, g, &s, r.y);
}

void
timeline_draw(const struct app *a, struct grid *g)
{
	struct rect r = a->layout.timeline, part;
	struct scale s = { 1, r.w - 2, 0, false };
	double values[COLS_MAX];
	uint64_t start = a->target.start_ns;
	uint64_t shown = app_shown_ns(a);

	if (r.h <= 0 || s.cols < 16 || s.cols > COLS_MAX)
		return;
	if (a->point_count)
		s.span = app_since_start(a, a->points[a->point_count - 1].ns);
	if (s.span) {
		timeline_values(a->points, a->point_count, start,
		    start + s.span, values, s.cols);
		r.x = s.x;
		r.w = s.cols;
		chart_area(g, r, ROLE_BAR, values, a->peak);
	}
	if (s.span && a->mark[0].id) {
		int b = column_of(&s, app_since_start(a, shown));
		int x = column_of(&s, app_since_start(a, a->mark[0].ns));

		part = r;
		part.x = x < b ? x : b;
		part.w = (x < b ? b : x) - part.x + 1;
		grid_role(g, part, ROLE_BAR_AB);
	}
	if (a->layout.ruler.h > 0)
		draw_ruler(a, g, &s, a->layout.ruler.y);
}
