/*
 * malloc and free from the inside: what the exported functions are made of.
 *
 * malloc's fast path is a table look-up, a subtraction and a pop; free's is
 * the page map and a push.  Neither takes a lock or writes shared memory.
 * Everything else is a slow path in entry.c.  A block's size counts down the
 * sampler of the thread that allocates it.
 *
 * These never set errno; alloc_new() and alloc_resize() answer NULL where
 * there is no memory or no such block can be, and the exported functions add
 * ENOMEM.
 */
#ifndef PROF_ENTRY_H
#define PROF_ENTRY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "cache.h"
#include "pagemap.h"
#include "thread.h"

/* Any block.  `align` is a power of two, at least 16; if `zero`, `size` bytes
 * are zero. */
void *alloc_new(size_t size, size_t align, bool zero);
/* malloc() from where alloc_pop() got stuck. */
void *alloc_stuck(size_t size);
/* free() of everything that the fast path leaves. */
void alloc_free_slow(void *p, uint64_t entry);
/* realloc() of a block to a size that is not 0, for alignment `align`; new
 * bytes behind the old usable size are zero if asked. */
void *alloc_resize(void *p, size_t size, size_t align, bool zero);
/* Make a block `size` bytes or a little more without moving it; the usable
 * size it has then, the old one if that was not possible. */
size_t alloc_resize_in_place(void *p, size_t size);
/* Usable bytes; 0 of NULL. */
size_t alloc_usable(void *p);
/* Is it a block of ours (or was it, or could it be)? */
static inline bool
alloc_is_ours(void *p)
{
	return pagemap_code(pagemap_get((uintptr_t)p)) != 0;
}

/* The fast path; NULL where it is stuck, then alloc_stuck() goes on.  Where
 * both conditions of alloc_counts() hold the size has been counted. */
static inline bool
alloc_counts(struct thread *t, size_t size)
{
	return t != NULL && size <= SC_MAX;
}

static inline void *
alloc_pop(size_t size)
{
	struct thread *t = thread_self();
	unsigned class;
	if (__builtin_expect(t == NULL, 0))
		return NULL;
	if (__builtin_expect(size <= SC_TABLE_MAX, 1))
		class = sc_table[(size + 15) >> 4];
	else if (size <= SC_MAX)
		class = sc_class_computed(size);
	else
		return NULL;
	struct bin *b = &t->cache.bin[class];
	unsigned n = b->count;
	t->countdown -= b->size;
	if (__builtin_expect(t->countdown < 0 || n == 0, 0))
		return NULL;
	b->count = (uint16_t)(n - 1);
	void *p = b->slots[n - 1];
	/* So that the caller's check costs nothing. */
	if (p == NULL)
		__builtin_unreachable();
	return p;
}

static inline void *
alloc_fast(size_t size)
{
	void *p = alloc_pop(size);
	return __builtin_expect(p != NULL, 1) ? p : alloc_stuck(size);
}

static inline void
alloc_free(void *p)
{
	uint64_t e = pagemap_get((uintptr_t)p);
	unsigned code = pagemap_code(e);
	struct thread *t = thread_self();
	if (__builtin_expect(t != NULL, 1)) {
		/* What is no plain small object has a bin without room. */
		struct bin *b = &t->cache.bin[code];
		unsigned n = b->count;
		if (__builtin_expect(n < b->room, 1)) {
			b->slots[n] = p;
			b->count = (uint16_t)(n + 1);
			return;
		}
	}
	alloc_free_slow(p, e);
}

/* Find the allocator behind us, for pointers that are not ours: once, from
 * the constructor, as it calls dlsym.  Before that such pointers are left
 * alone. */
void entry_resolve_next(void);

/* Tell, once, that the program freed something that is no live block: just
 * now, or, perhaps, some time ago.  Does not return under abort:true. */
void entry_invalid_free(void *p, bool now);

#endif
