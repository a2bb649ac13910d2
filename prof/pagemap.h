/*
 * From an address to the span it lies in, without a lock.
 *
 * Two levels: a root of pointers in .bss for the 48 bits of an address, and
 * leaves of 1 MiB, mapped when needed, for 1 GiB of address each.  Pages of
 * either that nothing lies in are never touched.  The leaves around the first
 * mapping of the heap lie in one row, the near map, which is read without the
 * root: one load less in the middle of free's chain of loads.
 *
 * An entry is the span's address (low 48 bits) and a code (high 16 bits), so
 * that a free needs nothing but the entry:
 *	0               not ours
 *	1 .. SC_COUNT   a slab of that class, plain objects
 *	PAGE_LARGE      a large block: its first page and its last
 *	PAGE_SAMPLED    a sampled slab, or a sampled large block's ends
 *	PAGE_UNUSED     no block: free pages, or the inside of a large block;
 *	                the span is right at the ends of a free span only
 *
 * Written under the page heap's lock or by the block's owner; read by anyone
 * who holds a pointer into the page.
 */
#ifndef PROF_PAGEMAP_H
#define PROF_PAGEMAP_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "sizeclass.h"

struct span;

/* Small, so that a cache can have a bin for each code; see cache.h. */
#define PAGE_LARGE   (SC_COUNT + 1u)
#define PAGE_SAMPLED (SC_COUNT + 2u)
#define PAGE_UNUSED  (SC_COUNT + 3u)
#define PAGE_CODES   (SC_COUNT + 4u)

#define PAGEMAP_LEAF_SHIFT (30 - PAGE_SHIFT)
#define PAGEMAP_LEAF_PAGES ((size_t)1 << PAGEMAP_LEAF_SHIFT)
#define PAGEMAP_ROOT_COUNT ((size_t)1 << 18)

typedef _Atomic uint64_t pagemap_slot;

extern pagemap_slot *_Atomic pagemap_root[PAGEMAP_ROOT_COUNT]
    __attribute__((visibility("hidden")));

/* How much of the address space the near map is for, in leaves, and how many
 * of them lie above the first mapping: the kernel maps downwards. */
#define PAGEMAP_NEAR  8u
#define PAGEMAP_ABOVE 1u

struct pagemap_near {
	uintptr_t lo; /* first address; out of all reach if there is none */
	pagemap_slot *slot; /* of that address */
};

/* Set once, with the first mapping of the heap. */
extern struct pagemap_near pagemap_near __attribute__((visibility("hidden")));

static inline uint64_t
pagemap_get_far(uintptr_t a)
{
	size_t top = a >> 30;
	if (__builtin_expect(top >= PAGEMAP_ROOT_COUNT, 0))
		return 0;
	pagemap_slot *leaf =
	    atomic_load_explicit(&pagemap_root[top], memory_order_relaxed);
	if (__builtin_expect(leaf == NULL, 0))
		return 0;
	return atomic_load_explicit(
	    &leaf[(a >> PAGE_SHIFT) & (PAGEMAP_LEAF_PAGES - 1)],
	    memory_order_relaxed);
}

/* The entry of any address at all; 0 for those that can't be ours. */
static inline uint64_t
pagemap_get(uintptr_t a)
{
	size_t page = (a - pagemap_near.lo) >> PAGE_SHIFT;
	if (__builtin_expect(page < PAGEMAP_NEAR * PAGEMAP_LEAF_PAGES, 1))
		return atomic_load_explicit(
		    &pagemap_near.slot[page], memory_order_relaxed);
	return pagemap_get_far(a);
}

static inline unsigned
pagemap_code(uint64_t entry)
{
	return (unsigned)(entry >> 48);
}

static inline struct span *
pagemap_span(uint64_t entry)
{
	return (struct span *)(uintptr_t)(entry & 0xffffffffffffu);
}

/* Is `p` in memory that the allocator manages?  Lock-free. */
bool pagemap_owns(const void *p);
/* The block that holds `p`: its bounds; false if there is none.  Lock-free;
 * whether the block is live is for the caller to know. */
bool pagemap_block(const void *p, uintptr_t *lo, uintptr_t *hi);

/* Make the leaves for these pages; false if there is no memory. */
bool pagemap_cover(uintptr_t start, size_t pages);
/* Set one page, or all of a run; covered before. */
static inline void
pagemap_set(uintptr_t a, struct span *s, unsigned code)
{
	pagemap_slot *leaf =
	    atomic_load_explicit(&pagemap_root[a >> 30], memory_order_relaxed);
	atomic_store_explicit(
	    &leaf[(a >> PAGE_SHIFT) & (PAGEMAP_LEAF_PAGES - 1)],
	    (uint64_t)code << 48 | (uintptr_t)s, memory_order_relaxed);
}
void pagemap_set_run(
    uintptr_t start, size_t pages, struct span *s, unsigned code);
/* Set the first page and the last. */
void pagemap_set_ends(
    uintptr_t start, size_t pages, struct span *s, unsigned code);
/* Bytes of the leaves made so far. */
size_t pagemap_bytes(void);

#endif
