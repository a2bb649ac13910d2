#include "model/row_items.h"

#include <stdlib.h>

#include "base/mem.h"
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

/* A row of a thread; a stack may be in it with several cells. */
struct slot {
	struct figures flat, cum;
	double heaviest;
	uint32_t stack, stacks;
	uint32_t seen; /* last stack counted, + 1 */
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

/* A stack's share of a thread. */
static void
count_stack(struct slot *to, const struct figures *f, uint32_t stack)
{
	double heavy = knots_weight(f);

	figures_add(&to->flat, f);
	if (to->seen == stack + 1)
		return;
	to->seen = stack + 1;
	to->stacks++;
	figures_add(&to->cum, f);
	if (to->stacks == 1 || heavy > to->heaviest) {
		to->stack = stack;
		to->heaviest = heavy;
	}
}

/* Slots are per profile; those with the same number are one row. */
static void
threads_of(struct row_items *s, uint32_t k)
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
		struct figures one;

		if (!stack ||
		    (r->query.thread >= 0 && cells[i].slot != r->query.thread))
			continue;
		figures_cells(&v, &cells[i], i, 1, &one);
		if (is_base)
			one = figures_of_base(&one, &q);
		figures_differ(&one, &q);
		count_stack(&s->slots[cells[i].slot], &one, stack - 1);
	}
}

static void
by_thread(struct row_items *s)
{
	const struct report *r = s->r;
	size_t sources = r->profile_count + (r->query.base_profile != NULL);

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
		threads_of(s, k);
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
		return s->slots[id].cum.value;
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
		return figures_empty(&s->slots[id].cum);
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
			.cum = s->slots[id].cum,
			.id = id,
			.stack = s->slots[id].stack,
			.stacks = s->slots[id].stacks };
	return (struct item){ .flat = s->r->stacks[id].f,
		.cum = s->r->stacks[id].f,
		.id = id,
		.stack = id,
		.stacks = 1 };
}
