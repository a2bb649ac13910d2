/*
 * The table as a stream: turns what is in THE TABLE into the frames of
 * format.h, bounded bytes in, bytes out.
 *
 * Used twice: by the helper thread over the live table, and by heaptop over
 * the memfd of a process that has died.  It reads through tableread.h and never
 * fails: what lies outside the table is left out.  It calls nothing, allocates
 * nothing and keeps all its state in the struct, one for each connection, so a
 * dump can be produced piece by piece.
 *
 * What a connection was sent once (modules, stacks) is not sent again; of
 * threads, cells and births only those changed since its last dump began.  So
 * a pull costs what changed, one pass over the cells' stamps, and one over
 * those of the births in segments where any changed.
 */
#ifndef PROF_ENCODE_H
#define PROF_ENCODE_H

#include <stddef.h>
#include <stdint.h>

#include "table.h"
#include "tableread.h"

struct encoder {
	struct table_view view;
	uint32_t modules, stacks; /* ids up to here were sent */
	int whole;      /* no births were told yet, or all are to be again */
	uint32_t since; /* pull number when the last dump began, 0: none */
	uint32_t seq;   /* dumps done */

	/* of the dump that is being made */
	uint32_t stage;
	uint32_t at; /* next id of the stage */
	uint32_t last_module, last_stack, last_cell, last_slot, last_birth;
	uint32_t begun; /* pull number when it began */
	uint64_t now_ns;
	struct end_frame sent;
	struct totals sum; /* summed over the cells on the way */
};

void encoder_init(struct encoder *e, struct table_view view);

/* Begin a dump; `pull` is head.pull before it was raised for this dump, and
 * now_ns the CLOCK_MONOTONIC to stand in it.  With `whole`, everything is
 * sent again. */
void encoder_begin(
    struct encoder *e, uint32_t pull, uint64_t now_ns, int whole);

/* Bytes of buf that must be free for encoder_some to get on. */
#define ENCODE_ROOM (FRAME_MAX + 8u)

/* Write as many whole frames as fit into buf (cap >= ENCODE_ROOM); the number of
 * bytes written, 0 when the dump is complete. */
size_t encoder_some(struct encoder *e, void *buf, size_t cap);

/* The frame of a hello (head, struct and strings), as in MSG_HELLO; the
 * number of bytes, at most ENCODE_ROOM; 0 if the table has no valid head. */
size_t encode_hello(const struct table_view *v, void *buf, size_t cap);

#endif
