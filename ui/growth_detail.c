#include "ui/growth_detail.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/buf.h"
#include "base/fmt.h"
#include "base/utf8.h"
#include "model/name.h"
#include "model/report.h"
#include "model/suspect.h"
#include "model/trend.h"
#include "ui/app.h"
#include "ui/detail.h"
#include "ui/detail_ages.h"
#include "ui/detail_parts.h"
#include "ui/glyph.h"
#include "ui/rule.h"
#include "ui/view_growth.h"

/* Where the stack begins in a pane below the list. */
#define STACK_X 46

static unsigned
flags_of(bool ascii)
{
	return FMT_ZERO | (ascii ? FMT_ASCII : 0);
}

static bool
in_bytes(const struct app *a)
{
	return metric_is_bytes(a->report->query.metric);
}

static const char *
since(const struct app *a)
{
	return a->mark[0].id ? "since A" : "since the start";
}

/* ---- what there is to say ------------------------------------------------------- */

/* "96.9 MiB in 255k objects" */
static void
put_amount(const struct app *a, double value, double also, unsigned columns,
    bool ascii, struct buf *b)
{
	double bytes = in_bytes(a) ? value : also;
	double objects = in_bytes(a) ? also : value;
	unsigned flags = flags_of(ascii);

	if (bytes == 0 && objects == 0) {
		buf_puts(b, columns ? "  nothing" : "nothing");
		return;
	}
	buf_puts(b, fmt_bytes(bytes, flags | columns).s);
	buf_printf(b, " in %s object%s", fmt_count(objects, flags).s,
	    objects > 0.5 && objects < 1.5 ? "" : "s");
}

/* "A 8:02", "B 12:41"; without marks "start" and "now". */
static void
put_moment(const struct app *a, int which, struct buf *b)
{
	uint64_t ns = which == 0 ? app_compared_ns(a) : app_shown_ns(a);

	if (a->mark[0].id)
		buf_printf(b, "%c %s", "AB"[which], app_clock(a, ns).s);
	else if (which == 0)
		buf_puts(b, "start");
	else if (a->at || a->mark[1].id || app_is_file(a) || app_ended(a))
		buf_puts(b, app_clock(a, ns).s);
	else
		buf_puts(b, "now");
}

static struct fmt
change_text(const struct app *a, double change, bool ascii)
{
	return in_bytes(a) ? fmt_change(change, flags_of(ascii))
			   : fmt_count_change(change, flags_of(ascii));
}

/* "+21.5 MiB, +57k objects (+22%)" */
static void
put_change(
    const struct app *a, const struct trend *t, bool ascii, struct buf *b)
{
	double change = trend_change(t), also = t->last_also - t->first_also;
	unsigned flags = flags_of(ascii);

	buf_puts(b, change_text(a, change, ascii).s);
	if (!in_bytes(a))
		buf_puts(b, " objects");
	if (also != 0 && in_bytes(a))
		buf_printf(b, ", %s objects", fmt_count_change(also, flags).s);
	else if (also != 0)
		buf_printf(b, ", %s", fmt_change(also, flags).s);
	if (t->kind == TREND_NOISE)
		buf_puts(b, ", within the noise");
	else if (t->first > 0 && fabs(change) < 100 * t->first)
		buf_printf(b, " (%s%s%%)", change > 0 ? "+" : "",
		    fmt_int(change / t->first * 100).s);
}

/* "allocated 22.5 MiB, freed 1.0 MiB" */
static void
put_churn(const struct app *a, const struct trend *t, bool ascii, struct buf *b)
{
	double freed = t->allocated - trend_change(t);
	unsigned flags = flags_of(ascii);

	if (t->allocated < 0 || !metric_is_live(a->report->query.metric))
		return;
	freed = fmax(0, freed);
	if (in_bytes(a))
		buf_printf(b, "allocated %s, freed %s",
		    fmt_bytes(t->allocated, flags).s,
		    fmt_bytes(freed, flags).s);
	else
		buf_printf(b, "%s allocated, %s freed",
		    fmt_count(t->allocated, flags).s,
		    fmt_count(freed, flags).s);
}

/* "26m", "3h", "5d": more is not known. */
static struct fmt
about(double seconds)
{
	static const struct {
		double seconds;
		const char *name;
	} units[] = { { 86400, "d" }, { 3600, "h" }, { 60, "m" }, { 1, "s" } };
	struct fmt f = { "" };
	size_t i = 0;

	while (i < 3 && seconds < 2 * units[i].seconds)
		i++;
	snprintf(f.s, sizeof f.s, "%.40s%s",
	    fmt_int(seconds / units[i].seconds).s, units[i].name);
	return f;
}

/* When it is twice as much at this rate; "" if it does not grow for sure. */
static struct fmt
doubles(const struct app *a, const struct trend *t)
{
	double seconds = t->rate > 0 && t->first > 0 ? t->last / t->rate : 0;

	if (!a->growth.trends->timed || t->kind > TREND_WAVERS || t->levelled ||
	    t->rate <= t->rate_error || seconds < 1 || seconds > 3e8 ||
	    !metric_is_live(a->report->query.metric))
		return (struct fmt){ "" };
	return about(seconds);
}

/* "doubles in about 26m at this rate", else the rate alone. */
static void
put_pace(const struct app *a, const struct trend *t, bool ascii, struct buf *b)
{
	const struct trends *all = a->growth.trends;
	struct fmt f = doubles(a, t);

	if (*f.s)
		buf_printf(b, "doubles in about %s at this rate", f.s);
	else if (all->steps < 2 || t->kind == TREND_NOISE || t->rate == 0)
		return;
	else if (fabs(t->rate) <= t->rate_error)
		buf_puts(b, "no steady rate");
	else
		buf_printf(b, "%s %s %s",
		    suspect_rate(all, a->report, t->rate, flags_of(ascii)).s,
		    all->timed ? "on average" : "each time",
		    t->rate_error > 0
			? fmt_error(t->rate_error, t->rate, flags_of(ascii)).s
			: "");
}

/* "43 of 45 new samples still live" */
static void
put_samples(const struct app *a, const struct trend *t, struct buf *b)
{
	if (!metric_is_live(a->report->query.metric) || t->new_samples <= 0 ||
	    t->more_samples < 0 || t->more_samples > t->new_samples)
		return;
	buf_printf(b, "%s of %s new samples still live",
	    fmt_count((double)t->more_samples, FMT_ZERO).s,
	    fmt_count((double)t->new_samples, FMT_ZERO).s);
}

/* Why it is a suspect, or why not; true: it is. */
static bool
put_reason(const struct app *a, const struct trend *t, bool brief, bool ascii,
    struct buf *b)
{
	const struct trends *all = a->growth.trends;

	if (!suspect_is(all, a->report, t)) {
		suspect_why_not(all, a->report, t, b);
		return false;
	}
	suspect_why(all, a->report, t, since(a), brief, ascii, b);
	return true;
}

/* Of those born since A, by their births; else by samples that came and
 * went. */
static void
put_survivors(const struct app *a, const struct report_row *row,
    const struct trend *t, bool ascii, int w, struct buf *b)
{
	struct age_subject of = ages_subject(a, row);

	ages_generation_words(a, &of, row, ascii, w, b);
	if (b->len == 0)
		put_samples(a, t, b);
}

/* ---- below the list -------------------------------------------------------------- */

static void
put_line(struct grid *g, struct rect r, int y, enum role role, struct buf *b)
{
	if (y < r.y + r.h && b->len)
		grid_put_cut(g, r.x, y, r.w, role, buf_str(b));
	buf_clear(b);
}

static void
draw_title(const struct app *a, const struct report_row *row,
    const struct trend *t, struct grid *g, bool compact)
{
	struct buf name = BUF_INIT, place = BUF_INIT, right = BUF_INIT;
	double share = t->first > 0 ? trend_change(t) / t->first : 0;

	name_fit(&name, parts_name(a, row), a->layout.rule.w / 2, g->ascii);
	if (row->count > 0) {
		struct place p = report_place(a->report, row->places[0]);

		parts_place(&p, &place);
		if (place.len == 0 && p.module)
			buf_puts(&place, p.module);
	}
	if (!compact)
		put_survivors(a, row, t, g->ascii, 48, &right);
	else if (t->kind != TREND_NOISE && share != 0 && fabs(share) < 100)
		buf_printf(&right, "%s%s%%", share > 0 ? "+" : "",
		    fmt_int(share * 100).s);
	rule_draw(g, a->layout.rule, buf_str(&name), buf_str(&place),
	    buf_str(&right));
	buf_fini(&name);
	buf_fini(&place);
	buf_fini(&right);
}

/* "! grew in 14 of 15, ..." over the whole width of a row. */
static void
draw_reason(const struct app *a, const struct trend *t, struct grid *g,
    struct rect r, int y)
{
	struct buf b = BUF_INIT;
	bool is = put_reason(a, t, r.w < 92, g->ascii, &b);

	if (b.len > 0 && is) {
		grid_put(g, r.x, y, ROLE_WARN, "!");
		r.x += 2;
		r.w -= 2;
	}
	put_line(g, r, y, is ? ROLE_TEXT : ROLE_DIM, &b);
	buf_fini(&b);
}

static void
draw_moments(
    const struct app *a, const struct trend *t, struct grid *g, struct rect r)
{
	struct buf b = BUF_INIT;

	for (int which = 0; which < 2; which++) {
		put_moment(a, which, &b);
		buf_pad(&b, ' ', b.len < 9 ? (size_t)(9 - b.len) : 1);
		put_amount(a, which ? t->last : t->first,
		    which ? t->last_also : t->first_also, FMT_COLUMN, g->ascii,
		    &b);
		put_line(g, r, r.y + which, ROLE_TEXT, &b);
	}
	buf_fini(&b);
}

static void
draw_tall(const struct app *a, const struct report_row *row,
    const struct trend *t, struct grid *g, struct rect r)
{
	struct rect left = { r.x + 1, r.y, STACK_X - 2, r.h };
	struct rect right = { r.x + STACK_X, r.y, r.w - STACK_X - 1, 5 };
	struct buf b = BUF_INIT;

	if (right.w < 16)
		left.w = r.w - 2;
	draw_moments(a, t, g, left);
	buf_printf(&b, "%-8s ", "change");
	put_change(a, t, g->ascii, &b);
	put_line(g, left, r.y + 2, ROLE_TEXT, &b);
	put_churn(a, t, g->ascii, &b);
	put_line(g, left, r.y + 3, ROLE_TEXT, &b);
	put_pace(a, t, g->ascii, &b);
	put_line(g, left, r.y + 4, ROLE_TEXT, &b);
	if (right.w >= 16)
		detail_stack(a, row, g, right);
	left.w = r.w - 2;
	draw_reason(a, t, g, left, r.y + 5);
	buf_fini(&b);
}

/* "96.9 MiB -> 118.4 MiB; allocated 22.5 MiB, freed 1.0 MiB; doubles in 26m" */
static void
draw_compact(const struct app *a, const struct report_row *row,
    const struct trend *t, struct grid *g, struct rect r)
{
	struct rect line = { r.x + 1, r.y, r.w - 2, r.h };
	bool bytes = in_bytes(a);
	unsigned flags = flags_of(g->ascii);
	struct buf b = BUF_INIT;
	struct fmt f = doubles(a, t);
	size_t n;

	buf_printf(&b, "%s %s %s%s; ",
	    bytes ? fmt_bytes(t->first, flags).s : fmt_count(t->first, flags).s,
	    glyph(GLYPH_CALLS, g->ascii),
	    bytes ? fmt_bytes(t->last, flags).s : fmt_count(t->last, flags).s,
	    bytes ? "" : " objects");
	n = b.len;
	put_churn(a, t, g->ascii, &b);
	if (b.len > n && *f.s)
		buf_puts(&b, "; ");
	if (*f.s)
		buf_printf(&b, "doubles in %s", f.s);
	parts_comma(&b, n);
	put_line(g, line, r.y, ROLE_TEXT, &b);
	buf_fini(&b);
	if (r.h < 2)
		return;
	if (a->detail_keys) {
		struct rect frame = { line.x, r.y + 1, line.w, 1 };

		parts_frame(
		    a, row, parts_selected(a, row), g, line.x, r.y + 1, line.w);
		parts_mark(g, frame);
	} else {
		draw_reason(a, t, g, line, r.y + 1);
	}
}

bool
growth_detail(const struct app *a, struct grid *g)
{
	const struct report_row *row = app_selected(a);
	const struct trend *t = row ? growth_trend(a, row) : NULL;
	struct rect r = a->layout.detail;

	if (!t || a->layout.split.w > 0 || r.h <= 0)
		return false;
	draw_title(a, row, t, g, r.h < 5);
	if (r.h < 5)
		draw_compact(a, row, t, g, r);
	else
		draw_tall(a, row, t, g, r);
	return true;
}

/* ---- at the side ------------------------------------------------------------------ */

static void
labelled(struct grid *g, struct rect r, int y, const char *label, struct buf *b)
{
	if (b->len) {
		grid_put(g, r.x, y, ROLE_DIM, label);
		r.x += 9;
		r.w -= 9;
		put_line(g, r, y, ROLE_TEXT, b);
	}
}

/* As many words as fit in each of `rows` lines. */
static void
draw_words(
    struct grid *g, struct rect r, int rows, enum role role, const char *s)
{
	for (int y = 0; y < rows && *s; y++) {
		size_t n = utf8_head(s, r.w), cut = n;
		struct buf line = BUF_INIT;

		while (s[n] && cut > 0 && s[cut] != ' ')
			cut--;
		if (y + 1 == rows)
			n = strlen(s); /* cut, with the sign for it */
		else if (cut > 0)
			n = cut;
		buf_put(&line, s, n);
		grid_put_cut(g, r.x, r.y + y, r.w, role, buf_str(&line));
		buf_fini(&line);
		s += n;
		while (*s == ' ')
			s++;
	}
}

void
growth_detail_side(const struct app *a, const struct report_row *row,
    struct grid *g, struct rect r)
{
	const struct trend *t = growth_trend(a, row);
	struct rect text = { r.x, r.y + 6, r.w, 3 };
	struct buf b = BUF_INIT, label = BUF_INIT;
	bool is, told = ages_told(a) && a->mark[0].id;

	if (!t)
		return;
	for (int which = 0; which < 2; which++) {
		put_moment(a, which, &label);
		put_amount(a, which ? t->last : t->first,
		    which ? t->last_also : t->first_also, FMT_COLUMN, g->ascii,
		    &b);
		labelled(g, r, r.y + which, buf_str(&label), &b);
		buf_clear(&label);
	}
	put_change(a, t, g->ascii, &b);
	labelled(g, r, r.y + 2, "change", &b);
	put_churn(a, t, g->ascii, &b);
	labelled(g, r, r.y + 3, "churn", &b);
	put_pace(a, t, g->ascii, &b);
	labelled(g, r, r.y + 4, "rate", &b);
	put_survivors(a, row, t, g->ascii, r.w - 9, &b);
	labelled(g, r, r.y + 5, told ? "born" : "samples", &b);
	is = put_reason(a, t, false, g->ascii, &b);
	if (is) {
		grid_put(g, text.x, text.y, ROLE_WARN, "!");
		text.x += 2;
		text.w -= 2;
	}
	if (b.len)
		draw_words(
		    g, text, text.h, is ? ROLE_TEXT : ROLE_DIM, buf_str(&b));
	buf_fini(&b);
	buf_fini(&label);
}
