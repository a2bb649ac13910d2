#include "model/row_items.h"

#include <stdlib.h>

#include "base/map.h"
#include "base/mem.h"
#include "base/vec.h"
#include "model/passing.h"
#include "model/profile.h"
#include "model/report.h"
#include "model/report_knots.h"
#include "model/report_shape.h"
#include "model/row_order.h"

/* What ends in a group. */
struct leaf {
	struct figures flat;
	double heaviest; /* of its stacks */
	uint32_t stack;
};

/* A row of a thread: all of it was allocated there, so cum is flat. */
struct slot {
	struct figures flat;
	double heaviest;
	uint32_t stack, stacks;
};

struct row_items {
	const struct report *r;
	size_t count;
	/* groups */
	uint32_t *leaf_of; /* [group]: number of its leaf, + 1; or 0 */
	struct leaf *leaves;
	uint8_t *present;     /* [group]: something goes through it */
	double *values;       /* [group]: cum, if that is asked for */
	struct run_sum *sums; /* [group]; NULL: later, for some */
	/* threads */
	struct slot *slots;
};

/* ---- groups ----------------------------------------------------------------- */

/* Figures of the stacks allocated right in a group. */
static void
add_leaf(struct row_items *s, uint32_t *leaves, uint32_t stack, uint32_t group)
{
	const struct figures *f = &s->r->stacks[stack].f;
	double heavy = knots_weight(f);
	struct leaf *leaf;

	if (!s->leaf_of[group]) {
		s->leaves[*leaves] = (struct leaf){ *f, heavy, stack };
		s->leaf_of[group] = ++*leaves;
		return;
	}
	leaf = &s->leaves[s->leaf_of[group] - 1];
	figures_add(&leaf->flat, f);
	if (heavy > leaf->heaviest) {
		leaf->heaviest = heavy;
		leaf->stack = stack;
	}
}

bool
row_items_named(const struct query *q)
{
	return q->grouping == GROUP_STACKS || q->grouping == GROUP_FUNCTIONS ||
	    q->grouping == GROUP_LINES;
}

/* Whether it can be told which rows there are by what goes through them, not
 * how much: sums of what has one sign are not empty where a part is not. */
static bool
marks_suffice(const struct query *q)
{
	return row_items_named(q) && (q->max_rows > 0 || q->piece > 0) &&
	    !q->difference;
}

static void
sum_all(struct row_items *s)
{
	uint32_t *slot = xreallocarray(NULL, s->count, sizeof *slot);

	for (uint32_t i = 0; i < s->count; i++)
		slot[i] = i + 1;
	s->sums = xcalloc(s->count, sizeof *s->sums);
	passing_sum(s->r, slot, s->sums);
	free(slot);
}

static void
by_group(struct row_items *s)
{
	const struct report *r = s->r;
	const struct place_list *lists = shape_lists(r->shape);
	uint32_t leaves = 0;
	size_t most;

	s->count = r->place_groups;
	most = r->stack_count < s->count ? r->stack_count : s->count;
	s->leaf_of = xcalloc(s->count, sizeof *s->leaf_of);
	s->leaves = xreallocarray(NULL, most, sizeof *s->leaves);
	for (uint32_t i = 0; i < r->stack_count; i++)
		add_leaf(s, &leaves, i, lists[r->stack_lists[i]].group);
	if (!marks_suffice(&r->query)) {
		sum_all(s);
		return;
	}
	s->present = xcalloc(s->count, 1);
	if (r->query.order == ORDER_CUM || r->query.min_fraction > 0)
		s->values = xcalloc(s->count, sizeof *s->values);
	passing_mark(r, s->present, s->values);
}

/* Where the group is first in the stack, from the leaf. */
static uint32_t
find_group(const struct report *r, uint32_t stack, uint32_t group)
{
	const struct report_stack *s = &r->stacks[stack];
	uint32_t at = 0;

	while (at + 1 < s->count && r->places[s->places[at]].group != group)
		at++;
	return at;
}

/* Stacks allocated right there say more than those that pass. */
static struct item
group_at(const struct row_items *s, uint32_t id, const struct run_sum *passing)
{
	struct item it = { .id = id, .at = RUN_SUM_ANYWHERE };

	if (!passing && s->sums)
		passing = &s->sums[id];
	if (passing && passing->stacks) {
		it.cum = passing->f;
		it.stacks = passing->stacks;
		it.stack = passing->stack;
		it.at = passing->at;
	}
	if (s->leaf_of[id]) {
		const struct leaf *leaf = &s->leaves[s->leaf_of[id] - 1];

		it.flat = leaf->flat;
		it.stack = leaf->stack;
		it.at = 0;
	}
	if (it.at == RUN_SUM_ANYWHERE)
		it.at = find_group(s->r, it.stack, id);
	return it;
}

/* ---- threads ---------------------------------------------------------------- */

/* What a thread has of a stack; of one profile that is one cell, of several
 * each may have its part. */
struct share {
	struct figures f;
	uint32_t stack;
	uint16_t slot;
};

struct shares {
	struct share *all;
	size_t count, cap;
	struct map of; /* stack, slot -> index */
};

/* What shrank counts as nothing stack by stack, so all shares of it do: the
 * rows add up to the stacks. */
static bool
is_dropped(const struct report *r, uint32_t stack)
{
	const struct figures *f = &r->stacks[stack].f;

	return r->query.drop_negative &&
	    (r->query.difference ? f->value : figures_change(f)) == 0;
}

static void
count_share(struct row_items *s, struct share *one)
{
	struct slot *to = &s->slots[one->slot];
	double heavy = knots_weight(&one->f);

	if (s->r->query.difference && one->f.value == 0)
		return; /* what did not change says nothing */
	if (is_dropped(s->r, one->stack))
		one->f.base = one->f.value;
	figures_add(&to->flat, &one->f);
	to->stacks++;
	if (to->stacks == 1 || heavy > to->heaviest) {
		to->stack = one->stack;
		to->heaviest = heavy;
	}
}

static void
gather_share(struct shares *g, const struct share *one)
{
	uint32_t *at = map_put(&g->of, (uint64_t)one->stack << 16 | one->slot);

	if (*at != MAP_NONE) {
		figures_add(&g->all[*at].f, &one->f);
		return;
	}
	*at = (uint32_t)g->count;
	VEC_ROOM(g->all, g->cap, g->count + 1);
	g->all[g->count++] = *one;
}

/* Slots are per profile; those with the same number are one row.  `g` is NULL
 * if there is one profile. */
static void
threads_of(struct row_items *s, uint32_t k, struct shares *g)
{
	const struct report *r = s->r;
	struct moments m = moments_of(r->profiles[k], &r->query);
	bool is_base = k >= r->profile_count;
	struct query q = r->query;
	struct figures_view v;
	size_t n;
	const struct profile_cell *cells = profile_cells(r->profiles[k], &n);

	q.drop_negative = false; /* a cell is only one side */
	if (is_base)
		m = (struct moments){ .history = m.history };
	v = figures_view(&m, r->query.metric);
	for (uint32_t i = 0; i < n; i++) {
		uint32_t stack = r->stack_index[k][cells[i].stack];
		struct share one = { .slot = cells[i].slot };

		if (!stack ||
		    (r->query.thread >= 0 && one.slot != r->query.thread) ||
		    (r->query.difference && is_dropped(r, stack - 1)))
			continue;
		one.stack = stack - 1;
		figures_cells(&v, &cells[i], i, 1, &one.f);
		if (is_base)
			one.f = figures_of_base(&one.f, &q);
		figures_differ(&one.f, &q);
		if (r->stacks[stack - 1].f.samples == 0)
			one.f.samples = 0; /* nor do they count there */
		if (g)
			gather_share(g, &one);
		else
			count_share(s, &one);
	}
}

static void
by_thread(struct row_items *s)
{
	const struct report *r = s->r;
	size_t sources = r->profile_count + (r->query.base_profile != NULL);
	struct shares g = { .count = 0 };

	for (size_t k = 0; k < sources; k++) {
		size_t n;
		const struct profile_cell *c =
		    profile_cells(r->profiles[k], &n);

		for (size_t i = 0; i < n; i++) {
			if (c[i].slot >= s->count)
				s->count = (size_t)c[i].slot + 1;
		}
	}
	s->slots = xcalloc(s->count, sizeof *s->slots);
	for (uint32_t k = 0; k < sources; k++)
		threads_of(s, k, sources > 1 ? &g : NULL);
	for (size_t i = 0; i < g.count; i++)
		count_share(s, &g.all[i]);
	free(g.all);
	map_fini(&g.of);
}

/* ---- all -------------------------------------------------------------------- */

struct row_items *
row_items_new(const struct report *r)
{
	struct row_items *s = xcalloc(1, sizeof *s);

	s->r = r;
	if (r->query.grouping == GROUP_THREADS)
		by_thread(s);
	else if (r->query.grouping != GROUP_STACKS)
		by_group(s);
	else
		s->count = r->stack_count;
	return s;
}

void
row_items_free(struct row_items *s)
{
	if (!s)
		return;
	free(s->leaf_of);
	free(s->leaves);
	free(s->present);
	free(s->values);
	free(s->sums);
	free(s->slots);
	free(s);
}

size_t
row_items_count(const struct row_items *s)
{
	return s->count;
}

const struct figures *
row_items_flat(const struct row_items *s, uint32_t id)
{
	static const struct figures none;

	if (s->slots)
		return &s->slots[id].flat;
	if (!s->leaf_of)
		return &s->r->stacks[id].f;
	return s->leaf_of[id] ? &s->leaves[s->leaf_of[id] - 1].flat : &none;
}

double
row_items_cum(const struct row_items *s, uint32_t id)
{
	if (s->slots)
		return s->slots[id].flat.value;
	if (!s->leaf_of)
		return s->r->stacks[id].f.value;
	if (s->values)
		return s->values[id];
	return s->sums ? s->sums[id].f.value : 0;
}

bool
row_items_empty(const struct row_items *s, uint32_t id)
{
	if (!figures_empty(row_items_flat(s, id)))
		return false;
	if (s->slots)
		return true;
	if (s->sums)
		return figures_empty(&s->sums[id].f);
	return !s->present || !s->present[id];
}

/* In pieces it is found again, and whatever else sorting takes is not needed
 * at the same time; but the limit looks at it once more. */
void
row_items_weighed(struct row_items *s)
{
	const struct query *q = &s->r->query;

	if (q->piece > 0 && row_items_named(q) && q->min_fraction <= 0)
		row_items_ordered(s);
}

void
row_items_ordered(struct row_items *s)
{
	free(s->present);
	free(s->values);
	free(s->sums);
	s->present = NULL;
	s->values = NULL;
	s->sums = NULL;
}

struct run_sum *
row_items_passing(
    const struct row_items *s, const struct row_key *keys, size_t n)
{
	struct run_sum *sums;
	uint32_t *slot;

	if (!s->leaf_of || s->sums)
		return NULL;
	sums = xcalloc(n, sizeof *sums);
	slot = xcalloc(s->count, sizeof *slot);
	for (uint32_t i = 0; i < n; i++)
		slot[keys[i].id] = i + 1;
	passing_sum(s->r, slot, sums);
	free(slot);
	return sums;
}

struct item
row_items_at(
    const struct row_items *s, uint32_t id, const struct run_sum *passing)
{
	if (s->leaf_of)
		return group_at(s, id, passing);
	if (s->slots)
		return (struct item){ .flat = s->slots[id].flat,
			.cum = s->slots[id].flat,
			.id = id,
			.stack = s->slots[id].stack,
			.stacks = s->slots[id].stacks };
	return (struct item){ .flat = s->r->stacks[id].f,
		.cum = s->r->stacks[id].f,
		.id = id,
		.stack = id,
		.stacks = 1 };
}
