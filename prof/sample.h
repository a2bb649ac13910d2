/*
 * When an allocation is sampled, what a sample weighs, and how it is counted.
 *
 * Sampling is a Poisson process over allocated bytes with mean distance
 * R = 2^lg_sample: each thread counts down an exponentially distributed number of
 * bytes; the allocation that crosses zero is sampled.  So an object of z
 * bytes (usable size) is sampled with probability p = 1 - exp(-z/R), and
 * never twice.  Horvitz and Thompson's estimator (1952) gives each sample
 * the weight w = 1/p: a sample stands for w objects and z*w bytes.  Summed
 * over samples both are unbiased for any mix of sizes; an unbiased estimate
 * of the variance of the byte sum is the sum of z^2 * w * (w - 1), of the
 * object sum the sum of w * (w - 1), as samples are independent.  At rate 0
 * (exact) p = 1.
 *
 * Threads: every function here is called by the thread `t` is the state of.
 * None takes a lock while unwinding and none allocates through malloc.
 */
#ifndef PROF_SAMPLE_H
#define PROF_SAMPLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct record;
struct span;
struct thread;

/*
 * Called by the allocator's slow path when t->countdown went below 0 by an
 * allocation of `usable` bytes.  Draws the next distance and, if this
 * allocation is to be sampled, allocates it in a sampled span (see
 * central.h), records it and returns it, zeroed if asked.  Otherwise, and
 * whenever the profiler is short of something, returns NULL: the caller then
 * allocates an ordinary object without touching the countdown again.
 * `align` is a power of two, at least 16.
 */
void *sample_alloc(
    struct thread *t, size_t size, size_t usable, size_t align, bool zero);

/* The sampled object of record `r` is being freed: uncount it and clear the
 * record.  Does not give the memory back. */
void sample_free(struct record *r);

/* A large block of the allocator was resized without being copied, and is
 * `usable` bytes now.  That is a free and an allocation, which is sampled as
 * any other: the block may become a sampled one, or be none any more. */
void sample_resized(struct thread *t, struct span *s, size_t usable);

/* What the thread's countdown was drawn for has changed. */
void sample_redraw(struct thread *t);

/* A thread's state was made, or is about to go.  thread_start sets the
 * countdown. */
void sample_thread_start(struct thread *t);
void sample_thread_end(struct thread *t);

/* Bytes of a pool are being handed out: is that to be sampled?  Like malloc's
 * with a countdown of its own. */
bool sample_pool_due(struct thread *t, size_t size);
/* Then, with the table open and inside raised: count it, by the caller's
 * stack below that module, and fill its record.  False if it cannot be. */
bool sample_pool(
    struct thread *t, uint32_t module, size_t size, struct record *out);
/* As sample_free, but without a life: prof.reset drops it. */
void sample_drop(struct record *r);

#endif
