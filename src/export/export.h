/*
 * Renderers: a report in, text out, appended to a buffer.  Pure and
 * deterministic; the same report always gives the same bytes.  They print
 * what the report holds: its rows, limits, filters.
 */
#ifndef EXPORT_EXPORT_H
#define EXPORT_EXPORT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct buf;
struct report;

struct export_options {
	const char *program; /* title of graphs; "" if not known */
	int width;           /* columns of top, tree, snapshot: 80..200 */
	size_t top;          /* rows of top and snapshot; 0: all there are */
	bool show_bytes;     /* text, dot: bytes instead of MB */
	bool ascii;          /* no characters outside ASCII */
	/* dot: limits as jeprof's */
	size_t node_count;
	double node_fraction, edge_fraction;
	size_t max_degree;
};

/* Width 120, top 10, jeprof's graph limits (80, .005, .001, 8). */
void export_options_init(struct export_options *o);

typedef void export_fn(
    const struct report *r, const struct export_options *o, struct buf *b);

export_fn export_text;      /* jeprof's --text */
export_fn export_top;       /* table of the top rows, site and callers */
export_fn export_tree;      /* call tree; the report must have one */
export_fn export_collapsed; /* root;...;leaf VALUE, merged by names */
export_fn export_dot;       /* graph for graphviz */
export_fn export_heap;      /* heap_v2; jeprof reads it */
export_fn export_snapshot;  /* one block of batch mode */

#endif
