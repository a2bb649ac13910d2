#include "model/suspect.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/buf.h"
#include "base/mem.h"
#include "model/report.h"
#include "model/trend.h"

/* ---- who is one ------------------------------------------------------------ */

static bool
goes_on(const struct trends *t, const struct trend *row)
{
	/* so few steps have no latter half to speak of */
	if (t->steps < SUSPECT_STEPS && row->fell > 0)
		return false;
	return row->rate > 0 && row->late > 0 &&
	    row->late > SUSPECT_SURE * row->late_error && !row->levelled &&
	    !row->jumped;
}

bool
suspect_is(
    const struct trends *t, const struct report *r, const struct trend *row)
{
	return t->steps > 0 && metric_is_live(r->query.metric) &&
	    row->kind <= TREND_WAVERS && goes_on(t, row);
}

/* A row and by how much it grew. */
struct candidate {
	double by;
	uint32_t row;
};

/* Keep those that grew most, in order; `all` has room for one more. */
static void
keep(struct candidate *all, size_t *n, struct candidate c)
{
	size_t i = *n;

	if (*n == SUSPECT_LOOKS && c.by <= all[*n - 1].by)
		return;
	for (; i > 0 && all[i - 1].by < c.by; i--)
		all[i] = all[i - 1];
	all[i] = c;
	if (*n < SUSPECT_LOOKS)
		(*n)++;
}

/* By how much a row grew; 0: by no more than the noise, as far as that is
 * known without following it. */
static double
growth(const struct trends *t, const struct report *r, uint32_t row)
{
	const struct trend *known = t ? trends_at(t, row) : NULL;
	const struct figures *f = &r->rows[row].f;
	double change = figures_change(f);

	if (known)
		return known->kind <= TREND_WAVERS ? trend_change(known) : 0;
	return change > figures_change_error(f) ? change : 0;
}

/* Rows that grew and are worth to be named. */
static size_t
find_grown(
    const struct trends *t, const struct report *r, struct candidate *all)
{
	double grown = 0;
	size_t n = 0;

	for (uint32_t i = 0; i < r->row_count; i++) {
		double change = growth(t, r, i);

		if (change <= 0)
			continue;
		grown += change;
		keep(all, &n, (struct candidate){ change, i });
	}
	while (n > 0 && all[n - 1].by < SUSPECT_PART * grown)
		n--;
	return n;
}

uint32_t *
suspects_find(struct trends *t, const struct report *r, size_t *n)
{
	struct candidate all[SUSPECT_LOOKS + 1];
	uint32_t *rows = xcalloc(SUSPECT_LOOKS, sizeof *rows);
	size_t count;

	*n = 0;
	if (!metric_is_live(r->query.metric))
		return rows;
	count = find_grown(t, r, all);
	for (size_t i = 0; i < count; i++)
		rows[i] = all[i].row;
	if (!t) {
		*n = count;
		return rows;
	}
	trends_follow(t, rows, count);
	for (size_t i = 0; i < count; i++) {
		const struct trend *row = trends_at(t, all[i].row);

		if (row && suspect_is(t, r, row))
			rows[(*n)++] = all[i].row;
	}
	return rows;
}

/* ---- and why ----------------------------------------------------------------- */

/* Objects come slowly, so the unit of time is one that shows a number. */
static struct fmt
object_rate(double per_s, unsigned flags)
{
	static const struct {
		double seconds;
		const char *name;
	} units[] = { { 1, "s" }, { 60, "min" }, { 3600, "h" },
		{ 86400, "d" } };
	struct fmt f;
	size_t u = 0;

	while (u < 3 && fabs(per_s * units[u].seconds) < 1)
		u++;
	snprintf(f.s, sizeof f.s, "%.30s/%s",
	    fmt_count_change(per_s * units[u].seconds, flags).s, units[u].name);
	return f;
}

struct fmt
suspect_rate(
    const struct trends *t, const struct report *r, double rate, unsigned flags)
{
	bool bytes = metric_is_bytes(r->query.metric);

	if (!t->timed)
		return bytes ? fmt_change(rate, flags)
			     : fmt_count_change(rate, flags);
	return bytes ? fmt_rate(rate, flags) : object_rate(rate, flags);
}

/* Of the whole time, or where that was uneven of its latter half. */
static void
put_rate(const struct trends *t, const struct report *r,
    const struct trend *row, unsigned flags, struct buf *b)
{
	bool even = row->rate > row->rate_error;
	double rate = even ? row->rate : row->late;
	double error = even ? row->rate_error : row->late_error;

	buf_printf(b, "%s%s%s", even ? "" : "lately ",
	    suspect_rate(t, r, rate, flags).s, t->timed ? "" : " each time");
	if (error > 0)
		buf_printf(b, " %s", fmt_error(error, rate, flags).s);
}

static void
put_kept(const struct trend *row, const char *since, bool brief, bool ascii,
    struct buf *b)
{
	double error = row->kept_error * 100;

	if (row->kept < 0 || error > 25)
		return;
	buf_printf(b, ", %s%s%%", brief ? "kept " : "",
	    row->kept < 0.005 ? "<1" : fmt_int(row->kept * 100).s);
	if (error >= 0.5)
		buf_printf(b, " %s%s", ascii ? "+/-" : "±", fmt_int(error).s);
	if (!brief)
		buf_printf(b, " of what it allocated %s is still there", since);
}

void
suspect_why(const struct trends *t, const struct report *r,
    const struct trend *row, const char *since, bool brief, bool ascii,
    struct buf *b)
{
	unsigned flags = FMT_ZERO | (ascii ? FMT_ASCII : 0);

	if (t->steps == 1)
		buf_puts(b, "grew by more than its error");
	else if (row->grew * 2 >= t->steps)
		buf_printf(b, "grew in %u of %zu", row->grew, t->steps);
	else
		buf_puts(b, "keeps growing");
	buf_puts(b, ", ");
	put_rate(t, r, row, flags, b);
	put_kept(row, since, brief, ascii, b);
	if (row->fell)
		buf_printf(b, "; fell in %u", row->fell);
	if (t->steps == 1)
		buf_puts(b,
		    brief ? "; goes on?"
			  : "; whether it goes on two moments cannot tell");
}

void
suspect_why_not(const struct trends *t, const struct report *r,
    const struct trend *row, struct buf *b)
{
	if (row->kind > TREND_WAVERS || t->steps == 0 ||
	    !metric_is_live(r->query.metric) || suspect_is(t, r, row))
		return;
	if (row->levelled)
		buf_puts(b, "it grew, but has levelled off");
	else if (row->late == 0 && row->late_error == 0)
		buf_puts(b, "it does not grow any more");
	else if (row->jumped)
		buf_puts(b, "it grew all at once");
	else
		buf_printf(b, "%sthat it goes on growing is within the noise",
		    row->fell ? "it rose and fell: " : "");
}
