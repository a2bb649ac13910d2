#include "ui/timeline.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/fmt.h"
#include "base/mem.h"
#include "base/utf8.h"
#include "model/history.h"
#include "ui/app.h"
#include "ui/chart.h"
#include "ui/glyph.h"

#define COLS_MAX 1024
/* A graph so high says what its top stands for. */
#define TOP_ROWS 4

_Static_assert(LOSS_NOMEM + 1 == APP_LOSSES, "points have all losses");

size_t
timeline_points(const struct history *h, struct app_point **points)
{
	size_t n = history_count(h);
	struct app_point *p = xcalloc(n ? n : 1, sizeof *p);

	for (size_t i = 0; i < n; i++) {
		const struct snapshot *s = history_at(h, i);
		const struct profile_totals *t = &s->totals;
		bool exact = t->exact_ns != 0;

		p[i] = (struct app_point){
			.id = s->id,
			.ns = t->now_ns,
			.live_bytes =
			    exact ? (double)t->live_bytes : s->live_bytes,
			.objects =
			    exact ? (double)t->live_objects : s->live_objects,
			.rss_bytes = t->rss_bytes,
			.stacks = s->stacks,
			.lg_sample = (uint8_t)t->lg_sample,
			.active = t->active != 0,
		};
		memcpy(p[i].lost, t->lost, sizeof p[i].lost);
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

/* What is looked at in the place of mark B, which stays where it is. */
static bool
beside_b(const struct app *a)
{
	return a->at && a->mark[1].id && a->at != a->mark[1].id && !a->paused;
}

const char *
timeline_sign(const struct app *a, bool ascii)
{
	bool back = a->query.at && !a->paused;

	if (a->mark[0].id && !beside_b(a))
		return "B";
	return back ? glyph(GLYPH_STATE_AT, ascii) : "";
}

/* A, what is shown, B if that is another one: the oldest first. */
#define MOMENTS 3
static size_t
find_moments(const struct app *a, const struct scale *s, bool ascii,
    struct moment m[MOMENTS])
{
	bool marked = a->mark[0].id != 0, back = a->query.at && !a->paused;
	uint64_t ns[MOMENTS] = { a->mark[0].ns, app_shown_ns(a),
		a->mark[1].ns };
	const bool there[MOMENTS] = { marked, true, beside_b(a) };
	const char *const signs[MOMENTS] = { "A", timeline_sign(a, ascii),
		"B" };
	size_t n = 0, k;

	for (size_t i = 0; i < MOMENTS; i++) {
		uint64_t t = app_since_start(a, ns[i]);

		if (!there[i])
			continue;
		for (k = n++; k > 0 && m[k - 1].t > t; k--)
			m[k] = m[k - 1];
		m[k] = (struct moment){ signs[i],
			i == 0               ? ROLE_MARK_A
			    : marked || back ? ROLE_MARK_B
					     : ROLE_DIM,
			t, app_clock(a, ns[i]) };
		if (s->terse && marked) /* there is room for the signs only */
			m[k].clock.s[0] = '\0';
	}
	return n;
}

static void
draw_ruler(const struct app *a, struct grid *g, const struct scale *s, int y)
{
	uint64_t shown = app_since_start(a, app_shown_ns(a));
	uint64_t mark = app_since_start(a, a->mark[0].ns);
	bool marked = a->mark[0].id != 0;
	struct fmt start = app_clock(a, a->target.start_ns);
	struct rect r = { s->x, y, s->cols, 1 };
	struct moment m[MOMENTS];
	size_t n;
	int x = s->x;

	grid_fill(g, r, ROLE_HAIRLINE, glyph(GLYPH_RULE, g->ascii));
	if (s->span == 0)
		return;
	if (marked) {
		r.x = column_of(s, shown >= mark ? mark : shown);
		r.w = column_of(s, shown >= mark ? shown : mark) - r.x + 1;
		grid_fill(g, r, ROLE_BAR_AB, glyph(GLYPH_RULE_HEAVY, g->ascii));
	}
	n = find_moments(a, s, g->ascii, m);
	/* it may begin with a mark */
	if (!marked || column_of(s, m[0].t) > s->x + utf8_width(start.s))
		x = grid_printf(g, s->x, y, ROLE_DIM, "%s ", start.s);
	for (size_t i = 0; i < n; i++)
		x = draw_moment(g, s, y, &m[i], x,
		    m[i].role != ROLE_MARK_A &&
			(marked || m[i].role == ROLE_DIM));
}

void
timeline_ruler(
    const struct app *a, struct grid *g, struct rect r, uint64_t span)
{
	struct scale s = { r.x, r.w, span, true };

	if (r.h > 0 && r.w >= 16)
		draw_ruler(a, g, &s, r.y);
}

/* "438 MiB": what the top stands for.  Three digits are enough. */
static void
draw_top(struct grid *g, struct rect r, double top)
{
	struct fmt text = fmt_bytes(top, g->ascii ? FMT_ASCII : 0);
	char *dot = strchr(text.s, '.'), *unit = strchr(text.s, ' ');
	size_t digits = dot ? (size_t)(dot - text.s) : 0;

	if (!(top > 0))
		return;
	if (digits >= 3 && unit) {
		struct fmt whole = fmt_int(strtod(text.s, NULL));
		struct fmt rest = text;

		snprintf(text.s, sizeof text.s, "%.16s%.16s", whole.s,
		    rest.s + (unit - text.s));
	}
	/* with a blank between it and what it hides */
	grid_put(
	    g, grid_put(g, r.x, r.y, ROLE_DIM, text.s), r.y, ROLE_DIM, " ");
}

/* Where the graph is: all but a column at each side. */
static struct scale
graph_of(const struct app *a)
{
	const struct rect *r = &a->layout.timeline;
	struct scale s = { r->x + 1, r->w - 2, 0, false };

	if (r->h <= 0 || s.cols < 16 || s.cols > COLS_MAX)
		s.cols = 0;
	if (s.cols && a->point_count)
		s.span = app_since_start(a, a->points[a->point_count - 1].ns);
	return s;
}

void
timeline_point_out(const struct app *a, struct grid *g, uint64_t ns)
{
	struct rect r = a->layout.timeline;
	struct scale s = graph_of(a);

	if (s.span == 0)
		return;
	r.x = column_of(&s, app_since_start(a, ns));
	r.w = 1;
	grid_role(g, r, ROLE_SELECT);
}

size_t
timeline_point_at(const struct app *a, int x)
{
	struct scale s = graph_of(a);
	size_t i = 0;
	uint64_t end;

	if (s.span == 0 || x < s.x || x >= s.x + s.cols)
		return a->point_count;
	end = (uint64_t)((double)s.span * (x - s.x + 1) / s.cols);
	while (i + 1 < a->point_count &&
	    app_since_start(a, a->points[i + 1].ns) <= end)
		i++;
	return i;
}

void
timeline_draw(const struct app *a, struct grid *g)
{
	struct rect r = a->layout.timeline, part;
	struct scale s = graph_of(a);
	double values[COLS_MAX];
	uint64_t start = a->target.start_ns;
	uint64_t shown = app_shown_ns(a);

	if (s.cols == 0)
		return;
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
	if (s.span && r.h >= TOP_ROWS)
		draw_top(g, r, a->peak);
	if (a->layout.ruler.h > 0)
		draw_ruler(a, g, &s, a->layout.ruler.y);
}
