/*
 * The symbol process and what is said to it and by it.
 *
 * One request at a time: about one file, with the offsets asked for.  The
 * answers are records in any order, ended by one of kind ANSWER_DONE.  Both
 * are framed by struct symchild_head; numbers are of this machine, strings are
 * a uint32_t length and bytes.  The parent takes what comes for hostile: the
 * child reads files that anybody may have made.
 *
 * request: uint8 build_id_len, build-id, string path, uint32 count of
 * candidates, strings, uint32 count of offsets, uint64 each.
 * ANSWER_NOTE: uint32 has_lines, string.
 * ANSWER_PLACE: uint32 index of the offset, uint32 count, then for each
 * function strings function and file, uint32 line.
 */
#ifndef IO_SYMCHILD_H
#define IO_SYMCHILD_H

#include <stdint.h>

#define SYMCHILD_MAX	(16u << 20) /* payload of a record */
#define SYMCHILD_PLACES 2048u	    /* offsets of one request */

struct symchild_head {
	uint32_t size; /* payload bytes */
	uint16_t kind;
	uint16_t zero;
};

enum symchild_kind {
	ASK_NAMES = 1, /* from symbol tables alone */
	ASK_LINES,     /* all there is */
	ANSWER_NOTE,
	ANSWER_PLACE,
	ANSWER_DONE
};

/* Serve requests until the end of `in`; returns an exit status.  `memory` is
 * the limit of its address space beyond what it has, 0: none. */
int symchild_run(int in, int out, uint64_t memory);

#endif
