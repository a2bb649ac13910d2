/* The call tree of a report, node by node. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/map.h"
#include "base/mem.h"
#include "model/report.h"
#include "model/report_knots.h"
#include "model/report_shape.h"
#include "model/tree.h"
#include "model/tree_names.h"

/* Nodes are knots. */
struct tree {
	const struct report *r;
	struct knots k;
	struct run_sum *sums; /* [run] */
	/* Stacks by the run at whose last knot they end. */
	uint32_t *stacks;
	uint32_t *from;     /* [run]: its first of them; [run_count]: all */
	const char **names; /* [group]; NULL until it is asked for */
	uint64_t *hashes;   /* [group]: of the name */
};

/* By counting: how many end in each run, where they begin, and there they go
 * in their order. */
static void
sort_stacks(struct tree *t)
{
	const struct report *r = t->r;
	size_t runs = t->k.run_count;
	uint32_t sum = 0;

	t->stacks = xcalloc(r->stack_count + 1, sizeof *t->stacks);
	t->from = xcalloc(runs + 2, sizeof *t->from);
	for (size_t i = 0; i < r->stack_count; i++)
		t->from[t->k.end[r->stack_lists[i]] + 2]++;
	for (size_t i = 0; i < runs + 2; i++)
		sum = t->from[i] += sum;
	for (uint32_t i = 0; i < r->stack_count; i++)
		t->stacks[t->from[t->k.end[r->stack_lists[i]] + 1]++] = i;
}

struct tree *
tree_open(const struct report *r)
{
	struct tree *t = xcalloc(1, sizeof *t);

	t->r = r;
	t->k = knots_hold(shape_knots(r->shape, r->query.invert));
	t->sums = xreallocarray(NULL, t->k.run_count, sizeof *t->sums);
	knots_sum_into(&t->k, r, t->sums);
	sort_stacks(t);
	t->names = xcalloc(r->place_groups, sizeof *t->names);
	t->hashes = xcalloc(r->place_groups, sizeof *t->hashes);
	return t;
}

void
tree_close(struct tree *t)
{
	if (!t)
		return;
	knots_let_go(&t->k);
	free(t->sums);
	free(t->stacks);
	free(t->from);
	free(t->names);
	free(t->hashes);
	free(t);
}

/* ---- structure --------------------------------------------------------- */

static const struct run_sum *
sum_of(const struct tree *t, uint32_t node)
{
	return &t->sums[t->k.run[node]];
}

/* From `node` on, in the knots before `end`. */
static uint32_t
first_held(const struct tree *t, uint32_t node, uint32_t end)
{
	while (node < end && sum_of(t, node)->stacks == 0)
		node = t->k.next[node];
	return node < end ? node : TREE_NONE;
}

uint32_t
tree_child(const struct tree *t, uint32_t node)
{
	return first_held(t, node + 1, t->k.next[node]);
}

uint32_t
tree_next(const struct tree *t, uint32_t node)
{
	if (node == TREE_ROOT)
		return TREE_NONE;
	return first_held(
	    t, t->k.next[node], t->k.next[knots_above(&t->k, node)]);
}

uint32_t
tree_parent(const struct tree *t, uint32_t node)
{
	return node == TREE_ROOT ? TREE_NONE : knots_above(&t->k, node);
}

size_t
tree_children(const struct tree *t, uint32_t node, size_t most)
{
	size_t n = 0;

	for (uint32_t c = tree_child(t, node); c != TREE_NONE && n < most;
	     c = tree_next(t, c))
		n++;
	return n;
}

bool
tree_below(const struct tree *t, uint32_t a, uint32_t b)
{
	return b >= a && b < t->k.next[a];
}

uint32_t
tree_depth(const struct tree *t, uint32_t node)
{
	uint32_t depth = 0;

	for (; node != TREE_ROOT; node = knots_above(&t->k, node))
		depth++;
	return depth;
}

/* ---- figures ------------------------------------------------------------ */

const struct figures *
tree_cum(const struct tree *t, uint32_t node)
{
	return &sum_of(t, node)->f;
}

/* Stacks end only in the last knot of a run. */
static bool
ends_run(const struct tree *t, uint32_t node)
{
	return node + 1 == t->k.first[t->k.run[node] + 1];
}

const uint32_t *
tree_stacks(const struct tree *t, uint32_t node, size_t *n, size_t *self)
{
	uint32_t run = t->k.run[node], knot = t->k.next[node];
	uint32_t behind =
	    knot < t->k.count ? t->k.run[knot] : (uint32_t)t->k.run_count;

	*n = t->from[behind] - t->from[run];
	*self = ends_run(t, node) ? t->from[run + 1] - t->from[run] : 0;
	return &t->stacks[t->from[run]];
}

bool
tree_has_self(const struct tree *t, uint32_t node)
{
	uint32_t run = t->k.run[node];

	return ends_run(t, node) && t->from[run + 1] > t->from[run];
}

struct figures
tree_self(const struct tree *t, uint32_t node)
{
	struct figures sum = { 0 };
	size_t n, self;
	const uint32_t *stacks = tree_stacks(t, node, &n, &self);

	for (size_t i = 0; i < self; i++)
		figures_add(&sum, &t->r->stacks[stacks[i]].f);
	return sum;
}

uint32_t
tree_heaviest(const struct tree *t, uint32_t node)
{
	return sum_of(t, node)->stack;
}

/* ---- names and paths ------------------------------------------------------ */

uint32_t
tree_place(const struct tree *t, uint32_t node)
{
	return node == TREE_ROOT ? TREE_ALL : t->k.place[node];
}

const char *
tree_name(struct tree *t, uint32_t node)
{
	uint32_t group = t->k.group[node];

	if (node == TREE_ROOT)
		return "all";
	if (!t->names[group]) {
		t->names[group] = tree_place_name(t->r, t->k.place[node]);
		t->hashes[group] = tree_place_hash(t->r, t->k.place[node]);
	}
	return t->names[group];
}

uint64_t
tree_path_below(struct tree *t, uint64_t path, uint32_t child)
{
	tree_name(t, child);
	return map_mix(path ^ t->hashes[t->k.group[child]]);
}

uint64_t
tree_path(struct tree *t, uint32_t node)
{
	uint32_t depth = tree_depth(t, node);
	uint32_t *way = xcalloc((size_t)depth + 1, sizeof *way);
	uint64_t path = 0;

	for (uint32_t i = depth; i-- > 0; node = knots_above(&t->k, node))
		way[i] = node;
	for (uint32_t i = 0; i < depth; i++)
		path = tree_path_below(t, path, way[i]);
	free(way);
	return path;
}

uint32_t
tree_find(struct tree *t, uint32_t node, uint64_t path, uint64_t child)
{
	uint32_t c = tree_child(t, node);

	while (c != TREE_NONE && tree_path_below(t, path, c) != child)
		c = tree_next(t, c);
	return c;
}

uint32_t
tree_follow(struct tree *t, const uint64_t *path, size_t n, size_t *found)
{
	uint32_t node = TREE_ROOT, next;
	uint64_t above = 0;

	for (*found = 0; *found < n; above = path[(*found)++]) {
		next = tree_find(t, node, above, path[*found]);
		if (next == TREE_NONE)
			break;
		node = next;
	}
	return node;
}

/* ---- stacks ---------------------------------------------------------------- */

/* The node at which a stack ends: its leaf, inverted its outermost. */
static uint32_t
end_of_stack(const struct tree *t, uint32_t stack)
{
	return t->k.first[t->k.end[t->r->stack_lists[stack]] + 1] - 1;
}

uint32_t
tree_of_stack(const struct tree *t, uint32_t stack, uint32_t up)
{
	uint32_t node = end_of_stack(t, stack);
	uint32_t depth = tree_depth(t, node);
	uint32_t climb = up;

	if (t->r->query.invert)
		climb = depth > up ? depth - 1 - up : 0;
	else if (climb >= depth)
		climb = depth ? depth - 1 : 0;
	for (; climb > 0; climb--)
		node = knots_above(&t->k, node);
	return node;
}

uint32_t
tree_up(const struct tree *t, uint32_t node, uint32_t stack)
{
	uint32_t depth = tree_depth(t, node);

	if (depth == 0)
		return 0;
	if (t->r->query.invert)
		return depth - 1;
	return tree_depth(t, end_of_stack(t, stack)) - depth;
}

uint32_t
tree_heaviest_place(const struct tree *t, uint32_t node)
{
	uint32_t stack = tree_heaviest(t, node);

	if (node == TREE_ROOT)
		return TREE_ALL;
	return t->r->stacks[stack].places[tree_up(t, node, stack)];
}

/* ---- order ------------------------------------------------------------------- */

struct weighed {
	double weight;
	uint32_t node, first;
	const char *name;
};

static int
by_weight(const void *va, const void *vb)
{
	const struct weighed *a = va, *b = vb;

	return (a->weight < b->weight) - (a->weight > b->weight);
}

static int
in_order(const void *va, const void *vb)
{
	const struct weighed *a = va, *b = vb;
	int order = by_weight(va, vb);

	if (order == 0)
		order = strcmp(a->name, b->name);
	/* what appeared first */
	return order ? order : (a->first > b->first) - (a->first < b->first);
}

/* Names are looked at only of those that can be among the first `most`: that
 * weigh as much as the last of them. */
static size_t
sort_first(struct tree *t, struct weighed *all, size_t n, size_t most)
{
	if (most < n) {
		qsort(all, n, sizeof *all, by_weight);
		while (most > 0 && most < n &&
		    all[most].weight == all[most - 1].weight)
			most++;
		n = most;
	}
	for (size_t i = 0; i < n; i++)
		all[i].name = tree_name(t, all[i].node);
	qsort(all, n, sizeof *all, in_order);
	return n;
}

uint32_t *
tree_largest(struct tree *t, uint32_t node, size_t most, size_t *n)
{
	size_t count = tree_children(t, node, SIZE_MAX), i = 0;
	struct weighed *all = xcalloc(count + 1, sizeof *all);
	uint32_t *nodes;

	for (uint32_t c = tree_child(t, node); c != TREE_NONE;
	     c = tree_next(t, c))
		all[i++] = (struct weighed){ fabs(tree_cum(t, c)->value), c,
			sum_of(t, c)->first, NULL };
	count = sort_first(t, all, count, most);
	*n = count < most ? count : most;
	nodes = xcalloc(*n + 1, sizeof *nodes);
	for (i = 0; i < *n; i++)
		nodes[i] = all[i].node;
	free(all);
	return nodes;
}

uint32_t *
tree_sorted(struct tree *t, uint32_t node, size_t *n)
{
	return tree_largest(t, node, SIZE_MAX, n);
}

/* ---- what matches ---------------------------------------------------------- */

/* Names are matched once: 0 not yet, 1 no, 2 yes. */
static bool
name_matches(
    struct tree *t, const struct pattern *p, uint8_t *known, uint32_t node)
{
	uint8_t *k = &known[t->k.group[node]];

	if (!*k)
		*k = pattern_matches(p, tree_name(t, node)) ? 2 : 1;
	return *k == 2;
}

uint8_t *
tree_matching(struct tree *t, const struct pattern *p)
{
	uint8_t *marks = xcalloc(t->k.count, 1);
	uint8_t *known = xcalloc(t->r->place_groups, 1);

	for (uint32_t i = (uint32_t)t->k.count; i-- > 1;) {
		if (sum_of(t, i)->stacks == 0)
			continue;
		if (name_matches(t, p, known, i))
			marks[i] |= TREE_MATCHES;
		if (marks[i])
			marks[knots_above(&t->k, i)] |= TREE_BELOW;
	}
	free(known);
	return marks;
}
