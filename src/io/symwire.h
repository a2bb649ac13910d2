/*
 * What heaptop and its symbol process say to each other.
 *
 * One request at a time: about one file, with the offsets asked for.  The
 * answers are records in any order, ended by one of kind ANSWER_DONE.  Both
 * are framed by struct symwire_head; numbers are of this machine, strings are
 * a uint32_t length and bytes.  Heaptop takes what comes for hostile: the
 * child reads files that anybody may have made.
 *
 * request: uint8_t build_id_len, build-id, string path, uint32_t count of
 * candidates, strings, uint32_t count of offsets, uint64_t each.
 * ANSWER_NOTE: uint32_t has_lines, string.
 * ANSWER_PLACE: uint32_t index of the offset, uint32_t count, then for each
 * function strings function and file, uint32_t line.
 */
#ifndef IO_SYMWIRE_H
#define IO_SYMWIRE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct buf;

#define SYMWIRE_MAX    (16u << 20) /* payload of a record */
#define SYMWIRE_PLACES 2048u       /* offsets of one request */

struct symwire_head {
	uint32_t size; /* payload bytes */
	uint16_t kind;
	uint16_t zero;
};

enum symwire_kind {
	ASK_NAMES = 1, /* from symbol tables alone */
	ASK_LINES,     /* all there is */
	ANSWER_NOTE,
	ANSWER_PLACE,
	ANSWER_DONE
};

void symwire_put_u32(struct buf *b, uint32_t v);
void symwire_put_string(struct buf *b, const char *text); /* NULL is "" */
/* Begin a record; the result is for symwire_end. */
size_t symwire_begin(struct buf *b, enum symwire_kind kind);
void symwire_end(struct buf *b, size_t start);

/* Take `size` bytes off the front of [*p, end); false if there are less. */
bool symwire_take(const char **p, const char *end, void *to, size_t size);
/* The same for a string, to be freed; NULL if it does not fit. */
char *symwire_take_string(const char **p, const char *end);

#endif
