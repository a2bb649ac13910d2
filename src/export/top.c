/* The top rows as a table for people. */
#include "base/buf.h"
#include "base/fmt.h"
#include "export/export.h"
#include "export/table.h"
#include "model/report.h"

void
export_top(
    const struct report *r, const struct export_options *o, struct buf *b)
{
	unsigned flags = FMT_ZERO | (o->ascii ? FMT_ASCII : 0);
	double half = figures_error(&r->local);

	if (metric_is_bytes(r->query.metric))
		buf_printf(b, "%s: %s", metric_label(r->query.metric),
		    fmt_bytes(r->local.value, flags).s);
	else
		buf_printf(b, "%s: %s", metric_label(r->query.metric),
		    fmt_count(r->local.value, flags).s);
	if (half > 0)
		buf_printf(b, " %s", fmt_error(half, r->local.value, flags).s);
	buf_printf(b, ", by %s\n", grouping_label(r->query.grouping));
	if (*r->notes)
		buf_printf(b, "%s\n", r->notes);
	table_put(r, o, b);
}
