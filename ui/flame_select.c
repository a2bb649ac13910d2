/* Which bar is selected, which one is the root: by what outlives a report. */
#include <stdlib.h>
#include <string.h>

#include "base/vec.h"
#include "model/tree.h"
#include "ui/flame_parts.h"
#include "ui/view_flame.h"

/* ---- paths -------------------------------------------------------------------- */

static uint64_t
path_at(const struct flame_view *f, size_t depth)
{
	return depth ? f->trail[depth - 1] : tree_path(f->tree, TREE_ROOT);
}

/* The ancestor of a node at a depth, or the node. */
static uint32_t
ancestor(const struct tree *t, uint32_t node, size_t depth)
{
	while (tree_depth(t, node) > depth)
		node = tree_parent(t, node);
	return node;
}

/* The trail leads to the node; what was visited below it stays known. */
static void
set_trail(struct flame_view *f, uint32_t node)
{
	struct tree *t = f->tree;
	size_t depth = tree_depth(t, node);
	uint64_t path = tree_path(t, TREE_ROOT);
	bool same = depth <= f->trail_len;
	uint32_t *nodes = xcalloc(depth + 1, sizeof *nodes);

	for (size_t i = depth; i > 0; i--) {
		nodes[i - 1] = node;
		node = tree_parent(t, node);
	}
	VEC_ROOM(f->trail, f->trail_cap, depth + 1);
	for (size_t i = 0; i < depth; i++) {
		path = tree_path_below(t, path, nodes[i]);
		same = same && f->trail[i] == path;
		f->trail[i] = path;
	}
	f->depth = depth;
	if (!same)
		f->trail_len = depth;
	f->several.on = false;
	free(nodes);
}

static struct flame_several
several_of(struct flame_view *f, const struct flame_bar *b)
{
	uint32_t parent = tree_parent(f->tree, b->node);
	uint64_t path = tree_path(f->tree, parent);
	struct flame_several s = { .on = true };

	s.first = tree_path_below(f->tree, path, b->node);
	if (tree_next(f->tree, b->last) != TREE_NONE)
		s.last = tree_path_below(f->tree, path, b->last);
	return s;
}

static bool
same_several(const struct flame_several *a, const struct flame_several *b)
{
	return a->on == b->on &&
	    (!a->on || (a->first == b->first && a->last == b->last));
}

/* ---- finding them again ----------------------------------------------------------- */

/* The first and the last of them; false: one is gone. */
static bool
find_several(struct flame_view *f, uint32_t parent, size_t depth,
    const struct flame_several *s, struct flame_root *r)
{
	uint64_t path = path_at(f, depth);

	r->node = tree_find(f->tree, parent, path, s->first);
	r->last =
	    s->last ? tree_find(f->tree, parent, path, s->last) : TREE_NONE;
	return r->node != TREE_NONE && (!s->last || r->last != TREE_NONE);
}

/* The innermost root that is still there; others are left. */
static struct flame_root
find_root(struct flame_view *f, uint32_t selected)
{
	while (f->zoom_count > 0) {
		struct flame_zoom *z = &f->zooms[f->zoom_count - 1];
		uint32_t node = ancestor(f->tree, selected, z->depth);
		struct flame_root r = { node, node };

		if (z->depth <= f->depth &&
		    (!z->several.on ||
			find_several(f, node, z->depth, &z->several, &r)))
			return r;
		f->zoom_count--;
	}
	return (struct flame_root){ TREE_ROOT, TREE_ROOT };
}

/* The bar that shows the node, or the deepest one above it. */
static size_t
bar_of(const struct flame_view *f, uint32_t node)
{
	const struct flame_bar *b = f->bars.bars;
	size_t depth = tree_depth(f->tree, node), at = 0, below;
	size_t from = tree_depth(f->tree, b->node) + (b->count == 1);

	for (size_t d = from; d <= depth; d++) {
		if (!flame_layout_child(
			&f->bars, at, ancestor(f->tree, node, d), &below))
			break;
		at = below;
		if (b[at].count > 1)
			break;
	}
	return at;
}

static void
find_selected(struct flame_view *f, uint32_t node)
{
	struct flame_root several;
	size_t below;

	f->at = 0;
	if (f->bars.count == 0)
		return;
	if (f->zoom_count > 0) {
		const struct flame_zoom *z = &f->zooms[f->zoom_count - 1];

		if (z->depth == f->depth &&
		    same_several(&z->several, &f->several))
			return;
	}
	f->at = bar_of(f, node);
	if (f->several.on && f->bars.bars[f->at].count == 1 &&
	    find_several(f, node, f->depth, &f->several, &several) &&
	    flame_layout_child(&f->bars, f->at, several.node, &below))
		f->at = below;
}

void
flame_lay_out(struct flame_view *f, int width)
{
	struct flame_root root;
	uint32_t node;
	size_t found;

	node = tree_follow(f->tree, f->trail, f->depth, &found);
	if (found < f->depth) {
		f->depth = found;
		f->several.on = false;
	}
	root = find_root(f, node);
	flame_layout_build(&f->bars, f->tree, &root, width);
	VEC_ROOM(f->medians, f->median_cap, f->bars.count + 1);
	memset(f->medians, 0, f->bars.count * sizeof *f->medians);
	find_selected(f, node);
}

/* ---- moving ---------------------------------------------------------------------- */

void
flame_select(struct flame_view *f, size_t bar)
{
	const struct flame_bar *b = &f->bars.bars[bar];

	f->at = bar;
	if (b->count == 1) {
		set_trail(f, b->node);
		return;
	}
	set_trail(f, tree_parent(f->tree, b->node));
	f->several = several_of(f, b);
}

/* Whether a node is in or below a root. */
static bool
is_inside(struct flame_view *f, const struct flame_zoom *z, uint32_t node)
{
	uint32_t at = ancestor(f->tree, node, z->depth), below;
	struct flame_root r;

	if (tree_depth(f->tree, node) < z->depth ||
	    path_at(f, z->depth) != tree_path(f->tree, at))
		return false;
	if (!z->several.on)
		return true;
	if (tree_depth(f->tree, node) == z->depth ||
	    !find_several(f, at, z->depth, &z->several, &r))
		return false;
	below = ancestor(f->tree, node, z->depth + 1);
	return below >= r.node && below <= r.last;
}

void
flame_select_node(struct flame_view *f, uint32_t node)
{
	size_t found;

	/* Paths of the roots are those of the trail before. */
	tree_follow(f->tree, f->trail, f->depth, &found);
	while (f->zoom_count > 0 &&
	    (f->zooms[f->zoom_count - 1].depth > found ||
		!is_inside(f, &f->zooms[f->zoom_count - 1], node)))
		f->zoom_count--;
	set_trail(f, node);
}

bool
flame_zoom_in(struct flame_view *f)
{
	if (f->at == 0 || f->bars.count == 0)
		return false;
	flame_select(f, f->at); /* what is shown, not what is hidden in it */
	if (f->zoom_count == FLAME_ZOOMS) {
		for (size_t i = 1; i < FLAME_ZOOMS; i++)
			f->zooms[i - 1] = f->zooms[i];
		f->zoom_count--;
	}
	f->zooms[f->zoom_count++] = (struct flame_zoom){ f->depth, f->several };
	f->top = 0;
	return true;
}

bool
flame_zoom_out(struct flame_view *f)
{
	if (f->zoom_count == 0)
		return false;
	f->zoom_count--;
	return true;
}

void
flame_show_selected(struct flame_view *f, int rows)
{
	int levels = (int)f->bars.level_count, level;

	if (f->bars.count == 0 || rows < 1)
		return;
	level = (int)f->bars.bars[f->at].level;
	if (f->top > levels - rows)
		f->top = levels - rows;
	if (f->top < level - rows + 1)
		f->top = level - rows + 1;
	if (f->top > level)
		f->top = level;
	if (f->top < 0)
		f->top = 0;
}

static bool
visited_below(const struct flame_view *f, size_t *bar)
{
	const struct flame_bar *b = &f->bars.bars[f->at];
	uint32_t node;

	if (b->count > 1 || f->several.on || f->trail_len <= f->depth ||
	    tree_depth(f->tree, b->node) != f->depth)
		return false;
	node = tree_find(
	    f->tree, b->node, path_at(f, f->depth), f->trail[f->depth]);
	return node != TREE_NONE &&
	    flame_layout_child(&f->bars, f->at, node, bar) &&
	    f->bars.bars[*bar].count == 1;
}

bool
flame_below(const struct flame_view *f, size_t *bar)
{
	const struct flame_bar *b;

	if (f->bars.count == 0)
		return false;
	b = &f->bars.bars[f->at];
	if (b->children == 0)
		return false;
	if (visited_below(f, bar))
		return true;
	*bar = b->child;
	for (uint32_t i = 1; i < b->children; i++) {
		if (f->bars.bars[b->child + i].w > f->bars.bars[*bar].w)
			*bar = b->child + i;
	}
	return true;
}
