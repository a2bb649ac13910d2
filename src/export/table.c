#include "export/table.h"

#include <stdbool.h>

#include "base/buf.h"
#include "base/fmt.h"
#include "base/utf8.h"
#include "export/export.h"
#include "export/stats_words.h"
#include "model/report.h"

struct table {
	const struct report *r;
	const struct export_options *o;
	unsigned flags; /* of fmt_* */
	bool cum;       /* a column for what is below a row, too */
	struct buf *b;
};

/* Columns left of the name, and the least that is left to it. */
#define ERROR_COLUMNS 7
#define NAME_COLUMNS  20

/* With plain numbers columns are wider. */
#define PLAIN_COLUMNS 14

static struct fmt
amount(const struct table *t, double v)
{
	struct fmt f;

	if (t->o->show_bytes)
		return fmt_int(v);
	if (metric_is_bytes(t->r->query.metric))
		return fmt_bytes(v, t->flags | FMT_COLUMN);
	f = fmt_count(v, t->flags);
	return f;
}

static struct fmt
change(const struct table *t, double v)
{
	if (t->o->show_bytes)
		return fmt_int(v);
	if (metric_is_bytes(t->r->query.metric))
		return fmt_change(v, t->flags | FMT_COLUMN);
	return fmt_count_change(v, t->flags);
}

/* Columns of an amount, a change, an error, a count. */
static int
columns(const struct table *t, int usual)
{
	return t->o->show_bytes ? PLAIN_COLUMNS : usual;
}

/* The half width of the interval, in percent of the value or plain. */
static struct fmt
error(const struct table *t, double half, double v)
{
	return t->o->show_bytes ? fmt_int(half) : fmt_error(half, v, t->flags);
}

static struct fmt
count(const struct table *t, double n)
{
	return t->o->show_bytes ? fmt_int(n) : fmt_count(n, t->flags);
}

static void
put_titles(const struct table *t)
{
	const char *error = t->o->ascii ? "+/-" : "±";

	stats_put_right(t->b,
	    metric_is_live(t->r->query.metric) ? "LIVE" : "ALLOC",
	    columns(t, FMT_W_BYTES));
	stats_put_right(t->b, "%", FMT_W_PERCENT + 2);
	stats_put_right(t->b, error, columns(t, ERROR_COLUMNS + 2));
	if (t->cum)
		stats_put_right(
		    t->b, "WITH CALLED", columns(t, FMT_W_BYTES + 4));
	stats_put_right(t->b, "CHANGE", columns(t, FMT_W_CHANGE + 2));
	stats_put_right(t->b, "OBJS", columns(t, FMT_W_COUNT + 2));
	buf_puts(t->b, "  ");
	if (t->r->query.grouping == GROUP_THREADS)
		buf_puts(t->b, "THREAD");
	else
		buf_puts(
		    t->b, t->o->ascii ? "SITE < CALLERS" : "SITE ← CALLERS");
	buf_putc(t->b, '\n');
}

/* The figures before the name; returns the columns used. */
static int
put_figures(const struct table *t, const struct figures *f, double cum)
{
	bool compared = t->r->have_before || t->r->query.base_profile ||
	    t->r->query.since_start;
	int value = columns(t, FMT_W_BYTES);
	int share = FMT_W_PERCENT + 2;
	int wrong = columns(t, ERROR_COLUMNS + 2);
	int below = t->cum ? columns(t, FMT_W_BYTES + 4) : 0;
	int grown = columns(t, FMT_W_CHANGE + 2);
	int objects = columns(t, FMT_W_COUNT + 2);
	double half = figures_error(f);

	stats_put_right(t->b, amount(t, f->value).s, value);
	stats_put_right(
	    t->b, fmt_percent(f->value, t->r->total.value, t->flags).s, share);
	stats_put_right(
	    t->b, half > 0 ? error(t, half, f->value).s : "", wrong);
	if (t->cum)
		stats_put_right(t->b, amount(t, cum).s, below);
	stats_put_right(
	    t->b, compared ? change(t, figures_change(f)).s : "", grown);
	stats_put_right(t->b, count(t, f->objects).s, objects);
	buf_puts(t->b, "  ");
	return value + share + wrong + below + grown + objects + 2;
}

static void
put_remainder(const struct table *t, const struct figures *rest, size_t n)
{
	const char *dots = t->o->ascii ? ".." : "…";

	put_figures(t, rest, rest->value);
	buf_printf(t->b, "%s %zu more %s\n", dots, n,
	    grouping_noun(t->r->query.grouping, n));
}

void
table_put(const struct report *r, const struct export_options *o, struct buf *b)
{
	struct table t = { .r = r,
		.o = o,
		.flags = o->ascii ? FMT_ASCII : 0,
		.cum = r->query.grouping != GROUP_STACKS &&
		    r->query.grouping != GROUP_THREADS && o->width >= 100,
		.b = b };
	struct figures rest = r->local;
	size_t n = r->row_count;

	if (o->top && o->top < n)
		n = o->top;
	if (r->group_count == 0) {
		buf_printf(t.b, "%s nothing %s was sampled\n",
		    o->ascii ? ".." : "…",
		    metric_is_live(r->query.metric) ? "that lives"
						    : "allocated");
		return;
	}
	put_titles(&t);
	for (size_t i = 0; i < n; i++) {
		const struct report_row *row = &r->rows[i];
		int used = put_figures(&t, &row->f, row->cum.value);
		int cols = o->width - used;

		stats_put_site(b, r, row,
		    cols < NAME_COLUMNS ? NAME_COLUMNS : cols, o->ascii);
		buf_putc(b, '\n');
		figures_sub(&rest, &row->f);
	}
	if (r->group_count > n)
		put_remainder(&t, &rest, r->group_count - n);
}
