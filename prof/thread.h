/*
 * The state of one thread of the target: its cache, its sampler, its stack.
 *
 * Made lazily at the thread's first allocation in memory of meta.h, never
 * through malloc; found through one initial-exec TLS pointer.  Only its own
 * thread writes it; stats.h and the helper read the counters of others with
 * relaxed loads, under the registry's lock, so that the state cannot go away.
 * It is given back when the thread ends, after its key destructors; a later
 * allocation in the same dying thread makes a new one that is given back
 * again.  In a forked child only the forking thread's state stays live; the
 * others' caches are taken over by the child (their objects are returned to
 * their spans).
 */
#ifndef PROF_THREAD_H
#define PROF_THREAD_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "cache.h"
#include "mirror.h"

struct thread {
	int64_t countdown;  /* bytes until the next sample; below 0: sample */
	int64_t drawn;      /* sum of all draws: drawn - countdown is the number
	                     * of bytes allocated by this thread, exactly */
	struct cache cache; /* free objects of this thread, see cache.h */

	/* sample.c's */
	uint64_t rng;
	uint32_t inside;    /* > 0: in the profiler; a nested malloc is plain */
	uint32_t rate;      /* version of the rate the countdown was drawn at */
	uint16_t slot;      /* thread slot in the table, 0: none yet */
	uint8_t generation; /* of the table that slot belongs to */
	void *scratch; /* room for two stacks, NULL until the first sample */
	struct memo *memo;  /* the last stack, NULL until there were some */
	uint32_t taken;     /* samples before that */
	bool slot_shared;   /* all slots were taken: counts in slot 0 */
	bool off;           /* thread.prof.active is false */
	bool settled;       /* `off` has been set from the options, or since */
	int64_t counted;    /* allocated bytes that dump_counted() knows of */
	char name[16];      /* thread.prof.name, "" if it has none */
	int64_t pool_left;  /* bytes of pools until their next sample */
	uint32_t pool_rate; /* what that was drawn at */
	bool pool_drawn;

	/* mirror.c's: numbers that it may use, of the table of that
	 * generation */
	uint8_t births_held, births_generation;
	uint8_t births_thin;  /* 3 times this is lg_thin */
	uint32_t births_luck; /* what it is drawn from */
	uint32_t births[MIRROR_HELD];

	/* unwind.c's: the home stack, direct reads are only inside it */
	uintptr_t stack_lo; /* lowest address, 0 if not known */
	uintptr_t stack_hi; /* end, exclusive */
	void *window;       /* buffer of checked reads, NULL until needed */

	/* thread.c's */
	uint32_t tid;
	bool dead;     /* its thread is no more: to be taken apart */
	uint8_t round; /* of key destructors it has seen */
	struct thread *next, *prev; /* in the registry */
};

/* The pointer behind thread_self(). */
extern _Thread_local struct thread *thread_tls
    __attribute__((tls_model("initial-exec"), visibility("hidden")));

/* This thread's state; NULL if it has none yet. */
static inline struct thread *
thread_self(void)
{
	return thread_tls;
}

/* The same, made if need be; NULL only if there is no memory. */
struct thread *thread_get(void);

/*
 * A thread whose key destructors have run has no state any more.  Its
 * thread_get() makes one that thread_done() must give back at the end of the
 * operation; for all other threads thread_done() does nothing.
 */
extern _Thread_local bool thread_dying
    __attribute__((tls_model("initial-exec"), visibility("hidden")));
void thread_done(void);

/* Bytes that threads of the past have allocated; and without a state. */
uint64_t thread_past_bytes(void);
void thread_count_stateless(size_t bytes);

/* Take apart the state of one dead thread, if there is any: cheap to ask.
 * Takes locks, so none may be held. */
void thread_reap(void);
extern _Atomic uint32_t thread_dead_count;
static inline void
thread_reap_dead(void)
{
	if (__builtin_expect(atomic_load_explicit(
				 &thread_dead_count, memory_order_relaxed) != 0,
		0))
		thread_reap();
}

/*
 * Fork.  To be registered with pthread_atfork before
 * anybody else can register any: prepare takes all locks of the allocator,
 * the other two free them.  In the child the states of the threads that are
 * no more become dead; thread_reap() returns what they held.
 */
void alloc_fork_prepare(void);
void alloc_fork_parent(void);
void alloc_fork_child(void);

/* Call fn for each live thread's state, under the registry's lock. */
void thread_foreach(void (*fn)(struct thread *, void *), void *arg);

#endif
