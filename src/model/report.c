#include "model/report.h"

#include <stdlib.h>
#include <string.h>

#include "base/map.h"
#include "base/mem.h"
#include "model/frames.h"
#include "model/modules.h"
#include "model/notes.h"
#include "model/profile.h"
#include "model/report_shape.h"
#include "model/rows.h"
#include "model/tree.h"

/* What the objects of an entry are in all, of the moment and of what it is
 * compared with: for their average.  Where there are none any more it is that
 * of what was allocated. */
struct size {
	double bytes, objects;
	double alloc_bytes, alloc_objects;
};

/* An entry is a stack, or several of different profiles that are the same; of
 * one profile alone entry N is stack N + 1.  It stands where the report's stack
 * will, until those that say nothing are left out. */
struct build {
	struct report *r;
	const struct query *q;
	size_t source_count;
	/* Of several profiles: */
	uint32_t **entry_of;          /* [source][stack id] -> entry + 1 */
	struct stack_ref *refs;       /* [entry] */
	struct report_stack *entries; /* [entry]; in the arena */
	size_t begun;                 /* how many of them are filled in */
	struct size *sizes;           /* [entry]; NULL: nobody asks */
	uint64_t *moved; /* [entry]: not 0 if a thread's share has changed */
	size_t count;
	struct shape *shape;
};

static void
add_sizes(struct size *to, const struct figures *f, const struct cell_values *v)
{
	to->bytes += f->bytes;
	to->objects += f->objects;
	to->alloc_bytes += v->alloc_bytes;
	to->alloc_objects += v->alloc_objects;
}

/* Is the average object of the size that is asked for? */
static bool
has_size(const struct build *b, size_t entry)
{
	const struct query *q = b->q;
	const struct size *s;
	double average;

	if (!b->sizes)
		return true;
	s = &b->sizes[entry];
	if (s->objects > 0)
		average = s->bytes / s->objects;
	else if (s->alloc_objects > 0)
		average = s->alloc_bytes / s->alloc_objects;
	else
		return false;
	return average >= q->min_size &&
	    (q->max_size <= 0 || average < q->max_size);
}

/* Entries are filled in not long before they are needed, most in their order:
 * all of them do not fit into a cache. */
#define BEGIN 64

static struct stack_ref
ref_of(const struct build *b, size_t entry)
{
	if (b->refs)
		return b->refs[entry];
	return (struct stack_ref){ 0, (stack_id)entry + 1 };
}

static void
begin_entries(struct build *b, size_t end)
{
	if (end > b->count)
		end = b->count;
	if (b->begun >= end)
		return;
	memset(&b->entries[b->begun], 0, (end - b->begun) * sizeof *b->entries);
	for (; b->begun < end; b->begun++) {
		struct report_stack *e = &b->entries[b->begun];
		struct stack_ref ref = ref_of(b, b->begun);

		e->profile = ref.source;
		e->id = ref.id;
		e->cell = UINT32_MAX;
	}
}

static uint32_t
entry_of(const struct build *b, uint32_t source, stack_id id)
{
	return (b->entry_of ? b->entry_of[source][id] : id) - 1;
}

/* Of equal amounts of a slot that are put and taken away nothing is left. */
static uint64_t
mark_of(uint16_t slot, double amount)
{
	uint64_t bits;

	memcpy(&bits, &amount, sizeof bits);
	return map_mix(map_mix(slot) ^ bits);
}

static void
add_cell(struct build *b, uint32_t source, uint32_t cell, struct figures *f)
{
	const struct profile *p = b->r->profiles[source];
	struct profile_owner of = profile_owners(p)[cell];
	uint32_t at = entry_of(b, source, of.stack);
	struct report_stack *to = &b->entries[at];
	size_t n;

	if (at >= b->begun)
		begin_entries(b, (size_t)at + BEGIN);
	if (b->q->thread >= 0 && of.slot != b->q->thread)
		return;
	if (to->cell == UINT32_MAX && to->profile == source)
		to->cell = cell;
	if (b->sizes)
		add_sizes(&b->sizes[at], f, &profile_cells(p, &n)[cell].v);
	if (source >= b->r->profile_count)
		*f = figures_of_base(f, b->q);
	if (b->moved)
		b->moved[at] +=
		    mark_of(of.slot, f->value) - mark_of(of.slot, f->base);
	figures_add(&to->f, f);
}

/* So many at a time: what they say stays in the cache. */
#define CELLS 64

/* Figures of every cell of a source, added to the entries its stacks have.
 * As the base of a comparison they count as what was. */
static void
add_cells(struct build *b, uint32_t source)
{
	const struct profile *p = b->r->profiles[source];
	struct moments m = moments_of(p, b->q);
	struct figures f[CELLS];
	struct figures_view v;
	size_t n;
	const struct profile_cell *cells = profile_cells(p, &n);

	if (source >= b->r->profile_count)
		m = (struct moments){ .history = m.history };
	v = figures_view(&m, b->q->metric);
	for (uint32_t from = 0; from < n; from += CELLS) {
		uint32_t some = n - from < CELLS ? (uint32_t)(n - from) : CELLS;

		figures_cells(&v, &cells[from], from, some, f);
		for (uint32_t i = 0; i < some; i++)
			add_cell(b, source, from + i, &f[i]);
	}
}

/* The entry of each stack of one of several sources; those of the same frames
 * in the same builds are one. */
static void
number_stacks(struct build *b, uint32_t source, struct map *by_identity)
{
	const struct stacks *s = profile_stacks(b->r->profiles[source]);
	uint32_t n = stacks_count(s);
	uint32_t *entry_of =
	    arena_calloc(&b->r->arena, (size_t)n + 1, sizeof *entry_of);
	uint64_t *alike =
	    b->q->alike ? b->q->alike(b->r->profiles[source]) : NULL;

	for (stack_id id = 1; id <= n; id++) {
		uint32_t *at = map_put(by_identity,
		    alike ? alike[id] : stacks_at(s, id)->identity);

		if (*at == MAP_NONE) {
			b->refs[b->count++] = (struct stack_ref){ source, id };
			*at = (uint32_t)b->count;
		}
		entry_of[id] = *at;
	}
	b->entry_of[source] = entry_of;
	free(alike);
}

static uint32_t
stack_count(const struct build *b, size_t source)
{
	return stacks_count(profile_stacks(b->r->profiles[source]));
}

static void
number_all(struct build *b)
{
	struct map by_identity = { 0 };
	size_t all = 0;

	for (size_t k = 0; k < b->source_count; k++)
		all += stack_count(b, k);
	b->refs = xcalloc(all, sizeof *b->refs);
	b->entry_of =
	    arena_alloc(&b->r->arena, b->source_count * sizeof *b->entry_of);
	for (uint32_t k = 0; k < b->source_count; k++)
		number_stacks(b, k, &by_identity);
	map_fini(&by_identity);
}

static void
gather(struct build *b)
{
	if (b->source_count > 1)
		number_all(b);
	else
		b->count = stack_count(b, 0);
	b->entries = arena_alloc(&b->r->arena, b->count * sizeof *b->entries);
	if (b->q->min_size > 0 || b->q->max_size > 0)
		b->sizes = xcalloc(b->count, sizeof *b->sizes);
	if (b->q->difference && b->q->grouping == GROUP_THREADS)
		b->moved = xcalloc(b->count, sizeof *b->moved);
	for (uint32_t k = 0; k < b->source_count; k++)
		add_cells(b, k);
	begin_entries(b, b->count);
}

/* ---- focus and ignore -------------------------------------------------------- */

/* What they say of each place; places of the same name are matched once. */
struct wants {
	const struct query *q;
	uint8_t *places;   /* [place]: WANT_* */
	uint8_t **strings; /* [source][string]: the same, or 0 */
};

enum want {
	WANT_KNOWN = 1,
	WANT_FOCUS = 2,
	WANT_IGNORE = 4,
};

static uint8_t
match(const struct query *q, const char *name)
{
	unsigned w = WANT_KNOWN;

	if (q->focus && pattern_matches(q->focus, name))
		w |= WANT_FOCUS;
	if (q->ignore && pattern_matches(q->ignore, name))
		w |= WANT_IGNORE;
	return (uint8_t)w;
}

static void
wants_make(struct wants *w, const struct build *b)
{
	const struct report *r = b->r;

	*w = (struct wants){ .q = b->q };
	if (!b->q->focus && !b->q->ignore)
		return;
	w->places = xcalloc(r->place_count, 1);
	w->strings = xcalloc(b->source_count, sizeof *w->strings);
	for (size_t k = 0; k < b->source_count; k++)
		w->strings[k] = xcalloc(
		    frames_string_count(profile_frames_const(r->profiles[k])),
		    1);
	for (size_t i = 0; i < r->place_count; i++) {
		const struct report_place *p = &r->places[i];
		const struct frames *f =
		    profile_frames_const(r->profiles[p->profile]);
		uint32_t str = frames_function_id(f, p->frame, p->level);
		uint8_t *known = &w->strings[p->profile][str];

		if (!*known)
			*known = match(b->q, frames_string(f, str));
		w->places[i] = *known;
	}
	for (size_t k = 0; k < b->source_count; k++)
		free(w->strings[k]);
	free(w->strings);
}

/* Whether they let the stack pass. */
static bool
wanted(const struct wants *w, const struct place_list *l)
{
	unsigned any = 0;

	if (!w->places)
		return true;
	for (uint32_t i = 0; i < l->count; i++)
		any |= w->places[l->places[i]];
	return !(any & WANT_IGNORE) && (!w->q->focus || any & WANT_FOCUS);
}

/* ---- the stacks of the report -------------------------------------------------- */

/* An entry becomes the report's next stack; the place is free by now. */
static void
add_stack(struct build *b, size_t entry, const struct place_list *l)
{
	struct report *r = b->r;
	struct report_stack *to = &b->entries[r->stack_count];

	if (entry != r->stack_count)
		*to = b->entries[entry];
	to->flags = l->flags;
	to->places = l->places;
	to->count = l->count;
	r->stack_count++;
}

/* What leads from a stack to its place in the report; index[entry + 1] is that
 * place + 1. */
static void
index_stacks(struct build *b, uint32_t *index)
{
	if (!b->entry_of) {
		b->entry_of = arena_alloc(&b->r->arena, sizeof *b->entry_of);
		b->entry_of[0] = index;
		index = NULL;
	}
	for (size_t k = 0; index && k < b->source_count; k++) {
		uint32_t n = stack_count(b, k);

		for (stack_id id = 1; id <= n; id++)
			b->entry_of[k][id] = index[b->entry_of[k][id]];
	}
	b->r->stack_index = (const uint32_t *const *)b->entry_of;
}

/* What one thread gained another may have lost. */
static bool
says_nothing(const struct build *b, size_t entry)
{
	return !b->q->freed && figures_empty(&b->entries[entry].f) &&
	    !(b->moved && b->moved[entry]);
}

static void
add_stacks(struct build *b)
{
	struct report *r = b->r;
	const struct place_list *lists_of = shape_lists(b->shape);
	uint32_t *index = arena_calloc(&r->arena, b->count + 1, sizeof *index);
	uint32_t *lists = arena_alloc(&r->arena, b->count * sizeof *lists);
	struct figures whole = { 0 }, total = { 0 }, local = { 0 };
	struct wants w;

	wants_make(&w, b);
	r->stacks = b->entries;
	r->stack_lists = lists;
	for (uint32_t i = 0; i < b->count; i++) {
		struct figures *f = &b->entries[i].f;
		double base = f->base;

		if (b->q->difference || b->q->drop_negative)
			figures_differ(f, b->q);
		figures_add(&whole, f);
		if (!has_size(b, i))
			continue;
		figures_add(&total, f);
		r->base_total += base;
		if (says_nothing(b, i) || lists_of[i].count == 0 ||
		    !wanted(&w, &lists_of[i]))
			continue;
		figures_add(&local, f);
		lists[r->stack_count] = i;
		add_stack(b, i, &lists_of[i]);
		index[i + 1] = (uint32_t)r->stack_count;
	}
	r->whole = whole;
	r->total = total;
	r->local = local;
	free(w.places);
	index_stacks(b, index);
}

struct report *
report_build(
    const struct profile *const *profiles, size_t n, const struct query *q)
{
	struct report *r = xcalloc(1, sizeof *r);
	struct build b = { .r = r, .q = &r->query };
	const struct profile **all;

	r->query = *q;
	b.source_count = n + (q->base_profile != NULL);
	all = arena_alloc(&r->arena, b.source_count * sizeof *all);
	memcpy(all, profiles, n * sizeof *all);
	if (q->base_profile)
		all[n] = q->base_profile;
	r->profiles = all;
	r->profile_count = n;
	gather(&b);
	b.shape = shape_take(all, b.source_count, q, b.refs, b.count);
	r->shape = b.shape;
	r->places = shape_places(r->shape, &r->place_count);
	r->place_groups = shape_groups(r->shape);
	add_stacks(&b);
	free(b.refs);
	free(b.sizes);
	free(b.moved);
	rows_build(r);
	if (q->tree)
		tree_build(r);
	notes_build(r);
	return r;
}

void
report_free(struct report *r)
{
	if (!r)
		return;
	row_source_free(r->row_source);
	places_release(r->places);
	shape_release(r->shape);
	arena_fini(&r->arena);
	free(r);
}

/* So many stacks take a millisecond or a few. */
#define PREPARED 2000

bool
report_prepare(const struct report *r, bool invert)
{
	return shape_prepare(r->shape, invert, PREPARED);
}

bool
report_is_first(const struct report *r)
{
	return shape_is_new(r->shape);
}

static const struct module *
module_of(const struct report *r, uint32_t place)
{
	const struct report_place *p = &r->places[place];
	const struct profile *profile = r->profiles[p->profile];

	return modules_find(profile_modules(profile),
	    frames_module(profile_frames_const(profile), p->frame));
}

static const struct frames *
frames_of(const struct report *r, uint32_t place)
{
	return profile_frames_const(r->profiles[r->places[place].profile]);
}

uint64_t
report_place_address(const struct report *r, uint32_t place)
{
	const struct module *m = module_of(r, place);

	return frames_offset(frames_of(r, place), r->places[place].frame) +
	    (m ? m->bias : 0);
}

const char *
report_place_module(const struct report *r, uint32_t place)
{
	const struct module *m = module_of(r, place);

	return m ? m->name : "";
}

struct place
report_place(const struct report *r, uint32_t place)
{
	const struct report_place *p = &r->places[place];
	const struct frames *f = frames_of(r, place);
	const struct module *m = module_of(r, place);
	struct frame_name name = frames_name(f, p->frame, p->level);

	return (struct place){ .profile = p->profile,
		.frame = p->frame,
		.level = (uint16_t)p->level,
		.inlined = p->level + 1 < frames_depth(f, p->frame),
		.group = p->group,
		.function = name.function,
		.file = name.file,
		.module = m ? m->name : "",
		.line = name.line,
		.address = frames_offset(f, p->frame) + (m ? m->bias : 0) };
}
