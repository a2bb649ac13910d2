/*
 * What is known of one live sampled object; the truth of its free().
 *
 * Records are private memory beside the sampled span that holds the objects:
 * one array a span, `struct record[span's objects]`, zeroed when the span is
 * made.  record.cell == 0 means that the slot holds no live sample;
 * otherwise its high 8 bits are the generation of the table (a fork child
 * that opens a table of its own starts a new one) and the low 24 the cell.  A fork
 * child inherits them by copy-on-write.
 *
 * Who may touch: the thread that allocates the object writes it before it
 * hands the object out; the thread that frees the object reads and clears it
 * before the slot can be given out again.  `cell` is written last and cleared
 * first (release), so that who walks the spans sees whole records only.
 */
#ifndef PROF_RECORD_H
#define PROF_RECORD_H

#include <stdint.h>

struct record {
	uint32_t cell;   /* id of the cell it is counted in, from 1; 0: none */
	uint32_t number; /* under which its birth is told, see mirror.h; or 0 */
	uint32_t birth;  /* ticks of 10 ms since the library started */
	uint8_t lg_sample; /* rate under which it was sampled */
	uint8_t flags;     /* RECORD_* */
	uint16_t zero;
	uint64_t size; /* usable size it is counted with */
};

#define RECORD_CELL_BITS 24
#define RECORD_CELL_MASK ((1u << RECORD_CELL_BITS) - 1)

/* A link_map of ld.so: its free() starts a new unload epoch.  Such a record
 * has no cell. */
#define RECORD_LINKMAP 1u

_Static_assert(sizeof(struct record) == 24, "budget of exact mode");

#endif
