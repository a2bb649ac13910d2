/*
 * The call tree of a report: stacks merged by the groups of their places,
 * from the root, or from the site when inverted.
 *
 * Whole, for who writes it down: tree_build, called by report_build.
 *
 * Node by node, for who shows a part of it.  To open one costs one pass over
 * the report's stacks, whatever is looked at then; the structure is kept with
 * the profile and costs more only when names or stacks are new.
 *
 *	struct tree *t = tree_open(report);
 *	for (n = tree_child(t, TREE_ROOT); n != TREE_NONE; n = tree_next(t, n))
 *		... tree_cum(t, n)->value ...
 *	tree_close(t);
 *
 * It borrows the report; new reports of the profile do not disturb it.  Nodes
 * are numbers, in preorder, good as long as the tree; what outlives it is a
 * node's path.  Only nodes that hold something are there.  Siblings stand in
 * the order in which they first appeared in the run, so that they keep their
 * places as figures change; tree_sorted puts them in another.
 *
 * A node's `cum` is its self and the `cum` of its children, but for rounding.
 */
#ifndef MODEL_TREE_H
#define MODEL_TREE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "model/figures.h"

struct pattern;
struct report;
struct tree;

/* Fills tree and tree_count. */
void tree_build(struct report *r);

/* The node all stacks go through, with no place; no such node. */
#define TREE_ROOT 0u
#define TREE_NONE UINT32_MAX

/* Of the report's grouping, inverted if its query says so.  The query need
 * not have asked for a tree. */
struct tree *tree_open(const struct report *r);
void tree_close(struct tree *t); /* NULL is fine */

uint32_t tree_child(const struct tree *t, uint32_t node); /* the first */
uint32_t tree_next(const struct tree *t, uint32_t node);  /* sibling */
uint32_t tree_parent(const struct tree *t, uint32_t node);
/* How many children; counting stops at `most`. */
size_t tree_children(const struct tree *t, uint32_t node, size_t most);
/* Whether b is a or below it: it costs nothing. */
bool tree_below(const struct tree *t, uint32_t a, uint32_t b);
uint32_t tree_depth(const struct tree *t, uint32_t node); /* 0: the root */

/* In and below. */
const struct figures *tree_cum(const struct tree *t, uint32_t node);
/* What the node allocates itself; all zeros if no stack ends there. */
struct figures tree_self(const struct tree *t, uint32_t node);
bool tree_has_self(const struct tree *t, uint32_t node);
/* Indices into report.stacks of all that are in and below the node, *n of
 * them; those that end in the node come first, *self of them. */
const uint32_t *tree_stacks(
    const struct tree *t, uint32_t node, size_t *n, size_t *self);
/* The one among them that weighs most. */
uint32_t tree_heaviest(const struct tree *t, uint32_t node);

/* A place of the group, for report_place; the root has none (UINT32_MAX). */
uint32_t tree_place(const struct tree *t, uint32_t node);
/* That of the stack that weighs most: a function may be left at many lines. */
uint32_t tree_heaviest_place(const struct tree *t, uint32_t node);
/* Of the function, file or library; the root is "all". */
const char *tree_name(struct tree *t, uint32_t node);
/* Identity that outlives the tree: hash of what is called from the root.
 * That of a child is tree_path_below of its parent's. */
uint64_t tree_path(struct tree *t, uint32_t node);
uint64_t tree_path_below(struct tree *t, uint64_t path, uint32_t child);
/* The child with that path, or TREE_NONE. */
uint32_t tree_find(
    struct tree *t, uint32_t node, uint64_t path, uint64_t child);
/* As far along as there is a node, from the root: path[0] is that of a child
 * of the root.  *found says how many of the n were there. */
uint32_t tree_follow(
    struct tree *t, const uint64_t *path, size_t n, size_t *found);

/* Where a stack of the report (index) goes through: the node whose place is
 * `up` places from the stack's leaf, or the last of them. */
uint32_t tree_of_stack(const struct tree *t, uint32_t stack, uint32_t up);
/* The other way round: how far from the leaf of that stack, which is in or
 * below the node. */
uint32_t tree_up(const struct tree *t, uint32_t node, uint32_t stack);

/* The children in descending order of |cum.value|, ties by name, *n of them;
 * to be freed.  The first `most` of them, which costs less. */
uint32_t *tree_sorted(struct tree *t, uint32_t node, size_t *n);
uint32_t *tree_largest(struct tree *t, uint32_t node, size_t most, size_t *n);

/* [node], to be freed: TREE_MATCHES where the name does, TREE_BELOW where one
 * below it does, both or 0.  TREE_ROOT never matches itself. */
enum tree_match {
	TREE_MATCHES = 1,
	TREE_BELOW = 2,
};
uint8_t *tree_matching(struct tree *t, const struct pattern *p);

#endif
