#include "model/rows.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/map.h"
#include "base/mem.h"
#include "model/frames.h"
#include "model/profile.h"
#include "model/report.h"
#include "model/report_knots.h"
#include "model/report_shape.h"
#include "model/row_order.h"

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

struct sorter {
	const struct report *r;
	struct item *items; /* [id]; NULL: each stack is one */
	/* [group]: something goes through it; NULL: cum is known. */
	uint8_t *present;
	uint32_t *seen; /* [id]: last stack counted, + 1 */
	size_t item_count;
	struct row_key *keys;
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

static const struct frame_name *
names_of(const struct report *r, const struct item *it)
{
	return &shape_names(r->shape)[stack_of(r, it)->places[it->at]];
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
	if (r->query.grouping != GROUP_MODULES &&
	    r->query.grouping != GROUP_FILES)
		return names_of(r, it)->function;
	p = own_place(r, it);
	if (r->query.grouping == GROUP_FILES && *p.file)
		return p.file;
	return *p.module ? p.module : "?";
}

static double
weight(const struct report *r, const struct figures *flat,
    const struct figures *cum)
{
	switch (r->query.order) {
	case ORDER_CUM: return cum->value;
	case ORDER_CHANGE: return figures_change(flat);
	case ORDER_ABS_CHANGE: return fabs(figures_change(flat));
	case ORDER_OBJECTS: return flat->objects;
	case ORDER_NAME: return 0;
	case ORDER_FLAT:
	case ORDER_COUNT: break;
	}
	return flat->value;
}

/* A stack's share of a thread. */
static void
count_stack(
    struct sorter *w, uint32_t id, const struct figures *f, uint32_t stack)
{
	struct item *it = &w->items[id];
	double heavy = knots_weight(f);

	figures_add(&it->flat, f);
	if (w->seen[id] == stack + 1)
		return;
	w->seen[id] = stack + 1;
	it->stacks++;
	figures_add(&it->cum, f);
	if (it->stacks == 1 || heavy > it->heaviest) {
		it->stack = stack;
		it->heaviest = heavy;
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

/* Figures of the stacks allocated right in a group. */
static void
add_flat(struct sorter *w, uint32_t stack, uint32_t group)
{
	const struct report_stack *s = &w->r->stacks[stack];
	struct item *it = &w->items[group];
	double heavy = knots_weight(&s->f);

	figures_add(&it->flat, &s->f);
	if (it->is_flat && heavy <= it->heaviest)
		return;
	it->is_flat = true;
	it->heaviest = heavy;
	it->stack = stack;
}

/* Where the group is first in its stack, from the leaf. */
static uint32_t
find_group(const struct report *r, const struct item *it)
{
	const struct report_stack *s = &r->stacks[it->stack];
	uint32_t at = 0;

	while (at + 1 < s->count && r->places[s->places[at]].group != it->id)
		at++;
	return at;
}

/* What passes through groups, for those with wanted[group].  Stacks allocated
 * right there say more than those that pass. */
static void
add_passing(struct sorter *w, const uint8_t *wanted)
{
	const struct report *r = w->r;
	struct knots *k = shape_knots(r->shape, false);
	struct run_sum *sums = xcalloc(w->item_count, sizeof *sums);

	knots_sum_groups(k, r, wanted, sums);
	for (size_t i = 0; i < w->item_count; i++) {
		struct item *it = &w->items[i];

		if (!sums[i].stacks)
			continue;
		it->cum = sums[i].f;
		it->stacks = sums[i].stacks;
		if (!it->is_flat) {
			it->heaviest = sums[i].heaviest;
			it->stack = sums[i].stack;
		}
		it->at = find_group(r, it);
	}
	free(sums);
}

static bool
named_by_function(const struct query *q)
{
	return q->grouping == GROUP_STACKS || q->grouping == GROUP_FUNCTIONS ||
	    q->grouping == GROUP_LINES;
}

/* Whether the order, or which rows there are, can be told without what passes
 * through them: sums of what has one sign are not empty where a part is not. */
static bool
flat_suffices(const struct query *q)
{
	return named_by_function(q) && q->max_rows > 0 &&
	    q->order != ORDER_CUM && !q->difference && q->min_fraction <= 0;
}

static void
by_group(struct sorter *w)
{
	const struct report *r = w->r;
	const struct place_list *lists = shape_lists(r->shape);

	make_items(w, r->place_groups);
	for (uint32_t i = 0; i < r->stack_count; i++)
		add_flat(w, i, lists[r->stack_lists[i]].group);
	w->present = xcalloc(w->item_count, 1);
	if (!flat_suffices(&r->query)) {
		memset(w->present, 1, w->item_count);
		add_passing(w, w->present);
		free(w->present);
		w->present = NULL;
		return;
	}
	knots_mark_groups(shape_knots(r->shape, false), r, w->present);
}

/* The rows to be shown are known: what of them was not looked at yet. */
static void
fill_shown(struct sorter *w, size_t shown)
{
	uint8_t *wanted;

	if (!w->present)
		return;
	wanted = xcalloc(w->item_count, 1);
	for (size_t i = 0; i < shown; i++)
		wanted[w->keys[i].id] = 1;
	add_passing(w, wanted);
	free(wanted);
}

/* Slots are per profile; those with the same number are one row. */
static void
threads_of(struct sorter *w, uint32_t k)
{
	const struct report *r = w->r;
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
		count_stack(w, cells[i].slot, &one, stack - 1);
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

/* Where names are not those of functions there are few of them. */
struct named {
	const char *name;
	uint32_t key;
};

static int
by_name(const void *a, const void *b)
{
	return strcmp(
	    ((const struct named *)a)->name, ((const struct named *)b)->name);
}

static void
rank_by_name(struct sorter *w, size_t n)
{
	struct named *names = xcalloc(n, sizeof *names);
	char(*texts)[32] = xcalloc(n, sizeof *texts);
	uint32_t rank = 0;

	for (uint32_t i = 0; i < n; i++) {
		struct item it = item_at(w, w->keys[i].id);

		names[i] = (struct named){ name_of(w->r, &it, texts[i]), i };
	}
	qsort(names, n, sizeof *names, by_name);
	for (uint32_t i = 0; i < n; i++) {
		if (i > 0 && by_name(&names[i - 1], &names[i]) != 0)
			rank = i;
		w->keys[names[i].key].rank = rank;
	}
	free(texts);
	free(names);
}

/* By the function of the row's own frame. */
static void
rank_by_function(struct sorter *w, size_t n)
{
	const struct report *r = w->r;
	const uint32_t *ranks = shape_ranks(r->shape);
	const struct place_list *lists = shape_lists(r->shape);

	for (size_t i = 0; i < n; i++) {
		uint32_t id = w->keys[i].id;

		if (!w->items)
			id = lists[r->stack_lists[id]].group;
		w->keys[i].rank = ranks[id];
	}
}

static bool
says_nothing(const struct sorter *w, uint32_t id)
{
	if (!w->items)
		return figures_empty(&w->r->stacks[id].f);
	if (w->present && w->present[id])
		return false;
	return figures_empty(&w->items[id].flat) &&
	    figures_empty(&w->items[id].cum);
}

/* Rows that say nothing go, and are not counted as cut. */
static void
make_keys(struct sorter *w)
{
	w->keys = xreallocarray(NULL, w->item_count, sizeof *w->keys);
	for (uint32_t i = 0; i < w->item_count; i++) {
		double value;

		if (says_nothing(w, i))
			continue;
		value = w->items
		    ? weight(w->r, &w->items[i].flat, &w->items[i].cum)
		    : weight(w->r, &w->r->stacks[i].f, &w->r->stacks[i].f);
		w->keys[w->count++] =
		    (struct row_key){ .weight = row_weight(value), .id = i };
	}
	for (size_t i = 0; w->r->query.reverse && i < w->count; i++)
		w->keys[i].weight = ~w->keys[i].weight;
}

/* The first `most` in their order. */
static void
sort_keys(struct sorter *w, size_t most)
{
	size_t n = row_order_select(w->keys, w->count, most);

	if (named_by_function(&w->r->query))
		rank_by_function(w, n);
	else
		rank_by_name(w, n);
	for (size_t i = 0; w->r->query.reverse && i < n; i++)
		w->keys[i].rank = ~w->keys[i].rank;
	row_order_sort(w->keys, n);
}

static uint64_t
hash_string(uint64_t h, const char *s)
{
	for (; *s; s++)
		h = (h ^ (unsigned char)*s) * UINT64_C(0x100000001b3);
	return h;
}

static uint64_t
key_of(const struct report *r, const struct item *it)
{
	const struct report_stack *s = stack_of(r, it);
	const struct frame_name *p = names_of(r, it);
	char text[32];

	switch (r->query.grouping) {
	case GROUP_STACKS: return (uint64_t)s->profile << 32 | s->id;
	case GROUP_THREADS: return it->id;
	case GROUP_ADDRESSES: return own_place(r, it).address;
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
	const struct frame_name *p = names_of(r, it);
	char text[32];
	const char *name = name_of(r, it, text);
	bool grouped_by_file = r->query.grouping == GROUP_MODULES ||
	    r->query.grouping == GROUP_FILES ||
	    r->query.grouping == GROUP_THREADS;

	if (name == text)
		name = arena_strndup(&r->arena, text, strlen(text));
	*row = (struct report_row){ .key = key_of(r, it),
		.name = name,
		.file = grouped_by_file ? "" : p->file,
		.line = grouped_by_file ? 0 : p->line,
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
	if (r->query.max_rows && r->query.max_rows < most)
		most = r->query.max_rows;
	sort_keys(&w, most);
	r->row_count = shown(&w, most);
	fill_shown(&w, r->row_count);
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
	free(w.present);
	free(w.seen);
}
