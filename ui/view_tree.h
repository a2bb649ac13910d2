/*
 * View 3: where in the program, a tree that unfolds.
 *
 * A row is a node, or a chain of nodes that have one child each; what a node
 * with children allocates itself is a row below it, and so are its smaller
 * children together, so that the rows below a node always add up to it.
 * Folds, roots and the selection are kept by the names that lead to a node
 * (its path), not by rows, and outlive reports; what is derived of a report
 * is at the end of struct tree_view.
 *
 * Until one folds or unfolds something, branches unfold by themselves, the
 * largest first, as long as everything fits the screen; none folds by itself.
 */
#ifndef UI_VIEW_TREE_H
#define UI_VIEW_TREE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/map.h"
#include "model/figures.h"
#include "model/report.h"
#include "ui/list.h"

struct age_view;
struct tree;
struct view;

enum tree_kind {
	TREE_ROW_NODE,
	TREE_ROW_SELF,      /* what the node above it allocates itself */
	TREE_ROW_REST,      /* the smaller children of the node above it */
	TREE_ROW_UNMATCHED, /* what filters leave out */
};

struct tree_row {
	enum tree_kind kind;
	uint32_t head, node; /* of a chain the first and the last; of SELF and
			      * REST the node above */
	uint32_t own;        /* that of them which the row is about: inverted
			      * the first, a site, else the last */
	size_t above;        /* the row it is below; the first one's is 0 */
	int depth;           /* 0: the first row */
	bool leaf, open;
	bool last;     /* no row beside it follows, but a REST */
	uint64_t path; /* of `node` */
	uint64_t key;  /* for the list */
	struct figures f;
	size_t count;    /* REST: how many */
	bool aged;       /* the next is known, or known not to be */
	uint64_t age_ns; /* median of its live objects; 0: not known */
};

/* Children of a node that are rows, and what the others add up to. */
struct tree_kids {
	uint32_t *nodes;
	size_t count;
	struct figures rest;
	size_t rest_count;
};

/* Roots one can be inside of one another; of more the oldest is forgotten. */
#define TREE_ROOTS 32

/* Its part of the state of the screen. */
struct tree_view {
	struct list rows;
	bool split;   /* each node of a chain has a row */
	bool by_age;  /* ages stand in place of the change */
	bool touched; /* one has folded or unfolded something */
	/* [inverted]: path -> enum tree_fold, by hand */
	struct map folds[2];
	struct map opened; /* path -> enum tree_fold: by themselves */
	/* [inverted]: path -> so many children are rows at least */
	struct map more[2];
	struct map seen;   /* path -> any: rows of the report before */
	size_t fill;       /* so many of the root's are, too */
	uint64_t question; /* what `opened` and `touched` are for */
	bool inverted;     /* what paths are of */
	/* The root that is shown: the last of these; each is so deep on the
	 * way that `root` is, paths from the child of all on. */
	uint64_t *root;
	size_t root_cap;
	size_t roots[TREE_ROOTS];
	size_t root_count;
	/* The way to the selected node. */
	uint64_t *trail;
	size_t trail_count, trail_cap;

	/* Derived: of the report that is shown. */
	struct tree *tree; /* NULL: there is nothing */
	struct age_view *ages;
	uint32_t top; /* the root that is shown */
	struct tree_row *shown;
	size_t count, cap;
	struct map kids_of; /* node -> index into kids */
	struct tree_kids *kids;
	size_t kids_count, kids_cap;
	struct report_row row; /* what is selected, as a row */
	bool has_row;
};

extern const struct view view_tree;

#endif
