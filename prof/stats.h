/*
 * What the allocator holds, counted exactly.
 *
 * Nothing is counted on the fast paths: what is live is what left the slabs
 * and lies in no cache.  The figures are exact when no other thread allocates
 * meanwhile; otherwise they are off by what was under way.  May be called by
 * a thread without thread-local storage.  Bytes are usable sizes.
 */
#ifndef PROF_STATS_H
#define PROF_STATS_H

#include <stdint.h>

struct alloc_stats {
	uint64_t live_bytes, live_objects;
	uint64_t alloc_bytes;  /* since the process started */
	uint64_t mapped_bytes; /* address space of the page heap */
	uint64_t cached_bytes; /* free objects of caches, shelves and slabs */
	uint64_t dirty_bytes;  /* free spans that may be resident */
	uint64_t meta_bytes;   /* the library's own data */
};

void alloc_stats(struct alloc_stats *out);

#endif
