/*
 * Where small objects come from and go to: slabs, and the objects that
 * travel between threads.
 *
 * Each class has a centre: slabs with room, a shelf of objects that one
 * thread gave back in batches and another may take as they are, and a lock.
 * Which objects of a slab are out is a bitmap in its span, never in the
 * objects.  A slab with nothing out goes back to the page heap, but for one
 * of small objects that is kept.  An object that comes back to its slab is
 * checked there; a pointer that is no object, or not out, is told once and
 * dropped.
 *
 * Sampled objects live in slabs of their own, many to a slab, with a
 * `struct record` each beside them in meta memory; a sampled large block is a
 * span with one record.  An object that is out is marked in span->live.
 *
 * "Plain" is what is not sampled.  All functions may be called by any thread,
 * also by one without a state.
 */
#ifndef PROF_CENTRAL_H
#define PROF_CENTRAL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct bin;
struct record;
struct lock;
struct span;

/* Fetch up to n plain objects of a class; how many there are, 0 only if
 * there is no memory. */
unsigned central_get(unsigned class, void **out, unsigned n);
/* Give plain objects back. */
void central_put(unsigned class, void **p, unsigned n);
/* Give back the first n of a bin.  They leave it under the centre's lock: a
 * fork, which holds that, finds each object in one place. */
void central_put_from(unsigned class, struct bin *b, unsigned n);

struct sampled {
	struct span *span;
	uint32_t index; /* of the object in its span */
	struct record *record;
	size_t usable; /* bytes */
	void *ptr;
};

/* A sampled object: its record is all zero.  False if there is no memory. */
bool central_sampled_new(
    size_t size, size_t align, bool zero, struct sampled *out);
/* Make a large block that is out a sampled one, if it is none: its record;
 * NULL if there is no memory. */
struct record *central_sampled_mark(struct span *s);
/* Of a pointer whose entry in the page map says PAGE_SAMPLED.  `record` is
 * NULL if it is not an object that is out. */
struct sampled central_sampled_find(void *p, uint64_t entry);
/* Give it back.  The record must not be in use any more. */
void central_sampled_release(struct sampled *s);

/* Walk the sampled spans, all records of each whether in use or not.  fn is
 * called with the lock of the span's class held: it must not allocate. */
void central_sampled_foreach(
    void (*fn)(struct span *, struct record *, uint32_t count, void *arg),
    void *arg);

/* cache.c's way to slots that are not out: their records are all zero. */
unsigned central_sampled_get(unsigned class, void **out, unsigned n);
void central_sampled_put_from(unsigned class, struct bin *b, unsigned n);

/* Put what lies on the shelves back into the slabs. */
void central_tidy(void);

struct central_stats {
	size_t out;     /* objects out of slabs, plain and sampled */
	size_t shelved; /* of them on the shelf */
	size_t idle;    /* objects in slabs that are not out */
};
void central_stats(unsigned class, struct central_stats *out);

/* Call fn for each lock, in the order they may be taken. */
void central_locks(void (*fn)(struct lock *));

#endif
