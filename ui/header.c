#include "ui/header.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/buf.h"
#include "base/fmt.h"
#include "base/utf8.h"
#include "model/name.h"
#include "model/report.h"
#include "ui/app.h"
#include "ui/glyph.h"
#include "ui/notice.h"
#include "ui/view.h"

#define NS_PER_S  UINT64_C(1000000000)
#define RATE_FROM (2 * NS_PER_S) /* over less a rate is noise */

/* ---- state --------------------------------------------------------------- */

static void
say_at(struct header_state *s, const struct app *a, enum glyph sign, bool ascii,
    const char *what, uint64_t ns)
{
	snprintf(s->text, sizeof s->text, "%s %s at %s", glyph(sign, ascii),
	    what, app_clock(a, ns).s);
}

/* "at 9:15", or "3 of 12" of moments without a time. */
static void
put_moment(const struct app *a, char *s, size_t size)
{
	struct fmt clock = app_clock(a, app_shown_ns(a));

	if (a->target.untimed)
		snprintf(s, size, "%s of %zu", clock.s, a->point_count);
	else
		snprintf(s, size, "at %s", clock.s);
}

/* How far that is behind the newest snapshot, as it goes on. */
static void
put_back(const struct app *a, struct header_state *s)
{
	uint64_t shown = app_shown_ns(a), newest;
	size_t n = strlen(s->text);

	if (a->target.untimed || a->point_count == 0)
		return;
	newest = a->points[a->point_count - 1].ns;
	if (newest >= shown + NS_PER_S)
		snprintf(s->text + n, sizeof s->text - n, "  %s back",
		    fmt_duration((newest - shown) / NS_PER_S * NS_PER_S).s);
}

#define READ_COLS 10

/* "▸ reading 312 of 1000  ███▏" */
static void
put_reading(const struct app *a, struct header_state *s, bool ascii)
{
	const struct app_status *st = &a->status;
	size_t n =
	    (size_t)snprintf(s->text, sizeof s->text, "%s reading %zu of %zu  ",
		glyph(GLYPH_STATE_FILE, ascii), st->read, st->to_read);
	int eighths = (int)(READ_COLS * 8 * st->read / st->to_read);

	for (int i = 0; i < READ_COLS; i++, eighths -= 8)
		n += (size_t)snprintf(s->text + n, sizeof s->text - n, "%s",
		    eighths <= 0      ? glyph(GLYPH_REST, ascii)
			: eighths < 8 ? glyph_bar(eighths, ascii)
				      : glyph_bar(8, ascii));
}

/* Which file is shown says more than when that was. */
static void
put_file(const struct app *a, struct header_state *s, bool ascii)
{
	int room = a->layout.title.w / 2 - 2;
	struct buf name = BUF_INIT;
	size_t n;

	name_fit_path(&name, a->status.what, room > 8 ? room : 8, ascii);
	n = (size_t)snprintf(s->text, sizeof s->text, "%s %s",
	    glyph(GLYPH_STATE_FILE, ascii), buf_str(&name));
	buf_fini(&name);
	if (a->query.at && a->point_count > 1) {
		n += (size_t)snprintf(s->text + n, sizeof s->text - n, "  ");
		put_moment(a, s->text + n, sizeof s->text - n);
	}
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
		if (st->to_read)
			put_reading(a, &s, ascii);
		else
			put_file(a, &s, ascii);
		break;
	}
	return s;
}

struct header_state
header_state(const struct app *a, bool ascii)
{
	struct header_state s = { "", ROLE_WARN };
	uint64_t held = a->now_ns > a->paused_ns ? a->now_ns - a->paused_ns : 0;
	size_t n;

	if (a->paused) {
		snprintf(s.text, sizeof s.text, "%s paused %s",
		    glyph(GLYPH_STATE_PAUSED, ascii), fmt_clock(held).s);
		return s;
	}
	if (a->query.at && !app_is_file(a)) {
		n = (size_t)snprintf(
		    s.text, sizeof s.text, "%s ", glyph(GLYPH_STATE_AT, ascii));
		put_moment(a, s.text + n, sizeof s.text - n);
		put_back(a, &s);
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

bool
header_rate_known(const struct app *a, uint64_t from, uint64_t to)
{
	uint64_t span = from < to ? to - from : from - to;

	return !a->target.untimed && span >= RATE_FROM;
}

/* Bytes a second over the compared interval; without a mark over the last
 * minute.  NaN if there is none, or nothing that is worth a number. */
static double
rate(const struct app *a)
{
	uint64_t to = app_shown_ns(a), minute = 60 * NS_PER_S;
	uint64_t from = a->mark[0].id ? a->mark[0].ns
	    : to > minute             ? to - minute
				      : 0;
	const struct app_point *p = point_at(a, from), *q = point_at(a, to);
	double change;

	if (!p && a->point_count)
		p = &a->points[0];
	if (!p || !q || p->ns >= q->ns || !header_rate_known(a, p->ns, q->ns))
		return (double)NAN;
	change =
	    (q->live_bytes - p->live_bytes) * 1e9 / (double)(q->ns - p->ns);
	return fabs(change) < 0.5 ? (double)NAN : change;
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

/* The part that may go. */
static void
shorten(struct header_state *s)
{
	char *at = s->text, *more;

	while ((more = strstr(at, "  ")) && strstr(more + 2, "  "))
		at = more + 2;
	if (more)
		*more = '\0';
}

static void
title_short(const struct app *a, struct grid *g)
{
	struct header_state s = header_state(a, g->ascii);
	int w = a->layout.title.w, end = w - 1, x, room;
	double r = rate(a);
	char pid[16];

	shorten(&s);
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
	/* Of one that has ended it is known how long it lived. */
	bool whole = app_ended(a) && a->query.at == 0;
	uint64_t up =
	    app_since_start(a, whole ? a->status.ns : app_shown_ns(a));
	size_t n = 0;

	s[0] = '\0';
	if (a->target.processes > 1 && which)
		n += (size_t)snprintf(s + n, size - n, "%u of %u%s",
		    a->target.shown, a->target.processes, which);
	if (a->target.pid)
		n += (size_t)snprintf(
		    s + n, size - n, "%spid %u", n ? "  " : "", a->target.pid);
	if (up && !a->target.untimed)
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

	if (utf8_width(s.text) > a->layout.title.w / 2)
		shorten(&s);
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
		    t->live_objects == 1                 ? " object"
			: a->layout.words <= WORDS_SHORT ? " objs"
							 : " objects");
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
	add(r, app_ended(a) || app_is_file(a) ? "no sample" : "no sample yet",
	    "", "");
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

	n = (size_t)snprintf(more, sizeof more, " at %s", app_clock(a, at).s);
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
	r.end = l->figures.w - 1;
	if (l->figures.w >= 32)
		r.end = draw_sampling(a, g, r.y) - 2;
	if (notice_waiting(a)) {
		r.gap = 3;
		draw_waiting(a, &r);
	} else if (app_ended(a) && a->query.at == 0)
		draw_last(a, &r);
	else
		draw_figures(a, &r);
}
