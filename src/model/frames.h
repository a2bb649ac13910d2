/*
 * Places in code and their names.
 *
 * A place is a (module, offset); it gets a dense id at once and its names may
 * arrive later.  Until then its one function is "module+0xoffset" (module's
 * file name), or the bare address.  Ids never change and are never reused.
 *
 * A named place has one or more functions: the innermost inlined one first,
 * the one that has code of its own in the symbol table last.
 */
#ifndef MODEL_FRAMES_H
#define MODEL_FRAMES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "model/plumbing.h"

struct buf;
struct frames;
struct modules;

typedef uint32_t frame_id; /* from 1; 0 is none */

/* One function at a place.  Strings live as long as the frames. */
struct frame_name {
	const char *function; /* demangled, without a "[clone ...]" cut off */
	const char *file;     /* "" if not known */
	uint32_t line;        /* 0 if not known */
};

enum frame_state {
	FRAME_UNKNOWN, /* not asked for yet */
	FRAME_ASKED,   /* a name is on its way */
	FRAME_NAMED,   /* the symbol table or DWARF gave a name */
	FRAME_NAMELESS /* asked, and there is no name */
};

struct frames *frames_new(const struct modules *m); /* borrows m */
void frames_free(struct frames *f);

/* The id of a place, made if new.  Module 0: an absolute address. */
frame_id frames_add(struct frames *f, uint32_t module, uint64_t offset);
uint32_t frames_count(const struct frames *f); /* ids are 1..count */

uint32_t frames_module(const struct frames *f, frame_id id);
uint64_t frames_offset(const struct frames *f, frame_id id);
/* How many are in a state. */
uint32_t frames_in(const struct frames *f, enum frame_state state);
enum frame_state frames_state(const struct frames *f, frame_id id);
/* It will soon be asked for: of millions in no order few are in the cache. */
void frames_fetch(const struct frames *f, frame_id id);

/* How many functions are at the place (>= 1), and the i-th of them. */
unsigned frames_depth(const struct frames *f, frame_id id);
struct frame_name frames_name(const struct frames *f, frame_id id, unsigned i);

/* What a place is written as that has no name: "module+0xoffset", or the bare
 * offset where the module is "".  Equal modules are equal pointers. */
struct frame_text {
	const char *module;
	uint64_t offset;
};
struct frame_text frames_text(const struct frames *f, frame_id id);
/* That, appended; other than by frames_name it is not kept: for very many. */
void frames_put_text(const struct frames *f, frame_id id, struct buf *b);
/* Of places without a name: the first one that is written the same. */
frame_id frames_alike(const struct frames *f, frame_id id);

/* Equal ids are equal strings, and equal names of functions have equal ids,
 * but for a function that is called like a place without a name.  Ids are
 * 0..count-1, 0 is "". */
uint32_t frames_function_id(const struct frames *f, frame_id id, unsigned i);
uint32_t frames_file_id(const struct frames *f, frame_id id, unsigned i);
const char *frames_string(const struct frames *f, uint32_t str);
uint32_t frames_string_count(const struct frames *f); /* costs a look at all */

/* What kind of frame it is; see plumbing.h. */
enum plumbing frames_plumbing(const struct frames *f, frame_id id, unsigned i);

/* Names have come; `names` (innermost first) are copied.  count 0: there is
 * none, the module+offset stays.  Strings may be of any length and bytes;
 * control bytes are replaced by '?'. */
void frames_set_names(struct frames *f, frame_id id,
    const struct frame_name *names, unsigned count);
void frames_set_asked(struct frames *f, frame_id id);
/* What it has been named is not all: lines and inlined functions may come.
 * The next names, or `false`, end that. */
void frames_set_half(struct frames *f, frame_id id, bool half);
bool frames_half(const struct frames *f, frame_id id);
/* The source has the address to which the call returns, one behind the place:
 * without a name the place is written as that. */
void frames_set_behind(struct frames *f, frame_id id);

/* Grows with every change of a name: who caches names compares it. */
uint64_t frames_version(const struct frames *f);

#endif
