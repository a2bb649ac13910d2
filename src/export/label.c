#include "export/label.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/buf.h"
#include "base/fmt.h"
#include "export/escape.h"
#include "export/export.h"
#include "model/frames.h"
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
put_function(struct buf *b, const char *name, bool inlined)
{
	name_clean(b, name);
	if (inlined)
		buf_puts(b, " (inline)");
}

static void
put_line(struct buf *b, const char *file, uint32_t line)
{
	if (*file && line)
		buf_printf(b, " %s:%u", file, line);
	else
		buf_printf(b, " %s:?", *file ? file : "??");
}

/* A function at a place, with as much of the place as the grouping tells
 * apart. */
static void
put_place(struct buf *b, const struct report *r, uint32_t place,
    const struct frame_name *name, bool inlined)
{
	enum grouping grouping = r->query.grouping;

	if (grouping == GROUP_ADDRESSES)
		buf_printf(
		    b, "%016" PRIx64 " ", report_place_address(r, place));
	put_function(b, name->function, inlined);
	if (grouping == GROUP_ADDRESSES || grouping == GROUP_LINES)
		put_line(b, name->file, name->line);
}

void
label_row(struct buf *b, const struct report *r, const struct report_row *row)
{
	enum grouping grouping = r->query.grouping;
	struct frame_name name = { row->name, row->file, row->line };

	if (grouping == GROUP_FILES || grouping == GROUP_MODULES ||
	    grouping == GROUP_THREADS)
		buf_puts(b, row->name);
	else
		put_place(b, r, row->places[0], &name, row->inlined);
}

void
label_node(struct buf *b, const struct report *r, const struct tree_node *n)
{
	enum grouping grouping = r->query.grouping;
	struct place p;

	if (n->place == TREE_ALL) {
		buf_puts(b, "all");
		return;
	}
	p = report_place(r, n->place);
	if (grouping == GROUP_MODULES && *p.module)
		buf_puts(b, p.module);
	else if (grouping == GROUP_FILES && *p.file)
		buf_puts(b, p.file);
	else
		put_place(b, r, n->place,
		    &(struct frame_name){ p.function, p.file, p.line },
		    p.inlined);
}

void
label_more(
    struct buf *b, const struct report *r, const char *function, int cols)
{
	enum grouping grouping = r->query.grouping;
	struct buf clean = BUF_INIT;

	if (grouping == GROUP_FILES || grouping == GROUP_MODULES ||
	    grouping == GROUP_THREADS)
		return;
	name_clean(&clean, function);
	if (strcmp(buf_str(&clean), function) != 0)
		escape_fit(b, function, cols);
	buf_fini(&clean);
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
	struct fmt f = { "nan" };
	size_t len;

	if (whole == 0)
		return f;
	f = fmt_fixed(part / whole * 100, 1);
	len = strnlen(f.s, sizeof f.s - 2);
	memcpy(f.s + len, "%", 2);
	return f;
}

bool
label_compares(const struct report *r)
{
	const struct query *q = &r->query;

	return q->difference || q->base || q->base_profile;
}

double
label_growth(const struct report *r, const struct figures *f)
{
	double larger = fmax(fabs(f->value), fabs(f->base));

	if (r->query.difference)
		return (f->value > 0) - (f->value < 0);
	return larger > 0 ? figures_change(f) / larger : 0;
}

struct fmt
label_shade(double share)
{
	static const int none[3] = { 0xef, 0xea, 0xe4 };
	static const int warm[3] = { 0xf2, 0x7d, 0x52 };
	static const int cool[3] = { 0x6f, 0xa8, 0xdc };
	const int *full = share < 0 ? cool : warm;
	/* the root, so that small shares can be told from none */
	double t = sqrt(fmin(fabs(share), 1));
	int c[3];
	struct fmt f;

	for (int i = 0; i < 3; i++)
		c[i] = (int)lround(none[i] + t * (full[i] - none[i]));
	snprintf(f.s, sizeof f.s, "#%02x%02x%02x", c[0], c[1], c[2]);
	return f;
}
