/* jeprof's --text: flat, its share, the running share, cumulative, its share,
 * name. */
#include "base/buf.h"
#include "base/fmt.h"
#include "export/export.h"
#include "export/label.h"
#include "model/report.h"

struct line {
	double flat, running, cum;
};

static void
put_columns(const struct report *r, const struct export_options *o,
    const struct line *l, struct buf *b)
{
	double whole = r->local.value;

	buf_printf(b, "%8s %6s %6s %8s %6s ", label_figure(r, o, l->flat).s,
	    label_percent(l->flat, whole).s, label_percent(l->running, whole).s,
	    label_figure(r, o, l->cum).s, label_percent(l->cum, whole).s);
}

void
export_text(
    const struct report *r, const struct export_options *o, struct buf *b)
{
	struct line l = { 0 };

	if (r->total.value != 0 && r->query.thread >= 0)
		buf_printf(b, "Total (t%d): %s %s\n", r->query.thread,
		    label_figure(r, o, r->total.value).s, label_unit(r, o));
	else if (r->total.value != 0)
		buf_printf(b, "Total: %s %s\n",
		    label_figure(r, o, r->total.value).s, label_unit(r, o));
	for (size_t i = 0; i < r->row_count; i++) {
		const struct report_row *row = &r->rows[i];

		l.flat = row->f.value;
		l.cum = row->cum.value;
		l.running += l.flat;
		if (l.flat == 0 && l.cum == 0)
			continue;
		put_columns(r, o, &l, b);
		label_row(b, r, row);
		buf_putc(b, '\n');
	}
	if (r->remainder_count == 0)
		return;
	l.flat = l.cum = r->remainder.value;
	l.running += l.flat;
	put_columns(r, o, &l, b);
	buf_printf(b, "(%zu more)\n", r->remainder_count);
}
