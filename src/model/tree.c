#include "model/tree.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/map.h"
#include "base/mem.h"
#include "base/vec.h"
#include "model/report.h"
#include "model/report_knots.h"
#include "model/report_shape.h"
#include "model/tree_names.h"

/* What is compared of a knot: its weight, then its group's name. */
struct child {
	double weight;
	uint32_t knot, parent; /* parent: a node */
	uint32_t group, first;
};

struct maker {
	struct report *r;
	struct knots *knots;
	const struct run_sum *sums;
	const char **names; /* [group], NULL until it is asked for */
	uint64_t *hashes;   /* [group]: of the name */
	struct child *todo; /* a stack: what comes first is on top */
	size_t count, cap;
	uint32_t *node_of; /* [run] -> the node of its last knot */
};

const char *
tree_place_name(const struct report *r, uint32_t place)
{
	struct place p = report_place(r, place);

	switch (r->query.grouping) {
	case GROUP_FILES:
		if (*p.file)
			return p.file;
		return *p.module ? p.module : "?";
	case GROUP_MODULES: return *p.module ? p.module : "?";
	case GROUP_FUNCTIONS:
	case GROUP_STACKS:
	case GROUP_LINES:
	case GROUP_ADDRESSES:
	case GROUP_THREADS:
	case GROUP_COUNT: break;
	}
	return p.function;
}

static uint64_t
hash_string(uint64_t h, const char *s)
{
	for (; *s; s++)
		h = (h ^ (unsigned char)*s) * UINT64_C(0x100000001b3);
	return h;
}

uint64_t
tree_place_hash(const struct report *r, uint32_t place)
{
	struct place p = report_place(r, place);
	uint64_t h = hash_string(1, tree_place_name(r, place));

	if (r->query.grouping == GROUP_LINES)
		h = hash_string(h ^ p.line, p.file);
	else if (r->query.grouping == GROUP_ADDRESSES)
		h ^= p.address;
	return h;
}

static void
name_group(struct maker *m, uint32_t knot)
{
	uint32_t group = m->knots->group[knot];

	if (m->names[group])
		return;
	m->names[group] = tree_place_name(m->r, m->knots->place[knot]);
	m->hashes[group] = tree_place_hash(m->r, m->knots->place[knot]);
}

/* Whether a comes after b. */
static int
compare(const void *va, const void *vb, void *vm)
{
	const struct maker *m = vm;
	const struct child *a = va, *b = vb;
	int order = (a->weight < b->weight) - (a->weight > b->weight);

	if (order == 0)
		order = strcmp(m->names[a->group], m->names[b->group]);
	/* what appeared first */
	return order ? order : (a->first > b->first) - (a->first < b->first);
}

/* Most knots have few children, or few that hold something. */
#define FEW 12

static void
sort(struct maker *m, struct child *c, size_t n)
{
	if (n > FEW) {
		qsort_r(c, n, sizeof *c, compare, m);
		return;
	}
	for (size_t i = 1; i < n; i++) {
		struct child x = c[i];
		size_t j = i;

		for (; j > 0 && compare(&c[j - 1], &x, m) > 0; j--)
			c[j] = c[j - 1];
		c[j] = x;
	}
}

/* The children of a knot that hold stacks, the first on top. */
static void
push_children(struct maker *m, uint32_t knot, uint32_t node)
{
	const struct knots *k = m->knots;
	size_t from = m->count;

	for (uint32_t c = knot + 1; c < k->next[knot]; c = k->next[c]) {
		const struct run_sum *s = &m->sums[k->run[c]];

		if (!s->stacks)
			continue;
		name_group(m, c);
		VEC_ROOM(m->todo, m->cap, m->count + 1);
		m->todo[m->count++] = (struct child){ fabs(s->f.value), c, node,
			k->group[c], s->first };
	}
	if (m->count == from)
		return; /* there may be no list yet */
	sort(m, m->todo + from, m->count - from);
	for (size_t i = from, j = m->count; i + 1 < j; i++) {
		struct child x = m->todo[i];

		m->todo[i] = m->todo[--j];
		m->todo[j] = x;
	}
}

/* The knots of a run, one below the other; the node of the last. */
static uint32_t
add_run(
    struct maker *m, struct tree_node *nodes, uint32_t n, const struct child *c)
{
	const struct knots *k = m->knots;
	uint32_t run = k->run[c->knot], parent = c->parent;
	const struct run_sum *s = &m->sums[run];

	for (uint32_t at = c->knot; at < k->first[run + 1]; at++) {
		name_group(m, at);
		nodes[n] = (struct tree_node){ .place = k->place[at],
			.parent = parent,
			.next = n + 1,
			.depth = nodes[parent].depth + 1,
			.first = s->first,
			.path = map_mix(
			    nodes[parent].path ^ m->hashes[k->group[at]]),
			.cum = s->f };
		parent = n++;
	}
	m->node_of[run] = parent;
	return parent;
}

/* How many knots hold stacks: the nodes there will be, beside the root. */
static size_t
count_nodes(const struct maker *m)
{
	const struct knots *k = m->knots;
	size_t n = 0;

	for (size_t i = 0; i < k->run_count; i++) {
		if (m->sums[i].stacks)
			n += k->first[i + 1] - k->first[i];
	}
	return n;
}

static void
make_nodes(struct maker *m, struct tree_node *nodes)
{
	uint32_t n = 0;

	nodes[n] = (struct tree_node){ .place = TREE_ALL,
		.next = 1,
		.first = m->sums[0].first,
		.cum = m->r->local };
	/* A run of the root alone, or with what all stacks begin with. */
	if (m->sums[0].stacks && m->knots->first[1] > 1) {
		struct child rest = { .knot = 1, .group = m->knots->group[1] };

		n = add_run(m, nodes, 1, &rest);
	}
	m->node_of[0] = n++;
	if (m->sums[0].stacks)
		push_children(m, m->knots->first[1] - 1, n - 1);
	while (m->count > 0) {
		struct child c = m->todo[--m->count];
		uint32_t run = m->knots->run[c.knot];

		n = add_run(m, nodes, n, &c);
		push_children(m, m->knots->first[run + 1] - 1, n);
		n++;
	}
	m->r->tree_count = n;
	for (size_t i = n; i-- > 1;) {
		struct tree_node *up = &nodes[nodes[i].parent];

		if (up->next < nodes[i].next)
			up->next = nodes[i].next;
	}
}

void
tree_build(struct report *r)
{
	struct maker m = { .r = r };
	struct tree_node *nodes;

	m.knots = shape_knots(r->shape, r->query.invert);
	m.sums = knots_sum(m.knots, r);
	m.names = xcalloc(r->place_groups, sizeof *m.names);
	m.hashes = xcalloc(r->place_groups, sizeof *m.hashes);
	m.node_of = xcalloc(m.knots->run_count, sizeof *m.node_of);
	nodes = arena_alloc(&r->arena, (count_nodes(&m) + 1) * sizeof *nodes);
	make_nodes(&m, nodes);
	for (size_t i = 0; i < r->stack_count; i++) {
		uint32_t run = m.knots->end[r->stack_lists[i]];

		figures_add(&nodes[m.node_of[run]].self, &r->stacks[i].f);
	}
	r->tree = nodes;
	free(m.names);
	free(m.hashes);
	free(m.node_of);
	free(m.todo);
}
