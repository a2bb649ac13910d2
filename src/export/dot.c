/*
 * A call graph for graphviz, in jeprof's shape: boxes whose letters grow with
 * what is allocated right there, arrows from caller to callee.  Unlike
 * jeprof's, an arrow counts each stack once, however often the pair of
 * functions is in it, so no arrow weighs more than the whole.
 *
 * Nodes are the report's rows; whole stacks and threads cannot be nodes, so
 * functions stand in for them.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/fmt.h"
#include "base/map.h"
#include "base/vec.h"
#include "export/export.h"
#include "export/label.h"
#include "model/report.h"

struct edge {
	uint32_t from, to; /* nodes, from 1 */
	uint32_t seen;     /* last stack counted, + 1 */
	double value;
};

struct graph {
	const struct report *r;
	const struct export_options *o;
	const struct report_row **nodes; /* [node - 1] */
	size_t node_count;
	uint32_t *node_of; /* [group] -> node, 0: none */
	struct edge *edges;
	size_t edge_count, edge_cap;
	struct map edge_of;
	double least_node, least_edge;
};

static int
compare_nodes(const void *va, const void *vb)
{
	const struct report_row *a = *(const struct report_row *const *)va;
	const struct report_row *b = *(const struct report_row *const *)vb;
	double x = fabs(a->cum.value), y = fabs(b->cum.value);
	int order = (x < y) - (x > y);

	if (order == 0)
		order = strcmp(a->name, b->name);
	return order ? order : (a->key > b->key) - (a->key < b->key);
}

static int
compare_edges(const void *va, const void *vb)
{
	const struct edge *a = va, *b = vb;

	if (a->value != b->value)
		return a->value < b->value ? 1 : -1;
	if (a->from != b->from)
		return a->from < b->from ? -1 : 1;
	return (a->to > b->to) - (a->to < b->to);
}

static void
choose_nodes(struct graph *g)
{
	const struct report *r = g->r;
	size_t n = r->row_count;

	g->nodes = xcalloc(n, sizeof *g->nodes);
	for (size_t i = 0; i < n; i++)
		g->nodes[i] = &r->rows[i];
	qsort(g->nodes, n, sizeof *g->nodes, compare_nodes);
	if (g->o->node_count && n > g->o->node_count)
		n = g->o->node_count;
	while (n > 0 && fabs(g->nodes[n - 1]->cum.value) <= g->least_node)
		n--;
	g->node_count = n;
	g->node_of = xcalloc(r->place_groups, sizeof *g->node_of);
	for (size_t i = 0; i < n; i++) {
		uint32_t place = g->nodes[i]->places[0];

		g->node_of[r->places[place].group] = (uint32_t)i + 1;
	}
}

static void
add_edge(struct graph *g, uint32_t from, uint32_t to, uint32_t stack)
{
	uint32_t *at = map_put(&g->edge_of, (uint64_t)from << 32 | to);

	if (*at == MAP_NONE) {
		VEC_ROOM(g->edges, g->edge_cap, g->edge_count + 1);
		*at = (uint32_t)g->edge_count;
		g->edges[g->edge_count++] =
		    (struct edge){ .from = from, .to = to };
	}
	if (g->edges[*at].seen == stack + 1)
		return;
	g->edges[*at].seen = stack + 1;
	g->edges[*at].value += g->r->stacks[stack].f.value;
}

static void
find_edges(struct graph *g)
{
	const struct report *r = g->r;

	for (uint32_t i = 0; i < r->stack_count; i++) {
		const struct report_stack *s = &r->stacks[i];

		for (uint32_t j = 0; j + 1 < s->count; j++) {
			uint32_t to = g->node_of[r->places[s->places[j]].group];
			uint32_t from =
			    g->node_of[r->places[s->places[j + 1]].group];

			if (from && to)
				add_edge(g, from, to, i);
		}
	}
	if (g->edge_count)
		qsort(g->edges, g->edge_count, sizeof *g->edges, compare_edges);
}

static void
put_escaped(struct buf *b, const char *s)
{
	for (; *s; s++) {
		if (*s == '"' || *s == '\\')
			buf_putc(b, '\\');
		buf_putc(b, *s);
	}
}

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
		put_escaped(b, buf_str(&word));
		buf_puts(b, "\\n");
		buf_clear(&word);
		s += scope;
	}
	put_escaped(b, buf_str(&word));
	buf_fini(&word);
}

static void
put_node(const struct graph *g, size_t i, struct buf *b)
{
	const struct report *r = g->r;
	const struct report_row *row = g->nodes[i];
	double whole = fabs(r->local.value);
	double size = whole > 0 ? sqrt(fabs(row->f.value) / whole) : 0;
	struct buf name = BUF_INIT;

	label_row(&name, r, row);
	buf_printf(b, "N%zu [label=\"", i + 1);
	put_name(b, buf_str(&name));
	buf_printf(b, "\\n%s (%s)\\r", label_figure(r, g->o, row->f.value).s,
	    label_percent(row->f.value, r->local.value).s);
	if (row->f.value != row->cum.value)
		buf_printf(b, "of %s (%s)\\r",
		    label_figure(r, g->o, row->cum.value).s,
		    label_percent(row->cum.value, r->local.value).s);
	buf_printf(
	    b, "\",shape=box,fontsize=%s];\n", fmt_fixed(8 + 50 * size, 1).s);
	buf_fini(&name);
}

static void
put_edge(const struct graph *g, const struct edge *e, struct buf *b)
{
	double whole = fabs(g->r->local.value);
	double share = whole > 0 ? fabs(3 * e->value / whole) : 0;
	double weight = fmin(pow(fabs(e->value), 0.7), 100000);

	buf_printf(b, "N%u -> N%u [label=%s, weight=%s, ", e->from, e->to,
	    label_figure(g->r, g->o, e->value).s, fmt_int(floor(weight)).s);
	buf_printf(b, "style=\"setlinewidth(%s)%s\"];\n",
	    fmt_fixed(2 * fmin(share, 1), 6).s,
	    report_place(g->r, g->nodes[e->to - 1]->places[0]).inlined
		? ",dashed"
		: "");
}

/* The heaviest arrow into a node always stays, so that no node but the roots
 * hangs in the air. */
static void
put_edges(const struct graph *g, struct buf *b)
{
	uint32_t *in = xcalloc(g->node_count + 1, sizeof *in);
	uint32_t *out = xcalloc(g->node_count + 1, sizeof *out);

	for (size_t i = 0; i < g->edge_count; i++) {
		const struct edge *e = &g->edges[i];

		if (in[e->to] > 0 &&
		    (fabs(e->value) <= g->least_edge ||
			out[e->from] >= g->o->max_degree ||
			in[e->to] >= g->o->max_degree))
			continue;
		in[e->to]++;
		out[e->from]++;
		put_edge(g, e, b);
	}
	free(in);
	free(out);
}

static void
put_head(const struct graph *g, struct buf *b)
{
	const struct report *r = g->r;
	const char *unit = label_unit(r, g->o);

	buf_puts(b, "digraph \"");
	put_escaped(b, g->o->program);
	buf_printf(
	    b, "; %s %s\" {\n", label_figure(r, g->o, r->total.value).s, unit);
	buf_puts(b,
	    "node [width=0.375,height=0.25];\n"
	    "Legend [shape=box,fontsize=24,shape=plaintext,label=\"");
	put_escaped(b, g->o->program);
	buf_printf(b, "\\lTotal %s: %s\\lFocusing on: %s\\l", unit,
	    label_figure(r, g->o, r->total.value).s,
	    label_figure(r, g->o, r->local.value).s);
	buf_printf(b, "Dropped nodes with <= %s abs(%s)\\l",
	    label_figure(r, g->o, g->least_node).s, unit);
	buf_printf(b, "Dropped edges with <= %s %s\\l\"];\n",
	    label_figure(r, g->o, g->least_edge).s, unit);
}

static void
draw(const struct report *r, const struct export_options *o, struct buf *b)
{
	struct graph g = { .r = r, .o = o };
	double whole = fabs(r->local.value);

	g.least_node = floor(o->node_fraction * whole);
	g.least_edge = floor(o->edge_fraction * whole);
	choose_nodes(&g);
	find_edges(&g);
	put_head(&g, b);
	for (size_t i = 0; i < g.node_count; i++)
		put_node(&g, i, b);
	put_edges(&g, b);
	buf_puts(b, "}\n");
	free(g.nodes);
	free(g.node_of);
	free(g.edges);
	map_fini(&g.edge_of);
}

void
export_dot(
    const struct report *r, const struct export_options *o, struct buf *b)
{
	struct query q = r->query;
	struct report *by_function;

	if (q.grouping != GROUP_STACKS && q.grouping != GROUP_THREADS) {
		draw(r, o, b);
		return;
	}
	q.grouping = GROUP_FUNCTIONS;
	q.max_rows = 0;
	by_function = report_build(r->profiles, r->profile_count, &q);
	draw(by_function, o, b);
	report_free(by_function);
}
