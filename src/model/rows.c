#include "model/rows.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/map.h"
#include "base/mem.h"
#include "model/profile.h"
#include "model/report.h"

/* A row in the making: what sorting and cutting need. */
struct item {
	struct figures flat, cum;
	double weight;   /* what it is ordered by, descending */
	uint32_t stack;  /* the stack that weighs most in it */
	double heaviest; /* what that stack weighs */
	bool is_flat;    /* that stack is allocated right here */
	uint32_t at;     /* where in that stack the row's own frame is */
	uint32_t stacks; /* how many stacks */
	uint32_t id;     /* group, stack index or slot */
	uint32_t seen;   /* last stack counted, + 1 */
};

struct sorter {
	const struct report *r;
	struct item *items;
	size_t count;
};

static const struct report_stack *
stack_of(const struct report *r, const struct item *it)
{
	return &r->stacks[it->stack];
}

static struct place
own_place(const struct report *r, const struct item *it)
{
	return report_place(r, stack_of(r, it)->places[it->at]);
}

/* What the row is called; `text` is room for a made-up name. */
static const char *
name_of(const struct report *r, const struct item *it, char text[32])
{
	struct place p;
	const char *name;
	uint32_t tid;

	if (r->query.grouping == GROUP_THREADS) {
		name = profile_thread_name(r->profiles[0], (uint16_t)it->id);
		if (*name)
			return name;
		if (it->id == 0)
			return "other threads";
		tid = profile_thread_tid(r->profiles[0], (uint16_t)it->id);
		snprintf(text, 32, "thread %u", tid ? tid : it->id);
		return text;
	}
	p = own_place(r, it);
	if (r->query.grouping == GROUP_MODULES)
		return *p.module ? p.module : "?";
	if (r->query.grouping == GROUP_FILES)
		return *p.file ? p.file : *p.module ? p.module : "?";
	return p.function;
}

static int
by_weight(const struct report *r, const struct item *a, const struct item *b)
{
	char a_text[32], b_text[32];
	int order = 0;

	if (r->query.order != ORDER_NAME)
		order = (a->weight < b->weight) - (a->weight > b->weight);
	if (order == 0)
		order = strcmp(name_of(r, a, a_text), name_of(r, b, b_text));
	if (r->query.reverse)
		order = -order;
	return order ? order : (a->id > b->id) - (a->id < b->id);
}

static int
compare(const void *a, const void *b, void *w)
{
	return by_weight(((const struct sorter *)w)->r, a, b);
}

static double
weight(const struct report *r, const struct item *it)
{
	switch (r->query.order) {
	case ORDER_CUM: return it->cum.value;
	case ORDER_CHANGE: return figures_change(&it->flat);
	case ORDER_ABS_CHANGE: return fabs(figures_change(&it->flat));
	case ORDER_OBJECTS: return it->flat.objects;
	case ORDER_FLAT:
	case ORDER_NAME:
	case ORDER_COUNT: break;
	}
	return it->flat.value;
}

/* The stack counts in the row once, wherever it is in it. */
static void
count_stack(
    struct item *it, const struct report_stack *s, uint32_t stack, uint32_t at)
{
	double heavy = fabs(s->f.value) + fabs(s->f.base) / 2;
	bool flat = at == 0;

	if (it->seen != stack + 1) {
		it->seen = stack + 1;
		it->stacks++;
		figures_add(&it->cum, &s->f);
		/* Stacks allocated right here say more than others. */
		if (it->stacks == 1 || flat > it->is_flat ||
		    (flat == it->is_flat && heavy > it->heaviest)) {
			it->stack = stack;
			it->heaviest = heavy;
			it->is_flat = flat;
			it->at = at;
		}
	}
	if (flat)
		figures_add(&it->flat, &s->f);
}

static void
by_stack(struct sorter *w)
{
	const struct report *r = w->r;

	w->items = xcalloc(r->stack_count, sizeof *w->items);
	w->count = r->stack_count;
	for (size_t i = 0; i < r->stack_count; i++) {
		w->items[i] = (struct item){ .flat = r->stacks[i].f,
			.cum = r->stacks[i].f,
			.stack = (uint32_t)i,
			.stacks = 1,
			.id = (uint32_t)i };
	}
}

static void
by_group(struct sorter *w)
{
	const struct report *r = w->r;

	w->items = xcalloc(r->place_groups, sizeof *w->items);
	w->count = r->place_groups;
	for (uint32_t i = 0; i < r->stack_count; i++) {
		const struct report_stack *s = &r->stacks[i];

		for (uint32_t j = 0; j < s->count; j++) {
			uint32_t g = r->places[s->places[j]].group;

			w->items[g].id = g;
			count_stack(&w->items[g], s, i, j);
		}
	}
}

/* Slots are per profile; those with the same number are one row. */
static void
threads_of(struct sorter *w, uint32_t k)
{
	const struct report *r = w->r;
	struct moments m = moments_of(r->profiles[k], &r->query);
	bool is_base = k >= r->profile_count;
	size_t n;
	const struct profile_cell *cells = profile_cells(r->profiles[k], &n);

	if (is_base)
		m = (struct moments){ .history = m.history };
	for (uint32_t i = 0; i < n; i++) {
		uint32_t stack = r->stack_index[k][cells[i].stack];
		struct report_stack one;

		if (!stack ||
		    (r->query.thread >= 0 && cells[i].slot != r->query.thread))
			continue;
		one = r->stacks[stack - 1];
		one.f = figures_cell(&m, r->query.metric, &cells[i], i);
		if (is_base)
			one.f = (struct figures){ .base = one.f.value,
				.change_var = one.f.var };
		figures_differ(&one.f, &r->query);
		count_stack(&w->items[cells[i].slot], &one, stack - 1, 0);
	}
}

static void
by_thread(struct sorter *w)
{
	const struct report *r = w->r;
	size_t sources = r->profile_count + (r->query.base_profile != NULL);

	for (size_t k = 0; k < sources; k++) {
		size_t n;
		const struct profile_cell *c =
		    profile_cells(r->profiles[k], &n);

		for (size_t i = 0; i < n; i++) {
			if (c[i].slot >= w->count)
				w->count = (size_t)c[i].slot + 1;
		}
	}
	w->items = xcalloc(w->count, sizeof *w->items);
	for (uint32_t i = 0; i < w->count; i++)
		w->items[i].id = i;
	for (uint32_t k = 0; k < sources; k++)
		threads_of(w, k);
}

/* Rows that say nothing go, and are not counted as cut. */
static void
drop_empty(struct sorter *w)
{
	size_t to = 0;

	for (size_t i = 0; i < w->count; i++) {
		struct item *it = &w->items[i];

		if (figures_empty(&it->flat) && figures_empty(&it->cum))
			continue;
		it->weight = weight(w->r, it);
		w->items[to++] = *it;
	}
	w->count = to;
}

static void
swap(struct item *a, struct item *b)
{
	struct item c = *a;

	*a = *b;
	*b = c;
}

/* Hoare's selection: afterwards the first k items come before all others.  A
 * short rest is sorted. */
static void
select_first(struct sorter *w, size_t k)
{
	struct item *a = w->items;
	size_t low = 0, high = w->count;

	while (high - low > 16 && k > low && k < high) {
		struct item pivot = a[low + (high - low) / 2];
		size_t i = low, j = high - 1;

		for (;;) {
			while (by_weight(w->r, &a[i], &pivot) < 0)
				i++;
			while (by_weight(w->r, &a[j], &pivot) > 0)
				j--;
			if (i >= j)
				break;
			swap(&a[i++], &a[j--]);
		}
		if (k <= i)
			high = i;
		else
			low = i;
	}
	qsort_r(a + low, high - low, sizeof *a, compare, w);
}

static uint64_t
hash_string(uint64_t h, const char *s)
{
	for (; *s; s++)
		h = (h ^ (unsigned char)*s) * UINT64_C(0x100000001b3);
	return h;
}

static uint64_t
key_of(const struct report *r, const struct item *it, const struct place *p)
{
	const struct report_stack *s = stack_of(r, it);
	char text[32];

	switch (r->query.grouping) {
	case GROUP_STACKS: return (uint64_t)s->profile << 32 | s->id;
	case GROUP_THREADS: return it->id;
	case GROUP_ADDRESSES: return p->address;
	case GROUP_LINES:
		return map_mix(hash_string(p->line, p->file)) ^
		    hash_string(0, p->function);
	case GROUP_FUNCTIONS:
	case GROUP_FILES:
	case GROUP_MODULES:
	case GROUP_COUNT: break;
	}
	return map_mix(hash_string(1, name_of(r, it, text)));
}

/* When the stack was first seen by any thread. */
static uint64_t
first_ns(const uint64_t *first, const struct report_stack *s)
{
	return s->profile == 0 ? first[s->id] : 0;
}

static uint64_t *
first_times(const struct report *r)
{
	const struct profile *p = r->profiles[0];
	uint64_t *first =
	    xcalloc((size_t)stacks_count(profile_stacks(p)) + 1, sizeof *first);
	size_t n;
	const struct profile_cell *cells = profile_cells(p, &n);

	for (uint32_t i = 0; i < n; i++) {
		uint64_t at = history_first_ns(profile_history(p), i);
		uint64_t *to = &first[cells[i].stack];

		if (at && (*to == 0 || at < *to))
			*to = at;
	}
	return first;
}

static void
make_row(struct report *r, const struct item *it, const uint64_t *first,
    struct report_row *row)
{
	const struct report_stack *s = stack_of(r, it);
	struct place p = own_place(r, it);
	char text[32];
	const char *name = name_of(r, it, text);
	bool grouped_by_file = r->query.grouping == GROUP_MODULES ||
	    r->query.grouping == GROUP_FILES ||
	    r->query.grouping == GROUP_THREADS;

	if (name == text)
		name = arena_strndup(&r->arena, text, strlen(text));
	*row = (struct report_row){ .key = key_of(r, it, &p),
		.name = name,
		.file = grouped_by_file ? "" : p.file,
		.line = grouped_by_file ? 0 : p.line,
		.f = it->flat,
		.cum = it->cum,
		.places = s->places + it->at,
		.count = s->count - it->at,
		.stack = it->stack,
		.stacks = it->stacks,
		.first_ns = first_ns(first, s) };
}

/* How many of the sorted items are shown. */
static size_t
shown(const struct sorter *w, size_t most)
{
	double least = w->r->query.min_fraction * fabs(w->r->local.value);
	size_t n = most;

	/* Only a tail can go, so that the order is not broken. */
	while (n > 0 && least > 0 && fabs(w->items[n - 1].flat.value) < least &&
	    fabs(w->items[n - 1].cum.value) < least)
		n--;
	return n;
}

void
rows_build(struct report *r)
{
	struct sorter w = { .r = r };
	size_t most;
	uint64_t *first;
	struct report_row *rows;

	if (r->query.grouping == GROUP_STACKS)
		by_stack(&w);
	else if (r->query.grouping == GROUP_THREADS)
		by_thread(&w);
	else
		by_group(&w);
	drop_empty(&w);
	r->group_count = w.count;
	most = w.count;
	if (r->query.max_rows && r->query.max_rows < most) {
		most = r->query.max_rows;
		select_first(&w, most);
	}
	qsort_r(w.items, most, sizeof *w.items, compare, &w);
	r->row_count = shown(&w, most);
	rows = arena_alloc(&r->arena, r->row_count * sizeof *rows);
	first = first_times(r);
	r->remainder = r->local;
	for (size_t i = 0; i < r->row_count; i++) {
		make_row(r, &w.items[i], first, &rows[i]);
		figures_sub(&r->remainder, &rows[i].f);
	}
	r->rows = rows;
	r->remainder_count = w.count - r->row_count;
	free(first);
	free(w.items);
}
