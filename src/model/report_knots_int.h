/*
 * How knots are made: sprouts, in the order in which they come, and the labels
 * that number them in preorder.  For report_knots*.c alone.
 */
#ifndef MODEL_REPORT_KNOTS_INT_H
#define MODEL_REPORT_KNOTS_INT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/map.h"

struct knots;

/* A knot in the order they were made, so that more can be added. */
struct sprout {
	uint32_t parent, place, group;
	uint32_t child, last, sibling; /* first and last child; 0: none */
	bool outer, ends;              /* ends: a list ends here */
};

struct sprouts {
	struct sprout *list; /* 0 is the root */
	size_t count, cap;
	struct map children; /* of those that have several, all but the first */
	uint32_t *end;       /* [list] */
	size_t end_cap;
	size_t lists;   /* that are in it */
	uint32_t *seen; /* [group]: the last list it was in, + 1 */
	size_t seen_cap;
	/* Of the labels there are: */
	size_t labelled; /* sprouts that have one */
	size_t listed;   /* lists that were there */
	uint32_t *label; /* [sprout] */
	size_t label_cap;
	uint8_t *ends; /* [knot] a list ends there */
};

/* The arrays of struct knots that labels are. */
struct labels {
	unsigned refs;
	uint32_t *arrays[7];
};

/* New labels for all sprouts. */
void knots_label(struct knots *k);
/* There are none, nor what is derived of them. */
void knots_forget_labels(struct knots *k);

#endif
