#include "pool.h"

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "heaptop.h"
#include "init.h"
#include "lock.h"
#include "meta.h"
#include "record.h"
#include "sample.h"
#include "stacktab.h"
#include "tablewrite.h"
#include "thread.h"

#define EXPORT __attribute__((visibility("default")))

#define FIRST_ROOM 256u
#define TAGS       4096u

struct entry {
	uintptr_t at; /* 0: free */
	struct record record;
};

static struct {
	struct lock lock; /* who holds it takes no other */
	struct entry *entry;
	uint32_t room, count; /* a power of two, at most three quarters full */
	/* how many live samples have an address of that hash: where it is 0
	 * there is nothing to free */
	_Atomic uint32_t tag[TAGS];
} pool;

static uint64_t
hash(uintptr_t at)
{
	uint64_t x = at >> 3;

	x *= UINT64_C(0x9e3779b97f4a7c15);
	return x ^ x >> 32;
}

static _Atomic uint32_t *
tag_of(uintptr_t at)
{
	return &pool.tag[hash(at) >> 20 & (TAGS - 1)];
}

/* Where it is, or the free entry where it would be; under the lock. */
static struct entry *
find(uintptr_t at)
{
	uint32_t i = (uint32_t)hash(at) & (pool.room - 1);

	while (pool.entry[i].at != 0 && pool.entry[i].at != at)
		i = (i + 1) & (pool.room - 1);
	return &pool.entry[i];
}

/* Room for one more.  The lock is let go meanwhile: nothing may be taken
 * behind it.  False if there is no memory. */
static bool
have_room(void)
{
	while ((pool.count + 1) * 4 > pool.room * 3) {
		uint32_t had = pool.room, room = had ? had * 2 : FIRST_ROOM;
		struct entry *from, *to;

		lock_release(&pool.lock);
		to = meta_alloc(room * sizeof *to);
		lock_acquire(&pool.lock);
		if (!to)
			return false;
		from = to; /* somebody else was quicker */
		if (pool.room == had) {
			from = pool.entry;
			pool.entry = to;
			pool.room = room;
			for (uint32_t i = 0; i < had; i++)
				if (from[i].at)
					*find(from[i].at) = from[i];
			room = had;
		}
		lock_release(&pool.lock);
		meta_free(from, room * sizeof *from);
		lock_acquire(&pool.lock);
	}
	return true;
}

/* Take an entry out, and move up what a search would no longer find. */
static void
take_out(struct entry *e)
{
	uint32_t hole = (uint32_t)(e - pool.entry), mask = pool.room - 1;

	atomic_fetch_sub(tag_of(e->at), 1);
	pool.count--;
	e->at = 0;
	for (uint32_t i = (hole + 1) & mask; pool.entry[i].at;
	     i = (i + 1) & mask) {
		uint32_t home = (uint32_t)hash(pool.entry[i].at) & mask;

		if (((i - home) & mask) < ((i - hole) & mask))
			continue;
		pool.entry[hole] = pool.entry[i];
		pool.entry[i].at = 0;
		hole = i;
	}
}

/* Under the lock: the record of what is at that address no more. */
static bool
forget(uintptr_t at, struct record *out)
{
	struct entry *e = pool.room ? find(at) : NULL;

	if (!e || e->at == 0)
		return false;
	*out = e->record;
	take_out(e);
	return true;
}

/* Note a sample; what was at that address before is given back in `old`, if
 * its pool forgot to tell.  False if there is no memory. */
static bool
note(uintptr_t at, const struct record *r, struct record *old)
{
	bool done;

	old->cell = 0;
	lock_acquire(&pool.lock);
	done = have_room();
	forget(at, old);
	if (done) {
		*find(at) = (struct entry){ at, *r };
		pool.count++;
		atomic_fetch_add(tag_of(at), 1);
	}
	lock_release(&pool.lock);
	return done;
}

/* The module that stands for the pool, 0 if the table is full. */
static uint32_t
module_of(const char *name)
{
	static const char mark[] = POOL_MARK;
	char path[sizeof mark + POOL_NAME_MAX];
	size_t n = strnlen(name, POOL_NAME_MAX);

	memcpy(path, mark, sizeof mark - 1);
	for (size_t i = 0; i < n; i++)
		path[sizeof mark - 1 + i] =
		    (unsigned char)name[i] < ' ' ? '?' : name[i];
	return stacktab_module(0, 0, 0, (const uint8_t *)"", 0, path,
	    (unsigned)(sizeof mark - 1 + n));
}

static void
sample(struct thread *t, const char *name, uintptr_t at, size_t size)
{
	struct record r, old;
	uint32_t module;

	init_check_fork();
	if (!table_open()) {
		table_lost(LOST_STARTING);
		return;
	}
	module = module_of(name);
	if (module == 0)
		table_lost(LOST_TABLE_FULL);
	if (module == 0 || !sample_pool(t, module, size, &r))
		return;
	if (!note(at, &r, &old)) {
		sample_free(&r);
		table_lost(LOST_NOMEM);
	}
	if (old.cell)
		sample_free(&old);
}

EXPORT void
heaptop_pool_alloc(const char *name, const void *object, size_t size)
{
	struct thread *t = thread_get();

	if (t && object && sample_pool_due(t, size)) {
		t->inside++;
		sample(t, name ? name : "", (uintptr_t)object, size);
		t->inside--;
	}
	thread_done();
}

EXPORT void
heaptop_pool_free(const char *name, const void *object)
{
	uintptr_t at = (uintptr_t)object;
	struct record r = { .cell = 0 };

	(void)name; /* an address is in one pool only */
	if (!object ||
	    atomic_load_explicit(tag_of(at), memory_order_relaxed) == 0)
		return;
	lock_acquire(&pool.lock);
	forget(at, &r);
	lock_release(&pool.lock);
	if (r.cell)
		sample_free(&r);
}

void
pool_reset(void)
{
	lock_acquire(&pool.lock);
	for (uint32_t i = 0; i < pool.room; i++) {
		if (pool.entry[i].at)
			sample_drop(&pool.entry[i].record);
		pool.entry[i].at = 0;
	}
	pool.count = 0;
	for (uint32_t i = 0; i < TAGS; i++)
		atomic_store(&pool.tag[i], 0);
	lock_release(&pool.lock);
}

struct lock *
pool_lock(void)
{
	return &pool.lock;
}

void
pool_forked(void)
{
	if (pool.count == 0)
		return;
	memset(pool.entry, 0, pool.room * sizeof *pool.entry);
	pool.count = 0;
	for (uint32_t i = 0; i < TAGS; i++)
		atomic_store(&pool.tag[i], 0);
}
