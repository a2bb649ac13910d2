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
	uint32_t stack;  /* the stack that weighs most in it */
	double heaviest; /* what that stack weighs */
	bool is_flat;    /* that stack is allocated right here */
	uint32_t at;     /* where in that stack the row's own frame is */
	uint32_t stacks; /* how many stacks */
	uint32_t id;     /* group, stack index or slot */
};

/* What is moved about while sorting. */
struct key {
	double weight; /* what rows are ordered by, descending */
	uint32_t id;   /* of the item */
};

struct sorter {
	const struct report *r;
	struct item *items; /* [id]; NULL: each stack is one */
	uint32_t *seen;     /* [id]: last stack counted, + 1 */
	size_t item_count;
	struct key *keys;
	size_t count;
};

static struct item
item_at(const struct sorter *w, uint32_t id)
{
	const struct report_stack *s;

	if (w->items)
		return w->items[id];
	s = &w->r->stacks[id];
	return (struct item){
		.flat = s->f, .cum = s->f, .stack = id, .stacks = 1, .id = id
	};
}

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
by_name(const struct sorter *w, const struct key *a, const struct key *b)
{
	struct item x = item_at(w, a->id), y = item_at(w, b->id);
	char x_text[32], y_text[32];

	return strcmp(name_of(w->r, &x, x_text), name_of(w->r, &y, y_text));
}

static int
by_weight(const struct sorter *w, const struct key *a, const struct key *b)
{
	int order = (a->weight < b->weight) - (a->weight > b->weight);

	if (order == 0)
		order = by_name(w, a, b);
	if (w->r->query.reverse)
		order = -order;
	return order ? order : (a->id > b->id) - (a->id < b->id);
}

static int
compare(const void *a, const void *b, void *w)
{
	return by_weight(w, a, b);
}

static double
weight(const struct report *r, const struct item *it)
{
	switch (r->query.order) {
	case ORDER_CUM: return it->cum.value;
	case ORDER_CHANGE: return figures_change(&it->flat);
	case ORDER_ABS_CHANGE: return fabs(figures_change(&it->flat));
	case ORDER_OBJECTS: return it->flat.objects;
	case ORDER_NAME: return 0;
	case ORDER_FLAT:
	case ORDER_COUNT: break;
	}
	return it->flat.value;
}

/* The stack counts in the row once, wherever it is in it. */
static void
count_stack(struct sorter *w, uint32_t id, const struct report_stack *s,
    uint32_t stack, uint32_t at)
{
	struct item *it = &w->items[id];
	bool flat = at == 0;
	double heavy;

	if (flat)
		figures_add(&it->flat, &s->f);
	if (w->seen[id] == stack + 1)
		return;
	w->seen[id] = stack + 1;
	it->stacks++;
	figures_add(&it->cum, &s->f);
	/* Stacks allocated right here say more than others. */
	heavy = fabs(s->f.value) + fabs(s->f.base) / 2;
	if (it->stacks == 1 || flat > it->is_flat ||
	    (flat == it->is_flat && heavy > it->heaviest)) {
		it->stack = stack;
		it->heaviest = heavy;
		it->is_flat = flat;
		it->at = at;
	}
}

static void
make_items(struct sorter *w, size_t n)
{
	w->item_count = n;
	w->items = xcalloc(n, sizeof *w->items);
	w->seen = xcalloc(n, sizeof *w->seen);
	for (uint32_t i = 0; i < n; i++)
		w->items[i].id = i;
}

static void
by_group(struct sorter *w)
{
	const struct report *r = w->r;

	make_items(w, r->place_groups);
	for (uint32_t i = 0; i < r->stack_count; i++) {
		const struct report_stack *s = &r->stacks[i];

		for (uint32_t j = 0; j < s->count; j++) {
			uint32_t g = r->places[s->places[j]].group;

			if (j == 0 || w->seen[g] != i + 1)
				count_stack(w, g, s, i, j);
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
		count_stack(w, cells[i].slot, &one, stack - 1, 0);
	}
}

static void
by_thread(struct sorter *w)
{
	const struct report *r = w->r;
	size_t sources = r->profile_count + (r->query.base_profile != NULL);
	size_t slots = 0;

	for (size_t k = 0; k < sources; k++) {
		size_t n;
		const struct profile_cell *c =
		    profile_cells(r->profiles[k], &n);

		for (size_t i = 0; i < n; i++) {
			if (c[i].slot >= slots)
				slots = (size_t)c[i].slot + 1;
		}
	}
	make_items(w, slots);
	for (uint32_t k = 0; k < sources; k++)
		threads_of(w, k);
}

/* Rows that say nothing go, and are not counted as cut. */
static void
make_keys(struct sorter *w)
{
	w->keys = xcalloc(w->item_count, sizeof *w->keys);
	for (uint32_t i = 0; i < w->item_count; i++) {
		struct item it = item_at(w, i);

		if (figures_empty(&it.flat) && figures_empty(&it.cum))
			continue;
		w->keys[w->count++] = (struct key){ weight(w->r, &it), i };
	}
}

static void
swap(struct key *a, struct key *b)
{
	struct key c = *a;

	*a = *b;
	*b = c;
}

/* Hoare's selection: afterwards the first k items come before all others.  A
 * short rest is sorted. */
static void
select_first(struct sorter *w, size_t k)
{
	struct key *a = w->keys;
	size_t low = 0, high = w->count;

	while (high - low > 16 && k > low && k < high) {
		struct key pivot = a[low + (high - low) / 2];
		size_t i = low, j = high - 1;

		for (;;) {
			while (by_weight(w, &a[i], &pivot) < 0)
				i++;
			while (by_weight(w, &a[j], &pivot) > 0)
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

/* Cells are numbered as they appear, so the stack's first is the oldest. */
static uint64_t
first_ns(const struct report *r, const struct report_stack *s)
{
	return history_first_ns(
	    profile_history(r->profiles[s->profile]), s->cell);
}

static void
make_row(struct report *r, const struct item *it, struct report_row *row)
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
		.first_ns = first_ns(r, s) };
}

/* How many of the sorted rows are shown.  Only a tail can go, so that the
 * order is not broken. */
static size_t
shown(const struct sorter *w, size_t most)
{
	double least = w->r->query.min_fraction * fabs(w->r->local.value);
	size_t n = most;

	for (; n > 0 && least > 0; n--) {
		struct item it = item_at(w, w->keys[n - 1].id);

		if (fabs(it.flat.value) >= least || fabs(it.cum.value) >= least)
			break;
	}
	return n;
}

void
rows_build(struct report *r)
{
	struct sorter w = { .r = r, .item_count = r->stack_count };
	size_t most;
	struct report_row *rows;

	if (r->query.grouping == GROUP_THREADS)
		by_thread(&w);
	else if (r->query.grouping != GROUP_STACKS)
		by_group(&w);
	make_keys(&w);
	r->group_count = w.count;
	most = w.count;
	if (r->query.max_rows && r->query.max_rows < most) {
		most = r->query.max_rows;
		select_first(&w, most);
	}
	qsort_r(w.keys, most, sizeof *w.keys, compare, &w);
	r->row_count = shown(&w, most);
	rows = arena_alloc(&r->arena, r->row_count * sizeof *rows);
	r->remainder = r->local;
	for (size_t i = 0; i < r->row_count; i++) {
		struct item it = item_at(&w, w.keys[i].id);

		make_row(r, &it, &rows[i]);
		figures_sub(&r->remainder, &rows[i].f);
	}
	r->rows = rows;
	r->remainder_count = w.count - r->row_count;
	free(w.keys);
	free(w.items);
	free(w.seen);
}
