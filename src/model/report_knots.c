#include "model/report_knots.h"

#include <stdlib.h>
#include <string.h>

#include "base/map.h"
#include "base/mem.h"
#include "base/vec.h"
#include "model/report_knots_int.h"
#include "model/report_shape.h"

struct knots *
knots_new(bool invert)
{
	struct knots *k = xcalloc(1, sizeof *k);

	k->invert = invert;
	k->sprouts = xcalloc(1, sizeof *k->sprouts);
	return k;
}

void
knots_free(struct knots *k)
{
	struct sprouts *s;

	if (!k)
		return;
	s = k->sprouts;
	knots_forget_labels(k);
	map_fini(&s->children);
	free(s->list);
	free(s->end);
	free(s->label);
	free(s->ends);
	free(s->seen);
	free(s);
	free(k);
}

/* Where the d-th of the tree's order is in the list. */
static uint32_t
place_at(const struct knots *k, const struct place_list *l, uint32_t d)
{
	return l->places[k->invert ? d : l->count - 1 - d];
}

/* Whether the list has not been in this group before. */
static bool
mark(struct sprouts *s, uint32_t group, uint32_t list)
{
	size_t old = s->seen_cap;
	bool outer;

	VEC_ROOM(s->seen, s->seen_cap, (size_t)group + 1);
	for (size_t i = old; i < s->seen_cap; i++)
		s->seen[i] = 0;
	outer = s->seen[group] != list + 1;
	s->seen[group] = list + 1;
	return outer;
}

/* Children that are not their parent's first are found by parent and group. */
static uint64_t
child_key(uint32_t parent, uint32_t group)
{
	return (uint64_t)parent << 32 | group;
}

/* 0: there is none.  Most sprouts have one child at most. */
static uint32_t
child_of(const struct sprouts *s, uint32_t parent, uint32_t group)
{
	uint32_t first = s->list[parent].child, found;

	if (first == 0 || s->list[first].group == group)
		return first;
	if (s->list[first].sibling == 0)
		return 0;
	found = map_find(&s->children, child_key(parent, group));
	return found == MAP_NONE ? 0 : found;
}

/* It becomes the last child. */
static void
hang(struct sprouts *s, uint32_t parent, uint32_t child)
{
	struct sprout *p = &s->list[parent];

	if (p->child) {
		s->list[p->last].sibling = child;
		*map_put(&s->children,
		    child_key(parent, s->list[child].group)) = child;
	} else {
		p->child = child;
	}
	p->last = child;
}

static uint32_t
grow(struct sprouts *s, uint32_t parent, uint32_t place, uint32_t group,
    bool outer)
{
	uint32_t at = (uint32_t)s->count++;

	s->list[at] = (struct sprout){
		.parent = parent, .place = place, .group = group, .outer = outer
	};
	hang(s, parent, at);
	return at;
}

/* Along what is there as far as it goes. */
static void
add_list(struct knots *k, uint32_t list, const struct place_list *l,
    const struct report_place *places)
{
	struct sprouts *s = k->sprouts;
	uint32_t at = 0;

	VEC_ROOM(s->list, s->cap, s->count + l->count);
	for (uint32_t d = 0; d < l->count; d++) {
		uint32_t place = place_at(k, l, d);
		uint32_t group = places[place].group;
		bool outer = mark(s, group, list);
		uint32_t child = child_of(s, at, group);

		at = child ? child : grow(s, at, place, group, outer);
	}
	s->list[at].ends = true;
	s->end[list] = at;
}

/* By counting: how many of each group, where they begin, and there they go in
 * the order of the knots.  Made when first needed. */
static void
make_counts(struct knots *k)
{
	uint32_t n = 0, sum = 0;

	if (k->of_group)
		return;
	k->groups = 0;
	for (size_t i = 1; i < k->count; i++) {
		if (k->group[i] >= k->groups)
			k->groups = k->group[i] + 1;
		n += k->outer[i];
	}
	k->counts = xcalloc(n, sizeof *k->counts);
	k->of_group = xcalloc((size_t)k->groups + 2, sizeof *k->of_group);
	for (size_t i = 1; i < k->count; i++)
		k->of_group[k->group[i] + 2] += k->outer[i];
	for (uint32_t g = 0; g <= k->groups + 1; g++)
		sum = k->of_group[g] += sum;
	for (size_t i = 1; i < k->count; i++) {
		if (k->outer[i])
			k->counts[k->of_group[k->group[i] + 1]++] = k->run[i];
	}
}

void
knots_prepare(struct knots *k, const struct place_list *lists, size_t end,
    const struct report_place *places)
{
	struct sprouts *s = k->sprouts;

	if (s->count == 0) {
		VEC_ROOM(s->list, s->cap, 1);
		s->list[s->count++] = (struct sprout){ 0 };
	}
	VEC_ROOM(s->end, s->end_cap, end);
	for (; s->lists < end; s->lists++)
		add_list(k, (uint32_t)s->lists, &lists[s->lists], places);
}

size_t
knots_prepared(const struct knots *k)
{
	return k->sprouts->lists;
}

void
knots_extend(struct knots *k, const struct place_list *lists, size_t count,
    const struct report_place *places)
{
	if (k->lists == count && k->count)
		return;
	knots_prepare(k, lists, count, places);
	k->sprouts->listed = k->lists;
	k->lists = count;
	knots_label(k);
}

/* Runs are met in no order, and are many: fetched some stacks ahead. */
#define AHEAD 16

static uint32_t
end_of(const struct knots *k, const struct report *r, size_t stack)
{
	return k->end[r->stack_lists[stack]];
}

static struct run_sum *
zero_sums(struct knots *k, size_t n)
{
	VEC_ROOM(k->sums, k->sum_cap, n);
	memset(k->sums, 0, n * sizeof *k->sums);
	return k->sums;
}

/* Stacks come in ascending order: the first is the lowest, and the heaviest of
 * those that weigh the same. */
static void
add_one(struct run_sum *to, const struct report *r, uint32_t stack)
{
	const struct figures *f = &r->stacks[stack].f;
	double weight = knots_weight(f);

	figures_add(&to->f, f);
	if (!to->stacks++)
		to->first = stack;
	else if (weight <= to->heaviest)
		return;
	to->heaviest = weight;
	to->stack = stack;
	to->at = RUN_SUM_ANYWHERE;
}

void
knots_sum_into(
    const struct knots *k, const struct report *r, struct run_sum *sums)
{
	memset(sums, 0, k->run_count * sizeof *sums);
	for (uint32_t i = 0; i < r->stack_count; i++) {
		if (i + AHEAD < r->stack_count)
			__builtin_prefetch(&sums[end_of(k, r, i + AHEAD)], 1);
		add_one(&sums[end_of(k, r, i)], r, i);
	}
	for (size_t i = k->run_count; i-- > 1;) {
		if (sums[i].stacks)
			run_sum_add(&sums[k->above[i]], &sums[i]);
	}
}

const struct run_sum *
knots_sum(struct knots *k, const struct report *r)
{
	VEC_ROOM(k->sums, k->sum_cap, k->run_count);
	knots_sum_into(k, r, k->sums);
	return k->sums;
}

static uint32_t *
slots(struct knots *k)
{
	if (!k->slot)
		k->slot = xreallocarray(NULL, k->run_count, sizeof *k->slot);
	return k->slot;
}

/* Runs that are hit are numbered from 1 in their order, slot[run]; another one
 * has the number of the nearest above it that is, or 0: what ends there adds
 * to that.  run_of[number] is the run.  Returns how many numbers. */
static uint32_t
number_runs(struct knots *k, const uint8_t *hit, uint32_t *run_of)
{
	uint32_t *slot = slots(k), n = 1;

	slot[0] = 0;
	for (uint32_t i = 0; i < k->run_count; i++) {
		run_of[n] = i;
		slot[i] = hit[i] ? n : slot[k->above[i]];
		n += hit[i];
	}
	return n;
}

/* Where the stacks go is looked up still earlier. */
static void
add_stacks(struct knots *k, const struct report *r, struct run_sum *sums)
{
	uint32_t next[AHEAD]; /* where those ahead go */
	uint32_t n = (uint32_t)r->stack_count;

	for (uint32_t i = 0; i < n + AHEAD; i++) {
		uint32_t *at = &next[i % AHEAD];

		if (i >= AHEAD)
			add_one(&sums[*at], r, i - AHEAD);
		if (i < n) {
			*at = k->slot[end_of(k, r, i)];
			__builtin_prefetch(&sums[*at], 1);
		}
		if (i + AHEAD < n)
			__builtin_prefetch(&k->slot[end_of(k, r, i + AHEAD)]);
	}
}

/* What passes a group's knots, of all runs that were hit. */
static void
add_group(const struct knots *k, uint32_t group, const struct run_sum *sums,
    struct run_sum *to)
{
	uint32_t end = k->of_group[group + 1];

	for (uint32_t i = k->of_group[group]; i < end; i++) {
		const struct run_sum *s = &sums[k->slot[k->counts[i]]];

		if (i + AHEAD < end) {
			const struct run_sum *later =
			    &sums[k->slot[k->counts[i + AHEAD]]];

			/* it may lie on two lines */
			__builtin_prefetch(&later->f);
			__builtin_prefetch(&later->stacks);
		}
		if (s->stacks)
			run_sum_add(to, s);
	}
}

static void
mark_runs(const struct knots *k, const uint32_t *wanted, uint8_t *hit)
{
	for (uint32_t g = 0; g < k->groups; g++) {
		if (!wanted[g])
			continue;
		for (uint32_t i = k->of_group[g]; i < k->of_group[g + 1]; i++)
			hit[k->counts[i]] = 1;
	}
}

void
knots_sum_groups(struct knots *k, const struct report *r, const uint32_t *slot,
    struct run_sum *to)
{
	uint32_t *run_of =
	    xreallocarray(NULL, k->run_count + 1, sizeof *run_of);
	uint8_t *hit = xcalloc(k->run_count, 1);
	struct run_sum *sums;
	uint32_t n;

	make_counts(k);
	mark_runs(k, slot, hit);
	n = number_runs(k, hit, run_of);
	sums = zero_sums(k, n);
	add_stacks(k, r, sums);
	/* number 0 takes what is not wanted */
	for (uint32_t i = n; i-- > 1;) {
		if (sums[i].stacks && run_of[i] > 0)
			run_sum_add(
			    &sums[k->slot[k->above[run_of[i]]]], &sums[i]);
	}
	for (uint32_t g = 0; g < k->groups; g++) {
		if (slot[g])
			add_group(k, g, sums, &to[slot[g] - 1]);
	}
	free(run_of);
	free(hit);
}

static void
sum_values(const struct knots *k, const struct report *r, double *value)
{
	double *sums = xcalloc(k->run_count, sizeof *sums);

	for (uint32_t i = 0; i < r->stack_count; i++)
		sums[end_of(k, r, i)] += r->stacks[i].f.value;
	for (size_t i = k->run_count; i-- > 1;)
		sums[k->above[i]] += sums[i];
	for (uint32_t g = 0; g < k->groups; g++) {
		double sum = 0;

		for (uint32_t i = k->of_group[g]; i < k->of_group[g + 1]; i++)
			sum += sums[k->counts[i]];
		value[g] = sum;
	}
	free(sums);
}

void
knots_mark_groups(
    struct knots *k, const struct report *r, uint8_t *present, double *value)
{
	uint8_t *met = xcalloc(k->run_count, 1);

	make_counts(k);
	if (value)
		sum_values(k, r, value);

	/* where freed ones are not asked for none is empty */
	for (uint32_t i = 0; i < r->stack_count; i++)
		met[end_of(k, r, i)] |=
		    !r->query.freed || !figures_empty(&r->stacks[i].f);
	for (size_t i = k->run_count; i-- > 1;)
		met[k->above[i]] |= met[i];
	for (uint32_t g = 0; g < k->groups; g++) {
		uint32_t i = k->of_group[g], end = k->of_group[g + 1];

		while (i < end && !met[k->counts[i]])
			i++;
		present[g] |= i < end;
	}
	free(met);
}
