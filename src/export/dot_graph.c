#include "export/dot_graph.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/fmt.h"
#include "base/mem.h"
#include "base/vec.h"
#include "export/escape.h"
#include "export/export.h"
#include "export/label.h"
#include "model/report.h"

#define NAME_COLUMNS 400

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
	const struct graph_edge *a = va, *b = vb;

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
	if (n)
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
		    (struct graph_edge){ .from = from, .to = to };
	}
	if (g->edges[*at].seen == stack + 1)
		return;
	g->edges[*at].seen = stack + 1;
	g->edges[*at].value += g->r->stacks[stack].f.value;
}

/* A place that is in no row has no group either. */
static uint32_t
node_at(const struct graph *g, uint32_t place)
{
	uint32_t group = g->r->places[place].group;

	return group < g->r->place_groups ? g->node_of[group] : 0;
}

static void
find_edges(struct graph *g)
{
	const struct report *r = g->r;

	for (uint32_t i = 0; i < r->stack_count; i++) {
		const struct report_stack *s = &r->stacks[i];

		for (uint32_t j = 0; j + 1 < s->count; j++) {
			uint32_t to = node_at(g, s->places[j]);
			uint32_t from = node_at(g, s->places[j + 1]);

			if (from && to)
				add_edge(g, from, to, i);
		}
	}
	if (g->edge_count)
		qsort(g->edges, g->edge_count, sizeof *g->edges, compare_edges);
}

/* The heaviest arrow into a node always stays, so that no node but the roots
 * hangs in the air. */
static void
drop_edges(struct graph *g)
{
	uint32_t *in = xcalloc(g->node_count + 1, sizeof *in);
	uint32_t *out = xcalloc(g->node_count + 1, sizeof *out);
	size_t kept = 0;

	for (size_t i = 0; i < g->edge_count; i++) {
		const struct graph_edge e = g->edges[i];

		if (in[e.to] > 0 &&
		    (fabs(e.value) <= g->least_edge ||
			out[e.from] >= g->o->max_degree ||
			in[e.to] >= g->o->max_degree))
			continue;
		in[e.to]++;
		out[e.from]++;
		g->edges[kept++] = e;
	}
	g->edge_count = kept;
	free(in);
	free(out);
}

static struct report *
by_function(const struct report *r)
{
	struct query q = r->query;

	q.grouping = GROUP_FUNCTIONS;
	q.max_rows = 0;
	q.tree = false;
	return report_build(r->profiles, r->profile_count, &q);
}

void
graph_build(
    struct graph *g, const struct report *r, const struct export_options *o)
{
	enum grouping grouping = r->query.grouping;
	double whole;

	*g = (struct graph){ .r = r, .o = o };
	if (grouping == GROUP_STACKS || grouping == GROUP_THREADS)
		g->r = g->own = by_function(r);
	whole = fabs(g->r->local.value);
	g->least_node = floor(o->node_fraction * whole);
	g->least_edge = floor(o->edge_fraction * whole);
	choose_nodes(g);
	find_edges(g);
	drop_edges(g);
}

void
graph_fini(struct graph *g)
{
	free(g->nodes);
	free(g->node_of);
	free(g->edges);
	map_fini(&g->edge_of);
	report_free(g->own);
}

/* "12.3 MB (4.5%)". */
static void
put_figure(const struct graph *g, const char *what, double value, struct buf *b)
{
	buf_printf(b, "%s%s %s (%s)", what, label_figure(g->r, g->o, value).s,
	    label_unit(g->r, g->o), label_percent(value, g->r->local.value).s);
}

void
graph_describe(const struct graph *g, size_t node, struct buf *b)
{
	const struct report_row *row = g->nodes[node - 1];
	struct buf name = BUF_INIT;

	label_row(&name, g->r, row);
	escape_fit(b, buf_str(&name), NAME_COLUMNS);
	put_figure(g, "\nflat ", row->f.value, b);
	put_figure(g, "\ncum ", row->cum.value, b);
	if (metric_is_bytes(g->r->query.metric))
		buf_printf(b, "\nobjects: flat %s, cum %s",
		    fmt_int(row->f.objects).s, fmt_int(row->cum.objects).s);
	buf_clear(&name);
	label_more(&name, g->r, row->name, NAME_COLUMNS);
	if (name.len)
		buf_printf(b, "\n%s", buf_str(&name));
	buf_fini(&name);
}

void
graph_describe_edge(
    const struct graph *g, const struct graph_edge *e, struct buf *b)
{
	struct buf name = BUF_INIT;

	label_row(&name, g->r, g->nodes[e->from - 1]);
	escape_fit(b, buf_str(&name), NAME_COLUMNS);
	buf_puts(b, " → ");
	buf_clear(&name);
	label_row(&name, g->r, g->nodes[e->to - 1]);
	escape_fit(b, buf_str(&name), NAME_COLUMNS);
	put_figure(g, "\n", e->value, b);
	buf_fini(&name);
}
