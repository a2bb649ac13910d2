/*
 * A call graph for graphviz, in jeprof's shape: boxes whose letters grow with
 * what is allocated right there, arrows from caller to callee.
 *
 * The lines for boxes and arrows are jeprof's to the letter.  What jeprof has
 * not, colours and the line on what was not seen, stands in statements of its
 * own after them.  Pictures are to be looked at as they are: letters differ
 * less in size, and what is called from one place only is hung below it in
 * several rows, since side by side it would be wider than any screen.
 */
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>

#include "base/buf.h"
#include "base/fmt.h"
#include "base/mem.h"
#include "export/dot_graph.h"
#include "export/escape.h"
#include "export/export.h"
#include "export/label.h"
#include "model/report.h"

/* Longer names lose template arguments, then scopes. */
#define NAME_COLUMNS 160

/* One word a line, so that boxes stay narrow. */
static void
put_name(struct buf *b, const char *s)
{
	struct buf word = BUF_INIT;

	for (; *s; s++) {
		bool scope = s[0] == ':' && s[1] == ':';

		if (*s != ' ' && !scope) {
			buf_putc(&word, *s);
			continue;
		}
		escape_dot(b, buf_str(&word));
		buf_puts(b, "\\n");
		buf_clear(&word);
		s += scope;
	}
	escape_dot(b, buf_str(&word));
	buf_fini(&word);
}

/* Apart by more than adding in another order makes. */
static bool
differ(double a, double b)
{
	return fabs(a - b) > 1e-9 * fmax(fabs(a), fabs(b));
}

/* Letters of a box with all of the whole, and with nothing. */
static const struct letters {
	double least, more, legend;
} jeprof_letters = { 8, 50, 24 }, picture_letters = { 11, 33, 16 };

static void
put_node(
    const struct graph *g, size_t i, const struct letters *l, struct buf *b)
{
	const struct report *r = g->r;
	const struct report_row *row = g->nodes[i];
	double whole = fabs(r->local.value);
	double size = whole > 0 ? sqrt(fabs(row->f.value) / whole) : 0;
	struct buf name = BUF_INIT, fit = BUF_INIT;

	label_row(&name, r, row);
	escape_fit(&fit, buf_str(&name), NAME_COLUMNS);
	buf_printf(b, "N%zu [label=\"", i + 1);
	put_name(b, buf_str(&fit));
	buf_printf(b, "\\n%s (%s)\\r", label_figure(r, g->o, row->f.value).s,
	    label_percent(row->f.value, r->local.value).s);
	if (differ(row->f.value, row->cum.value))
		buf_printf(b, "of %s (%s)\\r",
		    label_figure(r, g->o, row->cum.value).s,
		    label_percent(row->cum.value, r->local.value).s);
	buf_printf(b, "\",shape=box,fontsize=%s];\n",
	    fmt_fixed(l->least + l->more * size, 1).s);
	buf_fini(&name);
	buf_fini(&fit);
}

/* How many rows down an arrow goes, for each; jeprof's all go one. */
static uint32_t *
arrow_rows(const struct graph *g)
{
	uint32_t *rows = xcalloc(g->edge_count, sizeof *rows);
	uint32_t *in = xcalloc(g->node_count + 1, sizeof *in);
	uint32_t *out = xcalloc(g->node_count + 1, sizeof *out);
	uint32_t *fan = xcalloc(g->node_count + 1, sizeof *fan);
	uint32_t *hung = xcalloc(g->node_count + 1, sizeof *hung);
	const struct graph_edge *edges = g->edges;

	for (size_t i = 0; i < g->edge_count; i++) {
		in[edges[i].to]++;
		out[edges[i].from]++;
	}
	for (size_t i = 0; i < g->edge_count; i++)
		fan[edges[i].from] += in[edges[i].to] == 1 && !out[edges[i].to];
	for (size_t i = 0; i < g->edge_count; i++) {
		uint32_t from = edges[i].from, to = edges[i].to;
		/* boxes are some four times as wide as a row is high */
		uint32_t most = (uint32_t)lround(sqrt(fan[from] / 4.0));

		rows[i] = 1;
		if (in[to] == 1 && !out[to] && most > 1)
			rows[i] += hung[from]++ % most;
	}
	free(in);
	free(out);
	free(fan);
	free(hung);
	return rows;
}

/* `thin`: the narrowest line that is drawn. */
static void
put_edge(const struct graph *g, const struct graph_edge *e, double thin,
    uint32_t rows, struct buf *b)
{
	double whole = fabs(g->r->local.value);
	double share = whole > 0 ? fabs(3 * e->value / whole) : 0;
	double weight = fmin(pow(fabs(e->value), 0.7), 100000);
	double line = fmax(2 * fmin(share, 1), thin);

	buf_printf(b, "N%u -> N%u [label=%s, weight=%s, ", e->from, e->to,
	    label_figure(g->r, g->o, e->value).s, fmt_int(floor(weight)).s);
	buf_printf(b, "style=\"setlinewidth(%s)%s\"", fmt_fixed(line, 6).s,
	    report_place(g->r, g->nodes[e->to - 1]->places[0]).inlined
		? ",dashed"
		: "");
	if (rows > 1)
		buf_printf(b, ",minlen=%" PRIu32, rows);
	if (e->value < 0)
		buf_printf(b, ",color=\"%s\"", label_shade(-1).s);
	buf_puts(b, "];\n");
}

static void
put_head(const struct graph *g, const struct letters *l, struct buf *b)
{
	const struct report *r = g->r;
	const char *unit = label_unit(r, g->o);

	buf_puts(b, "digraph \"");
	escape_dot(b, g->o->program);
	buf_printf(
	    b, "; %s %s\" {\n", label_figure(r, g->o, r->total.value).s, unit);
	buf_puts(b,
	    "node [width=0.375,height=0.25];\n"
	    "graph [fontname=\"Helvetica\"];\n"
	    "node [fontname=\"Helvetica\"];\n"
	    "edge [fontname=\"Helvetica\"];\n"
	    "Legend [shape=box,");
	buf_printf(b, "fontsize=%s,shape=plaintext,label=\"",
	    fmt_fixed(l->legend, 0).s);
	escape_dot(b, g->o->program);
	buf_printf(b, "\\lTotal %s: %s\\lFocusing on: %s\\l", unit,
	    label_figure(r, g->o, r->total.value).s,
	    label_figure(r, g->o, r->local.value).s);
	buf_printf(b, "Dropped nodes with <= %s abs(%s)\\l",
	    label_figure(r, g->o, g->least_node).s, unit);
	buf_printf(b, "Dropped edges with <= %s %s\\l\"];\n",
	    label_figure(r, g->o, g->least_edge).s, unit);
}

/* How much of the whole went through here; compared with something, how much
 * more or less. */
static double
shade_of(const struct graph *g, const struct report_row *row)
{
	double whole = fabs(g->r->local.value);

	if (label_compares(g->r) && !g->r->query.difference)
		return label_growth(g->r, &row->cum);
	return whole > 0 ? row->cum.value / whole : 0;
}

/* What a viewer shows under the mouse. */
static void
put_tip(const struct graph *g, size_t node, struct buf *b)
{
	struct buf tip = BUF_INIT;

	graph_describe(g, node, &tip);
	buf_puts(b, ",tooltip=\"");
	escape_dot_lines(b, buf_str(&tip));
	buf_putc(b, '"');
	buf_fini(&tip);
}

static void
put_colours(const struct graph *g, bool tips, struct buf *b)
{
	const struct report *r = g->r;
	bool compares = label_compares(r);

	for (size_t i = 0; i < g->node_count; i++) {
		buf_printf(b, "N%zu [style=filled,fillcolor=\"%s\"", i + 1,
		    label_shade(shade_of(g, g->nodes[i])).s);
		if (tips)
			put_tip(g, i + 1, b);
		buf_puts(b, "];\n");
	}
	if (!compares && !*r->notes)
		return;
	buf_puts(b, "label=\"");
	if (compares)
		buf_puts(b, "warm: grew, cool: shrank\\l");
	if (*r->notes) {
		escape_dot(b, r->notes);
		buf_puts(b, "\\l");
	}
	buf_puts(b, "\"; labeljust=l; fontsize=16;\n");
}

static void
draw(const struct report *r, const struct export_options *o, bool picture,
    struct buf *b)
{
	const struct letters *l = picture ? &picture_letters : &jeprof_letters;
	uint32_t *rows;
	struct graph g;

	graph_build(&g, r, o);
	rows = arrow_rows(&g);
	put_head(&g, l, b);
	for (size_t i = 0; i < g.node_count; i++)
		put_node(&g, i, l, b);
	for (size_t i = 0; i < g.edge_count; i++)
		put_edge(
		    &g, &g.edges[i], picture ? 1 : 0, picture ? rows[i] : 1, b);
	put_colours(&g, !picture, b);
	buf_puts(b, "}\n");
	free(rows);
	graph_fini(&g);
}

void
export_dot(
    const struct report *r, const struct export_options *o, struct buf *b)
{
	draw(r, o, false, b);
}

void
export_picture(
    const struct report *r, const struct export_options *o, struct buf *b)
{
	draw(r, o, true, b);
}
