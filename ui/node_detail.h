/*
 * The pane of a node of the call tree, of Tree and Flame: what is in and
 * below it, what it allocates itself, the change, and lines of source.
 *
 * Below the view facts are at the left and source at the right; in three rows
 * and fewer facts are one line and source is under it; at the side they stand
 * under one another.  A view calls node_detail_draw in its detail hook and
 * node_detail_source in its source hook, with the same node.
 */
#ifndef UI_NODE_DETAIL_H
#define UI_NODE_DETAIL_H

#include <stdbool.h>

#include "model/figures.h"
#include "ui/detail_ages.h"
#include "ui/grid.h"

struct app;
struct place;

enum node_kind {
	NODE_TREE, /* its share is that of all and of its parent */
	NODE_FLAME /* its value and share stand in the rule */
};

struct node_detail {
	enum node_kind kind;
	const char *name;          /* "all", "decode_batch", "… 12 more" */
	const struct place *place; /* NULL: it is none (all, a merged bar) */
	struct figures cum;        /* in and below */
	struct figures self;
	double parent; /* cum.value of its parent; 0: there is none */
	bool several;  /* it stands for several nodes: self means nothing */
	struct age_subject ages; /* of what is in and below; may be of none */
};

/* The rule, the pane, the line left of a pane at the side. */
void node_detail_draw(
    const struct app *a, const struct node_detail *n, struct grid *g);
/* The place whose source the pane has room for; false: none. */
bool node_detail_source(
    const struct app *a, const struct node_detail *n, struct place *p);

#endif
