/* jeprof's --text: flat, its share, the running share, cumulative, its share,
 * name; and how it was come by, in lines that begin with a word. */
#include <stdio.h>
#include <string.h>

#include "base/buf.h"
#include "base/fmt.h"
#include "export/export.h"
#include "export/label.h"
#include "model/report.h"

struct line {
	double flat, running, cum;
};

/* With a sign, unless nothing is left of it by rounding. */
static struct fmt
signed_figure(const struct report *r, const struct export_options *o, double v)
{
	struct fmt f = label_figure(r, o, v), out;

	if (v <= 0 || !strpbrk(f.s, "123456789"))
		return f;
	snprintf(out.s, sizeof out.s, "+%.*s", (int)sizeof out.s - 2, f.s);
	return out;
}

static struct fmt
figure(const struct report *r, const struct export_options *o, double v)
{
	return o->plus ? signed_figure(r, o, v) : label_figure(r, o, v);
}

/* Without printf: there may be millions of rows. */
static void
put_right(struct buf *b, size_t width, struct fmt f)
{
	size_t len = strlen(f.s);

	if (len < width)
		buf_pad(b, ' ', width - len);
	f.s[len] = ' ';
	buf_put(b, f.s, len + 1);
}

static void
put_columns(const struct report *r, const struct export_options *o,
    const struct line *l, struct buf *b)
{
	double whole = r->local.value;

	put_right(b, 8, figure(r, o, l->flat));
	put_right(b, 6, label_percent(l->flat, whole));
	put_right(b, 6, label_percent(l->running, whole));
	put_right(b, 8, figure(r, o, l->cum));
	put_right(b, 6, label_percent(l->cum, whole));
}

/* Of many rows most are the last one but for the name. */
struct columns {
	struct line of;
	struct buf text;
};

static void
put_again(struct columns *c, const struct report *r,
    const struct export_options *o, const struct line *l, struct buf *b)
{
	if (!c->text.len || l->flat != c->of.flat ||
	    l->running != c->of.running || l->cum != c->of.cum) {
		c->of = *l;
		buf_clear(&c->text);
		put_columns(r, o, l, &c->text);
	}
	buf_put(b, c->text.data, c->text.len);
}

/* "Total: 83.3 MB", as jeprof has it of a difference, too. */
static void
put_total(const struct report *r, const struct export_options *o, struct buf *b)
{
	if (r->total.value == 0 || o->plus)
		return;
	buf_puts(b, "Total");
	if (r->query.thread >= 0)
		buf_printf(b, " (t%d)", r->query.thread);
	buf_printf(b, ": %s %s\n", label_figure(r, o, r->total.value).s,
	    label_unit(r, o));
}

/* "Delta: +48.0 MB (+37.5%)": of what there was. */
static void
put_delta(const struct report *r, const struct export_options *o, struct buf *b)
{
	double change = r->total.value;

	if (!r->query.difference)
		return;
	buf_printf(
	    b, "Delta: %s %s", signed_figure(r, o, change).s, label_unit(r, o));
	if (r->base_total != 0)
		buf_printf(b, " (%s%s)", change > 0 ? "+" : "",
		    label_percent(change, r->base_total).s);
	buf_putc(b, '\n');
}

/* "After focusing on 'X': 64.0 MB of 128.0 MB (50.0%)", jeprof's words. */
static void
put_filters(
    const struct report *r, const struct export_options *o, struct buf *b)
{
	const struct query *q = &r->query;
	const char *unit = label_unit(r, o);

	if (!q->focus && !q->ignore)
		return;
	buf_puts(b, "After ");
	if (q->focus)
		buf_printf(b, "focusing on '%s'", q->focus->text);
	if (q->ignore)
		buf_printf(b, "%signoring '%s'", q->focus ? " and " : "",
		    q->ignore->text);
	buf_printf(b, ": %s %s of %s %s", figure(r, o, r->local.value).s, unit,
	    figure(r, o, r->total.value).s, unit);
	if (r->total.value != 0)
		buf_printf(b, " (%s)",
		    label_percent(r->local.value, r->total.value).s);
	buf_putc(b, '\n');
}

void
export_text(
    const struct report *r, const struct export_options *o, struct buf *b)
{
	struct report_rows rows = { .report = r };
	const struct report_row *row;
	struct columns columns = { .text = BUF_INIT };
	struct line l = { 0 };

	put_total(r, o, b);
	put_delta(r, o, b);
	put_filters(r, o, b);
	while ((row = report_rows_next(&rows)) != NULL) {
		l.flat = row->f.value;
		l.cum = row->cum.value;
		l.running += l.flat;
		if (l.flat == 0 && l.cum == 0)
			continue;
		put_again(&columns, r, o, &l, b);
		label_row(b, r, row);
		buf_putc(b, '\n');
		buf_offer(b);
	}
	buf_fini(&columns.text);
	if (r->remainder_count == 0)
		return;
	l.flat = l.cum = r->remainder.value;
	l.running += l.flat;
	put_columns(r, o, &l, b);
	buf_printf(b, "(%zu more)\n", r->remainder_count);
}
