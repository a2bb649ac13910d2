#include "model/tree.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/map.h"
#include "base/mem.h"
#include "base/vec.h"
#include "model/report.h"

/* A node while stacks are merged; children are a list, newest first. */
struct knot {
	struct figures cum, self;
	uint32_t place, first;
	uint32_t parent, child, sibling; /* child, sibling: 0 is none */
};

struct maker {
	struct report *r;
	struct knot *knots;
	size_t count, cap;
	struct map children; /* parent << 32 | group -> knot */
	uint32_t *order;     /* scratch: children of one knot */
	size_t order_cap;
};

static uint32_t
child_of(struct maker *m, uint32_t parent, uint32_t place, uint32_t stack)
{
	uint32_t group = m->r->places[place].group;
	uint32_t *at = map_put(&m->children, (uint64_t)parent << 32 | group);

	if (*at != MAP_NONE)
		return *at;
	*at = (uint32_t)m->count;
	VEC_ROOM(m->knots, m->cap, m->count + 1);
	m->knots[m->count] = (struct knot){ .place = place,
		.first = stack,
		.parent = parent,
		.sibling = m->knots[parent].child };
	m->knots[parent].child = (uint32_t)m->count;
	return (uint32_t)m->count++;
}

static void
add_stack(struct maker *m, uint32_t stack)
{
	const struct report_stack *s = &m->r->stacks[stack];
	bool invert = m->r->query.invert;
	uint32_t at = 0;

	figures_add(&m->knots[0].cum, &s->f);
	for (uint32_t i = 0; i < s->count; i++) {
		uint32_t place = s->places[invert ? i : s->count - 1 - i];

		at = child_of(m, at, place, stack);
		figures_add(&m->knots[at].cum, &s->f);
	}
	figures_add(&m->knots[at].self, &s->f);
}

static const char *
name_of(const struct maker *m, uint32_t place)
{
	struct place p = report_place(m->r, place);

	if (m->r->query.grouping == GROUP_MODULES)
		return p.module;
	if (m->r->query.grouping == GROUP_FILES && *p.file)
		return p.file;
	return p.function;
}

static int
compare(const void *va, const void *vb, void *vm)
{
	const struct maker *m = vm;
	const struct knot *a = &m->knots[*(const uint32_t *)va];
	const struct knot *b = &m->knots[*(const uint32_t *)vb];
	double x = fabs(a->cum.value), y = fabs(b->cum.value);
	int order = (x < y) - (x > y);

	if (order == 0)
		order = strcmp(name_of(m, a->place), name_of(m, b->place));
	return order ? order : (a > b) - (a < b);
}

/* Put the children of a knot in their order, as a new list. */
static void
sort_children(struct maker *m, uint32_t parent)
{
	size_t n = 0;
	uint32_t c;

	for (c = m->knots[parent].child; c; c = m->knots[c].sibling) {
		VEC_ROOM(m->order, m->order_cap, n + 1);
		m->order[n++] = c;
	}
	if (n < 2)
		return;
	qsort_r(m->order, n, sizeof *m->order, compare, m);
	for (size_t i = 0; i + 1 < n; i++)
		m->knots[m->order[i]].sibling = m->order[i + 1];
	m->knots[m->order[n - 1]].sibling = 0;
	m->knots[parent].child = m->order[0];
}

static uint64_t
path_of(const struct maker *m, uint64_t above, uint32_t place)
{
	uint64_t h = map_mix(above);

	for (const char *s = name_of(m, place); *s; s++)
		h = (h ^ (unsigned char)*s) * UINT64_C(0x100000001b3);
	return h;
}

static void
fill(const struct maker *m, struct tree_node *to, const struct knot *k,
    const struct tree_node *parent)
{
	to->place = k->place;
	to->first = k->first;
	to->cum = k->cum;
	to->self = k->self;
	to->depth = parent ? parent->depth + 1 : 0;
	to->path = parent ? path_of(m, parent->path, k->place) : 0;
}

/* Stacks can be thousands of frames deep, so this walks without recursion:
 * down to the first child, else on to the sibling, else up. */
static void
flatten(struct maker *m, struct tree_node *nodes)
{
	uint32_t knot = 0, node = 0, n = 0;

	fill(m, &nodes[n++], &m->knots[0], NULL);
	nodes[0].place = TREE_ALL;
	nodes[0].parent = 0;
	for (;;) {
		uint32_t next = m->knots[knot].child;

		/* up as long as there is nothing further down or beside */
		if (!next) {
			while (knot && !m->knots[knot].sibling) {
				nodes[node].next = n;
				node = nodes[node].parent;
				knot = m->knots[knot].parent;
			}
			if (!knot)
				break;
			next = m->knots[knot].sibling;
			nodes[node].next = n;
			node = nodes[node].parent;
		}
		sort_children(m, next);
		fill(m, &nodes[n], &m->knots[next], &nodes[node]);
		nodes[n].parent = node;
		node = n++;
		knot = next;
	}
	nodes[0].next = n;
}

void
tree_build(struct report *r)
{
	struct maker m = { .r = r };
	struct tree_node *nodes;

	VEC_ROOM(m.knots, m.cap, 1);
	m.knots[m.count++] = (struct knot){ 0 };
	for (uint32_t i = 0; i < r->stack_count; i++)
		add_stack(&m, i);
	sort_children(&m, 0);
	nodes = arena_calloc(&r->arena, m.count, sizeof *nodes);
	flatten(&m, nodes);
	r->tree = nodes;
	r->tree_count = m.count;
	free(m.knots);
	free(m.order);
	map_fini(&m.children);
}
