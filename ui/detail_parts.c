#include "ui/detail_parts.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/fmt.h"
#include "base/utf8.h"
#include "base/vec.h"
#include "model/profile.h"
#include "model/report.h"
#include "ui/app.h"
#include "ui/detail_ages.h"
#include "ui/header.h"

bool
parts_has_source(const struct app *a, const struct report_row *row)
{
	for (uint32_t i = 0; i < row->count; i++) {
		struct place p = report_place(a->report, row->places[i]);

		if (p.file && *p.file && p.line)
			return true;
	}
	return false;
}

void
parts_line(struct grid *g, struct rect r, int y, enum role role, struct buf *b)
{
	if (y < r.y + r.h && b->len)
		grid_put_cut(g, r.x, y, r.w, role, buf_str(b));
	buf_clear(b);
}

static unsigned
flags_of(bool ascii)
{
	return FMT_ZERO | (ascii ? FMT_ASCII : 0);
}

static const char *
since(const struct app *a)
{
	return a->mark[0].id ? "since A" : "since the start";
}

/* In columns: the same in fewer letters. */
static const char *
since_short(const struct app *a)
{
	return a->mark[0].id || a->target.untimed ? since(a) : "since 0:00";
}

static struct fmt
value_text(const struct app *a, double v, bool ascii)
{
	return metric_is_bytes(a->report->query.metric)
	    ? fmt_bytes(v, flags_of(ascii))
	    : fmt_count(v, flags_of(ascii));
}

/* "312k objects", "1 object" */
static void
put_objects(double n, bool ascii, struct buf *b)
{
	struct fmt f = fmt_count(n, flags_of(ascii));

	buf_printf(b, "%s object%s", f.s, strcmp(f.s, "1") == 0 ? "" : "s");
}

/* "+57k objects", "-1 object" */
static void
put_new_objects(double n, bool ascii, struct buf *b)
{
	struct fmt f = fmt_count_change(n, flags_of(ascii));

	buf_printf(b, "%s object%s", f.s, strcmp(f.s + 1, "1") == 0 ? "" : "s");
}

void
parts_amount(const struct report_row *row, bool ascii, const char *between,
    const char *before_avg, struct buf *b)
{
	const struct figures *f = &row->f;

	buf_printf(b, "%s%s", fmt_bytes(f->bytes, flags_of(ascii)).s, between);
	put_objects(f->objects, ascii, b);
	if (f->objects > 0 && f->bytes > 0)
		buf_printf(b, "%s%s avg", before_avg,
		    fmt_bytes(f->bytes / f->objects, flags_of(ascii)).s);
}

static void
put_change(const struct app *a, const struct report_row *row,
    const char *since_when, bool ascii, struct buf *b)
{
	double change = figures_change(&row->f);

	if (change == 0)
		buf_puts(b, "no change");
	else if (metric_is_bytes(a->report->query.metric))
		buf_puts(b, fmt_change(change, flags_of(ascii)).s);
	else
		put_new_objects(change, ascii, b);
	buf_printf(b, " %s", since_when);
}

void
parts_change(const struct app *a, const struct report_row *row, bool ascii,
    struct buf *b)
{
	put_change(a, row, since(a), ascii, b);
}

static bool
within_noise(const struct report_row *row)
{
	return fabs(figures_change(&row->f)) < figures_change_error(&row->f);
}

void
parts_rate(
    const struct app *a, const struct report_row *row, bool sign, struct buf *b)
{
	uint64_t from = app_compared_ns(a), to = app_shown_ns(a);
	double change = figures_change(&row->f);
	struct fmt f;

	if (change == 0 || !header_rate_known(a, from, to))
		return;
	if (within_noise(row)) {
		buf_puts(b, "within noise");
		return;
	}
	change = change * 1e9 / ((double)to - (double)from);
	if (fabs(change) < 0.5)
		return; /* a number without a digit */
	if (metric_is_bytes(a->report->query.metric)) {
		f = fmt_rate(change, FMT_ZERO);
		buf_puts(b, f.s + (!sign && f.s[0] == '+'));
		return;
	}
	f = fmt_count_change(change, FMT_ZERO);
	buf_printf(b, "%s/s", f.s + (!sign && f.s[0] == '+'));
}

void
parts_share(const struct app *a, const struct report_row *row, struct buf *b)
{
	double change = figures_change(&row->f);
	double all = figures_change(&a->report->total);
	double share = all > 0 ? change / all : 0;

	if (share > 0.005 && share <= 1 && !within_noise(row))
		buf_printf(b, "%s%% of growth", fmt_int(share * 100).s);
}

void
parts_first(const struct app *a, const struct report_row *row, struct buf *b)
{
	if (row->first_ns && !a->target.untimed)
		buf_printf(b, "first seen %s", app_clock(a, row->first_ns).s);
}

/* ---- cells of the row's stack ---------------------------------------------- */

struct cells {
	const struct profile *profile;
	uint32_t *ids;
	size_t count, cap;
};

/* A row that is one stack of one profile; else there is none. */
static bool
find_cells(
    const struct report *r, const struct report_row *row, struct cells *c)
{
	const struct profile_owner *of;
	const struct report_stack *s;
	size_t n;

	*c = (struct cells){ NULL, NULL, 0, 0 };
	if (r->query.grouping != GROUP_STACKS || r->profile_count != 1 ||
	    row->stack >= r->stack_count || row->stacks > 1)
		return false;
	c->profile = r->profiles[0];
	s = &r->stacks[row->stack];
	profile_cells(c->profile, &n);
	of = profile_owners(c->profile);
	for (size_t i = s->cell; i < n; i++) {
		if (of[i].stack != s->id ||
		    (r->query.thread >= 0 && of[i].slot != r->query.thread))
			continue;
		VEC_ROOM(c->ids, c->cap, c->count + 1);
		c->ids[c->count++] = (uint32_t)i;
	}
	return c->count > 0;
}

static struct figures
sum_cells(const struct cells *c, const struct moments *m, enum metric metric)
{
	struct figures sum = { 0 };
	size_t n;
	const struct profile_cell *cells = profile_cells(c->profile, &n);

	for (size_t i = 0; i < c->count; i++) {
		struct figures f =
		    figures_cell(m, metric, &cells[c->ids[i]], c->ids[i]);

		figures_add(&sum, &f);
	}
	return sum;
}

void
parts_churn(const struct app *a, const struct report_row *row, bool ascii,
    struct buf *b)
{
	struct moments m;
	struct cells c;
	struct figures alloc, live;
	double new, gone;

	if (find_cells(a->report, row, &c)) {
		m = moments_of(c.profile, &a->report->query);
		alloc = sum_cells(&c, &m, METRIC_ALLOC_BYTES);
		live = sum_cells(&c, &m, METRIC_LIVE_BYTES);
		new = figures_change(&alloc);
		gone = new - figures_change(&live);
		if (new > 0 && gone >= 0)
			buf_printf(b, "%s allocated, %s freed %s",
			    fmt_bytes(new, flags_of(ascii)).s,
			    fmt_bytes(gone, flags_of(ascii)).s, since_short(a));
	}
	free(c.ids);
}

bool
parts_born(const struct app *a, const struct report_row *row, bool bytes,
    snap_id to, double *born)
{
	struct figures f;
	struct moments m;
	struct cells c;
	bool known = find_cells(a->report, row, &c);

	if (known) {
		m = moments_of(c.profile, &a->report->query);
		m.at = to ? to : m.at;
		f = sum_cells(
		    &c, &m, bytes ? METRIC_ALLOC_BYTES : METRIC_ALLOC_OBJECTS);
		*born = figures_change(&f);
	}
	free(c.ids);
	return known;
}

void
parts_new_objects(const struct app *a, const struct report_row *row, bool ascii,
    struct buf *b)
{
	enum metric of = metric_is_live(a->report->query.metric)
	    ? METRIC_LIVE_OBJECTS
	    : METRIC_ALLOC_OBJECTS;
	struct figures f;
	struct moments m;
	struct cells c;

	if (find_cells(a->report, row, &c)) {
		m = moments_of(c.profile, &a->report->query);
		f = sum_cells(&c, &m, of);
		if (figures_change(&f) != 0)
			put_new_objects(figures_change(&f), ascii, b);
	}
	free(c.ids);
}

/* The newest point at or before a moment. */
static snap_id
point_id(const struct app *a, uint64_t ns)
{
	size_t i = a->point_count;

	while (i > 1 && a->points[i - 1].ns > ns)
		i--;
	return i > 0 ? a->points[i - 1].id : 0;
}

bool
parts_trend(const struct app *a, const struct report_row *row, double *values,
    int n, uint64_t *ns)
{
	uint64_t to = app_shown_ns(a), from = a->target.start_ns;
	struct cells c;
	bool known = find_cells(a->report, row, &c);

	if (a->point_count < 2 || to <= from)
		known = false;
	for (int i = 0; known && i < n; i++) {
		uint64_t at =
		    from + (uint64_t)((double)(to - from) * (i + 1) / n);
		struct moments m = { .history = profile_history(c.profile),
			.at = point_id(a, at) };

		if (at >= a->points[0].ns)
			values[i] =
			    sum_cells(&c, &m, a->report->query.metric).value;
		else
			values[i] = 0;
	}
	*ns = to > from ? to - from : 0;
	free(c.ids);
	return known;
}

/* ---- sentences of them ------------------------------------------------------- */

void
parts_comma(struct buf *b, size_t before)
{
	if (b->len == before && before >= 2) {
		b->len -= 2; /* nothing came behind it */
		b->data[b->len] = '\0';
	}
}

/* Behind what is there, if there is something and it fits. */
static void
put_also(struct buf *b, const struct buf *more, int w)
{
	if (more->len > 0 &&
	    utf8_width(buf_str(b)) + 2 + utf8_width(buf_str(more)) <= w)
		buf_printf(b, ", %s", buf_str(more));
}

void
parts_growth(const struct app *a, const struct report_row *row, bool ascii,
    int w, struct buf *b)
{
	struct buf more = BUF_INIT;

	put_change(a, row, since_short(a), ascii, b);
	parts_rate(a, row, false, &more);
	put_also(b, &more, w);
	buf_clear(&more);
	parts_share(a, row, &more);
	put_also(b, &more, w);
	buf_fini(&more);
}

void
parts_age(const struct app *a, const struct report_row *row, bool ascii,
    struct buf *b)
{
	struct age_subject of = ages_subject(a, row);
	uint64_t now = app_shown_ns(a);
	size_t n;

	parts_with_callees(a, row, ascii, b);
	if (b->len == 0 && row->first_ns && !a->target.untimed) {
		parts_first(a, row, b);
		buf_puts(b, ", ");
		n = b->len;
		ages_oldest(&of, b);
		if (b->len == n && now > row->first_ns)
			buf_printf(
			    b, "%s ago", fmt_duration(now - row->first_ns).s);
		parts_comma(b, n);
	}
}

/* Blanks up to column `col` of the buffer's text, at least two. */
static void
pad_to(struct buf *b, int col)
{
	int n = col - utf8_width(buf_str(b));

	buf_pad(b, ' ', n > 2 ? (size_t)n : 2);
}

/* "118.4 MiB ±6.6%    312k objects   398 B avg" */
void
parts_amount_wide(const struct app *a, const struct report_row *row, bool ascii,
    struct buf *b)
{
	unsigned flags = FMT_ZERO | (ascii ? FMT_ASCII : 0);
	const struct figures *f = &row->f;

	buf_puts(b, fmt_bytes(f->bytes, flags).s);
	if (f->value > 0 && metric_is_bytes(a->report->query.metric))
		buf_printf(
		    b, " %s", fmt_error(figures_error(f), f->value, flags).s);
	pad_to(b, 19);
	put_objects(f->objects, ascii, b);
	pad_to(b, 34);
	if (f->objects > 0 && f->bytes > 0)
		buf_printf(
		    b, "%s avg", fmt_bytes(f->bytes / f->objects, flags).s);
}

/* "+21.5 MiB since A  +57k objects   78.9 KiB/s" */
void
parts_change_wide(const struct app *a, const struct report_row *row, bool ascii,
    struct buf *b)
{
	bool bytes = metric_is_bytes(a->report->query.metric);
	size_t n;

	put_change(a, row, since_short(a), ascii, b);
	pad_to(b, 19);
	n = b->len;
	if (bytes)
		parts_new_objects(a, row, ascii, b);
	if (b->len > n)
		pad_to(b, 34);
	parts_rate(a, row, false, b);
}

/* ---- the rest ------------------------------------------------------------------ */

void
parts_with_callees(const struct app *a, const struct report_row *row,
    bool ascii, struct buf *b)
{
	if (a->report->query.grouping == GROUP_STACKS)
		return;
	if (a->report->query.grouping != GROUP_THREADS)
		buf_printf(b, "%s with what it called, ",
		    value_text(a, row->cum.value, ascii).s);
	buf_printf(
	    b, "in %u stack%s", row->stacks, row->stacks == 1 ? "" : "s");
}

void
parts_samples(const struct report_row *row, bool ascii, struct buf *b)
{
	double error = figures_error(&row->f);

	if (row->f.value == 0)
		return;
	buf_printf(b, "%s sample%s  %s",
	    fmt_count((double)row->f.samples, FMT_ZERO).s,
	    row->f.samples == 1 ? "" : "s",
	    fmt_error(error, row->f.value, ascii ? FMT_ASCII : 0).s);
}

void
parts_place(const struct place *p, struct buf *b)
{
	if (!p->file || !*p->file)
		return;
	buf_puts(b, p->file);
	if (p->line)
		buf_printf(b, ":%u", p->line);
}

const char *
parts_name(const struct app *a, const struct report_row *row)
{
	if (a->report->query.grouping == GROUP_STACKS && row->count > 0)
		return report_place(a->report, row->places[0]).function;
	return row->name;
}
