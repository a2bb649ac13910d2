/*
 * A lock of one word, and what becomes of it in a fork.
 *
 * Uncontended it is one compare-and-swap each way; a waiter spins briefly
 * and then sleeps in the kernel.  No libc calls, no thread-local storage.
 *
 * In a process with one thread it is a load and a store each way, as in
 * glibc's malloc, whose word for it we take (__libc_single_threaded).  But
 * libc doesn't know of threads made by a bare clone(): so this holds only
 * while lock_private is set.  It is false at first; who sets it must clear
 * it for good before the library makes such a thread of its own.
 *
 * Order, first to last; who holds one may take only later ones:
 *
 *	pools · registry of threads · central lists of plain objects by class ·
 *	central lists of sampled objects by class · list of sampled large
 *	blocks · page heap · table · meta
 *
 * A fork holds them all (lock_fork_hold).  Held so, the thread that forks
 * passes them freely, since handlers of the program may allocate between our
 * prepare handler and the fork; so does the one thread of the new child.
 * Others wait for lock_fork_end().  The only thread of a process need hold
 * none, and its child then finds the pages they lie on as they were.  A child made behind our back, without
 * handlers (_Fork, bare clone), finds the page of lock_fork_init() wiped:
 * whoever would wait then frees all locks first.  That is a best effort: what
 * a dead thread was changing stays half changed.
 */
#ifndef PROF_LOCK_H
#define PROF_LOCK_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum lock_word {
	LOCK_FREE,
	LOCK_HELD,
	LOCK_AWAITED, /* held, and somebody may sleep on it */
	LOCK_FORKING  /* held by the thread that forks */
};

struct lock {
	_Atomic uint32_t word; /* enum lock_word */
};

extern bool lock_private __attribute__((visibility("hidden")));
/* libc's, since glibc 2.32 */
extern char __libc_single_threaded __attribute__((weak));

static inline bool
lock_alone(void)
{
	return lock_private && &__libc_single_threaded != NULL &&
	    __libc_single_threaded;
}

void lock_wait(struct lock *l);
void lock_wake(struct lock *l);

static inline void
lock_acquire(struct lock *l)
{
	uint32_t seen = LOCK_FREE;
	if (lock_alone() &&
	    atomic_load_explicit(&l->word, memory_order_relaxed) == seen) {
		atomic_store_explicit(
		    &l->word, LOCK_HELD, memory_order_relaxed);
		return;
	}
	if (__builtin_expect(
		!atomic_compare_exchange_strong_explicit(&l->word, &seen,
		    LOCK_HELD, memory_order_acquire, memory_order_relaxed),
		0))
		lock_wait(l);
}

static inline void
lock_release(struct lock *l)
{
	uint32_t seen = LOCK_HELD;
	if (lock_alone() &&
	    atomic_load_explicit(&l->word, memory_order_relaxed) == seen) {
		atomic_store_explicit(
		    &l->word, LOCK_FREE, memory_order_relaxed);
		return;
	}
	if (__builtin_expect(
		!atomic_compare_exchange_strong_explicit(&l->word, &seen,
		    LOCK_FREE, memory_order_release, memory_order_relaxed),
		0))
		lock_wake(l);
}

/* Only for locks that are not zeroed memory. */
static inline void
lock_init(struct lock *l)
{
	atomic_store_explicit(&l->word, LOCK_FREE, memory_order_release);
}

/* Once, early.  `reset` is called in a child without handlers, and must
 * lock_reset() every lock. */
void lock_fork_init(void (*reset)(void));
/* The calling thread is about to hold all locks for a fork. */
void lock_fork_begin(void);
void lock_fork_hold(struct lock *l);
/* Free a lock: after the fork, in the parent or the child. */
void lock_reset(struct lock *l);
/* All are free again: let the others go on.  In the child nobody waits. */
void lock_fork_end(bool child);

#endif
