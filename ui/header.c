#include "ui/header.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/fmt.h"
#include "base/utf8.h"
#include "model/report.h"
#include "ui/app.h"
#include "ui/glyph.h"
#include "ui/notice.h"
#include "ui/view.h"

#define NS_PER_S UINT64_C(1000000000)

/* ---- state --------------------------------------------------------------- */

static void
say_at(struct header_state *s, const struct app *a, enum glyph sign, bool ascii,
    const char *what, uint64_t ns)
{
	snprintf(s->text, sizeof s->text, "%s %s at %s", glyph(sign, ascii),
	    what, fmt_clock(app_since_start(a, ns)).s);
}

static struct header_state
connection_state(const struct app *a, bool ascii)
{
	const struct app_status *st = &a->status;
	struct header_state s = { "", ROLE_TEXT };

	switch (st->connection) {
	case APP_WAITING:
		snprintf(s.text, sizeof s.text, "%s waiting",
		    glyph(GLYPH_STATE_WAITING, ascii));
		break;
	case APP_LIVE:
		snprintf(s.text, sizeof s.text, "%s live%s%s",
		    glyph(GLYPH_STATE_LIVE, ascii),
		    a->target.interval_ns ? "  every " : "",
		    a->target.interval_ns
			? fmt_duration(a->target.interval_ns).s
			: "");
		s.role = ROLE_OK;
		break;
	case APP_LATE:
		snprintf(s.text, sizeof s.text, "%s no answer %s",
		    glyph(GLYPH_STATE_LATE, ascii), fmt_duration(st->ns).s);
		s.role = ROLE_WARN;
		break;
	case APP_ENDED:
		say_at(&s, a, GLYPH_STATE_ENDED, ascii, st->what, st->ns);
		break;
	case APP_KILLED:
		say_at(&s, a, GLYPH_STATE_KILLED, ascii, st->what, st->ns);
		s.role = ROLE_ERROR;
		break;
	case APP_FILE:
		snprintf(s.text, sizeof s.text, "%s %s",
		    glyph(GLYPH_STATE_FILE, ascii), st->what);
		break;
	}
	return s;
}

struct header_state
header_state(const struct app *a, bool ascii)
{
	struct header_state s = { "", ROLE_WARN };
	uint64_t held = a->now_ns > a->paused_ns ? a->now_ns - a->paused_ns : 0;

	if (a->paused) {
		snprintf(s.text, sizeof s.text, "%s paused %s",
		    glyph(GLYPH_STATE_PAUSED, ascii), fmt_clock(held).s);
		return s;
	}
	if (a->query.at) {
		snprintf(s.text, sizeof s.text, "%s at %s",
		    glyph(GLYPH_STATE_AT, ascii),
		    fmt_clock(app_since_start(a, app_shown_ns(a))).s);
		return s;
	}
	return connection_state(a, ascii);
}

/* ---- figures of the process ------------------------------------------------ */

/* The newest point up to a moment, or NULL. */
static const struct app_point *
point_at(const struct app *a, uint64_t ns)
{
	size_t i = a->point_count;

	while (i > 0 && a->points[i - 1].ns > ns)
		i--;
	return i > 0 ? &a->points[i - 1] : NULL;
}

double
header_live(const struct app *a)
{
	const struct report *r = a->report;
	const struct app_point *p = point_at(a, app_shown_ns(a));

	if (r && r->have_totals && r->totals.exact_ns)
		return (double)r->totals.live_bytes;
	return p ? p->live_bytes : (double)NAN;
}

/* Bytes a second over the compared interval; without a mark over the last
 * minute.  NaN if there is none. */
static double
rate(const struct app *a)
{
	uint64_t to = app_shown_ns(a), minute = 60 * NS_PER_S;
	uint64_t from = a->mark[0].id ? a->mark[0].ns
	    : to > minute             ? to - minute
				      : 0;
	const struct app_point *p = point_at(a, from), *q = point_at(a, to);

	if (!p && a->point_count)
		p = &a->points[0];
	if (!p || !q || p->ns >= q->ns)
		return (double)NAN;
	return (q->live_bytes - p->live_bytes) * 1e9 / (double)(q->ns - p->ns);
}

static unsigned
flags_of(const struct grid *g)
{
	return g->ascii ? FMT_ASCII | FMT_ZERO : FMT_ZERO;
}

/* ---- title ----------------------------------------------------------------- */

static void
put_state(struct grid *g, int x, int y, const struct header_state *s)
{
	grid_put(g, x, y, s->role, s->text);
}

/* "412.6 MiB", or "" before the first snapshot. */
static struct fmt
live_text(const struct app *a, const struct grid *g)
{
	double live = header_live(a);
	struct fmt none = { "" };

	return isnan(live) ? none : fmt_bytes(live, flags_of(g));
}

static void
title_rows(const struct app *a, struct grid *g)
{
	struct header_state s = header_state(a, g->ascii);
	int end = a->layout.title.w - 1;

	s.text[utf8_head(s.text, 1)] = '\0';
	end = grid_put_right(g, end, 0, s.role, s.text);
	end = grid_put_right(g, end - 1, 0, ROLE_VALUE, live_text(a, g).s);
	grid_put_cut(g, 1, 0, end - 3, ROLE_TITLE, a->target.name);
}

static void
title_short(const struct app *a, struct grid *g)
{
	struct header_state s = header_state(a, g->ascii);
	int w = a->layout.title.w, end = w - 1, x, room;
	double r = rate(a);
	char *more = strstr(s.text, "  every ");
	char pid[16];

	if (more)
		*more = '\0';
	room = w - 2 > 24 ? w - 24 : w - 2;
	if (utf8_width(s.text) > room)
		s.text[utf8_head(s.text, room)] = '\0';
	end -= utf8_width(s.text);
	put_state(g, end, 0, &s);
	if (!isnan(r) && w >= 56)
		end = grid_put_right(
		    g, end - 2, 0, ROLE_VALUE, fmt_rate(r, flags_of(g)).s);
	end = grid_put_right(g, end - 2, 0, ROLE_VALUE, live_text(a, g).s);
	x = grid_put_cut(g, 1, 0, end - 3, ROLE_TITLE, a->target.name);
	snprintf(pid, sizeof pid, "%u", a->target.pid);
	if (a->target.pid && x + 1 + utf8_width(pid) < end - 1)
		grid_put(g, x + 1, 0, ROLE_TEXT, pid);
}

/* "2 of 5 processes  pid 41237  up 12m41s  9 threads"; the first part as
 * `which` says. */
static void
facts_text(const struct app *a, const char *which, char *s, size_t size)
{
	enum layout_words words = a->layout.words;
	uint64_t up = app_since_start(a, app_shown_ns(a));
	size_t n = 0;

	s[0] = '\0';
	if (a->target.processes > 1 && which)
		n += (size_t)snprintf(s + n, size - n, "%u of %u%s",
		    a->target.shown, a->target.processes, which);
	if (a->target.pid)
		n += (size_t)snprintf(
		    s + n, size - n, "%spid %u", n ? "  " : "", a->target.pid);
	if (up)
		n += (size_t)snprintf(s + n, size - n, "%sup %s", n ? "  " : "",
		    fmt_duration(up).s);
	if (words >= WORDS_LONG && a->target.threads)
		n += (size_t)snprintf(s + n, size - n, "  %u thread%s",
		    a->target.threads, a->target.threads == 1 ? "" : "s");
	if (words >= WORDS_LONGEST && *a->target.exe)
		snprintf(s + n, size - n, "  exe %.60s", a->target.exe);
}

static void
title_normal(const struct app *a, struct grid *g)
{
	struct header_state s = header_state(a, g->ascii);
	bool wide = a->layout.words >= WORDS_LONG;
	static const char *const which[] = { " processes", "", NULL };
	int end = a->layout.title.w - 1, x = 1;
	char facts[192];

	end -= utf8_width(s.text);
	put_state(g, end, 0, &s);
	end -= wide ? 4 : 3;
	/* The longest that leaves room for the program's name. */
	for (size_t i = 0; i < sizeof which / sizeof which[0]; i++) {
		facts_text(a, which[i], facts, sizeof facts);
		if (end - utf8_width(facts) > 24)
			break;
	}
	if (end - utf8_width(facts) > 24)
		end = grid_put_right(g, end, 0, ROLE_TEXT, facts);
	if (wide)
		x = grid_put(g, x, 0, ROLE_DIM, "heaptop") + 2;
	grid_put_cut(g, x, 0, end - 2 - x, ROLE_TITLE,
	    *a->target.command ? a->target.command : a->target.name);
}

/* ---- row 1 ------------------------------------------------------------------- */

/* The right part: sampling and losses; where it begins. */
static int
draw_sampling(const struct app *a, struct grid *g, int y)
{
	bool longest = a->layout.words == WORDS_LONGEST;
	bool wide = a->layout.words >= WORDS_LONG;
	uint32_t lg = !notice_waiting(a) ? a->report->totals.lg_sample
					 : a->target.lg_sample;
	uint64_t lost = app_lost(a);
	struct fmt rate_text = fmt_sampling(lg);
	int end = a->layout.figures.w - 1;
	char text[64];

	if (longest && a->names) {
		snprintf(text, sizeof text, "symbols %u%%",
		    (unsigned)(100.0 * a->names_known / a->names));
		end = grid_put_right(g, end, y, ROLE_TEXT, text) - 3;
	}
	if ((wide && !notice_waiting(a)) || lost) {
		snprintf(text, sizeof text, "%s lost",
		    fmt_count((double)lost, FMT_ZERO).s);
		end = grid_put_right(
			  g, end, y, lost ? ROLE_WARN : ROLE_TEXT, text) -
		    (longest ? 3 : 2);
	}
	if (!a->target.active)
		return grid_put_right(g, end, y, ROLE_WARN, "sampling off");
	if (longest && lg)
		snprintf(text, sizeof text, "1 sample per %s", rate_text.s + 2);
	else
		snprintf(text, sizeof text, "%s", rate_text.s);
	return grid_put_right(g, end, y, ROLE_TEXT, text);
}

/* Figures from the left, with blanks between, until there is no room. */
struct row {
	struct grid *g;
	int x, y, end, gap;
	bool full;
};

static void
add(struct row *r, const char *label, const char *value, const char *after)
{
	int w = utf8_width(label) + utf8_width(value) + utf8_width(after);

	r->full = r->full || r->x + w > r->end;
	if (r->full)
		return;
	r->x = grid_put(r->g, r->x, r->y, ROLE_TEXT, label);
	r->x = grid_put(r->g, r->x, r->y, ROLE_VALUE, value);
	r->x = grid_put(r->g, r->x, r->y, ROLE_TEXT, after) + r->gap;
}

/* A byte figure, without its unit if `like` has the same and room is dear. */
static void
add_bytes(struct row *r, const struct app *a, const char *label, double bytes,
    const struct fmt *like)
{
	struct fmt f = fmt_bytes(bytes, flags_of(r->g));
	char *unit = strchr(f.s, ' '), *same = strchr(like->s, ' ');

	if (a->layout.words <= WORDS_SHORT && unit && same &&
	    strcmp(unit, same) == 0)
		*unit = '\0';
	add(r, label, f.s, "");
}

static void
draw_figures(const struct app *a, struct row *r)
{
	const struct profile_totals *t = &a->report->totals;
	struct fmt live = live_text(a, r->g);
	double change = rate(a);

	add(r, "live ", live.s, "");
	add_bytes(r, a, "peak ", a->peak, &live);
	if (t->rss_bytes)
		add_bytes(r, a, "rss ", (double)t->rss_bytes, &live);
	if (t->exact_ns)
		add(r, "", fmt_count((double)t->live_objects, flags_of(r->g)).s,
		    a->layout.words <= WORDS_SHORT ? " objs" : " objects");
	if (!isnan(change))
		add(r, "", fmt_rate(change, flags_of(r->g)).s, "");
	if (a->layout.words == WORDS_LONGEST && t->exact_ns)
		add(r, "allocated ",
		    fmt_bytes((double)t->alloc_bytes, flags_of(r->g)).s, "");
}

static void
draw_waiting(const struct app *a, struct row *r)
{
	uint64_t rss = a->target.rss_bytes;

	if (a->report && a->report->totals.rss_bytes)
		rss = a->report->totals.rss_bytes;
	add(r, "no sample yet", "", "");
	if (rss)
		add(r, "rss ", fmt_bytes((double)rss, flags_of(r->g)).s, "");
}

/* "last snapshot 412.6 MiB at 12:40, 0.4 s before the end". */
static void
draw_last(const struct app *a, struct row *r)
{
	uint64_t at = app_shown_ns(a), end = a->status.ns;
	char more[96];
	size_t n;

	n = (size_t)snprintf(
	    more, sizeof more, " at %s", fmt_clock(app_since_start(a, at)).s);
	if (end > at + 50000000)
		snprintf(more + n, sizeof more - n, ", %s s before the end",
		    fmt_fixed((double)(end - at) / 1e9, 1).s);
	add(r, "last snapshot ", live_text(a, r->g).s, more);
}

void
header_draw(const struct app *a, struct grid *g)
{
	const struct layout *l = &a->layout;
	struct row r = { g, 1, l->figures.y, 0, l->words >= WORDS_LONG ? 3 : 2,
		false };

	switch (l->style) {
	case LAYOUT_TINY:
		grid_put(g, 0, 0, ROLE_VALUE, live_text(a, g).s);
		return;
	case LAYOUT_ROWS: title_rows(a, g); return;
	case LAYOUT_SHORT: title_short(a, g); return;
	case LAYOUT_NORMAL: break;
	}
	title_normal(a, g);
	r.end = draw_sampling(a, g, r.y) - 2;
	if (notice_waiting(a)) {
		r.gap = 3;
		draw_waiting(a, &r);
	} else if (app_ended(a) && a->query.at == 0)
		draw_last(a, &r);
	else
		draw_figures(a, &r);
}

/* ---- tabs --------------------------------------------------------------------- */

static const char *
label_of(const struct view *v, enum layout_words words)
{
	return words == WORDS_LEAST ? v->least
	    : words == WORDS_SHORT  ? v->brief
				    : v->label;
}

/* Below 92 columns only the active one and its neighbours. */
static bool
tab_fits(const struct app *a, int i)
{
	int away = i - (int)a->view;

	return a->layout.words >= WORDS_LONG || (away >= -2 && away <= 2);
}

static int
draw_tabs(const struct app *a, struct grid *g, int y)
{
	int x = 0;

	for (int i = CONTEXT_TOP; i <= CONTEXT_MEMORY; i++) {
		const struct view *v = view_at((enum context)i);
		bool on = i == (int)a->view;
		enum role role = on ? ROLE_TAB_ON : ROLE_TEXT;

		if (!v || !tab_fits(a, i))
			continue;
		x = grid_put(g, x, y, role, on ? "[" : " ");
		x = grid_printf(g, x, y, on ? role : ROLE_KEY, "%d", i + 1);
		x = grid_printf(
		    g, x, y, role, " %s", label_of(v, a->layout.words));
		x = grid_put(g, x, y, role, on ? "]" : " ");
	}
	return x;
}

/* What the figures are, in the words there is room for. */
static void
meaning(const struct app *a, const struct grid *g, char *s, size_t size)
{
	const char *dot = glyph(GLYPH_DOT, g->ascii);
	const char *arrow = glyph(GLYPH_CALLS, g->ascii);
	const char *metric = metric_label(a->query.metric);
	const char *group = grouping_label(a->query.grouping);
	char since[32];

	if (a->layout.words == WORDS_LEAST) {
		snprintf(s, size, "%s", metric);
		return;
	}
	if (a->layout.words == WORDS_SHORT) {
		snprintf(s, size, "%s by %s", metric, group);
		return;
	}
	if (a->mark[0].id)
		snprintf(since, sizeof since, "A%sB", arrow);
	else
		snprintf(since, sizeof since, "since start");
	snprintf(s, size, "%s %s by %s %s %s", metric, dot, group, dot, since);
	if (a->layout.words < WORDS_LONGEST)
		return;
	snprintf(s + strlen(s), size - strlen(s), " %s plumbing %s%s%s%s", dot,
	    a->query.cut == CUT_NOTHING ? "shown" : "hidden",
	    app_filtered(a) ? "" : " ", app_filtered(a) ? "" : dot,
	    app_filtered(a) ? "" : " no filter");
}

static void
detail_meaning(const struct app *a, const struct grid *g, char *s, size_t size)
{
	size_t n = a->report ? a->report->group_count : 0;

	snprintf(s, size, "%s %zu of %zu %s esc back",
	    grouping_label(a->query.grouping), a->rows.cursor + 1, n,
	    glyph(GLYPH_DOT, g->ascii));
}

void
header_draw_tabs(const struct app *a, struct grid *g)
{
	struct rect r = a->layout.tabs;
	int x, end = r.w - 1, room;
	char text[160], filter[3 * PROMPT_MAX];

	if (r.h <= 0)
		return;
	x = draw_tabs(a, g, r.y);
	if (a->output_shown)
		snprintf(text, sizeof text, "target output %s esc back",
		    glyph(GLYPH_DOT, g->ascii));
	else if (a->detail_full)
		detail_meaning(a, g, text, sizeof text);
	else
		meaning(a, g, text, sizeof text);
	app_filter_text(a, filter, sizeof filter);
	if (a->over == OVER_PROMPT && a->prompt == PROMPT_FILTER)
		filter[0] = '\0'; /* it stands in the last row */
	/* A filter is never silently on: it goes before the rest. */
	room = end - x - 2;
	if (*filter && room > 4) {
		int w = utf8_width(filter);

		w = w < room ? w : room;
		grid_put_cut(g, end - w, r.y, w, ROLE_WARN, filter);
		end -= w + 2;
	}
	if (end - utf8_width(text) > x)
		grid_put_right(g, end, r.y, ROLE_DIM, text);
}
