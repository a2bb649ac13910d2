#include "model/frames.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/buf.h"
#include "base/map.h"
#include "base/strtab.h"
#include "base/vec.h"
#include "model/modules.h"

struct named {
	str_id function, file;
	uint32_t line;
	uint8_t plumbing; /* enum plumbing, kept because it costs to find */
};

struct spot {
	uint32_t module;
	uint16_t depth;
	uint16_t state;
	uint64_t offset;
	struct named one;    /* the only function, where depth is 1 */
	struct named *names; /* [depth], innermost first, where it is not */
};

struct frames {
	const struct modules *modules;
	struct spot *spots; /* [id - 1] */
	size_t count, cap;
	struct map map; /* see frames_add */
	struct strtab *strings;
	struct arena arena;
	struct buf scratch;
	uint64_t version;
};

struct frames *
frames_new(const struct modules *m)
{
	struct frames *f = xcalloc(1, sizeof *f);

	f->modules = m;
	f->strings = strtab_new();
	return f;
}

void
frames_free(struct frames *f)
{
	if (!f)
		return;
	free(f->spots);
	map_fini(&f->map);
	strtab_free(f->strings);
	arena_fini(&f->arena);
	buf_fini(&f->scratch);
	free(f);
}

static const struct spot *
at(const struct frames *f, frame_id id)
{
	return &f->spots[id - 1];
}

/* The name a place has until it gets a better one. */
static str_id
unnamed(struct frames *f, uint32_t module, uint64_t offset)
{
	const struct module *m = modules_find(f->modules, module);

	buf_clear(&f->scratch);
	if (m)
		buf_printf(&f->scratch, "%s+0x%" PRIx64, m->name, offset);
	else
		buf_printf(&f->scratch, "0x%" PRIx64, offset);
	return strtab_addn(f->strings, f->scratch.data, f->scratch.len);
}

/* Fill in what follows from the function and the module. */
static void
classify(const struct frames *f, uint32_t module, struct named *n)
{
	const struct module *m = modules_find(f->modules, module);

	n->plumbing = (uint8_t)plumbing_class(
	    strtab_at(f->strings, n->function), m ? m->name : "");
}

/* Unique while offsets have 48 bits and modules 16. */
static uint64_t
key_of(uint32_t module, uint64_t offset)
{
	return ((uint64_t)module << 48) ^ offset;
}

/* Larger offsets may share a key: then the next one in a fixed row of keys
 * is tried. */
frame_id
frames_add(struct frames *f, uint32_t module, uint64_t offset)
{
	uint64_t key = key_of(module, offset);
	uint32_t *id;

	for (;; key = map_mix(key)) {
		const struct spot *s;

		id = map_put(&f->map, key);
		if (*id == MAP_NONE)
			break;
		s = at(f, *id);
		if (s->module == module && s->offset == offset)
			return *id;
	}
	VEC_ROOM(f->spots, f->cap, f->count + 1);
	*id = (uint32_t)f->count + 1;
	f->spots[f->count++] = (struct spot){ .module = module,
		.offset = offset,
		.depth = 1,
		.state = FRAME_UNKNOWN,
		.one = { .function = unnamed(f, module, offset) } };
	classify(f, module, &f->spots[f->count - 1].one);
	return (frame_id)f->count;
}

uint32_t
frames_count(const struct frames *f)
{
	return (uint32_t)f->count;
}

uint32_t
frames_module(const struct frames *f, frame_id id)
{
	return at(f, id)->module;
}

uint64_t
frames_offset(const struct frames *f, frame_id id)
{
	return at(f, id)->offset;
}

enum frame_state
frames_state(const struct frames *f, frame_id id)
{
	return (enum frame_state)at(f, id)->state;
}

unsigned
frames_depth(const struct frames *f, frame_id id)
{
	return at(f, id)->depth;
}

static const struct named *
named(const struct frames *f, frame_id id, unsigned i)
{
	const struct spot *s = at(f, id);

	return s->names ? &s->names[i] : &s->one;
}

struct frame_name
frames_name(const struct frames *f, frame_id id, unsigned i)
{
	const struct named *n = named(f, id, i);

	return (struct frame_name){ strtab_at(f->strings, n->function),
		strtab_at(f->strings, n->file), n->line };
}

uint32_t
frames_function_id(const struct frames *f, frame_id id, unsigned i)
{
	return named(f, id, i)->function;
}

uint32_t
frames_file_id(const struct frames *f, frame_id id, unsigned i)
{
	return named(f, id, i)->file;
}

enum plumbing
frames_plumbing(const struct frames *f, frame_id id, unsigned i)
{
	return (enum plumbing)named(f, id, i)->plumbing;
}

const char *
frames_string(const struct frames *f, uint32_t str)
{
	return strtab_at(f->strings, str);
}

uint32_t
frames_string_count(const struct frames *f)
{
	return strtab_count(f->strings);
}

/* Symbol tables are not to be trusted: control bytes would move the cursor
 * or end a line of a report. */
static str_id
clean_string(struct frames *f, const char *s)
{
	struct buf *b = &f->scratch;

	buf_clear(b);
	buf_puts(b, s);
	for (size_t i = 0; i < b->len; i++) {
		if ((unsigned char)b->data[i] < 0x20 || b->data[i] == 0x7f)
			b->data[i] = '?';
	}
	return strtab_addn(f->strings, b->data, b->len);
}

#define DEPTH_MAX 256u

void
frames_set_names(struct frames *f, frame_id id, const struct frame_name *names,
    unsigned count)
{
	struct spot *s = &f->spots[id - 1];
	struct named *to;

	f->version++;
	if (count == 0) {
		if (s->state != FRAME_NAMED)
			s->state = FRAME_NAMELESS;
		return;
	}
	/* Of an absurd chain the outermost are kept: the last is real. */
	if (count > DEPTH_MAX) {
		names += count - DEPTH_MAX;
		count = DEPTH_MAX;
	}
	if (count == 1)
		to = &s->one;
	else if (s->names && s->depth >= count)
		to = s->names;
	else
		to = arena_calloc(&f->arena, count, sizeof *to);
	for (unsigned i = 0; i < count; i++) {
		if (names[i].function && *names[i].function)
			to[i].function = clean_string(f, names[i].function);
		else
			to[i].function = unnamed(f, s->module, s->offset);
		to[i].file =
		    clean_string(f, names[i].file ? names[i].file : "");
		to[i].line = names[i].line;
		classify(f, s->module, &to[i]);
	}
	s->names = count == 1 ? NULL : to;
	s->depth = (uint16_t)count;
	s->state = FRAME_NAMED;
}

void
frames_set_asked(struct frames *f, frame_id id)
{
	if (f->spots[id - 1].state == FRAME_UNKNOWN)
		f->spots[id - 1].state = FRAME_ASKED;
}

uint64_t
frames_version(const struct frames *f)
{
	return f->version;
}
