/*
 * Size classes: the sizes that small objects come in.
 *
 * Multiples of 16 to 128, then eight to a doubling up to 256 KiB, so that an
 * object wastes at most an eighth.  Classes are numbered from 1; 0 means that
 * there is none: the block is large and comes in whole pages.
 *
 * A slab is a run of pages cut into objects of one class from its start, so
 * an object is aligned to every power of two that divides its size, up to a
 * page.  Everything here is constant data.
 */
#ifndef PROF_SIZECLASS_H
#define PROF_SIZECLASS_H

#include <stddef.h>
#include <stdint.h>

#define PAGE_SHIFT 13 /* the allocator's page, not the kernel's */
#define PAGE_BYTES ((size_t)1 << PAGE_SHIFT)

#define SC_COUNT     96
#define SC_MAX       ((size_t)256 << 10)
#define SC_TABLE_MAX 1024u /* up to here a table answers */
#define SC_OBJECTS   512u  /* of a slab, at most */

struct sc_info {
	uint32_t size;    /* bytes of an object */
	uint32_t inverse; /* 2^32 / size, rounded up: see sc_index() */
	uint16_t pages;   /* of a slab */
	uint16_t objects; /* of a slab */
	uint16_t batch;   /* objects moved between cache and centre at once */
	uint16_t first;   /* first capacity of a thread's cache */
	uint16_t most;    /* largest capacity of a thread's cache */
	uint16_t marked;  /* most sampled slots kept by a thread */
	uint16_t shelf;   /* most objects kept between threads */
};

extern const struct sc_info sc_info[SC_COUNT + 1];
extern const uint8_t sc_table[SC_TABLE_MAX / 16 + 1];

/* The class of a size of 1025 .. SC_MAX. */
static inline unsigned
sc_class_computed(size_t size)
{
	unsigned lg = 63 - (unsigned)__builtin_clzl(size - 1);
	return 1 + 8 * (lg - 6) + (unsigned)((size - 1) >> (lg - 3)) - 8;
}

/* The smallest class that holds `size` bytes, 0 if it is large. */
static inline unsigned
sc_class(size_t size)
{
	if (size <= SC_TABLE_MAX)
		return sc_table[(size + 15) >> 4];
	return size <= SC_MAX ? sc_class_computed(size) : 0;
}

/* The same for objects aligned to `align`, a power of two. */
static inline unsigned
sc_class_aligned(size_t size, size_t align)
{
	if (align <= 16)
		return sc_class(size);
	if (align > PAGE_BYTES || size > SC_MAX)
		return 0;
	unsigned c = sc_class((size + (size == 0) + align - 1) & -align);
	/* At most seven steps: the last class of a doubling is a power. */
	while (c != 0 && (sc_info[c].size & (align - 1)) != 0)
		c = c < SC_COUNT ? c + 1 : 0;
	return c;
}

/* Which object of its slab lies `offset` bytes behind the slab's start:
 * exact for multiples of the size, which the caller checks.  The error of
 * the inverse is below size / 2^32 and offsets are far below 2^32. */
static inline uint32_t
sc_index(const struct sc_info *c, size_t offset)
{
	return (uint32_t)(((uint64_t)offset * c->inverse) >> 32);
}

/* Usable bytes of a block of `size`, 0 if no such block can be. */
size_t sc_usable(size_t size, size_t align);

#endif
