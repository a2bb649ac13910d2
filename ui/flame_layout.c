#include "ui/flame_layout.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/vec.h"

/* What is being laid out: the children of one bar. */
struct band {
	struct flame_layout *l;
	uint32_t parent; /* bar */
	double scale;    /* columns for one unit of weight */
	double most;     /* weight of a merged bar that is not to get larger */
	/* Neighbours that are too narrow, so far. */
	struct flame_bar run;
	double run_from;
};

static double
weight(const struct tree *t, uint32_t node)
{
	double v = tree_cum(t, node)->value;

	return v > 0 ? v : 0;
}

static int
edge(const struct band *b, double weight_before)
{
	const struct flame_bar *up = &b->l->bars[b->parent];
	int x = (int)floor(weight_before * b->scale + 0.5);

	return up->x + (x < up->w ? x : up->w);
}

static void
add_bar(struct band *b, const struct flame_bar *bar, double from, double to)
{
	struct flame_layout *l = b->l;
	int x = edge(b, from), end = edge(b, to);
	struct flame_bar *up;

	if (end <= x)
		return;
	VEC_ROOM(l->bars, l->cap, l->count + 1);
	up = &l->bars[b->parent];
	if (up->children++ == 0)
		up->child = (uint32_t)l->count;
	l->bars[l->count] = *bar;
	l->bars[l->count].parent = b->parent;
	l->bars[l->count].level = up->level + 1;
	l->bars[l->count].x = x;
	l->bars[l->count].w = end - x;
	l->count++;
}

/* The neighbours so far are a bar that ends here. */
static void
end_run(struct band *b, double at)
{
	if (b->run.count > 0)
		add_bar(b, &b->run, b->run_from, at);
	b->run.count = 0;
}

static void
add_to_run(struct band *b, const struct flame_bar *bar, double from, double to)
{
	if (b->run.count > 0 && to - b->run_from > b->most)
		end_run(b, from);
	if (b->run.count == 0) {
		b->run = *bar;
		b->run_from = from;
		return;
	}
	b->run.last = bar->node;
	b->run.count++;
	figures_add(&b->run.f, &bar->f);
}

/* Siblings from `first` to `last`, or to the end. */
static double
sum_of(const struct tree *t, uint32_t first, uint32_t last)
{
	double sum = 0;

	for (uint32_t n = first; n != TREE_NONE; n = tree_next(t, n)) {
		sum += weight(t, n);
		if (n == last)
			break;
	}
	return sum;
}

static void
lay_siblings(struct flame_layout *l, const struct tree *t, uint32_t parent,
    uint32_t first, uint32_t last)
{
	const struct flame_bar *up = &l->bars[parent];
	bool pieces = up->count > 1;
	double sum = sum_of(t, first, last), at = 0;
	double all = up->f.value > sum ? up->f.value : sum;
	struct band b = { .l = l, .parent = parent };

	if (sum <= 0)
		return;
	b.scale = up->w / all;
	b.most = pieces ? all / FLAME_PIECES : all;
	for (uint32_t n = first; n != TREE_NONE; n = tree_next(t, n)) {
		struct flame_bar bar = { .node = n, .last = n, .count = 1 };
		double w = weight(t, n);

		bar.f = *tree_cum(t, n);
		if (w * b.scale >= 1) {
			end_run(&b, at);
			add_bar(&b, &bar, at, at + w);
		} else if (w > 0)
			add_to_run(&b, &bar, at, at + w);
		at += w;
		if (n == last)
			break;
	}
	end_run(&b, at);
}

/* The bar over all; false: it weighs nothing. */
static bool
put_root(
    struct flame_layout *l, const struct tree *t, const struct flame_root *root)
{
	struct flame_bar bar = {
		.node = root->node, .last = root->node, .w = l->width
	};

	for (uint32_t n = root->node; n != TREE_NONE; n = tree_next(t, n)) {
		if (weight(t, n) > 0) {
			figures_add(&bar.f, tree_cum(t, n));
			if (bar.count++ == 0)
				bar.node = n;
			bar.last = n;
		}
		if (n == root->last)
			break;
	}
	if (bar.count == 0)
		return false;
	VEC_ROOM(l->bars, l->cap, 1);
	l->bars[l->count++] = bar;
	return true;
}

static void
add_level(struct flame_layout *l, size_t from)
{
	VEC_ROOM(l->levels, l->level_cap, l->level_count + 2);
	l->levels[l->level_count++] = from;
	l->levels[l->level_count] = l->count;
}

void
flame_layout_build(struct flame_layout *l, const struct tree *t,
    const struct flame_root *root, int width)
{
	size_t from = 0, end;

	l->count = l->level_count = 0;
	l->width = width;
	if (width < 1 || !put_root(l, t, root))
		return;
	add_level(l, 0);
	for (end = l->count; from < end && l->level_count < FLAME_LEVELS;) {
		for (size_t i = from; i < end; i++) {
			const struct flame_bar *b = &l->bars[i];

			if (b->count == 1)
				lay_siblings(l, t, (uint32_t)i,
				    tree_child(t, b->node), TREE_NONE);
			else if (i == 0)
				lay_siblings(l, t, 0, b->node, b->last);
		}
		from = end;
		end = l->count;
		if (from < end)
			add_level(l, from);
	}
}

void
flame_layout_fini(struct flame_layout *l)
{
	free(l->bars);
	free(l->levels);
	memset(l, 0, sizeof *l);
}

/* ---- finding ------------------------------------------------------------------ */

size_t
flame_layout_near(const struct flame_layout *l, size_t level, int x)
{
	size_t low = l->levels[level], high = l->levels[level + 1] - 1;

	/* The last one that begins at or before x. */
	while (low < high) {
		size_t mid = low + (high - low + 1) / 2;

		if (l->bars[mid].x <= x)
			low = mid;
		else
			high = mid - 1;
	}
	if (low + 1 < l->levels[level + 1] &&
	    l->bars[low + 1].x - x < x - (l->bars[low].x + l->bars[low].w - 1))
		return low + 1;
	return low;
}

bool
flame_layout_at(const struct flame_layout *l, size_t level, int x, size_t *bar)
{
	if (level >= l->level_count)
		return false;
	*bar = flame_layout_near(l, level, x);
	return x >= l->bars[*bar].x && x < l->bars[*bar].x + l->bars[*bar].w;
}

bool
flame_layout_child(
    const struct flame_layout *l, size_t bar, uint32_t node, size_t *child)
{
	const struct flame_bar *b = &l->bars[bar];

	for (uint32_t i = 0; i < b->children; i++) {
		const struct flame_bar *c = &l->bars[b->child + i];

		/* Nodes are numbered in the order of siblings. */
		if (node >= c->node && node <= c->last) {
			*child = b->child + i;
			return true;
		}
	}
	return false;
}
