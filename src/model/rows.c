#include "model/rows.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/map.h"
#include "base/mem.h"
#include "model/frames.h"
#include "model/profile.h"
#include "model/report.h"
#include "model/report_knots.h"
#include "model/report_shape.h"
#include "model/row_items.h"
#include "model/row_order.h"

/* Rows in their order, to be made. */
struct row_source {
	struct report *r;
	struct row_items *items;
	struct row_key *keys;
	size_t count;
};

static const struct report_stack *
stack_of(const struct report *r, const struct item *it)
{
	return &r->stacks[it->stack];
}

static uint32_t
place_at(const struct report *r, const struct item *it)
{
	return stack_of(r, it)->places[it->at];
}

static struct frame_name
names_of(const struct report *r, const struct item *it)
{
	const struct report_place *p = &r->places[place_at(r, it)];

	return frames_name(
	    profile_frames_const(r->profiles[p->profile]), p->frame, p->level);
}

static struct place
own_place(const struct report *r, const struct item *it)
{
	return report_place(r, place_at(r, it));
}

/* A thread's; the first source that knows it says it. */
static const char *
thread_name(const struct report *r, uint16_t slot, char text[32])
{
	size_t n = r->profile_count + (r->query.base_profile != NULL);
	uint32_t tid = 0;

	for (size_t k = 0; k < n; k++) {
		const char *name = profile_thread_name(r->profiles[k], slot);

		if (*name)
			return name;
	}
	if (slot == 0)
		return "other threads";
	for (size_t k = 0; k < n && !tid; k++)
		tid = profile_thread_tid(r->profiles[k], slot);
	snprintf(text, 32, "thread %u", tid ? tid : slot);
	return text;
}

/* What the row is called; `text` is room for a made-up name. */
static const char *
name_of(const struct report *r, const struct item *it, char text[32])
{
	struct place p;

	if (r->query.grouping == GROUP_THREADS)
		return thread_name(r, (uint16_t)it->id, text);
	if (r->query.grouping != GROUP_MODULES &&
	    r->query.grouping != GROUP_FILES)
		return names_of(r, it).function;
	p = own_place(r, it);
	if (r->query.grouping == GROUP_FILES && *p.file)
		return p.file;
	return *p.module ? p.module : "?";
}

static double
weight(const struct report *r, const struct figures *flat, double cum)
{
	switch (r->query.order) {
	case ORDER_CUM: return cum;
	case ORDER_CHANGE: return figures_change(flat);
	case ORDER_ABS_CHANGE: return fabs(figures_change(flat));
	case ORDER_OBJECTS: return flat->objects;
	case ORDER_NAME: return 0;
	case ORDER_FLAT:
	case ORDER_COUNT: break;
	}
	return flat->value;
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
rank_by_name(struct row_source *w, size_t n)
{
	struct named *names = xcalloc(n, sizeof *names);
	char(*texts)[32] = xcalloc(n, sizeof *texts);
	uint32_t rank = 0;

	for (uint32_t i = 0; i < n; i++) {
		struct item it = row_items_at(w->items, w->keys[i].id, NULL);

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
rank_by_function(struct row_source *w, size_t n)
{
	const struct report *r = w->r;
	const uint32_t *ranks = shape_ranks(r->shape);
	const struct place_list *lists = shape_lists(r->shape);

	for (size_t i = 0; i < n; i++) {
		uint32_t id = w->keys[i].id;

		if (r->query.grouping == GROUP_STACKS)
			id = lists[r->stack_lists[id]].group;
		w->keys[i].rank = ranks[id];
	}
}

/* What is said of all rows, whether they are made or not. */
static void
take_in(struct report *r, const struct figures *f)
{
	r->idle_count += f->value == 0 && figures_change(f) == 0;
	if (f->value > r->max_value)
		r->max_value = f->value;
}

/* Rows that say nothing go, and are not counted as cut. */
static void
make_keys(struct row_source *w)
{
	size_t n = row_items_count(w->items);

	w->keys = xreallocarray(NULL, n, sizeof *w->keys);
	for (uint32_t i = 0; i < n; i++) {
		uint64_t v;

		if (row_items_empty(w->items, i))
			continue;
		v = row_weight(weight(w->r, row_items_flat(w->items, i),
		    row_items_cum(w->items, i)));
		w->keys[w->count++] =
		    (struct row_key){ .weight = w->r->query.reverse ? ~v : v,
			    .id = i };
		take_in(w->r, row_items_flat(w->items, i));
	}
}

/* The first `most` in their order. */
static void
sort_keys(struct row_source *w, size_t most)
{
	size_t n = row_order_select(w->keys, w->count, most);

	if (row_items_named(&w->r->query))
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
key_of(
    const struct report *r, const struct item *it, const struct report_row *row)
{
	const struct report_stack *s = stack_of(r, it);

	switch (r->query.grouping) {
	case GROUP_STACKS: return (uint64_t)s->profile << 32 | s->id;
	case GROUP_THREADS: return it->id;
	case GROUP_ADDRESSES: return report_place_address(r, place_at(r, it));
	case GROUP_LINES:
		return map_mix(hash_string(row->line, row->file)) ^
		    hash_string(0, row->name);
	case GROUP_FUNCTIONS:
	case GROUP_FILES:
	case GROUP_MODULES:
	case GROUP_COUNT: break;
	}
	return map_mix(hash_string(1, row->name));
}

/* Cells are numbered as they appear, so the stack's first is the oldest. */
static uint64_t
first_ns(const struct report *r, const struct report_stack *s)
{
	return profile_first_ns(r->profiles[s->profile], s->cell);
}

/* Who makes rows, and where the names go that have to be made. */
struct row_maker {
	const struct report *r;
	struct arena *arena; /* NULL: they stay in `text`, until the next */
	struct buf *text;
};

static const char *
made_name(struct row_maker *m)
{
	return m->arena ? arena_strndup(m->arena, m->text->data, m->text->len)
			: buf_str(m->text);
}

/* Texts that frames keep are good for longer than a report, but too many to
 * be kept where rows are. */
static void
name_row(struct row_maker *m, const struct item *it, struct report_row *row)
{
	const struct report_place *p = &m->r->places[place_at(m->r, it)];
	const struct frames *f =
	    profile_frames_const(m->r->profiles[p->profile]);
	struct frame_name name = { NULL, "", 0 };

	if (!m->arena && frames_state(f, p->frame) != FRAME_NAMED) {
		buf_clear(m->text);
		frames_put_text(f, p->frame, m->text);
		name.function = made_name(m);
	} else {
		name = frames_name(f, p->frame, p->level);
	}
	row->name = name.function;
	row->file = name.file;
	row->line = name.line;
	row->inlined = p->level + 1 < frames_depth(f, p->frame);
}

/* By file, module or thread. */
static void
name_other(struct row_maker *m, const struct item *it, struct report_row *row)
{
	char text[32];
	const char *name = name_of(m->r, it, text);

	if (name == text) {
		buf_clear(m->text);
		buf_puts(m->text, text);
		name = made_name(m);
	}
	row->name = name;
	row->file = "";
}

static void
make_row(struct row_maker *m, const struct item *it, struct report_row *row)
{
	const struct report_stack *s = stack_of(m->r, it);
	enum grouping g = m->r->query.grouping;

	*row = (struct report_row){ .f = it->flat,
		.cum = it->cum,
		.places = s->places + it->at,
		.count = s->count - it->at,
		.stack = it->stack,
		.stacks = it->stacks,
		.first_ns = first_ns(m->r, s) };
	if (g == GROUP_MODULES || g == GROUP_FILES || g == GROUP_THREADS)
		name_other(m, it, row);
	else
		name_row(m, it, row);
	row->key = key_of(m->r, it, row);
}

/* How many of the sorted rows are shown.  Only a tail can go, so that the
 * order is not broken. */
static size_t
shown(const struct row_source *w, size_t most)
{
	double least = w->r->query.min_fraction * fabs(w->r->local.value);
	size_t n = most;

	for (; n > 0 && least > 0; n--) {
		uint32_t id = w->keys[n - 1].id;

		if (fabs(row_items_flat(w->items, id)->value) >= least ||
		    fabs(row_items_cum(w->items, id)) >= least)
			break;
	}
	return n;
}

static void
make_rows(struct row_source *w)
{
	struct report *r = w->r;
	struct report_row *rows =
	    arena_alloc(&r->arena, r->row_count * sizeof *rows);
	struct run_sum *passing =
	    row_items_passing(w->items, w->keys, r->row_count);
	struct buf text = BUF_INIT;
	struct row_maker m = { r, &r->arena, &text };

	for (size_t i = 0; i < r->row_count; i++) {
		struct item it = row_items_at(
		    w->items, w->keys[i].id, passing ? &passing[i] : NULL);

		make_row(&m, &it, &rows[i]);
	}
	r->rows = rows;
	free(passing);
	buf_fini(&text);
}

static void
order(struct row_source *w)
{
	struct report *r = w->r;
	size_t most = r->query.max_rows;

	w->items = row_items_new(r);
	make_keys(w);
	row_items_weighed(w->items);
	if (most == 0 || most > w->count)
		most = w->count;
	sort_keys(w, most);
	r->group_count = w->count;
	r->row_count = shown(w, most);
	r->remainder_count = w->count - r->row_count;
	r->remainder = r->local;
	for (size_t i = 0; i < r->row_count; i++) {
		figures_sub(
		    &r->remainder, row_items_flat(w->items, w->keys[i].id));
	}
}

void
rows_build(struct report *r)
{
	struct row_source *w = xcalloc(1, sizeof *w);

	w->r = r;
	order(w);
	if (r->query.piece) {
		if (r->row_count > r->query.piece)
			row_items_ordered(w->items);
		r->row_source = w;
		return;
	}
	make_rows(w);
	row_source_free(w);
}

void
row_source_free(struct row_source *w)
{
	if (!w)
		return;
	row_items_free(w->items);
	free(w->keys);
	free(w);
}

/* ---- in pieces -------------------------------------------------------------- */

static void
next_piece(struct report_rows *rows)
{
	const struct report *r = rows->report;
	const struct row_source *w = r->row_source;

	free(rows->passing);
	rows->from = rows->next;
	rows->count = r->row_count - rows->from;
	if (rows->count > r->query.piece)
		rows->count = r->query.piece;
	rows->passing =
	    row_items_passing(w->items, w->keys + rows->from, rows->count);
}

/* Sorted by names, rows are all over the memory, one step behind the other:
 * each step is fetched so many rows before the next. */
#define AHEAD 6

/* Where a later row of the piece has its own place; NULL if that is not known
 * beforehand. */
static const uint32_t *
later_place(const struct report_rows *rows, size_t ahead)
{
	size_t i = rows->next - rows->from + ahead;
	const struct run_sum *s;

	if (i >= rows->count)
		return NULL;
	s = &rows->passing[i];
	if (!s->stacks || s->at == RUN_SUM_ANYWHERE)
		return NULL;
	return &rows->report->stacks[s->stack].places[s->at];
}

static void
fetch_ahead(const struct report_rows *rows)
{
	const struct report *r = rows->report;
	size_t i = rows->next - rows->from + 4 * AHEAD;
	const uint32_t *place;

	if (!rows->passing)
		return;
	if (i < rows->count)
		__builtin_prefetch(&r->stacks[rows->passing[i].stack].places);
	place = later_place(rows, 3 * AHEAD);
	if (place)
		__builtin_prefetch(place);
	place = later_place(rows, 2 * AHEAD);
	if (place)
		__builtin_prefetch(&r->places[*place]);
	place = later_place(rows, AHEAD);
	if (place)
		frames_fetch(profile_frames_const(
				 r->profiles[r->places[*place].profile]),
		    r->places[*place].frame);
}

static void
next_row(struct report_rows *rows)
{
	const struct row_source *w = rows->report->row_source;
	struct row_maker m = { rows->report, NULL, &rows->text };
	size_t i = rows->next - rows->from;
	struct item it = row_items_at(w->items, w->keys[rows->next].id,
	    rows->passing ? &rows->passing[i] : NULL);

	make_row(&m, &it, &rows->row);
}

const struct report_row *
report_rows_next(struct report_rows *rows)
{
	const struct report *r = rows->report;

	if (rows->next == r->row_count) {
		report_rows_end(rows);
		return NULL;
	}
	if (r->row_source) {
		if (rows->next == rows->from + rows->count)
			next_piece(rows);
		fetch_ahead(rows);
		next_row(rows);
	}
	rows->next++;
	return r->row_source ? &rows->row : &r->rows[rows->next - 1];
}

void
report_rows_end(struct report_rows *rows)
{
	free(rows->passing);
	rows->passing = NULL;
	buf_fini(&rows->text);
}
