/* Which node of the Tree view is selected, and which is its root. */
#include <stdlib.h>
#include <string.h>

#include "base/vec.h"
#include "model/report.h"
#include "model/tree.h"
#include "ui/tree_rows.h"
#include "ui/view_tree.h"

static void
find_top(struct tree_view *v)
{
	size_t depth = v->root_count ? v->roots[v->root_count - 1] : 0, found;

	v->top = tree_follow(v->tree, v->root, depth, &found);
}

/* Branches on the way to the selected node that unfolded by themselves, or
 * were a chain, are to stay so. */
static void
keep_trail_open(struct tree_view *v)
{
	for (size_t i = 0; i + 1 < v->trail_count; i++)
		*map_put(&v->opened, v->trail[i]) = TREE_OPEN;
}

void
tree_rows_take(struct tree_view *v, const struct report *r)
{
	tree_rows_limits_changed(v);
	find_top(v);
	keep_trail_open(v);
	tree_rows_build(v, r);
}

const struct tree_row *
tree_rows_selected(const struct tree_view *v)
{
	return v->rows.cursor < v->count ? &v->shown[v->rows.cursor] : NULL;
}

/* The way to a node; its length. */
static size_t
way_to(struct tree_view *v, uint32_t node, uint64_t **way, size_t *cap)
{
	size_t depth = tree_depth(v->tree, node), i = depth;
	uint64_t path = 0;
	uint32_t *nodes = xcalloc(depth + 1, sizeof *nodes);

	for (; i-- > 0; node = tree_parent(v->tree, node))
		nodes[i] = node;
	VEC_ROOM(*way, *cap, depth);
	for (i = 0; i < depth; i++)
		(*way)[i] = path = tree_path_below(v->tree, path, nodes[i]);
	free(nodes);
	return depth;
}

static void
set_trail(struct tree_view *v, uint32_t node)
{
	v->trail_count = way_to(v, node, &v->trail, &v->trail_cap);
}

void
tree_rows_select(struct tree_view *v, size_t i)
{
	if (i >= v->count)
		return;
	v->rows.cursor = i;
	v->rows.key = v->shown[i].key;
	v->rows.chosen = true;
	if (v->shown[i].kind == TREE_ROW_UNMATCHED)
		v->trail_count = 0;
	else
		set_trail(v, v->shown[i].own);
}

void
tree_rows_go_to(struct tree_view *v, uint32_t node)
{
	while (v->root_count > 0 && !tree_below(v->tree, v->top, node)) {
		v->root_count--;
		find_top(v);
	}
	set_trail(v, node);
	for (size_t i = 0; i + 1 < v->trail_count; i++) {
		if (map_find(&v->folds[v->inverted], v->trail[i]) ==
		    TREE_FOLDED)
			*map_put(&v->folds[v->inverted], v->trail[i]) =
			    TREE_OPEN;
	}
	if (map_find(&v->folds[v->inverted], 0) == TREE_FOLDED)
		*map_put(&v->folds[v->inverted], 0) = TREE_OPEN;
	keep_trail_open(v);
	v->rows.key = tree_rows_key(tree_path(v->tree, node));
	v->rows.chosen = true;
	tree_rows_limits_changed(v);
}

bool
tree_rows_root(struct tree_view *v)
{
	const struct tree_row *row = tree_rows_selected(v);

	if (!row || row->node == v->top || row->kind == TREE_ROW_UNMATCHED ||
	    tree_child(v->tree, row->node) == TREE_NONE)
		return false;
	if (v->root_count == TREE_ROOTS)
		memmove(v->roots, v->roots + 1,
		    --v->root_count * sizeof v->roots[0]);
	v->roots[v->root_count++] =
	    way_to(v, row->node, &v->root, &v->root_cap);
	v->top = row->node;
	v->rows.key = row->path;
	tree_rows_limits_changed(v);
	return true;
}

bool
tree_rows_root_up(struct tree_view *v)
{
	uint32_t node = v->top;

	if (v->root_count == 0)
		return false;
	v->root_count--;
	find_top(v);
	tree_rows_go_to(v, node);
	return true;
}
