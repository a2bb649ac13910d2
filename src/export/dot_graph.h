/*
 * The call graph behind --dot and --svg: which rows become boxes, which
 * pairs of them arrows, by jeprof's limits (boxes by |cum| descending,
 * at most node_count, none at or below node_fraction of the whole; arrows by
 * value descending, the first into a box always, else none at or below
 * edge_fraction and at most max_degree into and out of a box).
 *
 * Unlike jeprof's, an arrow counts each stack once, however often the pair of
 * functions is in it, so no arrow weighs more than the whole.
 *
 * Boxes are the report's rows; whole stacks and threads cannot be boxes, so
 * functions stand in for them, in a report of the graph's own.
 */
#ifndef EXPORT_DOT_GRAPH_H
#define EXPORT_DOT_GRAPH_H

#include <stddef.h>
#include <stdint.h>

#include "base/map.h"

struct buf;
struct export_options;
struct report;
struct report_row;

struct graph_edge {
	uint32_t from, to; /* nodes, from 1: caller, callee */
	uint32_t seen;     /* last stack counted, + 1 */
	double value;
};

struct graph {
	const struct report *r; /* that the boxes are rows of */
	const struct export_options *o;
	const struct report_row **nodes; /* [node - 1] */
	size_t node_count;
	uint32_t *node_of; /* [group] -> node, 0: none */
	struct graph_edge *edges;
	size_t edge_count, edge_cap;
	struct map edge_of;
	double least_node, least_edge;
	struct report *own; /* r, if it was made for this; else NULL */
};

/* Report and options are borrowed until graph_fini. */
void graph_build(
    struct graph *g, const struct report *r, const struct export_options *o);
void graph_fini(struct graph *g);

/* What is known of a node (from 1), in lines: name, flat, cum, objects, the
 * function's whole name if it is longer.  Still to be escaped. */
void graph_describe(const struct graph *g, size_t node, struct buf *b);
/* The same of an arrow: its ends and its value. */
void graph_describe_edge(
    const struct graph *g, const struct graph_edge *e, struct buf *b);

#endif
