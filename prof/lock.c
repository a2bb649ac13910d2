#include "lock.h"

#include <stddef.h>

#include "os.h"

/* Spins before sleeping.  A holder is gone within a microsecond unless it
 * maps memory or was descheduled. */
#define SPINS 64

bool lock_private;

static struct {
	_Atomic uint32_t *alive; /* 1; 0 in a child nobody told us of */
	void (*reset)(void);
	_Atomic uintptr_t owner; /* thread that forks, 0 none */
	_Atomic uint32_t gate;   /* counts the ends of forks */
	_Atomic uint32_t queued; /* threads that wait at the gate */
	bool alone; /* there is one thread: it forks without holding any */
} fork_state;

static void
relax(void)
{
#if defined __x86_64__
	__builtin_ia32_pause();
#else
	__asm__ volatile("yield" ::: "memory");
#endif
}

static bool
in_new_child(void)
{
	return fork_state.alive != NULL &&
	    atomic_load_explicit(fork_state.alive, memory_order_relaxed) == 0;
}

/* The first to notice frees the locks. */
static void
adopt_child(void)
{
	uint32_t zero = 0;
	if (atomic_compare_exchange_strong(fork_state.alive, &zero, 1))
		fork_state.reset();
}

static void
wait_for_fork(struct lock *l)
{
	uint32_t gate = atomic_load(&fork_state.gate);
	atomic_fetch_add(&fork_state.queued, 1);
	if (atomic_load(&l->word) == LOCK_FORKING)
		os_futex_wait(&fork_state.gate, gate);
	atomic_fetch_sub(&fork_state.queued, 1);
}

/* Different for each thread, the helper too; no system call, since a filter
 * may forbid gettid(). */
static uintptr_t
this_thread(void)
{
	return (uintptr_t)__builtin_thread_pointer();
}

/* True if the lock is passed without being taken. */
static bool
pass_or_wait(struct lock *l)
{
	if (in_new_child())
		return true;
	if (this_thread() == atomic_load(&fork_state.owner))
		return true;
	wait_for_fork(l);
	return false;
}

void
lock_wait(struct lock *l)
{
	for (unsigned spin = 0;; spin++) {
		uint32_t seen =
		    atomic_load_explicit(&l->word, memory_order_relaxed);
		/* Having slept once we can't know who else sleeps. */
		uint32_t mine = spin < SPINS ? LOCK_HELD : LOCK_AWAITED;
		if (seen == LOCK_FREE) {
			if (atomic_compare_exchange_strong_explicit(&l->word,
				&seen, mine, memory_order_acquire,
				memory_order_relaxed))
				return;
			continue;
		}
		if (seen == LOCK_FORKING) {
			if (pass_or_wait(l))
				return;
			continue;
		}
		if (spin < SPINS) {
			relax();
			continue;
		}
		if (in_new_child()) {
			adopt_child();
			continue;
		}
		if (seen == LOCK_HELD &&
		    !atomic_compare_exchange_strong(
			&l->word, &seen, LOCK_AWAITED))
			continue;
		os_futex_wait(&l->word, LOCK_AWAITED);
	}
}

void
lock_wake(struct lock *l)
{
	uint32_t seen = LOCK_AWAITED;
	if (atomic_compare_exchange_strong_explicit(&l->word, &seen, LOCK_FREE,
		memory_order_release, memory_order_relaxed))
		os_futex_wake(&l->word, 1);
}

void
lock_fork_init(void (*reset)(void))
{
	fork_state.reset = reset;
	_Atomic uint32_t *page = os_wiped_word();
	if (page == NULL)
		return;
	atomic_store(page, 1);
	fork_state.alive = page;
}

void
lock_fork_begin(void)
{
	if (fork_state.alone != lock_alone())
		fork_state.alone = !fork_state.alone;
	if (!fork_state.alone)
		atomic_store(&fork_state.owner, this_thread());
}

void
lock_fork_hold(struct lock *l)
{
	if (fork_state.alone)
		return;
	lock_acquire(l);
	/* Sleepers come back, see the fork and queue at the gate. */
	if (atomic_exchange(&l->word, LOCK_FORKING) == LOCK_AWAITED)
		os_futex_wake(&l->word, INT32_MAX);
}

void
lock_reset(struct lock *l)
{
	/* What is not written needs no copy of its page after a fork. */
	if (atomic_load_explicit(&l->word, memory_order_relaxed) != LOCK_FREE)
		atomic_store_explicit(
		    &l->word, LOCK_FREE, memory_order_release);
}

void
lock_fork_end(bool child)
{
	if (!fork_state.alone)
		atomic_store(&fork_state.owner, 0);
	if (child) {
		atomic_store(&fork_state.queued, 0);
		if (fork_state.alive != NULL)
			atomic_store(fork_state.alive, 1);
		return;
	}
	if (fork_state.alone)
		return;
	atomic_fetch_add(&fork_state.gate, 1);
	if (atomic_load(&fork_state.queued) > 0)
		os_futex_wake(&fork_state.gate, INT32_MAX);
}
