#include "model/report_knots.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/map.h"
#include "base/mem.h"
#include "base/vec.h"
#include "model/report_shape.h"

/* A knot in the order they were made, so that more can be added. */
struct sprout {
	uint32_t parent, place;
	uint32_t list, depth; /* the first list through it, and how deep */
	uint32_t child, sibling;
	bool outer, ends; /* ends: a list ends here */
};

struct sprouts {
	struct sprout *list; /* 0 is the root */
	size_t count, cap;
	struct map paths; /* hash of the groups from the root -> sprout */
	uint32_t *end;    /* [list] */
	size_t end_cap;
	/* Of the list being added, in the order of the tree. */
	uint32_t *group;
	uint64_t *hash;
	uint8_t *outer;
	size_t group_cap, hash_cap, outer_cap;
	uint32_t *seen; /* [group]: the last list it was in, + 1 */
	size_t seen_cap;
	size_t knot_cap;
};

struct knots *
knots_new(bool invert)
{
	struct knots *k = xcalloc(1, sizeof *k);

	k->invert = invert;
	k->sprouts = xcalloc(1, sizeof *k->sprouts);
	return k;
}

static void
free_labels(struct knots *k)
{
	free(k->place);
	free(k->group);
	free(k->next);
	free(k->run);
	free(k->counts);
	free(k->above);
	free(k->first);
	free(k->end);
	free(k->of_group);
	free(k->sums);
	free(k->slot);
	k->sums = NULL;
	k->slot = NULL;
	k->sum_cap = 0;
}

void
knots_free(struct knots *k)
{
	struct sprouts *s;

	if (!k)
		return;
	s = k->sprouts;
	free_labels(k);
	map_fini(&s->paths);
	free(s->list);
	free(s->end);
	free(s->group);
	free(s->hash);
	free(s->outer);
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

static void
mark(struct sprouts *s, uint32_t group, uint32_t list, uint8_t *outer)
{
	size_t old = s->seen_cap;

	VEC_ROOM(s->seen, s->seen_cap, (size_t)group + 1);
	for (size_t i = old; i < s->seen_cap; i++)
		s->seen[i] = 0;
	*outer = s->seen[group] != list + 1;
	s->seen[group] = list + 1;
}

static void
read_list(struct knots *k, const struct place_list *l, uint32_t list,
    const struct report_place *places)
{
	struct sprouts *s = k->sprouts;
	uint64_t h = 0;

	VEC_ROOM(s->group, s->group_cap, l->count);
	VEC_ROOM(s->hash, s->hash_cap, l->count);
	VEC_ROOM(s->outer, s->outer_cap, l->count);
	for (uint32_t d = 0; d < l->count; d++) {
		uint32_t group = places[place_at(k, l, d)].group;

		h = (h ^ group) * UINT64_C(0x9e3779b97f4a7c15);
		h ^= h >> 29;
		s->group[d] = group;
		s->hash[d] = h;
		mark(s, group, list, &s->outer[d]);
	}
}

/* Whether the sprout's path is the one that was read: hashes may collide. */
static bool
same_path(const struct knots *k, uint32_t sprout, uint32_t depth,
    const struct place_list *lists, const struct report_place *places)
{
	const struct sprout *at = &k->sprouts->list[sprout];
	const struct place_list *l = &lists[at->list];

	if (at->depth != depth)
		return false;
	for (uint32_t d = depth; d-- > 0;) {
		if (places[place_at(k, l, d)].group != k->sprouts->group[d])
			return false;
	}
	return true;
}

/* The sprout at the end of the longest known part of the path, by halving:
 * where a path is known, all that it begins with is. */
static uint32_t
longest(const struct knots *k, uint32_t n, const struct place_list *lists,
    const struct report_place *places, uint32_t *depth)
{
	const struct sprouts *s = k->sprouts;
	uint32_t low = 0, high = n, best = 0;

	while (low < high) {
		uint32_t mid = low + (high - low + 1) / 2;
		uint32_t at = map_find(&s->paths, s->hash[mid - 1]);

		if (at == MAP_NONE) {
			high = mid - 1;
		} else {
			low = mid;
			best = at;
		}
	}
	if (low && !same_path(k, best, low, lists, places)) {
		/* A collision: it may be in two pieces then. */
		low = 0;
		best = 0;
	}
	*depth = low;
	return best;
}

static void
add_list(struct knots *k, uint32_t list, const struct place_list *lists,
    const struct report_place *places)
{
	struct sprouts *s = k->sprouts;
	const struct place_list *l = &lists[list];
	uint32_t depth, at;

	read_list(k, l, list, places);
	at = longest(k, l->count, lists, places, &depth);
	VEC_ROOM(s->list, s->cap, s->count + l->count - depth);
	for (; depth < l->count; depth++) {
		uint32_t *known = map_put(&s->paths, s->hash[depth]);

		s->list[s->count] = (struct sprout){ .parent = at,
			.place = place_at(k, l, depth),
			.list = list,
			.depth = depth + 1,
			.outer = s->outer[depth] };
		at = (uint32_t)s->count++;
		if (*known == MAP_NONE)
			*known = at;
	}
	s->list[at].ends = true;
	s->end[list] = at;
}

/* Children in the order they were made. */
static void
link_children(struct sprouts *s)
{
	for (size_t i = 0; i < s->count; i++)
		s->list[i].child = s->list[i].sibling = 0;
	for (size_t i = s->count; i-- > 1;) {
		struct sprout *p = &s->list[s->list[i].parent];

		s->list[i].sibling = p->child;
		p->child = (uint32_t)i;
	}
}

/* Numbers in preorder: label[sprout]. */
static void
number(const struct sprouts *s, uint32_t *label)
{
	uint32_t at = 0, n = 0;

	label[at] = n++;
	for (;;) {
		uint32_t next = s->list[at].child;

		while (!next && at) {
			next = s->list[at].sibling;
			if (!next)
				at = s->list[at].parent;
		}
		if (!next)
			return;
		at = next;
		label[at] = n++;
	}
}

static void
make_runs(struct knots *k, const uint32_t *parent, const uint8_t *ends)
{
	uint32_t runs = 0;

	for (uint32_t i = 0; i < k->count; i++) {
		uint32_t p = parent[i];

		if (i > 0 && p == i - 1 && k->next[p] == k->next[i] &&
		    !ends[p]) {
			k->run[i] = runs - 1;
			continue;
		}
		k->above[runs] = i ? k->run[p] : 0;
		k->first[runs] = i;
		k->run[i] = runs++;
	}
	k->first[runs] = (uint32_t)k->count;
	k->run_count = runs;
}

/* By counting: how many of each group, where they begin, and there they go in
 * the order of the knots. */
static void
make_counts(struct knots *k, const uint8_t *outer)
{
	uint32_t n = 0, sum = 0;

	k->groups = 0;
	for (size_t i = 1; i < k->count; i++) {
		if (k->group[i] >= k->groups)
			k->groups = k->group[i] + 1;
		n += outer[i];
	}
	k->counts = xcalloc(n, sizeof *k->counts);
	k->of_group = xcalloc((size_t)k->groups + 2, sizeof *k->of_group);
	for (size_t i = 1; i < k->count; i++)
		k->of_group[k->group[i] + 2] += outer[i];
	for (uint32_t g = 0; g <= k->groups + 1; g++)
		sum = k->of_group[g] += sum;
	for (size_t i = 1; i < k->count; i++) {
		if (outer[i])
			k->counts[k->of_group[k->group[i] + 1]++] = k->run[i];
	}
}

static void
make_labels(struct knots *k, const struct report_place *places)
{
	struct sprouts *s = k->sprouts;
	size_t n = s->count;
	uint32_t *label = xcalloc(n, sizeof *label);
	uint32_t *parent = xcalloc(n, sizeof *parent);
	uint8_t *ends = xcalloc(n, 1);
	uint8_t *outer = xcalloc(n, 1);

	link_children(s);
	number(s, label);
	free_labels(k);
	k->count = n;
	k->place = xcalloc(n, sizeof *k->place);
	k->group = xcalloc(n, sizeof *k->group);
	k->next = xcalloc(n, sizeof *k->next);
	k->run = xcalloc(n, sizeof *k->run);
	k->above = xcalloc(n, sizeof *k->above);
	k->first = xcalloc(n + 1, sizeof *k->first);
	k->end = xcalloc(k->lists, sizeof *k->end);
	for (size_t i = 0; i < n; i++) {
		const struct sprout *from = &s->list[i];

		k->place[label[i]] = from->place;
		k->group[label[i]] = i ? places[from->place].group : 0;
		ends[label[i]] = from->ends;
		outer[label[i]] = i && from->outer;
		parent[label[i]] = label[from->parent];
	}
	for (uint32_t i = 0; i < n; i++)
		k->next[i] = i + 1;
	for (size_t i = n; i-- > 1;) {
		if (k->next[parent[i]] < k->next[i])
			k->next[parent[i]] = k->next[i];
	}
	make_runs(k, parent, ends);
	make_counts(k, outer);
	for (size_t i = 0; i < k->lists; i++)
		k->end[i] = k->run[label[s->end[i]]];
	free(label);
	free(parent);
	free(ends);
	free(outer);
}

void
knots_extend(struct knots *k, const struct place_list *lists, size_t count,
    const struct report_place *places)
{
	struct sprouts *s = k->sprouts;

	if (k->lists == count && k->count)
		return;
	if (s->count == 0) {
		VEC_ROOM(s->list, s->cap, 1);
		s->list[s->count++] = (struct sprout){ 0 };
	}
	VEC_ROOM(s->end, s->end_cap, count);
	for (size_t i = k->lists; i < count; i++)
		add_list(k, (uint32_t)i, lists, places);
	k->lists = count;
	make_labels(k, places);
}

double
knots_weight(const struct figures *f)
{
	return fabs(f->value) + fabs(f->base) / 2;
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

static void
add_one(struct run_sum *to, const struct report *r, uint32_t stack)
{
	const struct figures *f = &r->stacks[stack].f;
	struct run_sum one = { *f, knots_weight(f), stack, stack, 1,
		RUN_SUM_ANYWHERE };

	run_sum_add(to, &one);
}

const struct run_sum *
knots_sum(struct knots *k, const struct report *r)
{
	struct run_sum *sums = zero_sums(k, k->run_count);

	for (uint32_t i = 0; i < r->stack_count; i++) {
		if (i + AHEAD < r->stack_count)
			__builtin_prefetch(&sums[end_of(k, r, i + AHEAD)], 1);
		add_one(&sums[end_of(k, r, i)], r, i);
	}
	for (size_t i = k->run_count; i-- > 1;) {
		if (sums[i].stacks)
			run_sum_add(&sums[k->above[i]], &sums[i]);
	}
	return sums;
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
	for (uint32_t i = k->of_group[group]; i < k->of_group[group + 1]; i++) {
		const struct run_sum *s = &sums[k->slot[k->counts[i]]];

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
knots_mark_groups(const struct knots *k, const struct report *r,
    uint8_t *present, double *value)
{
	uint8_t *met = xcalloc(k->run_count, 1);

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
