/*
 * Spans: runs of pages, and the page heap that hands them out.
 *
 * Every page that the allocator holds is in exactly one span.  A span is
 *	SPAN_DIRTY  free, its pages may be resident and hold anything
 *	SPAN_CLEAN  free, its pages read as zero and cost nothing
 *	SPAN_RECENT free, one of the last large blocks freed, kept whole
 *	SPAN_AWAY   free, in the hands of who gives its pages back just now
 *	SPAN_SLAB   cut into objects of one class, see central.h
 *	SPAN_LARGE  one block
 *	SPAN_HUGE   one block in a mapping of its own (over 64 MiB); unmapped
 *	            when freed
 * Free spans of one kind, dirty or clean, never touch: they are joined.  But
 * who frees a large block often wants one of the same size next; so the last
 * few are joined only when somebody asks for another size.  Dirty ones are
 * preferred and kept until nobody wanted them for dirty_decay_ms, then
 * become clean.  The heap grows by mappings of 1 to 16 MiB.
 *
 * A span's struct lives in meta memory that is never unmapped, so that a
 * stale pointer to one is wrong but readable.  State, size and lists of free
 * spans are the page heap's, under its lock; everything else belongs to the
 * owner of the span: of a slab its centre, under that lock.
 */
#ifndef PROF_SPAN_H
#define PROF_SPAN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "sizeclass.h"

struct record;

enum span_state {
	SPAN_DIRTY,
	SPAN_CLEAN,
	SPAN_RECENT,
	SPAN_AWAY,
	SPAN_SLAB,
	SPAN_LARGE,
	SPAN_HUGE
};

struct span {
	uintptr_t start;
	size_t pages;
	struct span *next, *prev;   /* free spans of a size; slabs with room */
	struct span *newer, *older; /* dirty spans by age; sampled spans */
	uint64_t tick;          /* of a dirty span: ms when it was last freed */
	uint8_t state;          /* enum span_state */
	uint8_t class;          /* of a slab; 0 else */
	bool zero;              /* its pages were zero when it was handed out */
	bool sampled;           /* has records */
	uint16_t free;          /* objects of a slab that are not out */
	uint16_t count;         /* objects of a slab; 1 of a large block */
	struct record *records; /* of a sampled span: one an object ... */
	uint8_t *live;          /* ... and whether it is out */
	uint64_t bits[SC_OBJECTS / 64]; /* of a slab: 1 is free */
};

static inline size_t
span_bytes(const struct span *s)
{
	return s->pages << PAGE_SHIFT;
}

/* A span for a large block of `pages` at a multiple of `align`, or for a slab
 * of `class` (then align is a page); its entries in the page map are set,
 * with PAGE_SAMPLED if `sampled`.  `zero` tells whether it reads as zero.
 * NULL if there is no memory. */
struct span *span_new(size_t pages, size_t align, unsigned class, bool sampled);
/* The owner is done with it. */
void span_free(struct span *s);
/* A large block has got records. */
void span_mark_sampled(struct span *s);

/* Make a large block larger or smaller where it is; false if it can't be. */
bool span_resize(struct span *s, size_t pages);
/* Move a growing block, by its page tables, to where it can be that large;
 * false for blocks that are as quickly copied. */
bool span_move(struct span *s, size_t pages);

/* Give back the pages of spans that nobody wanted for dirty_decay_ms; for
 * the helper.  Returns the milliseconds until it has something to do again,
 * 0 if nothing is dirty. */
uint64_t span_decay(uint64_t now_ms);
/* Give back all dirty pages; whether there were any. */
bool span_purge_all(void);

struct span_stats {
	size_t mapped;                   /* bytes of address space */
	size_t dirty;                    /* bytes of dirty spans */
	size_t large_bytes, large_count; /* live large blocks */
};
void span_stats(struct span_stats *out);

struct lock *span_lock(void);

#endif
