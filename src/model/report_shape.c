#include "model/report_shape.h"

#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/buf.h"
#include "base/map.h"
#include "base/strtab.h"
#include "base/vec.h"
#include "model/frames.h"
#include "model/modules.h"
#include "model/name.h"
#include "model/profile.h"
#include "model/report_knots.h"
#include "model/report_ranks.h"

#define NO_GROUP UINT32_MAX

/* One of the profiles. */
struct source {
	const struct profile *profile;
	const struct frames *frames;
	uint64_t version;      /* of the names */
	uint32_t *first_place; /* [frame id] -> its innermost place; the
				* next one's tells how many there are */
	size_t frame_count, frame_cap;
	uint32_t *strings; /* [its string] -> common string + 1 */
	size_t string_cap;
};

/* What of a query makes a shape. */
struct key {
	enum cut cut;
	enum grouping grouping;
	char *show, *hide; /* NULL: none */
};

/* Shared with reports: while one holds them they are not written to. */
struct places {
	unsigned refs;
	size_t cap;
	struct report_place at[];
};

struct shape {
	unsigned refs;
	unsigned taken; /* how often */
	struct key key;
	bool by_name; /* functions are the same if they look the same */
	struct source *sources;
	size_t source_count;
	struct places *held;
	struct report_place *places; /* those */
	uint8_t *plumbing;           /* [place]: enum plumbing */
	size_t place_count, plumbing_cap;
	struct strtab *common; /* strings of all sources */
	struct map groups;     /* key -> group */
	uint32_t group_count;
	uint32_t *group_place; /* [group]: its first place */
	size_t group_cap;
	uint32_t *ranks; /* [group], for the first `ranked` */
	uint32_t ranked;
	struct place_list *lists;
	size_t count, cap;
	struct arena arena; /* the places in lists */
	struct knots *knots[2];
};

/* What is kept with a profile: those used last, newest first. */
#define KEPT 2
struct kept {
	struct shape *shapes[KEPT];
};

/* ---- places and groups ----------------------------------------------------- */

static uint32_t
string_of(struct shape *h, struct source *s, uint32_t str)
{
	size_t old = s->string_cap;

	if (h->source_count == 1)
		return str;
	VEC_ROOM(s->strings, s->string_cap, (size_t)str + 1);
	for (size_t i = old; i < s->string_cap; i++)
		s->strings[i] = 0;
	if (!s->strings[str])
		s->strings[str] =
		    strtab_add(h->common, frames_string(s->frames, str)) + 1;
	return s->strings[str] - 1;
}

static uint32_t
clean_string(struct shape *h, const char *name)
{
	struct buf b = BUF_INIT;
	uint32_t str;

	name_clean(&b, name);
	str = strtab_add(h->common, buf_str(&b));
	buf_fini(&b);
	return str;
}

static uint32_t
function_of(struct shape *h, struct source *s, const struct report_place *p)
{
	uint32_t str = frames_function_id(s->frames, p->frame, p->level);

	if (h->by_name)
		return clean_string(h, frames_string(s->frames, str));
	return string_of(h, s, str);
}

static uint32_t
module_string(struct shape *h, const struct source *s, frame_id frame)
{
	const struct module *m = modules_find(
	    profile_modules(s->profile), frames_module(s->frames, frame));

	return strtab_add(h->common, m ? m->name : "?");
}

/* Which file it is in: libraries of one name may be two.  Those of several
 * profiles may be one, wherever it lies. */
static uint32_t
file_string(struct shape *h, const struct source *s, frame_id frame)
{
	const struct module *m = modules_find(
	    profile_modules(s->profile), frames_module(s->frames, frame));
	struct buf b = BUF_INIT;
	uint32_t str;

	if (!m || h->source_count == 1 || m->build_id_len == 0)
		return strtab_add(h->common, m ? m->path : "?");
	buf_puts(&b, "build ");
	for (size_t i = 0; i < m->build_id_len; i++)
		buf_printf(&b, "%02x", m->build_id[i]);
	str = strtab_add(h->common, buf_str(&b));
	buf_fini(&b);
	return str;
}

/* What places of one group have in common, as a number. */
static uint64_t
group_key(struct shape *h, const struct report_place *p)
{
	struct source *s = &h->sources[p->profile];
	struct frame_name name;
	uint32_t function, file;

	switch (h->key.grouping) {
	case GROUP_LINES:
		function = function_of(h, s, p);
		file = string_of(
		    h, s, frames_file_id(s->frames, p->frame, p->level));
		name = frames_name(s->frames, p->frame, p->level);
		return map_mix((uint64_t)function << 32 | file) + name.line;
	case GROUP_FILES:
		file = string_of(
		    h, s, frames_file_id(s->frames, p->frame, p->level));
		if (file)
			return file;
		return UINT64_C(1) << 32 | module_string(h, s, p->frame);
	case GROUP_MODULES: return module_string(h, s, p->frame);
	case GROUP_ADDRESSES:
		return map_mix(file_string(h, s, p->frame)) +
		    frames_offset(s->frames, p->frame);
	case GROUP_FUNCTIONS:
	case GROUP_STACKS:
	case GROUP_THREADS:
	case GROUP_COUNT: break;
	}
	return function_of(h, s, p);
}

static void
new_group(struct shape *h, struct report_place *p)
{
	VEC_ROOM(h->group_place, h->group_cap, (size_t)h->group_count + 1);
	h->group_place[h->group_count] = (uint32_t)(p - h->places);
	p->group = h->group_count++;
}

/* Places without a name may be millions, and what they have in common need
 * not be looked up: they are the same where they are written the same, which
 * the frames of one profile know.  NULL: that is not all. */
static struct report_place *
first_alike(struct shape *h, const struct report_place *p)
{
	const struct source *s = &h->sources[0];

	if (h->source_count > 1 || h->by_name ||
	    (h->key.grouping != GROUP_FUNCTIONS &&
		h->key.grouping != GROUP_LINES) ||
	    frames_state(s->frames, p->frame) == FRAME_NAMED)
		return NULL;
	return &h->places[s->first_place[frames_alike(s->frames, p->frame)]];
}

static void
set_group(struct shape *h, struct report_place *p)
{
	struct report_place *same = first_alike(h, p);
	uint32_t *group;

	if (same) {
		if (same->group == NO_GROUP)
			new_group(h, same);
		p->group = same->group;
		return;
	}
	group = map_put(&h->groups, group_key(h, p));
	if (*group == MAP_NONE) {
		new_group(h, p);
		*group = p->group;
	}
	p->group = *group;
}

/* Places of our own, with room for `need`. */
static void
place_room(struct shape *h, size_t need)
{
	struct places *old = h->held, *p;
	size_t cap = old ? old->cap : 8;

	if (old && need <= cap && old->refs == 1)
		return;
	while (cap < need)
		cap *= 2;
	if (old && old->refs > 1) {
		p = xmalloc(sizeof *p + cap * sizeof *p->at);
		memcpy(p->at, old->at, h->place_count * sizeof *p->at);
		old->refs--;
	} else {
		p = xreallocarray(old, 1, sizeof *p + cap * sizeof *p->at);
	}
	p->refs = 1;
	p->cap = cap;
	h->held = p;
	h->places = p->at;
}

/* Number the places of frames that are new; groups come when they are met. */
static void
add_places(struct shape *h, uint32_t source)
{
	struct source *s = &h->sources[source];
	uint32_t count = frames_count(s->frames);
	size_t n = h->place_count;

	VEC_ROOM(s->first_place, s->frame_cap, (size_t)count + 2);
	for (frame_id id = (frame_id)s->frame_count + 1; id <= count; id++) {
		unsigned depth = frames_depth(s->frames, id);

		s->first_place[id] = (uint32_t)n;
		place_room(h, n + depth);
		VEC_ROOM(h->plumbing, h->plumbing_cap, n + depth);
		for (uint32_t level = 0; level < depth; level++, n++) {
			h->places[n] = (struct report_place){ source, id, level,
				NO_GROUP };
			h->plumbing[n] =
			    (uint8_t)frames_plumbing(s->frames, id, level);
		}
		h->place_count = n;
	}
	s->first_place[count + 1] = (uint32_t)n;
	s->frame_count = count;
}

/* ---- place lists ------------------------------------------------------------- */

/* Frames of an allocator's inside need not be recognizable one by one: all up
 * to the last one that is goes.  Its entry points are never this deep. */
#define ALLOCATOR_DEPTH 16

/* How many places at the leaf end are plumbing; at least one place stays. */
static uint32_t
plumbing_count(const struct shape *h, const uint32_t *places, uint32_t n)
{
	uint32_t cut = 0;

	if (h->key.cut == CUT_NOTHING)
		return 0;
	for (uint32_t i = 0; i < n && i < ALLOCATOR_DEPTH; i++) {
		if (h->plumbing[places[i]] == PLUMBING_ALLOCATOR)
			cut = i + 1;
	}
	while (h->key.cut == CUT_WRAPPERS && cut < n &&
	    h->plumbing[places[cut]] != PLUMBING_NONE)
		cut++;
	return cut < n ? cut : n - 1;
}

/* All functions of a stack, leaf first. */
static uint32_t *
expand(struct shape *h, const struct source *s, const struct stack *stack,
    uint32_t *count)
{
	uint32_t n = 0, to = 0;
	uint32_t *places;

	for (uint32_t i = 0; i < stack->count; i++)
		n += s->first_place[stack->frames[i] + 1] -
		    s->first_place[stack->frames[i]];
	places = arena_alloc(&h->arena, n * sizeof *places);
	for (uint32_t i = 0; i < stack->count; i++) {
		uint32_t at = s->first_place[stack->frames[i]];
		uint32_t end = s->first_place[stack->frames[i] + 1];

		while (at < end)
			places[to++] = at++;
	}
	*count = n;
	return places;
}

/* What show and hide say of places, found when first needed. */
struct visibility {
	const struct query *q;
	uint8_t *of; /* [place]: 0 not known, 1 hidden, 2 shown */
};

static bool
is_visible(const struct shape *h, struct visibility *v, uint32_t place)
{
	const struct report_place *p = &h->places[place];
	const struct query *q = v->q;
	const char *name;
	bool yes;

	if (v->of[place])
		return v->of[place] == 2;
	name = frames_name(h->sources[p->profile].frames, p->frame, p->level)
		   .function;
	yes = (!q->show || pattern_matches(q->show, name)) &&
	    (!q->hide || !pattern_matches(q->hide, name));
	v->of[place] = yes ? 2 : 1;
	return yes;
}

static void
add_list(struct shape *h, struct stack_ref ref, struct visibility *v)
{
	const struct source *s = &h->sources[ref.source];
	const struct stack *stack =
	    stacks_at(profile_stacks(s->profile), ref.id);
	uint32_t n, cut, to = 0;
	uint32_t *places = expand(h, s, stack, &n);

	cut = plumbing_count(h, places, n);
	places += cut;
	n -= cut;
	for (uint32_t i = 0; v->of && i < n; i++) {
		if (is_visible(h, v, places[i]))
			places[to++] = places[i];
	}
	n = v->of ? to : n;
	for (uint32_t i = 0; i < n; i++) {
		if (h->places[places[i]].group == NO_GROUP)
			set_group(h, &h->places[places[i]]);
	}
	h->lists[h->count++] = (struct place_list){ places, n,
		n ? h->places[places[0]].group : NO_GROUP, stack->flags };
}

static void
extend(struct shape *h, const struct query *q, const struct stack_ref *refs,
    size_t count)
{
	struct visibility v = { q, NULL };

	if (h->count == count)
		return;
	place_room(h, h->place_count);
	for (uint32_t k = 0; k < h->source_count; k++)
		add_places(h, k);
	if (q->show || q->hide)
		v.of = xcalloc(h->place_count, 1);
	VEC_ROOM(h->lists, h->cap, count);
	for (size_t i = h->count; i < count; i++)
		add_list(h,
		    h->source_count > 1
			? refs[i]
			: (struct stack_ref){ 0, (stack_id)i + 1 },
		    &v);
	free(v.of);
}

/* ---- shapes ------------------------------------------------------------------ */

static char *
text_of(const struct pattern *p)
{
	return p ? xstrdup(p->text) : NULL;
}

/* Rows of stacks and of threads need no groups, but the tree does. */
static enum grouping
grouping_of(const struct query *q)
{
	if (q->grouping == GROUP_STACKS || q->grouping == GROUP_THREADS)
		return GROUP_FUNCTIONS;
	return q->grouping;
}

static struct shape *
shape_new(
    const struct profile *const *profiles, size_t n, const struct query *q)
{
	struct shape *h = xcalloc(1, sizeof *h);

	h->refs = 1;
	h->key = (struct key){ q->cut, grouping_of(q), text_of(q->show),
		text_of(q->hide) };
	h->by_name = q->alike != NULL;
	h->common = strtab_new();
	h->source_count = n;
	h->sources = xcalloc(n, sizeof *h->sources);
	for (size_t k = 0; k < n; k++) {
		struct source *s = &h->sources[k];

		s->profile = profiles[k];
		s->frames = profile_frames_const(s->profile);
		s->version = frames_version(s->frames);
	}
	return h;
}

void
places_release(const struct report_place *places)
{
	struct places *p;

	if (!places)
		return;
	p = (struct places *)((uintptr_t)places - offsetof(struct places, at));
	if (--p->refs == 0)
		free(p);
}

void
shape_release(struct shape *h)
{
	if (!h || --h->refs > 0)
		return;
	for (size_t k = 0; k < h->source_count; k++) {
		free(h->sources[k].first_place);
		free(h->sources[k].strings);
	}
	free(h->sources);
	free(h->key.show);
	free(h->key.hide);
	places_release(h->places);
	free(h->plumbing);
	free(h->lists);
	strtab_free(h->common);
	free(h->group_place);
	free(h->ranks);
	map_fini(&h->groups);
	arena_fini(&h->arena);
	knots_free(h->knots[0]);
	knots_free(h->knots[1]);
	free(h);
}

static bool
same_text(const char *a, const struct pattern *p)
{
	return a && p ? strcmp(a, p->text) == 0 : !a && !p;
}

static bool
fits(const struct shape *h, const struct query *q, size_t count)
{
	return h->key.cut == q->cut && h->key.grouping == grouping_of(q) &&
	    same_text(h->key.show, q->show) &&
	    same_text(h->key.hide, q->hide) && h->count <= count &&
	    h->sources[0].version == frames_version(h->sources[0].frames);
}

static void
forget(void *what)
{
	struct kept *k = what;

	for (size_t i = 0; i < KEPT; i++)
		shape_release(k->shapes[i]);
	free(k);
}

static struct kept *
kept_of(const struct profile *p)
{
	struct profile_kept *k = profile_kept(p);

	if (!k->what) {
		k->what = xcalloc(1, sizeof(struct kept));
		k->forget = forget;
	}
	return k->what;
}

/* The one kept for this query, or a new one, first in the row now. */
static struct shape *
find(const struct profile *const *profiles, const struct query *q, size_t count)
{
	struct kept *k = kept_of(profiles[0]);
	struct shape *h = NULL;
	size_t i;

	for (i = 0; i < KEPT && !h; i++) {
		if (k->shapes[i] && fits(k->shapes[i], q, count))
			h = k->shapes[i];
	}
	if (h) {
		i--;
	} else {
		/* One whose names are old goes before one of other kind. */
		for (i = 0; i + 1 < KEPT; i++) {
			if (k->shapes[i] &&
			    k->shapes[i]->sources[0].version !=
				frames_version(k->shapes[i]->sources[0].frames))
				break;
		}
		shape_release(k->shapes[i]);
		h = shape_new(profiles, 1, q);
	}
	memmove(k->shapes + 1, k->shapes, i * sizeof *k->shapes);
	k->shapes[0] = h;
	h->refs++;
	return h;
}

struct shape *
shape_take(const struct profile *const *profiles, size_t n,
    const struct query *q, const struct stack_ref *refs, size_t count)
{
	struct shape *h =
	    n == 1 ? find(profiles, q, count) : shape_new(profiles, n, q);

	h->taken++;
	extend(h, q, refs, count);
	return h;
}

bool
shape_is_new(const struct shape *s)
{
	return s->taken == 1;
}

const struct report_place *
shape_places(struct shape *s, size_t *n)
{
	*n = s->place_count;
	if (s->held)
		s->held->refs++;
	return s->places;
}

uint32_t
shape_groups(const struct shape *s)
{
	return s->group_count;
}

const struct place_list *
shape_lists(const struct shape *s)
{
	return s->lists;
}

static struct knots *
knots_of(struct shape *s, bool invert)
{
	struct knots **k = &s->knots[invert];

	if (!*k)
		*k = knots_new(invert);
	return *k;
}

struct knots *
shape_knots(struct shape *s, bool invert)
{
	struct knots *k = knots_of(s, invert);

	knots_extend(k, s->lists, s->count, s->places);
	return k;
}

bool
shape_prepare(struct shape *s, bool invert, size_t some)
{
	struct knots *k = knots_of(s, invert);
	size_t at = knots_prepared(k);

	if (at == s->count) {
		/* later ones cost less */
		if (k->count == 0)
			shape_knots(s, invert);
		return false;
	}
	knots_prepare(k, s->lists, at + some < s->count ? at + some : s->count,
	    s->places);
	return true;
}

const uint32_t *
shape_ranks(struct shape *h)
{
	const struct frames **frames;

	if (h->ranks && h->ranked == h->group_count)
		return h->ranks;
	frames = xcalloc(h->source_count, sizeof *frames);
	for (size_t k = 0; k < h->source_count; k++)
		frames[k] = h->sources[k].frames;
	free(h->ranks);
	h->ranks = ranks_new(frames, h->places, h->group_place, h->group_count);
	h->ranked = h->group_count;
	free(frames);
	return h->ranks;
}
