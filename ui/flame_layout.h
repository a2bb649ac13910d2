/*
 * Where the bars of an icicle are: a part of a tree and a width → bars.
 *
 * Level 0 is the root over the whole width, and the bars of a level stand
 * below those they are children of.  Everything is in columns: a child's
 * edges are round(share of all before it × the parent's width), so children
 * never leave their parent, touch each other, and errors do not add up.  What
 * weighs is a node's value, if it is above 0; where children weigh more than
 * their parent (differences) they share it.
 *
 * Neighbours that are narrower than a column are one bar together.  Such a
 * bar can be a root, too: then its members are laid out over the width, and
 * those that are still too narrow are merged into several bars of at most
 * 1 / FLAME_PIECES of it, so that entering them one after the other comes to
 * an end.
 *
 * A pure function of figures.  Only nodes of a column and more, and their
 * children, are looked at: the time goes with what can be seen.
 */
#ifndef UI_FLAME_LAYOUT_H
#define UI_FLAME_LAYOUT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "model/figures.h"
#include "model/tree.h"

#define FLAME_PIECES 8
/* Deeper ones are not laid out: a root further down shows them. */
#define FLAME_LEVELS 1024

struct flame_bar {
	uint32_t node;   /* of several: the first of them */
	uint32_t last;   /* the last of several, else the node */
	uint32_t count;  /* how many nodes are in it; 1: it is that node */
	uint32_t parent; /* bar above; that of bar 0 is 0 */
	uint32_t child;  /* the first bar below, if `children` is not 0 */
	uint32_t children;
	uint32_t level;
	int x, w;         /* from the left edge of the root; w >= 1 */
	struct figures f; /* in and below all of them */
};

struct flame_layout {
	/* Level by level, from left to right. */
	struct flame_bar *bars;
	size_t count, cap;
	size_t *levels; /* [level]: its first bar; one more: count */
	size_t level_count, level_cap;
	int width;
};

/* All zeros is an empty one. */
void flame_layout_fini(struct flame_layout *l);

/* What is laid out: a node, or several neighbours, of which the last is at
 * the end of its siblings if `last` is TREE_NONE. */
struct flame_root {
	uint32_t node, last; /* the same: one node, and what is below it */
};

/* Nothing if width is below 1 or the root weighs nothing. */
void flame_layout_build(struct flame_layout *l, const struct tree *t,
    const struct flame_root *root, int width);

/* The bar of a level that covers a column, or else the nearest one of that
 * level; the level must be there. */
size_t flame_layout_near(const struct flame_layout *l, size_t level, int x);
/* The bar at a cell; false: there is none. */
bool flame_layout_at(
    const struct flame_layout *l, size_t level, int x, size_t *bar);
/* The bar among the children of one that shows the node; false: it is too
 * narrow to be seen. */
bool flame_layout_child(
    const struct flame_layout *l, size_t bar, uint32_t node, size_t *child);

#endif
