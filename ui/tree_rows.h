/*
 * The rows of the Tree view: which nodes are seen, where they are folded, and
 * which is selected.  All of it works on struct tree_view (view_tree.h).
 */
#ifndef UI_TREE_ROWS_H
#define UI_TREE_ROWS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct app;
struct report;
struct tree_row;
struct tree_view;

/* By which the list knows the row of a node; the root's path is 0. */
static inline uint64_t
tree_rows_key(uint64_t path)
{
	return path ? path : 1;
}

enum tree_fold {
	TREE_FOLDED,
	TREE_OPEN,
};

/* A new tree, v->tree: find the root again, make rows. */
void tree_rows_take(struct tree_view *v, const struct report *r);
/* Folds, chains or the selection have changed: make rows. */
void tree_rows_build(struct tree_view *v, const struct report *r);
/* Which children are rows is to be told anew when rows are made. */
void tree_rows_limits_changed(struct tree_view *v);
/* Unfold branches by themselves as long as no more than `page` rows come of
 * it. */
void tree_rows_unfold(struct tree_view *v, const struct report *r, size_t page);
/* What is derived is gone. */
void tree_rows_forget(struct tree_view *v);
/* Folds, roots and selection, too. */
void tree_rows_reset(struct tree_view *v);

/* The selected row, or NULL. */
const struct tree_row *tree_rows_selected(const struct tree_view *v);
/* Row i is the selected one. */
void tree_rows_select(struct tree_view *v, size_t i);
/* Unfold what is above the node and select it; rows must be made. */
void tree_rows_go_to(struct tree_view *v, uint32_t node);

void tree_rows_fold(struct tree_view *v, const struct tree_row *row, bool open);
/* Everything below it: folded; or open, the largest first, until there are
 * `most` rows.  False: there would have been more. */
void tree_rows_fold_below(struct tree_view *v, size_t i);
bool tree_rows_open_below(
    struct tree_view *v, const struct report *r, size_t i, size_t most);
/* So many more of the smaller children. */
void tree_rows_more(struct tree_view *v, const struct tree_row *rest, size_t n);

/* Go to the next node that matches what was last looked for, or say that there
 * is none; rows must be made. */
void tree_find_next(struct app *a, bool forward);

/* The selected node becomes the root; the root before is it again.  False:
 * it is, there is none.  Rows must be made. */
bool tree_rows_root(struct tree_view *v);
bool tree_rows_root_up(struct tree_view *v);

#endif
