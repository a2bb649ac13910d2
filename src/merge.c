#include "merge.h"

#include <stdlib.h>
#include <string.h>

#include "base/map.h"
#include "base/vec.h"
#include "model/frames.h"
#include "model/history.h"
#include "model/modules.h"
#include "model/profile.h"
#include "model/stacks.h"

#define MODULES_MAX 65535u
#define SLOTS       65536u
#define NAMES_MAX   256u
#define PROBES_MAX  16 /* equal keys of different things */

struct merge {
	struct profile *out;
	bool sizes;
	uint64_t began_ns; /* of the process, CLOCK_REALTIME; 0: not told */
	uint64_t first_ns, last_ns; /* of the snapshots */
	uint32_t round;             /* number of the profile being taken */

	struct map modules; /* key -> id in out */
	uint32_t module_count;
	struct map stacks; /* key -> id in out */
	uint32_t stack_count;
	struct map cells;     /* stack << 16 | slot -> as in profile_cells */
	uint32_t *cell_round; /* [cell] when it was last put */
	size_t cell_count, cell_cap;
	uint8_t *slot_used; /* [SLOTS] in out */

	/* from the profile being taken to out */
	uint32_t *module_of; /* [id] */
	bool in_place;       /* all modules are where they were in `out` */
	size_t module_cap;
	uint32_t *stack_of; /* [id], 0: left out */
	size_t stack_cap;
	uint16_t *slot_of;  /* [SLOTS] */
	uint8_t *slot_told; /* [SLOTS] slot_of is known */
	struct profile_frame *frames;
	size_t frame_cap;
	bool partial;
	/* How much of it is known from its snapshot before. */
	uint32_t modules_known, stacks_known, frames_known;
	bool more; /* there was one */
};

struct merge *
merge_new(bool sizes)
{
	struct merge *m = xcalloc(1, sizeof *m);

	m->out = profile_new();
	m->sizes = sizes;
	m->slot_used = xcalloc(SLOTS, sizeof *m->slot_used);
	m->slot_of = xcalloc(SLOTS, sizeof *m->slot_of);
	m->slot_told = xcalloc(SLOTS, sizeof *m->slot_told);
	return m;
}

/* ---- modules ---- */

static uint64_t
hash_bytes(uint64_t h, const void *data, size_t len)
{
	const unsigned char *p = data;

	for (size_t i = 0; i < len; i++)
		h = map_mix(h ^ p[i]);
	return map_mix(h ^ len);
}

/* Whether its size tells something: always, if there is nothing else. */
static bool
sized(const struct merge *m, const struct module *a)
{
	return m->sizes || a->build_id_len == 0;
}

static bool
same_module(
    const struct merge *m, const struct module *a, const struct module *b)
{
	return strcmp(a->path, b->path) == 0 &&
	    a->build_id_len == b->build_id_len &&
	    memcmp(a->build_id, b->build_id, a->build_id_len) == 0 &&
	    (!sized(m, a) ||
		(a->end - a->start == b->end - b->start &&
		    a->start - a->bias == b->start - b->bias));
}

static uint64_t
module_key(const struct merge *m, const struct module *a)
{
	uint64_t h = hash_bytes(1, a->path, strlen(a->path));

	h = hash_bytes(h, a->build_id, a->build_id_len);
	if (!sized(m, a))
		return h;
	h = map_mix(h ^ (a->end - a->start));
	return map_mix(h ^ (a->start - a->bias));
}

static uint32_t
new_module(struct merge *m, const struct module *a)
{
	uint32_t id = m->module_count + 1;

	if (id > MODULES_MAX ||
	    profile_put_module(m->out, id, a->start, a->end, a->bias,
		a->build_id, a->build_id_len, a->path, NULL) < 0)
		return 0;
	return m->module_count = id;
}

/* Its id in `out`; 0 if it cannot be had there. */
static uint32_t
module_in_out(struct merge *m, const struct module *a)
{
	const struct modules *there = profile_modules(m->out);
	uint64_t key = module_key(m, a);

	for (int i = 0; i < PROBES_MAX; i++, key = map_mix(key)) {
		uint32_t id = map_find(&m->modules, key);

		if (id == MAP_NONE) {
			id = new_module(m, a);
			if (id)
				*map_put(&m->modules, key) = id;
			return id;
		}
		if (same_module(m, modules_find(there, id), a))
			return id;
	}
	return 0;
}

static void
take_modules(struct merge *m, const struct profile *p)
{
	const struct modules *from = profile_modules(p);
	uint32_t max = modules_max(from);

	VEC_ROOM(m->module_of, m->module_cap, (size_t)max + 1);
	m->module_of[0] = 0;
	if (m->modules_known == 0)
		m->in_place = true;
	for (uint32_t id = m->modules_known + 1; id <= max; id++) {
		const struct module *a = modules_find(from, id);
		const struct module *there;

		m->module_of[id] = a ? module_in_out(m, a) : 0;
		there = modules_find(profile_modules(m->out), m->module_of[id]);
		if (a && there && there->start != a->start)
			m->in_place = false;
	}
	m->modules_known = max;
}

/* ---- stacks ---- */

/* Of a module that could not be taken the address stays.  An address in none
 * may be of code that was unloaded since an earlier profile of the process. */
static struct profile_frame
frame_in_out(const struct merge *m, const struct profile *p, frame_id id)
{
	const struct frames *f = profile_frames_const(p);
	uint32_t module = frames_module(f, id);
	const struct module *a;
	struct profile_frame out = { 0, frames_offset(f, id) };

	if (!module) {
		a = m->in_place
		    ? modules_find_address(profile_modules(m->out), out.offset)
		    : NULL;
		return a ? (struct profile_frame){ a->id, out.offset - a->bias }
			 : out;
	}
	out.module = m->module_of[module];
	a = modules_find(profile_modules(p), module);
	if (!out.module && a)
		out.offset += a->bias;
	return out;
}

static bool
same_stack(const struct merge *m, uint32_t id, uint32_t flags, uint32_t count)
{
	const struct frames *f = profile_frames_const(m->out);
	const struct stack *s = stacks_at(profile_stacks(m->out), id);

	if (s->count != count || s->flags != flags)
		return false;
	for (uint32_t i = 0; i < count; i++)
		if (frames_module(f, s->frames[i]) != m->frames[i].module ||
		    frames_offset(f, s->frames[i]) != m->frames[i].offset)
			return false;
	return true;
}

/* Ids are given in order, so they are those of model/stacks.h as well. */
static uint32_t
new_stack(struct merge *m, uint32_t flags, uint32_t count)
{
	uint32_t id = m->stack_count + 1;

	if (id > PROFILE_IDS_MAX ||
	    profile_put_stack(m->out, id, flags, m->frames, count, NULL) < 0)
		return 0;
	return m->stack_count = id;
}

/* The stack in m->frames. */
static uint32_t
stack_in_out(struct merge *m, uint32_t flags, uint32_t count)
{
	uint64_t key = map_mix(flags);

	for (uint32_t i = 0; i < count; i++) {
		key = map_mix(key ^ m->frames[i].module);
		key = map_mix(key ^ m->frames[i].offset);
	}
	for (int i = 0; i < PROBES_MAX; i++, key = map_mix(key)) {
		uint32_t id = map_find(&m->stacks, key);

		if (id == MAP_NONE) {
			id = new_stack(m, flags, count);
			if (id)
				*map_put(&m->stacks, key) = id;
			return id;
		}
		if (same_stack(m, id, flags, count))
			return id;
	}
	return 0;
}

static void
take_stacks(struct merge *m, const struct profile *p)
{
	const struct stacks *from = profile_stacks(p);
	uint32_t n = stacks_count(from);

	VEC_ROOM(m->stack_of, m->stack_cap, (size_t)n + 1);
	for (stack_id id = m->stacks_known + 1; id <= n; id++) {
		const struct stack *s = stacks_at(from, id);

		VEC_ROOM(m->frames, m->frame_cap, s->count);
		for (uint32_t i = 0; i < s->count; i++)
			m->frames[i] = frame_in_out(m, p, s->frames[i]);
		m->stack_of[id] = stack_in_out(m, s->flags, s->count);
		m->partial = m->partial || m->stack_of[id] == 0;
	}
	m->stacks_known = n;
}

/* Names that came with the file, and what must not get one; others are asked
 * for later. */
static void
take_names(struct merge *m, const struct profile *p)
{
	const struct frames *from = profile_frames_const(p);
	struct frames *to = profile_frames(m->out);

	for (frame_id id = m->frames_known + 1; id <= frames_count(from);
	     id++) {
		struct profile_frame at = frame_in_out(m, p, id);
		struct frame_name names[NAMES_MAX];
		unsigned n = frames_depth(from, id);
		frame_id there;

		if (frames_state(from, id) == FRAME_UNKNOWN || n > NAMES_MAX ||
		    (at.module && !frames_module(from, id)))
			continue;
		there = frames_add(to, at.module, at.offset);
		if (frames_state(to, there) == FRAME_NAMED)
			continue;
		for (unsigned i = 0; i < n; i++)
			names[i] = frames_name(from, id, i);
		if (frames_state(from, id) != FRAME_NAMED)
			n = 0;
		frames_set_names(to, there, names, n);
	}
	m->frames_known = frames_count(from);
}

/* ---- threads ---- */

/* Can a thread of `out` be this one?  One without a name may get one. */
static bool
same_thread(const struct merge *m, uint32_t slot, const struct profile *p,
    uint16_t from)
{
	const char *was = profile_thread_name(m->out, (uint16_t)slot);
	const char *is = profile_thread_name(p, from);
	uint32_t tid = profile_thread_tid(m->out, (uint16_t)slot);

	if (!m->slot_used[slot])
		return true;
	return tid == profile_thread_tid(p, from) &&
	    (!*was || !*is || strcmp(was, is) == 0);
}

/* Its own slot if that is free or was its own before, else another one from
 * above; when there is none, the threads share. */
static uint16_t
slot_in_out(struct merge *m, const struct profile *p, uint16_t from)
{
	uint32_t slot = from;

	for (unsigned i = 0; i < SLOTS; i++) {
		if (same_thread(m, slot, p, from))
			return (uint16_t)slot;
		slot = slot == 0 || slot > from ? slot - 1 : SLOTS - 2;
		slot %= SLOTS;
	}
	return from;
}

static uint16_t
take_slot(struct merge *m, const struct profile *p, uint16_t from)
{
	const char *name = profile_thread_name(p, from);
	uint16_t slot;

	if (m->slot_told[from])
		return m->slot_of[from];
	slot = slot_in_out(m, p, from);
	m->slot_told[from] = 1;
	m->slot_of[from] = slot;
	m->slot_used[slot] = 1;
	if (!*name && *profile_thread_name(m->out, slot))
		return slot;
	if (from < profile_thread_slots(p) &&
	    (*name || profile_thread_tid(p, from)))
		profile_put_thread(m->out, slot, profile_thread_tid(p, from),
		    profile_thread_ended(p, from), name);
	return slot;
}

/* ---- figures ---- */

static void
add_values(struct cell_values *to, const struct cell_values *v)
{
	to->live_bytes += v->live_bytes;
	to->live_objects += v->live_objects;
	to->alloc_bytes += v->alloc_bytes;
	to->alloc_objects += v->alloc_objects;
	to->live_var_bytes += v->live_var_bytes;
	to->live_var_objects += v->live_var_objects;
	to->alloc_var_bytes += v->alloc_var_bytes;
	to->alloc_var_objects += v->alloc_var_objects;
	to->live_samples += v->live_samples;
	to->alloc_samples += v->alloc_samples;
	to->live_raw_bytes += v->live_raw_bytes;
	to->alloc_raw_bytes += v->alloc_raw_bytes;
}

static uint32_t
add_life(uint32_t a, uint32_t b)
{
	return a > UINT32_MAX - b ? UINT32_MAX : a + b;
}

/* The lifetimes of cell `from` of `p`; with those that are there already, if
 * `more`. */
static void
take_life(struct merge *m, const struct profile *p, uint32_t from,
    uint32_t stack, uint16_t slot, uint32_t cell, bool more)
{
	const uint32_t *is = profile_life(p, from);
	const uint32_t *was = profile_life(m->out, cell);
	uint32_t life[PROFILE_LIVES] = { 0 };

	for (unsigned i = 0; i < PROFILE_LIVES; i++)
		life[i] = add_life(is ? is[i] : 0, more && was ? was[i] : 0);
	profile_put_life(m->out, stack, slot, life);
}

/* Two stacks may have become one, as may two threads. */
static void
take_cell(struct merge *m, const struct profile *p,
    const struct profile_cell *c, uint32_t from)
{
	static const struct cell_values none;
	bool more = false;
	uint32_t stack = m->stack_of[c->stack], *cell;
	uint16_t slot;
	struct cell_values v = c->v;
	size_t n;

	/* of a snapshot before, and gone since */
	if (m->more && memcmp(&v, &none, sizeof none) == 0)
		return;
	if (!stack)
		return;
	slot = take_slot(m, p, c->slot);
	cell = map_put(&m->cells, (uint64_t)stack << 16 | slot);
	if (*cell == MAP_NONE) {
		*cell = (uint32_t)m->cell_count++;
		VEC_ROOM(m->cell_round, m->cell_cap, m->cell_count);
	} else if (m->cell_round[*cell] == m->round) {
		more = true;
		add_values(&v, &profile_cells(m->out, &n)[*cell].v);
	}
	m->cell_round[*cell] = m->round;
	profile_put_cell(m->out, stack, slot, &v, NULL);
	take_life(m, p, from, stack, slot, *cell, more);
}

/* What was there before and is not in this one. */
static void
clear_cells(struct merge *m)
{
	static const struct cell_values none;
	static const uint32_t no_life[PROFILE_LIVES];

	for (size_t i = 0; i < m->cell_count; i++) {
		const struct profile_cell *c;
		size_t n;

		if (m->cell_round[i] == m->round)
			continue;
		c = &profile_cells(m->out, &n)[i];
		if (memcmp(&c->v, &none, sizeof none) == 0)
			continue;
		profile_put_cell(m->out, c->stack, c->slot, &none, NULL);
		if (profile_life(m->out, (uint32_t)i))
			profile_put_life(m->out, c->stack, c->slot, no_life);
	}
}

/* ---- the whole ---- */

/* Those of the newest, but for what only earlier ones told. */
static void
put_facts(struct merge *m, const struct profile *p)
{
	const struct profile_facts *was = profile_facts(m->out);
	struct profile_facts f = *profile_facts(p);

	if (!*f.command)
		f.command = was->command;
	if (!*f.image)
		f.image = was->image;
	if (!f.pid)
		f.pid = was->pid;
	f.image_ns = m->first_ns;
	if (m->began_ns && m->began_ns < m->first_ns)
		f.image_ns = m->began_ns;
	f.wall_ns = f.image_ns;
	profile_put_facts(m->out, &f);
}

static void
put_totals(struct merge *m, const struct profile *p)
{
	const struct profile_totals *from = profile_totals(p);
	struct profile_totals t = { 0 };

	if (from)
		t = *from;
	t.now_ns = m->last_ns;
	if (t.exact_ns)
		t.exact_ns = m->last_ns;
	profile_put_totals(m->out, &t);
}

static void
take_time(struct merge *m, uint64_t began_ns, uint64_t wall_ns)
{
	m->last_ns = wall_ns > m->last_ns ? wall_ns : m->last_ns + 1;
	if (m->round == 1)
		m->first_ns = m->last_ns;
	if (began_ns && (!m->began_ns || began_ns < m->began_ns))
		m->began_ns = began_ns;
}

static int
take(struct merge *m, const struct profile *p, uint64_t began_ns,
    uint64_t wall_ns)
{
	const struct profile_cell *cells;
	const struct history *h;
	size_t n;

	m->round++;
	m->partial = false;
	memset(m->slot_told, 0, SLOTS);
	take_time(m, began_ns, wall_ns);
	take_modules(m, p);
	take_stacks(m, p);
	take_names(m, p);
	cells = profile_cells(p, &n);
	for (size_t i = 0; i < n; i++)
		take_cell(m, p, &cells[i], (uint32_t)i);
	clear_cells(m);
	put_facts(m, p);
	put_totals(m, p);
	profile_commit(m->out);
	h = profile_snapshots(m->out);
	profile_pin(m->out, history_at(h, history_count(h) - 1)->id, 1);
	return m->partial;
}

int
merge_add(struct merge *m, const struct profile *p, uint64_t began_ns,
    uint64_t wall_ns)
{
	m->modules_known = m->stacks_known = m->frames_known = 0;
	m->more = false;
	return take(m, p, began_ns, wall_ns);
}

int
merge_more(struct merge *m, const struct profile *p, uint64_t began_ns,
    uint64_t wall_ns)
{
	m->more = true;
	return take(m, p, began_ns, wall_ns);
}

void
merge_seed(struct merge *m, const struct profile *p)
{
	m->modules_known = m->stacks_known = 0;
	take_modules(m, p);
	take_stacks(m, p);
	m->partial = false;
}

bool
merge_bound(struct merge *m)
{
	return profile_bound(m->out);
}

void
merge_names(struct profile *to, const struct profile *from)
{
	const struct frames *f = profile_frames_const(from);
	struct frames *t = profile_frames(to);

	for (frame_id id = 1; id <= frames_count(f); id++) {
		struct frame_name names[NAMES_MAX];
		enum frame_state state = frames_state(f, id);
		unsigned n = state == FRAME_NAMED ? frames_depth(f, id) : 0;
		frame_id there;

		if ((state != FRAME_NAMED && state != FRAME_NAMELESS) ||
		    n > NAMES_MAX)
			continue;
		there =
		    frames_add(t, frames_module(f, id), frames_offset(f, id));
		if (frames_state(t, there) != FRAME_UNKNOWN)
			continue;
		for (unsigned i = 0; i < n; i++)
			names[i] = frames_name(f, id, i);
		frames_set_names(t, there, names, n);
		frames_set_half(t, there, frames_half(f, id));
	}
}

struct profile *
merge_finish(struct merge *m)
{
	struct profile *p = m->out;

	map_fini(&m->modules);
	map_fini(&m->stacks);
	map_fini(&m->cells);
	free(m->cell_round);
	free(m->slot_used);
	free(m->module_of);
	free(m->stack_of);
	free(m->slot_of);
	free(m->slot_told);
	free(m->frames);
	free(m);
	return p;
}
