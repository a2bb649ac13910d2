#include "thread.h"

#include <pthread.h>
#include <string.h>

#include "central.h"
#include "control.h"
#include "init.h"
#include "lock.h"
#include "meta.h"
#include "os.h"
#include "pool.h"
#include "sample.h"
#include "span.h"
#include "tablewrite.h"

/* Destructors of other keys may still allocate in the last round; up to
 * this one we ask to be called again (PTHREAD_DESTRUCTOR_ITERATIONS is 4). */
#define LAST_ROUND 4
/* From so many states on the registry is searched for threads that ended
 * without telling us (bare clones). */
#define SCAN_LEAST 128u

_Thread_local struct thread *thread_tls;
_Thread_local bool thread_dying;
_Atomic uint32_t thread_dead_count;

static struct {
	struct lock lock;
	struct thread *first;
	struct thread *spare; /* states not in use */
	uint32_t count;       /* states in use */
	uint32_t scan_at;     /* count at which to search for dead ones */
	uint64_t past_bytes;  /* allocated by threads that are no more */
	bool key_made;
	pthread_key_t key;
} registry = { .scan_at = SCAN_LEAST };

static _Atomic uint64_t stateless_bytes;

static void
end(struct thread *t)
{
	sample_thread_end(t);
	cache_drain(&t->cache);
	lock_acquire(&registry.lock);
	registry.past_bytes += (uint64_t)(t->drawn - t->countdown);
	*(t->prev ? &t->prev->next : &registry.first) = t->next;
	if (t->next != NULL)
		t->next->prev = t->prev;
	t->next = registry.spare;
	registry.spare = t;
	registry.count--;
	lock_release(&registry.lock);
}

static void
at_thread_exit(void *state)
{
	struct thread *t = state;
	if (++t->round < LAST_ROUND) {
		pthread_setspecific(registry.key, t);
		return;
	}
	end(t);
	thread_tls = NULL;
	thread_dying = true;
}

/* Mark the states whose threads are no more.  The caller holds the lock. */
static void
scan(void)
{
	uint32_t dead = 0;
	if (control_is_silent())
		return; /* asking after a thread is a system call */
	for (struct thread *t = registry.first; t != NULL; t = t->next)
		if (!t->dead && t != thread_tls && t->tid != 0 &&
		    !os_thread_exists(t->tid)) {
			t->dead = true;
			dead++;
		}
	atomic_fetch_add(&thread_dead_count, dead);
	uint32_t left = registry.count - dead;
	registry.scan_at = 2 * left > SCAN_LEAST ? 2 * left : SCAN_LEAST;
}

static void
enter(struct thread *t)
{
	t->prev = NULL;
	t->next = registry.first;
	if (t->next != NULL)
		t->next->prev = t;
	registry.first = t;
	if (++registry.count >= registry.scan_at)
		scan();
}

static void
reset_all(struct lock *l)
{
	lock_reset(l);
}

static void
each_lock(void (*fn)(struct lock *))
{
	fn(pool_lock());
	fn(&registry.lock);
	central_locks(fn);
	fn(span_lock());
	fn(table_fork_lock());
	fn(meta_lock());
}

static void
reset_locks(void)
{
	each_lock(reset_all);
}

/* What comes before the first state of the process. */
static void
first_time(void)
{
	static _Atomic bool done;
	if (atomic_exchange(&done, true))
		return;
	lock_fork_init(reset_locks);
	registry.key_made =
	    pthread_key_create(&registry.key, at_thread_exit) == 0;
	init_early();
}

static struct thread *
make(void)
{
	first_time();
	if (thread_tls != NULL)
		return thread_tls; /* made by something on the way */
	lock_acquire(&registry.lock);
	struct thread *t = registry.spare;
	if (t != NULL)
		registry.spare = t->next;
	lock_release(&registry.lock);
	if (t != NULL)
		memset(t, 0, sizeof *t);
	else
		t = meta_alloc(sizeof *t);
	if (t == NULL)
		return NULL;
	cache_init(&t->cache);
	t->tid = init_own_tid();
	lock_acquire(&registry.lock);
	enter(t);
	lock_release(&registry.lock);
	thread_tls = t;
	/* With a late key this may call calloc, which finds the state. */
	if (registry.key_made && !thread_dying)
		pthread_setspecific(registry.key, t);
	sample_thread_start(t);
	return t;
}

struct thread *
thread_get(void)
{
	struct thread *t = thread_tls;
	return t != NULL ? t : make();
}

void
thread_done(void)
{
	struct thread *t = thread_tls;
	if (!thread_dying || t == NULL)
		return;
	end(t);
	thread_tls = NULL;
}

void
thread_reap(void)
{
	lock_acquire(&registry.lock);
	struct thread *t = registry.first;
	while (t != NULL && !t->dead)
		t = t->next;
	if (t == NULL) {
		atomic_store(&thread_dead_count, 0);
	} else {
		t->dead = false;
		atomic_fetch_sub(&thread_dead_count, 1);
	}
	lock_release(&registry.lock);
	if (t != NULL)
		end(t);
}

uint64_t
thread_past_bytes(void)
{
	lock_acquire(&registry.lock);
	uint64_t n = registry.past_bytes;
	lock_release(&registry.lock);
	return n + atomic_load(&stateless_bytes);
}

void
thread_count_stateless(size_t bytes)
{
	atomic_fetch_add_explicit(
	    &stateless_bytes, bytes, memory_order_relaxed);
}

void
thread_foreach(void (*fn)(struct thread *, void *), void *arg)
{
	lock_acquire(&registry.lock);
	for (struct thread *t = registry.first; t != NULL; t = t->next)
		fn(t, arg);
	lock_release(&registry.lock);
}

void
alloc_fork_prepare(void)
{
	lock_fork_begin();
	each_lock(lock_fork_hold);
}

void
alloc_fork_parent(void)
{
	each_lock(reset_all);
	lock_fork_end(false);
}

void
alloc_fork_child(void)
{
	each_lock(reset_all);
	lock_fork_end(true);
	uint32_t dead = 0;
	for (struct thread *t = registry.first; t != NULL; t = t->next) {
		if (t == thread_tls) {
			t->tid = init_own_tid();
			continue;
		}
		t->dead = true;
		dead++;
	}
	atomic_store(&thread_dead_count, dead);
}
