/*
 * A made-up program whose heap is known, sampled as prof/sample.h says: an
 * object of z bytes with probability 1 - exp(-z/R), weighed by prof/weigh.c.
 * What is random comes from a seed.
 *
 * Of one stack (number 1 of profile_fixture.h) heap_second allocates what a
 * second brings, frees what is due, and puts figures into a profile; `live`
 * is what an exact count would have shown.
 */
#ifndef HEAP_FIXTURE_H
#define HEAP_FIXTURE_H

#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "model/profile.h"
#include "prof/cells.h"
#include "prof/format.h"
#include "prof/weigh.h"

#define HEAP_SECONDS 4096 /* a lifetime is shorter */
#define HEAP_FOREVER 0

struct heap_tally {
	double live, objects, var, var_objects;
	double alloc, alloc_objects, alloc_var, alloc_var_objects;
	uint64_t samples, alloc_samples;
};

struct heap {
	uint64_t random;
	unsigned lg; /* the rate; 0: exact */
	unsigned second;
	uint32_t stack; /* which one's figures these are */
	double live;    /* truly */
	struct heap_tally seen;
	double dying[HEAP_SECONDS]; /* truly, at second % HEAP_SECONDS */
	struct heap_tally gone[HEAP_SECONDS];
};

/* splitmix64 (Steele, Lea, Flood 2014). */
static inline uint64_t
heap_random(struct heap *h)
{
	uint64_t x = h->random += UINT64_C(0x9e3779b97f4a7c15);

	x = (x ^ (x >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
	x = (x ^ (x >> 27)) * UINT64_C(0x94d049bb133111eb);
	return x ^ (x >> 31);
}

static inline double
heap_uniform(struct heap *h)
{
	return ((double)(heap_random(h) >> 11) + 0.5) * 0x1p-53;
}

/* How many come in a second that on average brings `mean` (below 700). */
static inline unsigned
heap_poisson(struct heap *h, double mean)
{
	double p = heap_uniform(h), limit = exp(-mean);
	unsigned n = 0;

	for (; p > limit; n++)
		p *= heap_uniform(h);
	return n;
}

static inline struct heap *
heap_new(uint64_t seed, unsigned lg)
{
	struct heap *h = calloc(1, sizeof *h);

	if (!h)
		abort();
	h->random = seed * UINT64_C(0x2545f4914f6cdd1d);
	h->lg = lg;
	h->stack = 1;
	return h;
}

static inline void
heap_count(struct heap_tally *t, const struct weighed *w)
{
	t->live += (double)w->est_bytes / (1 << EST_BYTE_SHIFT);
	t->objects += (double)w->est_objects / (1 << EST_OBJECT_SHIFT);
	t->var += w->var_bytes;
	t->var_objects += w->var_objects;
	t->samples++;
}

/* An object that lives so many seconds: 0 or HEAP_FOREVER as it says, 1 until
 * the next one. */
static inline void
heap_alloc(struct heap *h, uint64_t size, unsigned life)
{
	double p = h->lg ? -expm1(-(double)size / (double)(1u << h->lg)) : 1;
	unsigned at = (h->second + life) % HEAP_SECONDS;
	struct weighed w;

	h->live += (double)size;
	if (life != HEAP_FOREVER)
		h->dying[at] += (double)size;
	if (heap_uniform(h) >= p)
		return;
	weigh(size, h->lg, &w);
	heap_count(&h->seen, &w);
	if (life != HEAP_FOREVER)
		heap_count(&h->gone[at], &w);
	h->seen.alloc += (double)w.est_bytes / (1 << EST_BYTE_SHIFT);
	h->seen.alloc_objects +=
	    (double)w.est_objects / (1 << EST_OBJECT_SHIFT);
	h->seen.alloc_var += w.var_bytes;
	h->seen.alloc_var_objects += w.var_objects;
	h->seen.alloc_samples++;
}

/* The next second begins: what is due is freed. */
static inline void
heap_second(struct heap *h)
{
	unsigned at = ++h->second % HEAP_SECONDS;
	struct heap_tally *gone = &h->gone[at];

	h->live -= h->dying[at];
	h->seen.live -= gone->live;
	h->seen.objects -= gone->objects;
	h->seen.var -= gone->var;
	h->seen.var_objects -= gone->var_objects;
	h->seen.samples -= gone->samples;
	h->dying[at] = 0;
	memset(gone, 0, sizeof *gone);
}

/* What is seen of it at this moment. */
static inline void
heap_put(const struct heap *h, struct profile *p)
{
	const struct heap_tally *s = &h->seen;
	struct cell_values v = {
		.live_bytes = s->live,
		.live_objects = s->objects,
		.alloc_bytes = s->alloc,
		.alloc_objects = s->alloc_objects,
		.live_var_bytes = fmax(0, s->var),
		.live_var_objects = fmax(0, s->var_objects),
		.alloc_var_bytes = s->alloc_var,
		.alloc_var_objects = s->alloc_var_objects,
		.live_samples = s->samples,
		.alloc_samples = s->alloc_samples,
	};

	profile_put_cell(p, h->stack, 1, &v, NULL);
}

#endif
