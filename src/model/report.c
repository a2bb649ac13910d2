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

/* A stack, or several of different profiles that are the same. */
struct entry {
	struct figures f;
	uint32_t cell; /* the first of its source and stack */
	/* What its objects are in all, of the moment and of what it is
	 * compared with: for their average. */
	double bytes, objects;
};

struct build {
	struct report *r;
	const struct query *q;
	size_t source_count;
	uint32_t **entry_of; /* [source][stack id] -> entry + 1; in the arena */
	struct stack_ref *refs; /* [entry] */
	struct entry *entries;
	size_t count;
	struct shape *shape;
};

static void
add_sizes(
    struct entry *to, const struct figures *f, const struct profile_cell *c)
{
	if (f->objects == 0) {
		/* perhaps all are freed by now */
		to->bytes += c->v.alloc_bytes;
		to->objects += c->v.alloc_objects;
	} else {
		to->bytes += f->bytes;
		to->objects += f->objects;
	}
}

/* Is the average object of the size that is asked for? */
static bool
has_size(const struct entry *e, const struct query *q)
{
	double average;

	if (q->min_size <= 0 && q->max_size <= 0)
		return true;
	if (e->objects <= 0)
		return false;
	average = e->bytes / e->objects;
	return average >= q->min_size &&
	    (q->max_size <= 0 || average < q->max_size);
}

/* Figures of every cell of a source, added to the entries its stacks have.
 * As the base of a comparison they count as what was. */
static void
add_cells(struct build *b, uint32_t source)
{
	const struct profile *p = b->r->profiles[source];
	const uint32_t *entry_of = b->entry_of[source];
	bool is_base = source >= b->r->profile_count;
	struct moments m = moments_of(p, b->q);
	struct figures_view v;
	size_t n;
	const struct profile_cell *cells = profile_cells(p, &n);

	if (is_base)
		m = (struct moments){ .history = m.history };
	v = figures_view(&m, b->q->metric);
	for (size_t i = 0; i < n; i++) {
		uint32_t at = entry_of[cells[i].stack] - 1;
		struct entry *to = &b->entries[at];
		struct figures f;

		if (b->q->thread >= 0 && cells[i].slot != b->q->thread)
			continue;
		__builtin_prefetch(&cells[i + 16 < n ? i + 16 : i].v);
		f = figures_at(&v, &cells[i], (uint32_t)i);
		if (to->cell == UINT32_MAX && b->refs[at].source == source)
			to->cell = (uint32_t)i;
		add_sizes(to, &f, &cells[i]);
		if (is_base)
			f = figures_of_base(&f, b->q);
		figures_add(&to->f, &f);
	}
}

/* Stacks with the same frames in the same builds are one entry. */
static void
gather(struct build *b)
{
	struct map by_identity = { 0 };
	bool merge = b->source_count > 1;
	size_t all = 0;

	for (size_t k = 0; k < b->source_count; k++)
		all += stacks_count(profile_stacks(b->r->profiles[k]));
	b->refs = xcalloc(all, sizeof *b->refs);
	b->entry_of =
	    arena_alloc(&b->r->arena, b->source_count * sizeof *b->entry_of);
	for (uint32_t k = 0; k < b->source_count; k++) {
		const struct stacks *s = profile_stacks(b->r->profiles[k]);
		uint32_t n = stacks_count(s);
		uint32_t *entry_of =
		    arena_calloc(&b->r->arena, (size_t)n + 1, sizeof *entry_of);
		uint64_t *alike =
		    b->q->alike ? b->q->alike(b->r->profiles[k]) : NULL;

		for (stack_id id = 1; id <= n; id++) {
			uint32_t *at = &entry_of[id];

			if (merge)
				at = map_put(&by_identity,
				    alike ? alike[id]
					  : stacks_at(s, id)->identity);
			if (*at == (merge ? MAP_NONE : 0)) {
				b->refs[b->count++] =
				    (struct stack_ref){ k, id };
				*at = (uint32_t)b->count;
			}
			entry_of[id] = *at;
		}
		b->entry_of[k] = entry_of;
		free(alike);
	}
	map_fini(&by_identity);
	b->entries = xcalloc(b->count, sizeof *b->entries);
	for (size_t i = 0; i < b->count; i++)
		b->entries[i].cell = UINT32_MAX;
	for (uint32_t k = 0; k < b->source_count; k++)
		add_cells(b, k);
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

static void
add_stack(
    struct build *b, uint32_t entry, struct report_stack *to, uint32_t *list)
{
	const struct entry *e = &b->entries[entry];
	const struct stack_ref *ref = &b->refs[entry];
	const struct place_list *l = &shape_lists(b->shape)[entry];
	const struct stacks *s = profile_stacks(b->r->profiles[ref->source]);

	*to = (struct report_stack){ .profile = ref->source,
		.id = ref->id,
		.flags = stacks_at(s, ref->id)->flags,
		.f = e->f,
		.places = l->places,
		.count = l->count,
		.cell = e->cell };
	*list = entry;
	figures_add(&b->r->local, &e->f);
	b->r->stack_count++;
}

/* What led from a stack to its entry now leads to its place in the report;
 * kept[entry] is that + 1. */
static void
index_stacks(struct build *b, const uint32_t *kept)
{
	for (size_t k = 0; k < b->source_count; k++) {
		uint32_t n = stacks_count(profile_stacks(b->r->profiles[k]));

		for (stack_id id = 1; id <= n; id++)
			b->entry_of[k][id] = kept[b->entry_of[k][id] - 1];
	}
	b->r->stack_index = (const uint32_t *const *)b->entry_of;
}

static void
add_stacks(struct build *b)
{
	struct report *r = b->r;
	uint32_t *kept = xcalloc(b->count, sizeof *kept);
	struct report_stack *stacks =
	    arena_alloc(&r->arena, b->count * sizeof *stacks);
	uint32_t *lists = arena_alloc(&r->arena, b->count * sizeof *lists);
	struct wants w;

	wants_make(&w, b);
	r->stacks = stacks;
	r->stack_lists = lists;
	for (uint32_t i = 0; i < b->count; i++) {
		struct entry *e = &b->entries[i];
		const struct place_list *l = &shape_lists(b->shape)[i];
		size_t at = r->stack_count;
		double base;

		base = e->f.base;
		figures_differ(&e->f, b->q);
		figures_add(&r->whole, &e->f);
		if (!has_size(e, b->q))
			continue;
		figures_add(&r->total, &e->f);
		r->base_total += base;
		if ((!b->q->freed && figures_empty(&e->f)) || l->count == 0 ||
		    !wanted(&w, l))
			continue;
		add_stack(b, i, &stacks[at], &lists[at]);
		kept[i] = (uint32_t)r->stack_count;
	}
	free(w.places);
	index_stacks(b, kept);
	free(kept);
}

/* A copy, as the shape's own may move when the next report is made. */
static void
copy_places(struct report *r)
{
	const struct report_place *from =
	    shape_places(r->shape, &r->place_count);
	struct report_place *copy =
	    arena_alloc(&r->arena, r->place_count * sizeof *copy);

	if (r->place_count)
		memcpy(copy, from, r->place_count * sizeof *copy);
	r->places = copy;
	r->place_groups = shape_groups(r->shape);
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
	copy_places(r);
	add_stacks(&b);
	free(b.refs);
	free(b.entries);
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
	shape_release(r->shape);
	arena_fini(&r->arena);
	free(r);
}

struct place
report_place(const struct report *r, uint32_t place)
{
	const struct report_place *p = &r->places[place];
	const struct profile *profile = r->profiles[p->profile];
	const struct frames *f = profile_frames_const(profile);
	const struct module *m =
	    modules_find(profile_modules(profile), frames_module(f, p->frame));
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
