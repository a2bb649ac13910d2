/*
 * How wide the boxes of a flame graph are, and which are too narrow to draw.
 *
 * A box weighs what its stacks weigh, signs left out, so that boxes never
 * stick out of the one above them, and what came and what went are both
 * seen: weight = |self| + the sum of the children's weights, nodes' self
 * figures being disjoint.  Without a difference that is |cum|.
 */
#ifndef EXPORT_FLAMEGRAPH_LAYOUT_H
#define EXPORT_FLAMEGRAPH_LAYOUT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct report;

struct flamegraph_layout {
	const struct report *r;
	double *weight; /* [node] */
	double scale;   /* pixels for one unit of weight */
	double least;   /* pixels; narrower boxes are left out */
	uint32_t rows;  /* how many boxes are drawn under one another */
};

/* The children of a box that are drawn, and those that are not. */
struct flame_children {
	double drawn, rest; /* weights */
	double rest_value;  /* with sign */
	size_t rest_count;
};

/* So many boxes a browser moves with ease. */
#define FLAME_BOXES 4000

/* The report has a tree and is borrowed; its root is `width` wide.  How narrow
 * a box may be is found here: as narrow as can be zoomed into, but not so
 * narrow that there are more than FLAME_BOXES. */
void flamegraph_layout_init(
    struct flamegraph_layout *l, const struct report *r, double width);
void flamegraph_layout_fini(struct flamegraph_layout *l);

bool flame_is_wide(const struct flamegraph_layout *l, double weight);
struct flame_children flame_children(
    const struct flamegraph_layout *l, uint32_t n);
/* The children left out are shown as one box. */
bool flame_shows_rest(
    const struct flamegraph_layout *l, const struct flame_children *c);

#endif
