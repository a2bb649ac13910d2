/*
 * The free objects a thread keeps for itself.
 *
 * One bin a class: an array of pointers, used as a stack.  Bins start small
 * and grow when they run empty or over; together they have room for
 * so many bytes of objects, CACHE_LEAST at first, and a little more each time
 * that is too little, up to CACHE_MOST.  So a thread that has seen many sizes
 * shrinks the bins it doesn't use.  Only the thread itself touches them
 * (others read the counts); a pop or a push needs no lock.
 *
 * Sampled slots have bins of their own (see central.h), made when the thread
 * samples often.
 */
#ifndef PROF_CACHE_H
#define PROF_CACHE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "pagemap.h"
#include "sizeclass.h"

#define CACHE_LEAST ((size_t)192 << 10)
#define CACHE_MOST  ((size_t)2 << 20)

struct thread;

struct bin {
	void **slots;
	uint16_t count; /* objects in it */
	uint16_t room;  /* objects it has room for */
	uint32_t size;  /* bytes of an object */
};

struct cache {
	/* By class, or by any code of the page map: those that are no class
	 * have no room, so that a push fails without another check. */
	struct bin bin[PAGE_CODES];
	struct bin *sampled; /* the same of sampled slots, or NULL */
	size_t room;         /* sum over bin[] of room * size */
	size_t most;         /* that it may be now */
	uint32_t hand;       /* where to look for room next */
};

/* For a zeroed one. */
void cache_init(struct cache *c);
/* Give all objects back. */
void cache_drain(struct cache *c);

/* Pop from an empty bin: fetches some; NULL if there is no memory. */
void *cache_refill(struct cache *c, unsigned class);
/* Push to a full bin: makes room. */
void cache_spill(struct cache *c, unsigned class, void *p);

/* A sampled slot of a class that keeps some: NULL if none is kept. */
void *cache_sampled_pop(struct cache *c, unsigned class);
/* Keep a sampled slot; false if there is no room. */
bool cache_sampled_push(struct cache *c, unsigned class, void *p);

#endif
