#include "model/frames.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

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

/* There may be millions, most of them without a name. */
struct spot {
	uint64_t offset;
	uint32_t at; /* FRAME_NAMED: index of its first function in `named`;
	              * else the text that stands in for it, 0: not made yet */
	uint16_t module;
	uint8_t state : 7;  /* enum frame_state */
	uint8_t half : 1;   /* see frames_set_half */
	uint8_t more : 7;   /* functions beside the first */
	uint8_t behind : 1; /* see frames_set_behind */
};

#define DEPTH_MAX 128u

struct frames {
	const struct modules *modules;
	struct spot *spots; /* [id - 1] */
	size_t count, cap;
	uint32_t in[FRAME_NAMELESS + 1]; /* each state */
	uint32_t *slots; /* id or 0, by module's name and offset */
	size_t slot_cap; /* a power of two */
	struct named *named;
	size_t named_count, named_cap;
	uint32_t *names; /* [module]: its name in `strings`; 0: not known */
	size_t name_cap;
	struct strtab *strings;
	struct buf *scratch;
	uint64_t version;
};

struct frames *
frames_new(const struct modules *m)
{
	struct frames *f = xcalloc(1, sizeof *f);

	f->modules = m;
	f->strings = strtab_new();
	f->scratch = xcalloc(1, sizeof *f->scratch);
	return f;
}

void
frames_free(struct frames *f)
{
	if (!f)
		return;
	free(f->spots);
	free(f->slots);
	free(f->named);
	free(f->names);
	strtab_free(f->strings);
	buf_fini(f->scratch);
	free(f->scratch);
	free(f);
}

static struct spot *
at(const struct frames *f, frame_id id)
{
	return &f->spots[id - 1];
}

/* ---- places ---------------------------------------------------------------- */

/* What tells modules apart in the text of a place.  0: the place is known by
 * its address. */
static str_id
module_name(const struct frames *f, uint32_t module)
{
	return module < f->name_cap ? f->names[module] : 0;
}

static void
learn_name(struct frames *f, uint32_t module)
{
	const struct module *m;
	size_t old = f->name_cap;

	if (module_name(f, module))
		return;
	m = modules_find(f->modules, module);
	if (!m)
		return;
	VEC_ROOM(f->names, f->name_cap, (size_t)module + 1);
	for (size_t i = old; i < f->name_cap; i++)
		f->names[i] = 0;
	f->names[module] = strtab_add(f->strings, m->name);
}

/* Places that are written the same lie in one row of slots. */
static size_t
first_slot(const struct frames *f, uint32_t module, uint64_t offset)
{
	uint64_t h = map_mix(module_name(f, module) ^ map_mix(offset));

	return (size_t)h & (f->slot_cap - 1);
}

static size_t
next_slot(const struct frames *f, size_t slot)
{
	return (slot + 1) & (f->slot_cap - 1);
}

static void
grow(struct frames *f)
{
	f->slot_cap = f->slot_cap ? f->slot_cap * 2 : 64;
	free(f->slots);
	f->slots = xcalloc(f->slot_cap, sizeof *f->slots);
	for (size_t i = 0; i < f->count; i++) {
		size_t k =
		    first_slot(f, f->spots[i].module, f->spots[i].offset);

		while (f->slots[k])
			k = next_slot(f, k);
		f->slots[k] = (uint32_t)i + 1;
	}
}

frame_id
frames_add(struct frames *f, uint32_t module, uint64_t offset)
{
	size_t k;

	if (module > UINT16_MAX)
		module = 0; /* no profile has such */
	if (f->count >= f->slot_cap / 4 * 3)
		grow(f);
	learn_name(f, module);
	for (k = first_slot(f, module, offset); f->slots[k];
	     k = next_slot(f, k)) {
		const struct spot *s = at(f, f->slots[k]);

		if (s->offset == offset && s->module == module)
			return f->slots[k];
	}
	VEC_ROOM(f->spots, f->cap, f->count + 1);
	f->spots[f->count++] = (struct spot){ .module = (uint16_t)module,
		.offset = offset,
		.state = FRAME_UNKNOWN };
	f->in[FRAME_UNKNOWN]++;
	f->slots[k] = (uint32_t)f->count;
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

uint32_t
frames_in(const struct frames *f, enum frame_state state)
{
	return f->in[state];
}

static void
set_state(struct frames *f, struct spot *s, enum frame_state state)
{
	f->in[s->state]--;
	f->in[state]++;
	s->state = (unsigned)state & 0x7f;
}

enum frame_state
frames_state(const struct frames *f, frame_id id)
{
	return (enum frame_state)at(f, id)->state;
}

void
frames_fetch(const struct frames *f, frame_id id)
{
	__builtin_prefetch(at(f, id));
}

/* ---- names ----------------------------------------------------------------- */

static void
put_hex(struct buf *b, uint64_t v)
{
	char text[18];
	size_t i = sizeof text;

	do
		text[--i] = "0123456789abcdef"[v & 15];
	while ((v >>= 4) != 0);
	text[--i] = 'x';
	text[--i] = '0';
	buf_put(b, text + i, sizeof text - i);
}

static bool
same_text(const struct frames *f, const struct spot *a, const struct spot *b)
{
	return a->offset == b->offset && b->state != FRAME_NAMED &&
	    a->behind == b->behind &&
	    module_name(f, a->module) == module_name(f, b->module);
}

/* A place that is written the same and has its text, or NULL. */
static const struct spot *
find_alike(const struct frames *f, const struct spot *s)
{
	for (size_t k = first_slot(f, s->module, s->offset); f->slots[k];
	     k = next_slot(f, k)) {
		const struct spot *o = at(f, f->slots[k]);

		if (o->at && same_text(f, s, o))
			return o;
	}
	return NULL;
}

/* Slots are filled in the order of ids. */
frame_id
frames_alike(const struct frames *f, frame_id id)
{
	const struct spot *s = at(f, id);
	size_t k = first_slot(f, s->module, s->offset);

	while (f->slots[k] != id && !same_text(f, s, at(f, f->slots[k])))
		k = next_slot(f, k);
	return f->slots[k];
}

struct frame_text
frames_text(const struct frames *f, frame_id id)
{
	const struct spot *s = at(f, id);

	return (struct frame_text){ strtab_at(
					f->strings, module_name(f, s->module)),
		s->offset + s->behind };
}

void
frames_put_text(const struct frames *f, frame_id id, struct buf *b)
{
	struct frame_text t = frames_text(f, id);

	if (*t.module) {
		buf_puts(b, t.module);
		buf_putc(b, '+');
	}
	put_hex(b, t.offset);
}

/* The text of a place that has no name.  It is made when somebody wants to
 * see it, and changes nothing. */
static str_id
unnamed(const struct frames *f, struct spot *s)
{
	const struct spot *o;

	if (s->state != FRAME_NAMED && s->at)
		return s->at;
	o = find_alike(f, s);
	if (o)
		return o->at;
	buf_clear(f->scratch);
	frames_put_text(f, (frame_id)(s - f->spots) + 1, f->scratch);
	return strtab_append(f->strings, f->scratch->data, f->scratch->len);
}

/* Its text, which it keeps. */
static str_id
text_of(const struct frames *f, struct spot *s)
{
	return s->at = unnamed(f, s);
}

unsigned
frames_depth(const struct frames *f, frame_id id)
{
	return at(f, id)->more + 1u;
}

/* NULL: it has no name. */
static const struct named *
named(const struct frames *f, const struct spot *s, unsigned i)
{
	return s->state == FRAME_NAMED ? &f->named[s->at + i] : NULL;
}

uint32_t
frames_function_id(const struct frames *f, frame_id id, unsigned i)
{
	const struct named *n = named(f, at(f, id), i);

	return n ? n->function : text_of(f, at(f, id));
}

uint32_t
frames_file_id(const struct frames *f, frame_id id, unsigned i)
{
	const struct named *n = named(f, at(f, id), i);

	return n ? n->file : 0;
}

struct frame_name
frames_name(const struct frames *f, frame_id id, unsigned i)
{
	const struct named *n = named(f, at(f, id), i);

	return (struct frame_name){ strtab_at(f->strings,
					frames_function_id(f, id, i)),
		strtab_at(f->strings, n ? n->file : 0), n ? n->line : 0 };
}

static const char *
module_of(const struct frames *f, const struct spot *s)
{
	const struct module *m = modules_find(f->modules, s->module);

	return m ? m->name : "";
}

enum plumbing
frames_plumbing(const struct frames *f, frame_id id, unsigned i)
{
	struct spot *s = at(f, id);
	const struct named *n = named(f, s, i);

	return n ? (enum plumbing)n->plumbing
		 : plumbing_module(module_of(f, s));
}

const char *
frames_string(const struct frames *f, uint32_t str)
{
	return strtab_at(f->strings, str);
}

uint32_t
frames_string_count(const struct frames *f)
{
	for (frame_id id = 1; id <= f->count; id++)
		if (at(f, id)->state != FRAME_NAMED)
			text_of(f, at(f, id));
	return strtab_count(f->strings);
}

/* Symbol tables are not to be trusted: control bytes would move the cursor
 * or end a line of a report. */
static str_id
clean_string(struct frames *f, const char *s)
{
	struct buf *b = f->scratch;

	buf_clear(b);
	buf_puts(b, s);
	for (size_t i = 0; i < b->len; i++) {
		if ((unsigned char)b->data[i] < 0x20 || b->data[i] == 0x7f)
			b->data[i] = '?';
	}
	return strtab_addn(f->strings, b->data, b->len);
}

/* Where `count` names of the place go: in place of those it has, if they fit
 * there. */
static uint32_t
room_for(struct frames *f, const struct spot *s, unsigned count)
{
	if (s->state == FRAME_NAMED && s->more + 1u >= count)
		return s->at;
	VEC_ROOM(f->named, f->named_cap, f->named_count + count);
	f->named_count += count;
	return (uint32_t)(f->named_count - count);
}

void
frames_set_names(struct frames *f, frame_id id, const struct frame_name *names,
    unsigned count)
{
	struct spot *s = at(f, id);
	uint32_t to;

	f->version++;
	s->half = 0;
	if (count == 0) {
		if (s->state != FRAME_NAMED)
			set_state(f, s, FRAME_NAMELESS);
		return;
	}
	/* Of an absurd chain the outermost are kept: the last is real. */
	if (count > DEPTH_MAX) {
		names += count - DEPTH_MAX;
		count = DEPTH_MAX;
	}
	to = room_for(f, s, count);
	for (unsigned i = 0; i < count; i++) {
		struct named n = { .line = names[i].line };

		n.function = names[i].function && *names[i].function
		    ? clean_string(f, names[i].function)
		    : unnamed(f, s);
		n.file = clean_string(f, names[i].file ? names[i].file : "");
		n.plumbing = (uint8_t)plumbing_class(
		    strtab_at(f->strings, n.function), module_of(f, s));
		f->named[to + i] = n;
	}
	s->at = to;
	s->more = (uint8_t)((count - 1) & (DEPTH_MAX - 1));
	set_state(f, s, FRAME_NAMED);
}

void
frames_set_half(struct frames *f, frame_id id, bool half)
{
	struct spot *s = at(f, id);

	s->half = half && s->state == FRAME_NAMED;
}

bool
frames_half(const struct frames *f, frame_id id)
{
	return at(f, id)->half;
}

void
frames_set_behind(struct frames *f, frame_id id)
{
	struct spot *s = at(f, id);

	if (s->state == FRAME_NAMED || s->behind)
		return;
	s->behind = 1;
	s->at = 0;
	f->version++;
}

void
frames_set_asked(struct frames *f, frame_id id)
{
	if (at(f, id)->state == FRAME_UNKNOWN)
		set_state(f, at(f, id), FRAME_ASKED);
}

uint64_t
frames_version(const struct frames *f)
{
	return f->version;
}
