#include "export/label.h"

#include <inttypes.h>
#include <stdio.h>

#include "base/buf.h"
#include "base/fmt.h"
#include "export/export.h"
#include "model/name.h"
#include "model/report.h"

void
export_options_init(struct export_options *o)
{
	*o = (struct export_options){
		.program = "",
		.width = 120,
		.top = 10,
		.node_count = 80,
		.node_fraction = .005,
		.edge_fraction = .001,
		.max_degree = 8,
	};
}

static void
put_function(struct buf *b, const struct report_row *row, const struct place *p)
{
	name_clean(b, row->name);
	if (p->inlined)
		buf_puts(b, " (inline)");
}

static void
put_line(struct buf *b, const struct report_row *row)
{
	if (*row->file && row->line)
		buf_printf(b, " %s:%u", row->file, row->line);
	else
		buf_printf(b, " %s:?", *row->file ? row->file : "??");
}

void
label_row(struct buf *b, const struct report *r, const struct report_row *row)
{
	struct place p = report_place(r, row->places[0]);

	switch (r->query.grouping) {
	case GROUP_ADDRESSES:
		buf_printf(b, "%016" PRIx64 " ", p.address);
		put_function(b, row, &p);
		put_line(b, row);
		return;
	case GROUP_LINES:
		put_function(b, row, &p);
		put_line(b, row);
		return;
	case GROUP_FILES:
	case GROUP_MODULES:
	case GROUP_THREADS: buf_puts(b, row->name); return;
	case GROUP_FUNCTIONS:
	case GROUP_STACKS:
	case GROUP_COUNT: break;
	}
	put_function(b, row, &p);
}

#define MB 1048576.0

struct fmt
label_figure(
    const struct report *r, const struct export_options *o, double value)
{
	if (metric_is_bytes(r->query.metric) && !o->show_bytes)
		return fmt_fixed(value / MB, 1);
	return fmt_int(value);
}

const char *
label_unit(const struct report *r, const struct export_options *o)
{
	if (!metric_is_bytes(r->query.metric))
		return "objects";
	return o->show_bytes ? "B" : "MB";
}

struct fmt
label_percent(double part, double whole)
{
	struct fmt f;

	if (whole == 0)
		snprintf(f.s, sizeof f.s, "nan");
	else
		snprintf(f.s, sizeof f.s, "%.40s%%",
		    fmt_fixed(part / whole * 100, 1).s);
	return f;
}
