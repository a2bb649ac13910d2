#include "model/report.h"

#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/map.h"
#include "base/strtab.h"
#include "base/vec.h"
#include "model/frames.h"
#include "model/modules.h"
#include "model/notes.h"
#include "model/profile.h"
#include "model/rows.h"
#include "model/tree.h"

/* Which of the four patterns; each string is matched once. */
enum filter {
	FOCUS,
	IGNORE,
	SHOW,
	HIDE,
	FILTERS
};

/* One profile while the report is built. */
struct source {
	const struct profile *profile;
	const struct frames *frames;
	const struct stacks *stacks;
	uint32_t *first_place; /* [frame id] -> its innermost place; the
				* next one's tells how many there are */
	uint32_t *strings;     /* [its string] -> common string + 1 */
	uint8_t *matches;      /* [its string]: two bits per filter */
	uint32_t *entry_of;    /* [stack id] -> entry + 1; in the arena */
};

struct entry {
	uint32_t source;
	stack_id id;
	uint32_t cell; /* the first of this source and stack */
	struct figures f;
};

struct build {
	struct report *r;
	const struct query *q;
	struct source *sources;
	size_t source_count;
	struct entry *entries;
	size_t count, cap;
	struct strtab *names; /* common to all sources */
	struct map groups;    /* key -> group */
	uint32_t group_count;
	struct report_place *places;
	uint8_t *plumbing; /* [place]: enum plumbing */
	bool grouped;      /* places need groups */
};

#define NO_GROUP UINT32_MAX

/* Figures of every cell of a source, added to the entries its stacks have.
 * As the base of a comparison they count as what was. */
static void
add_cells(struct build *b, const struct source *s, bool is_base)
{
	struct moments m = moments_of(s->profile, b->q);
	size_t n;
	const struct profile_cell *cells = profile_cells(s->profile, &n);

	if (is_base)
		m = (struct moments){ .history = m.history };
	for (size_t i = 0; i < n; i++) {
		struct entry *to;
		struct figures f;

		if (b->q->thread >= 0 && cells[i].slot != b->q->thread)
			continue;
		f = figures_cell(&m, b->q->metric, &cells[i], (uint32_t)i);
		to = &b->entries[s->entry_of[cells[i].stack] - 1];
		if (to->cell == UINT32_MAX && &b->sources[to->source] == s)
			to->cell = (uint32_t)i;
		if (is_base)
			f = (struct figures){ .base = f.value,
				.change_var = f.var };
		figures_add(&to->f, &f);
	}
}

/* Stacks with the same frames in the same builds are one entry. */
static void
gather(struct build *b)
{
	struct map by_identity = { 0 };
	bool merge = b->source_count > 1;

	for (size_t k = 0; k < b->source_count; k++) {
		struct source *s = &b->sources[k];
		uint32_t n = stacks_count(s->stacks);
		uint32_t *entry_of =
		    arena_calloc(&b->r->arena, (size_t)n + 1, sizeof *entry_of);

		VEC_ROOM(b->entries, b->cap, b->count + n);
		for (stack_id id = 1; id <= n; id++) {
			uint32_t *at = &entry_of[id];

			if (merge)
				at = map_put(&by_identity,
				    stacks_at(s->stacks, id)->identity);
			if (*at == (merge ? MAP_NONE : 0)) {
				b->entries[b->count++] =
				    (struct entry){ .source = (uint32_t)k,
					    .id = id,
					    .cell = UINT32_MAX };
				*at = (uint32_t)b->count;
			}
			entry_of[id] = *at;
		}
		s->entry_of = entry_of;
		add_cells(b, s, k >= b->r->profile_count);
	}
	map_fini(&by_identity);
}

static uint32_t
string_of(struct build *b, struct source *s, uint32_t str)
{
	if (b->source_count == 1)
		return str;
	if (!s->strings[str])
		s->strings[str] =
		    strtab_add(b->names, frames_string(s->frames, str)) + 1;
	return s->strings[str] - 1;
}

static uint32_t
module_string(struct build *b, const struct source *s, frame_id frame)
{
	const struct module *m = modules_find(
	    profile_modules(s->profile), frames_module(s->frames, frame));

	return strtab_add(b->names, m ? m->name : "?");
}

/* What places of one group have in common, as a number. */
static uint64_t
group_key(struct build *b, const struct report_place *p)
{
	struct source *s = &b->sources[p->profile];
	struct frame_name name;
	uint32_t function, file;

	switch (b->q->grouping) {
	case GROUP_LINES:
		function = string_of(
		    b, s, frames_function_id(s->frames, p->frame, p->level));
		file = string_of(
		    b, s, frames_file_id(s->frames, p->frame, p->level));
		name = frames_name(s->frames, p->frame, p->level);
		return map_mix((uint64_t)function << 32 | file) + name.line;
	case GROUP_FILES:
		file = string_of(
		    b, s, frames_file_id(s->frames, p->frame, p->level));
		if (file)
			return file;
		return UINT64_C(1) << 32 | module_string(b, s, p->frame);
	case GROUP_MODULES: return module_string(b, s, p->frame);
	case GROUP_ADDRESSES:
		return (uint64_t)module_string(b, s, p->frame) << 48 ^
		    frames_offset(s->frames, p->frame);
	case GROUP_FUNCTIONS:
	case GROUP_STACKS:
	case GROUP_THREADS:
	case GROUP_COUNT: break;
	}
	return string_of(
	    b, s, frames_function_id(s->frames, p->frame, p->level));
}

static void
set_group(struct build *b, struct report_place *p)
{
	uint32_t *group = map_put(&b->groups, group_key(b, p));

	if (*group == MAP_NONE)
		*group = b->group_count++;
	p->group = *group;
}

/* Number all places of all sources; groups come when they are met. */
static void
number_places(struct build *b)
{
	size_t n = 0;

	for (size_t k = 0; k < b->source_count; k++) {
		struct source *s = &b->sources[k];
		frame_id id = 1;

		for (; id <= frames_count(s->frames); id++) {
			s->first_place[id] = (uint32_t)n;
			n += frames_depth(s->frames, id);
		}
		s->first_place[id] = (uint32_t)n;
	}
	b->places = arena_alloc(&b->r->arena, n * sizeof *b->places);
	b->plumbing = xmalloc(n);
	b->r->places = b->places;
	b->r->place_count = n;
}

static void
fill_places(struct build *b, uint32_t source)
{
	const struct source *s = &b->sources[source];

	for (frame_id id = 1; id <= frames_count(s->frames); id++) {
		uint32_t at = s->first_place[id];
		uint32_t end = s->first_place[id + 1];

		for (uint32_t level = 0; at < end; at++, level++) {
			b->places[at] = (struct report_place){ source, id,
				level, NO_GROUP };
			b->plumbing[at] =
			    (uint8_t)frames_plumbing(s->frames, id, level);
		}
	}
}

static bool
matches(struct build *b, const struct report_place *p, enum filter which,
    const struct pattern *pattern)
{
	struct source *s = &b->sources[p->profile];
	uint32_t str = frames_function_id(s->frames, p->frame, p->level);
	unsigned shift = 2u * which;

	if (!(s->matches[str] >> shift & 1)) {
		bool yes =
		    pattern_matches(pattern, frames_string(s->frames, str));

		s->matches[str] |= (uint8_t)((yes ? 3u : 1u) << shift);
	}
	return s->matches[str] >> shift & 2;
}

/* Frames of an allocator's inside need not be recognizable one by one: all up
 * to the last one that is goes.  Its entry points are never this deep. */
#define ALLOCATOR_DEPTH 16

/* How many places at the leaf end are plumbing; at least one place stays. */
static uint32_t
plumbing_count(const struct build *b, const uint32_t *places, uint32_t n)
{
	uint32_t cut = 0;

	if (b->q->cut == CUT_NOTHING)
		return 0;
	for (uint32_t i = 0; i < n && i < ALLOCATOR_DEPTH; i++) {
		if (b->plumbing[places[i]] == PLUMBING_ALLOCATOR)
			cut = i + 1;
	}
	while (b->q->cut == CUT_WRAPPERS && cut < n &&
	    b->plumbing[places[cut]] != PLUMBING_NONE)
		cut++;
	return cut < n ? cut : n - 1;
}

/* All functions of a stack, leaf first. */
static uint32_t *
expand(struct build *b, const struct source *s, const struct stack *stack,
    uint32_t *count)
{
	uint32_t n = 0, to = 0;
	uint32_t *places;

	for (uint32_t i = 0; i < stack->count; i++)
		n += s->first_place[stack->frames[i] + 1] -
		    s->first_place[stack->frames[i]];
	places = arena_alloc(&b->r->arena, n * sizeof *places);
	for (uint32_t i = 0; i < stack->count; i++) {
		uint32_t at = s->first_place[stack->frames[i]];
		uint32_t end = s->first_place[stack->frames[i] + 1];

		while (at < end)
			places[to++] = at++;
	}
	*count = n;
	return places;
}

/* Whether focus and ignore let the stack pass. */
static bool
wanted(struct build *b, const uint32_t *places, uint32_t n)
{
	const struct query *q = b->q;
	bool focused = !q->focus;

	if (!q->focus && !q->ignore)
		return true;
	for (uint32_t i = 0; i < n; i++) {
		const struct report_place *p = &b->places[places[i]];

		if (q->ignore && matches(b, p, IGNORE, q->ignore))
			return false;
		if (!focused)
			focused = matches(b, p, FOCUS, q->focus);
	}
	return focused;
}

/* Frames that show and hide leave; how many. */
static uint32_t
visible(struct build *b, uint32_t *places, uint32_t n)
{
	const struct query *q = b->q;
	uint32_t to = 0;

	if (!q->show && !q->hide)
		return n;
	for (uint32_t i = 0; i < n; i++) {
		const struct report_place *p = &b->places[places[i]];

		if (q->show && !matches(b, p, SHOW, q->show))
			continue;
		if (q->hide && matches(b, p, HIDE, q->hide))
			continue;
		places[to++] = places[i];
	}
	return to;
}

static void
add_stack(struct build *b, const struct entry *e, struct report_stack *to)
{
	const struct source *s = &b->sources[e->source];
	const struct stack *stack = stacks_at(s->stacks, e->id);
	uint32_t n, cut;
	uint32_t *places = expand(b, s, stack, &n);

	cut = plumbing_count(b, places, n);
	places += cut;
	n -= cut;
	if (!wanted(b, places, n))
		return;
	n = visible(b, places, n);
	if (n == 0)
		return;
	for (uint32_t i = 0; b->grouped && i < n; i++) {
		if (b->places[places[i]].group == NO_GROUP)
			set_group(b, &b->places[places[i]]);
	}
	*to = (struct report_stack){ .profile = e->source,
		.id = e->id,
		.flags = stack->flags,
		.f = e->f,
		.places = places,
		.count = n,
		.cell = e->cell };
	figures_add(&b->r->local, &e->f);
	b->r->stack_count++;
}

/* What led from a stack to its entry now leads to its place in the report;
 * kept[entry] is that + 1. */
static void
index_stacks(struct build *b, const uint32_t *kept)
{
	uint32_t **index =
	    arena_alloc(&b->r->arena, b->source_count * sizeof *index);

	for (size_t k = 0; k < b->source_count; k++) {
		struct source *s = &b->sources[k];

		for (stack_id id = 1; id <= stacks_count(s->stacks); id++)
			s->entry_of[id] = kept[s->entry_of[id] - 1];
		index[k] = s->entry_of;
	}
	b->r->stack_index = (const uint32_t *const *)index;
}

static void
add_stacks(struct build *b)
{
	struct report *r = b->r;
	uint32_t *kept = xcalloc(b->count, sizeof *kept);
	struct report_stack *stacks =
	    arena_alloc(&r->arena, b->count * sizeof *stacks);

	r->stacks = stacks;
	for (size_t i = 0; i < b->count; i++) {
		struct entry *e = &b->entries[i];
		size_t before = r->stack_count;

		figures_differ(&e->f, b->q);
		figures_add(&r->total, &e->f);
		if (b->q->freed || !figures_empty(&e->f))
			add_stack(b, e, &stacks[r->stack_count]);
		if (r->stack_count > before)
			kept[i] = (uint32_t)r->stack_count;
	}
	index_stacks(b, kept);
	free(kept);
	r->place_groups = b->group_count;
}

static void
open_sources(struct build *b)
{
	b->sources = xcalloc(b->source_count, sizeof *b->sources);
	for (size_t k = 0; k < b->source_count; k++) {
		struct source *s = &b->sources[k];
		size_t strings;

		s->profile = b->r->profiles[k];
		s->frames = profile_frames_const(s->profile);
		s->stacks = profile_stacks(s->profile);
		strings = frames_string_count(s->frames);
		s->first_place = xcalloc(
		    (size_t)frames_count(s->frames) + 2, sizeof(uint32_t));
		s->strings = xcalloc(strings, sizeof *s->strings);
		s->matches = xcalloc(strings, sizeof *s->matches);
	}
	b->names = strtab_new();
}

static void
close_sources(struct build *b)
{
	for (size_t k = 0; k < b->source_count; k++) {
		free(b->sources[k].first_place);
		free(b->sources[k].strings);
		free(b->sources[k].matches);
	}
	free(b->sources);
	free(b->entries);
	free(b->plumbing);
	strtab_free(b->names);
	map_fini(&b->groups);
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
	open_sources(&b);
	gather(&b);
	number_places(&b);
	for (uint32_t k = 0; k < b.source_count; k++)
		fill_places(&b, k);
	b.grouped = q->tree ||
	    (q->grouping != GROUP_STACKS && q->grouping != GROUP_THREADS);
	add_stacks(&b);
	close_sources(&b);
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
