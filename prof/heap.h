/*
 * The lists of the page heap: what is free, by size and by age.
 *
 * The inside of span.h, for span.c and purge.c only.  Everything here is
 * called with the heap's lock held.
 */
#ifndef PROF_HEAP_H
#define PROF_HEAP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "lock.h"
#include "sizeclass.h"
#include "span.h"

/* Free spans hang on lists by size: one for each size to HEAP_EXACT pages,
 * then eight to a doubling. */
#define HEAP_EXACT 64u
#define HEAP_BINS  256u
#define HEAP_KINDS 2 /* SPAN_DIRTY, SPAN_CLEAN */
/* Large blocks just freed that are kept whole. */
#define HEAP_RECENT 8u
/* More pages than these are no business of the lists. */
#define HUGE_PAGES ((size_t)64 << (20 - PAGE_SHIFT))

struct heap {
	struct lock lock;
	uint32_t ops; /* spans freed */
	uint64_t now; /* ms, as of the last look at the clock */
	struct span *bin[HEAP_KINDS][HEAP_BINS];
	uint64_t map[HEAP_KINDS][HEAP_BINS / 64]; /* lists not empty */
	struct span *oldest, *newest;             /* dirty spans by age */
	struct span *spare;                       /* structs not in use */
	struct span *recent[HEAP_RECENT];         /* the oldest first */
	uint32_t recents;
	uintptr_t low;        /* where the heap last grew to */
	size_t mapped, dirty; /* pages */
	size_t large_pages, large_count;
};

extern struct heap heap __attribute__((visibility("hidden")));

struct span *heap_struct_new(void);
void heap_struct_free(struct span *s);

/* Put a free span on its list, joined with what it touches. */
void heap_insert(struct span *s, unsigned kind);
/* The same where nothing can be joined. */
void heap_list(struct span *s, unsigned kind);
void heap_unlist(struct span *s);

/* A listed span of at least that many pages, the dirty or the clean; NULL if
 * there is none. */
struct span *heap_find(unsigned kind, size_t pages);
/* The first list from b on that is not empty, or HEAP_BINS. */
unsigned heap_next_bin(unsigned kind, unsigned b);
/* The listed span that ends or starts at the page of `a`, or NULL. */
struct span *heap_neighbour(uintptr_t a, unsigned kind);

/* Cut the pages from `pages` on off into a span of their own, which is on no
 * list and not in the page map; NULL if there is no struct for it. */
struct span *heap_cut(struct span *s, size_t pages);

/* A plain large block was freed: keep it whole for now. */
void heap_keep_recent(struct span *s);
/* One that was kept, of that very size, as a live block again; else NULL. */
struct span *heap_take_recent(size_t pages, size_t align);
/* Keep none any more. */
void heap_join_recent(void);

/* A span is being freed: now and then look at the clock.  Whether something
 * is due, and then what is at most so old (ms). */
bool purge_due(uint64_t *before);
/* Give one old span's pages back, at most so many; false if none is older
 * than `before`.  Called without the lock. */
bool purge_one(uint64_t before, size_t most);

#endif
