#include "model/alike.h"

#include <stdlib.h>

#include "base/buf.h"
#include "base/map.h"
#include "base/mem.h"
#include "model/frames.h"
#include "model/modules.h"
#include "model/name.h"
#include "model/profile.h"
#include "model/stacks.h"

/* An allocator's entry points are never this deep, see report_shape.c. */
#define ALLOCATOR_DEPTH 16

/* Names of one profile as numbers. */
struct names {
	const struct frames *frames;
	uint64_t *of; /* [string]: 0: not known yet */
	struct buf text;
};

static void
names_init(struct names *n, const struct profile *p)
{
	n->frames = profile_frames_const(p);
	n->of = xcalloc(frames_string_count(n->frames), sizeof *n->of);
	n->text = (struct buf)BUF_INIT;
}

static void
names_fini(struct names *n)
{
	free(n->of);
	buf_fini(&n->text);
}

static uint64_t
hash(const char *s)
{
	uint64_t h = UINT64_C(0xcbf29ce484222325);

	for (; *s; s++)
		h = (h ^ (unsigned char)*s) * UINT64_C(0x100000001b3);
	return map_mix(h) | 1;
}

static uint64_t
name_of(struct names *n, frame_id id, unsigned level)
{
	uint32_t str = frames_function_id(n->frames, id, level);

	if (!n->of[str]) {
		buf_clear(&n->text);
		name_clean(&n->text, frames_string(n->frames, str));
		n->of[str] = hash(buf_str(&n->text));
	}
	return n->of[str];
}

static uint64_t
stack_of(struct names *n, const struct stack *s)
{
	uint64_t all = 0, rest = 0;
	uint32_t place = 0;
	bool any = false;

	for (uint32_t i = 0; i < s->count; i++) {
		frame_id id = s->frames[i];
		unsigned depth = frames_depth(n->frames, id);

		for (unsigned level = 0; level < depth; level++, place++) {
			uint64_t name = name_of(n, id, level);

			all = map_mix(all + name);
			any = place >= ALLOCATOR_DEPTH ||
			    frames_plumbing(n->frames, id, level) !=
				PLUMBING_ALLOCATOR;
			rest = any ? map_mix(rest + name) : 0;
		}
	}
	/* one that is nothing but allocator is at least itself */
	return any ? rest : all;
}

uint64_t *
alike_stacks(const struct profile *p)
{
	const struct stacks *s = profile_stacks(p);
	uint32_t count = stacks_count(s);
	uint64_t *of = xcalloc((size_t)count + 1, sizeof *of);
	struct names n;

	names_init(&n, p);
	for (stack_id id = 1; id <= count; id++)
		of[id] = stack_of(&n, stacks_at(s, id));
	names_fini(&n);
	return of;
}

uint64_t *
alike_addresses(const struct profile *p)
{
	const struct stacks *s = profile_stacks(p);
	const struct frames *f = profile_frames_const(p);
	uint32_t count = stacks_count(s);
	uint64_t *of = xcalloc((size_t)count + 1, sizeof *of);

	for (stack_id id = 1; id <= count; id++) {
		const struct stack *frames = stacks_at(s, id);
		uint64_t all = 0;

		for (uint32_t i = 0; i < frames->count; i++) {
			frame_id at = frames->frames[i];
			const struct module *m = modules_find(
			    profile_modules(p), frames_module(f, at));

			all = map_mix(
			    all + frames_offset(f, at) + (m ? m->bias : 0));
		}
		of[id] = all;
	}
	return of;
}

/* Calls for each name that was found, until it says so. */
static bool
each_name(const struct profile *p, struct map *seen, bool look)
{
	struct names n;
	bool found = false;

	names_init(&n, p);
	for (frame_id id = 1; id <= frames_count(n.frames) && !found; id++) {
		if (frames_state(n.frames, id) != FRAME_NAMED)
			continue;
		for (unsigned l = 0; l < frames_depth(n.frames, id); l++) {
			uint64_t name = name_of(&n, id, l);

			if (frames_plumbing(n.frames, id, l) ==
			    PLUMBING_ALLOCATOR)
				continue;
			if (!look)
				*map_put(seen, name) = 1;
			else if (map_find(seen, name) != MAP_NONE)
				found = true;
		}
	}
	names_fini(&n);
	return found;
}

bool
alike_any(
    const struct profile *p, const struct profile *const *others, size_t n)
{
	struct map seen = { 0 };
	bool found = false;

	each_name(p, &seen, false);
	for (size_t k = 0; k < n && !found; k++)
		found = each_name(others[k], &seen, true);
	map_fini(&seen);
	return found;
}
