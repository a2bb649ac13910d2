#include "cells.h"

#include <stddef.h>
#include <string.h>

#include "index.h"
#include "lock.h"
#include "tablewrite.h"
#include "thread.h"

/* Ticks of 10 ms in 1 ms * 4^b: bucket 0 ends at 4 ms, below one tick. */
#define FIRST_BUCKET_TICKS 1u

static struct {
	struct index index;
	uint16_t next_slot; /* slots from here on were never used; 0: 1 */
	uint16_t free[TABLE_SLOTS]; /* slots to use again */
	uint16_t nfree;
	uint32_t ended; /* threads ended since the last reclaiming */
	uint64_t named[TABLE_SLOTS / 64]; /* slots whose threads named them */
} cells;

void (*cells_moved)(uint32_t from, uint32_t to);

static struct table_cell *
cell_at(uint32_t id)
{
	const struct table_head *h = table_ptr(0);
	uint32_t seg = __atomic_load_n(
	    &h->cell_dir[(id - 1) / CELL_SEG], __ATOMIC_ACQUIRE);

	return (struct table_cell *)table_ptr(seg) + (id - 1) % CELL_SEG;
}

static struct table_slot *
slot_at(uint32_t slot)
{
	const struct table_head *h = table_ptr(0);
	uint32_t seg =
	    __atomic_load_n(&h->slot_dir[slot / SLOT_SEG], __ATOMIC_ACQUIRE);

	return seg ? (struct table_slot *)table_ptr(seg) + slot % SLOT_SEG
		   : NULL;
}

/* No other thread can be counting.  Of a thread that libc doesn't know, as the
 * helper, none ever allocates. */
static bool
single(void)
{
	return &__libc_single_threaded != NULL && __libc_single_threaded;
}

/* What add() stores follows it, in a single thread too. */
static void
begin(struct table_cell *c, bool alone)
{
	if (alone)
		__atomic_store_n(&c->begun,
		    __atomic_load_n(&c->begun, __ATOMIC_RELAXED) + 1,
		    __ATOMIC_RELAXED);
	else
		__atomic_add_fetch(&c->begun, 1, __ATOMIC_ACQ_REL);
}

static void
done(struct table_cell *c)
{
	__atomic_add_fetch(&c->done, 1, __ATOMIC_SEQ_CST);
	table_stamp(&c->stamp);
}

static void
add(uint64_t *to, uint64_t n, bool alone)
{
	if (alone)
		__atomic_store_n(to, __atomic_load_n(to, __ATOMIC_RELAXED) + n,
		    __ATOMIC_RELEASE);
	else
		__atomic_add_fetch(to, n, __ATOMIC_RELAXED);
}

static void
add_double(double *to, double d, bool alone)
{
	double old, sum;

	if (d == 0)
		return;
	__atomic_load(to, &old, __ATOMIC_RELAXED);
	if (alone) {
		sum = old + d;
		__atomic_store(to, &sum, __ATOMIC_RELEASE);
		return;
	}
	do {
		sum = old + d;
	} while (!__atomic_compare_exchange(
	    to, &old, &sum, true, __ATOMIC_RELAXED, __ATOMIC_RELAXED));
}

void
cells_alloc(uint32_t id, const struct weighed *w)
{
	struct table_cell *c = cell_at(id);
	bool only = single(), alone = only || c->slot != 0;

	begin(c, only);
	add(&c->alloc_objects, 1, alone);
	add(&c->alloc_bytes, w->bytes, alone);
	add(&c->alloc_est_objects, w->est_objects, alone);
	add(&c->alloc_est_bytes, w->est_bytes, alone);
	add_double(&c->alloc_var_bytes, w->var_bytes, alone);
	add_double(&c->alloc_var_objects, w->var_objects, alone);
	done(c);
}

static unsigned
life_bucket(uint32_t age)
{
	unsigned b = 0;
	uint64_t ms = (uint64_t)age * 10;

	if (age < FIRST_BUCKET_TICKS)
		return 0;
	while (ms >= 4 && b < LIFE_BUCKETS - 1) {
		ms /= 4;
		b++;
	}
	return b;
}

/* A busy stack frees more than fit in a few minutes: the figure then stays
 * where it is.  Those who are just adding, a thread each, can't take it
 * beyond. */
#define LIFE_FULL (UINT32_MAX - (1u << 22))

static void
add_life(uint32_t *life, uint32_t n, bool alone)
{
	uint32_t now = __atomic_load_n(life, __ATOMIC_RELAXED);

	if (now >= LIFE_FULL)
		return;
	if (n > LIFE_FULL - now)
		n = LIFE_FULL - now;
	if (alone)
		__atomic_store_n(life, now + n, __ATOMIC_RELEASE);
	else
		__atomic_add_fetch(life, n, __ATOMIC_RELAXED);
}

/* Under begin() and done(). */
static void
add_freed(struct table_cell *c, const struct weighed *w, bool only)
{
	add(&c->freed_objects, 1, only);
	add(&c->freed_bytes, w->bytes, only);
	add(&c->freed_est_objects, w->est_objects, only);
	add(&c->freed_est_bytes, w->est_bytes, only);
	add_double(&c->freed_var_bytes, w->var_bytes, only);
	add_double(&c->freed_var_objects, w->var_objects, only);
}

void
cells_drop(uint32_t id, const struct weighed *w)
{
	struct table_cell *c = cell_at(id);
	bool only = single();

	begin(c, only);
	add_freed(c, w, only);
	done(c);
}

void
cells_free(uint32_t id, const struct weighed *w, uint32_t age)
{
	struct table_cell *c = cell_at(id);
	uint32_t *life = &c->life[life_bucket(age)];
	bool only = single();

	begin(c, only);
	add_freed(c, w, only);
	add_life(life, 1, only);
	done(c);
}

/* splitmix64's finish: the pairs are small numbers. */
static struct index_key
cell_key(uint32_t stack, uint16_t slot)
{
	uint64_t x = (uint64_t)stack << 16 | slot;

	x = (x ^ x >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
	x = (x ^ x >> 27) * UINT64_C(0x94d049bb133111eb);
	return (struct index_key){ x ^ x >> 31, 0 };
}

/* Under the lock; 0 if full. */
static uint32_t
cell_add(uint32_t stack, uint16_t slot)
{
	struct table_head *h = table_ptr(0);
	uint32_t n = h->cells, seg = n / CELL_SEG;
	struct table_cell *c;
	void *at;
	uint32_t off;

	if (seg >= CELL_SEGS)
		return 0;
	if (h->cell_dir[seg] == 0) {
		off = table_append(CELL_SEG * sizeof *c, &at);
		if (off == 0)
			return 0;
		__atomic_store_n(&h->cell_dir[seg], off, __ATOMIC_RELEASE);
	}
	c = cell_at(n + 1);
	c->stack = stack;
	c->slot = slot;
	table_stamp(&c->stamp);
	__atomic_store_n(&h->cells, n + 1, __ATOMIC_RELEASE);
	return n + 1;
}

/* Under the lock. */
static uint32_t
get_locked(uint32_t stack, uint16_t slot)
{
	struct index_key k = cell_key(stack, slot);
	uint32_t id = index_find(&cells.index, k);

	if (id != 0)
		return id;
	if (!index_reserve(&cells.index))
		return 0;
	id = cell_add(stack, slot);
	if (id != 0)
		index_add(&cells.index, k, id);
	return id;
}

uint32_t
cells_get_in(uint32_t stack, uint16_t slot)
{
	uint32_t id = index_find(&cells.index, cell_key(stack, slot));

	if (id != 0)
		return id;
	table_lock();
	id = get_locked(stack, slot);
	table_unlock();
	return id;
}

/* Under the lock; false if the table is full. */
static bool
slot_make(uint16_t slot)
{
	struct table_head *h = table_ptr(0);
	uint32_t seg = slot / SLOT_SEG, off;
	void *at;

	if (h->slot_dir[seg] == 0) {
		off = table_append(SLOT_SEG * sizeof(struct table_slot), &at);
		if (off == 0)
			return false;
		__atomic_store_n(&h->slot_dir[seg], off, __ATOMIC_RELEASE);
	}
	if (h->slots <= slot)
		__atomic_store_n(&h->slots, slot + 1u, __ATOMIC_RELEASE);
	return true;
}

static void
clear(struct table_cell *c)
{
	static const double none = 0;
	uint64_t *count[] = { &c->alloc_objects, &c->alloc_bytes,
		&c->alloc_est_objects, &c->alloc_est_bytes, &c->freed_objects,
		&c->freed_bytes, &c->freed_est_objects, &c->freed_est_bytes };
	double *var[] = { &c->alloc_var_bytes, &c->alloc_var_objects,
		&c->freed_var_bytes, &c->freed_var_objects };

	for (size_t i = 0; i < sizeof count / sizeof *count; i++)
		__atomic_store_n(count[i], 0, __ATOMIC_RELAXED);
	for (size_t i = 0; i < sizeof var / sizeof *var; i++)
		__atomic_store(var[i], &none, __ATOMIC_RELAXED);
	for (int i = 0; i < LIFE_BUCKETS; i++)
		__atomic_store_n(&c->life[i], 0, __ATOMIC_RELAXED);
}

/* Move what a cell of an ended thread accumulated to slot 0, all of it freed. */
static void
move_to_others(uint32_t from, struct table_cell *c)
{
	uint32_t id = get_locked(c->stack, 0);
	struct table_cell *o;

	if (id == 0 || c->alloc_objects == 0)
		return; /* full: the figures stay, under the slot's next thread */
	o = cell_at(id);
	begin(o, false);
	begin(c, false);
	add(&o->alloc_objects, c->alloc_objects, false);
	add(&o->alloc_bytes, c->alloc_bytes, false);
	add(&o->alloc_est_objects, c->alloc_est_objects, false);
	add(&o->alloc_est_bytes, c->alloc_est_bytes, false);
	add_double(&o->alloc_var_bytes, c->alloc_var_bytes, false);
	add_double(&o->alloc_var_objects, c->alloc_var_objects, false);
	add(&o->freed_objects, c->freed_objects, false);
	add(&o->freed_bytes, c->freed_bytes, false);
	add(&o->freed_est_objects, c->freed_est_objects, false);
	add(&o->freed_est_bytes, c->freed_est_bytes, false);
	add_double(&o->freed_var_bytes, c->freed_var_bytes, false);
	add_double(&o->freed_var_objects, c->freed_var_objects, false);
	for (int i = 0; i < LIFE_BUCKETS; i++)
		add_life(&o->life[i], c->life[i], false);
	clear(c);
	if (cells_moved)
		cells_moved(from, id);
	done(c);
	done(o);
}

static bool
cell_lives(const struct table_cell *c)
{
	return __atomic_load_n(&c->alloc_objects, __ATOMIC_RELAXED) !=
	    __atomic_load_n(&c->freed_objects, __ATOMIC_RELAXED) ||
	    __atomic_load_n(&c->begun, __ATOMIC_ACQUIRE) !=
	    __atomic_load_n(&c->done, __ATOMIC_ACQUIRE);
}

/* Find slots of ended threads nothing of which lives.  Under the lock; one
 * pass over all cells, so only after 64 threads have ended. */
static void
reclaim(void)
{
	struct table_head *h = table_ptr(0);
	uint64_t lives[TABLE_SLOTS / 64] = { 0 };

	cells.ended = 0;
	for (uint32_t id = 1; id <= h->cells; id++) {
		const struct table_cell *c = cell_at(id);

		if (cell_lives(c))
			lives[c->slot / 64] |= UINT64_C(1) << c->slot % 64;
	}
	for (uint32_t id = 1; id <= h->cells; id++) {
		struct table_cell *c = cell_at(id);
		struct table_slot *s = slot_at(c->slot);

		if (c->slot != 0 && s && s->state == SLOT_ENDED &&
		    !(lives[c->slot / 64] >> c->slot % 64 & 1))
			move_to_others(id, c);
	}
	for (uint16_t i = 1; i < h->slots; i++) {
		struct table_slot *s = slot_at(i);

		if (s && s->state == SLOT_ENDED &&
		    !(lives[i / 64] >> i % 64 & 1)) {
			__atomic_store_n(
			    &s->state, SLOT_FREE, __ATOMIC_RELAXED);
			cells.free[cells.nfree++] = i;
		}
	}
}

#define RECLAIM_AFTER 64

/* Under the lock; 0: none is free. */
static uint16_t
slot_take(void)
{
	if (cells.next_slot == 0)
		cells.next_slot = 1;
	if (cells.nfree == 0 && cells.ended >= RECLAIM_AFTER)
		reclaim();
	if (cells.nfree > 0)
		return cells.free[--cells.nfree];
	if (cells.next_slot < TABLE_SLOTS)
		return cells.next_slot++;
	return 0;
}

typedef uint32_t word __attribute__((may_alias));

void
cells_slot_write(struct table_slot *s, const struct table_slot *new)
{
	const word *from = (const word *)(const void *)new;
	word *to = (word *)(void *)s;

	for (size_t i = 0; i < sizeof *s / sizeof *to; i++)
		if (i != offsetof(struct table_slot, stamp) / sizeof *to)
			__atomic_store_n(&to[i], from[i], __ATOMIC_RELAXED);
	__atomic_thread_fence(__ATOMIC_SEQ_CST);
	table_stamp(&s->stamp);
}

static void
put_name(struct thread *t, struct table_slot *s)
{
	uint64_t bit = UINT64_C(1) << t->slot % 64;
	uint64_t *named = &cells.named[t->slot / 64];

	__atomic_store_n(
	    named, t->name[0] ? *named | bit : *named & ~bit, __ATOMIC_RELAXED);
	s->name_len = (uint8_t)strlen(t->name);
	memcpy(s->name, t->name, s->name_len);
}

bool
cells_slot_named(uint32_t slot)
{
	return __atomic_load_n(&cells.named[slot / 64], __ATOMIC_RELAXED) >>
	    slot % 64 &
	    1;
}

void
cells_thread_named(struct thread *t)
{
	struct table_slot *s, new;

	if (!table_head() || t->slot == 0 ||
	    t->generation != table_generation())
		return; /* with its slot it gets its name */
	table_lock();
	s = slot_at(t->slot);
	if (s) {
		new = *s;
		put_name(t, &new);
		cells_slot_write(s, &new);
	}
	table_unlock();
}

static void
slot_give(struct thread *t)
{
	struct table_slot *s, new = { .state = SLOT_LIVE };
	uint16_t slot;

	table_lock();
	slot = slot_take();
	if (!slot_make(slot))
		slot = 0;
	s = slot_at(slot);
	t->slot = slot;
	if (s && slot != 0) {
		new.tid = t->tid;
		put_name(t, &new);
		cells_slot_write(s, &new);
	} else if (s && s->state == SLOT_FREE) {
		new.name_len = 13;
		memcpy(new.name, "other threads", 13);
		cells_slot_write(s, &new);
	}
	t->slot_shared = slot == 0;
	t->generation = table_generation();
	table_unlock();
}

uint32_t
cells_get(struct thread *t, uint32_t stack)
{
	bool mine = (t->slot != 0 || t->slot_shared) &&
	    t->generation == table_generation();

	if (!mine)
		slot_give(t);
	if (t->slot_shared)
		table_lost(SHARED_SLOT);
	return cells_get_in(stack, t->slot);
}

void
cells_thread_end(struct thread *t)
{
	struct table_slot *s, new;

	if (!table_head() || t->slot == 0 ||
	    t->generation != table_generation())
		return;
	table_lock();
	s = slot_at(t->slot);
	if (s) {
		new = *s;
		new.state = SLOT_ENDED;
		cells_slot_write(s, &new);
	}
	cells.ended++;
	t->slot = 0;
	table_unlock();
}

void
cells_forked(void)
{
	if (cells.index.array || cells.next_slot != 0)
		memset(&cells, 0, sizeof cells);
}
