/*
 * The rows of a report as RFC 4180: a line of names, then a record for each
 * row and, if rows were cut, one for what is in none of them.  The flat
 * figures add up to what was reported.
 *
 * Figures are whole numbers in bytes and objects, errors the half widths of
 * 95 % intervals; base and change are there if moments are compared.
 */
#include <inttypes.h>
#include <string.h>

#include "base/buf.h"
#include "base/fmt.h"
#include "export/export.h"
#include "model/report.h"

struct table {
	const struct report *r;
	struct buf *b;
	bool compared;
};

/* Quoted where RFC 4180 wants it, and where blanks at an end would be lost. */
static void
put_text(struct buf *b, const char *s)
{
	size_t n = strlen(s);

	if (n && !strpbrk(s, ",\"\r\n") && s[0] != ' ' && s[n - 1] != ' ') {
		buf_puts(b, s);
		return;
	}
	buf_putc(b, '"');
	for (; *s; s++) {
		if (*s == '"')
			buf_putc(b, '"');
		buf_putc(b, *s);
	}
	buf_putc(b, '"');
}

static void
put_whole(struct buf *b, double v)
{
	buf_printf(b, ",%s", fmt_int(v).s);
}

static void
put_figures(struct table *t, const struct figures *f, const struct figures *cum)
{
	struct buf *b = t->b;

	put_whole(b, f->value);
	buf_printf(b, ",%s", fmt_fixed(figures_error(f), 1).s);
	put_whole(b, cum->value);
	buf_printf(b, ",%s", fmt_fixed(figures_error(cum), 1).s);
	if (!t->r->query.difference) {
		put_whole(b, f->bytes);
		put_whole(b, f->objects);
	}
	buf_printf(b, ",%" PRIu64, f->samples);
	if (t->compared) {
		put_whole(b, f->base);
		put_whole(b, figures_change(f));
		buf_printf(b, ",%s", fmt_fixed(figures_change_error(f), 1).s);
		put_whole(b, figures_change(cum));
	}
	buf_puts(b, "\r\n");
}

static void
put_row(struct table *t, const struct report_row *row)
{
	const char *module = report_place_module(t->r, row->places[0]);
	bool address = t->r->query.grouping == GROUP_ADDRESSES;

	put_text(t->b, row->name);
	buf_putc(t->b, ',');
	if (*row->file)
		put_text(t->b, row->file);
	buf_putc(t->b, ',');
	if (row->line)
		buf_printf(t->b, "%u", row->line);
	buf_putc(t->b, ',');
	if (t->r->query.grouping != GROUP_THREADS && *module)
		put_text(t->b, module);
	buf_putc(t->b, ',');
	if (address)
		buf_printf(t->b, "0x%" PRIx64,
		    report_place_address(t->r, row->places[0]));
	put_figures(t, &row->f, &row->cum);
}

static void
put_head(struct table *t)
{
	const char *unit =
	    metric_is_bytes(t->r->query.metric) ? "bytes" : "objects";

	buf_printf(t->b,
	    "name,file,line,module,address,flat_%s,flat_error,cum_%s,cum_error",
	    unit, unit);
	if (!t->r->query.difference)
		buf_puts(t->b, ",bytes,objects");
	buf_puts(t->b, ",samples");
	if (t->compared)
		buf_puts(t->b, ",base,change,change_error,cum_change");
	buf_puts(t->b, "\r\n");
}

void
export_csv(
    const struct report *r, const struct export_options *o, struct buf *b)
{
	struct table t = { .r = r, .b = b };
	struct report_rows rows = { .report = r };
	const struct report_row *row;

	(void)o;
	t.compared = !r->query.difference &&
	    (r->have_before || r->query.base_profile != NULL);
	put_head(&t);
	while ((row = report_rows_next(&rows)) != NULL) {
		put_row(&t, row);
		buf_offer(b);
	}
	if (r->remainder_count) {
		buf_printf(b, "(%zu more),,,,", r->remainder_count);
		put_figures(&t, &r->remainder, &r->remainder);
	}
}
