#include "tablewrite.h"

#include <stdatomic.h>
#include <string.h>

#include "conf.h"
#include "control.h"
#include "facts.h"
#include "inherit.h"
#include "lock.h"
#include "mirror.h"
#include "os.h"

/* How long an opener waits for the helper's memfd, and others for him.  It
 * takes some 200 us; only a starved machine needs longer, and whoever does
 * not wait for it loses the profile of a program that dies early. */
#define OPEN_WAIT_MS 2000

enum table_state {
	TABLE_NONE,    /* no sampled event yet */
	TABLE_OPENING, /* someone opens it and waits for the helper */
	TABLE_MAPPING, /* chunk 0 is being made */
	TABLE_MAPPED,  /* chunk 0 is there */
	TABLE_FILLING, /* what was inherited is copied in */
	TABLE_READY,
	TABLE_FAILED, /* no memory for it: nothing is ever recorded */
};

static struct {
	_Atomic uint32_t state; /* enum table_state, a futex */
	bool in_memfd;
	_Atomic bool waited_in_vain;
	struct lock lock;
	uint32_t chunks;         /* in use */
	uint32_t chunks_max;     /* the memfd's size */
	uint32_t used;           /* offset of the first free byte */
	uint64_t lost_before[8]; /* losses before it was ready */
} table;

unsigned char *table_chunk[TABLE_CHUNKS];
uint8_t table_number;

#define LOAD_ACQ(x) __atomic_load_n(&(x), __ATOMIC_ACQUIRE)

static uint32_t
state(void)
{
	return atomic_load_explicit(&table.state, memory_order_acquire);
}

static void
set_state(enum table_state s)
{
	atomic_store_explicit(&table.state, s, memory_order_release);
	os_futex_wake(&table.state, 1 << 30);
}

static bool
change_state(enum table_state from, enum table_state to)
{
	uint32_t expect = (uint32_t)from;

	return atomic_compare_exchange_strong_explicit(&table.state, &expect,
	    to, memory_order_acq_rel, memory_order_acquire);
}

struct table_head *
table_head(void)
{
	if (state() != TABLE_READY)
		return NULL;
	return (struct table_head *)(void *)table_chunk[0];
}

static const void *
local_chunk(void *ctx, uint32_t i)
{
	(void)ctx;
	return i < LOAD_ACQ(table.chunks) ? table_chunk[i] : NULL;
}

struct table_view
table_view(void)
{
	return (struct table_view){ local_chunk, NULL };
}

void
table_lost(enum loss what)
{
	struct table_head *h = table_head();
	uint64_t *n = h ? &h->lost[what] : &table.lost_before[what];

	__atomic_add_fetch(n, 1, __ATOMIC_RELAXED);
}

void
table_lock(void)
{
	lock_acquire(&table.lock);
}

void
table_unlock(void)
{
	lock_release(&table.lock);
}

/* A mapping of the memfd grows without its descriptor: mremap with an old
 * size of 0 maps the same pages once more, and a new size beyond them maps what
 * follows in the file. */
static unsigned char *
next_chunk(void)
{
	unsigned char *last, *p;

	if (!table.in_memfd)
		return os_map(TABLE_CHUNK);
	last = table_chunk[table.chunks - 1];
	p = os_remap_shared(last, 2 * TABLE_CHUNK);
	if (!p)
		return NULL;
	os_unmap(p, TABLE_CHUNK);
	return p + TABLE_CHUNK;
}

uint32_t
table_append(size_t len, void **at)
{
	uint32_t off = table.used;

	len = (len + 7) & ~(size_t)7;
	if (len > TABLE_CHUNK)
		return 0;
	if (off % TABLE_CHUNK + len > TABLE_CHUNK || off % TABLE_CHUNK == 0) {
		unsigned char *c = NULL;

		if (table.chunks < table.chunks_max)
			c = next_chunk();
		if (!c)
			return 0;
		off = table.chunks * TABLE_CHUNK;
		table_chunk[table.chunks] = c;
		__atomic_store_n(
		    &table.chunks, table.chunks + 1, __ATOMIC_RELEASE);
		((struct table_head *)(void *)table_chunk[0])->chunks =
		    table.chunks;
	}
	table.used = off + (uint32_t)len;
	*at = table_ptr(off);
	return off;
}

/* Without them no ages are told, and everything else is. */
static void
make_births(struct table_head *h)
{
	void *at;

	h->births = table_append(sizeof(struct table_births), &at);
	if (h->births)
		mirror_open(at);
}

/* Chunk 0 is at `chunk`, zeroed: make the head. */
static void
found(unsigned char *chunk, bool in_memfd, uint32_t chunks_max)
{
	struct table_head *h = (struct table_head *)(void *)chunk;

	table.in_memfd = in_memfd;
	table.chunks_max = chunks_max;
	table_chunk[0] = chunk;
	table.used = (uint32_t)sizeof *h;
	__atomic_store_n(&table.chunks, 1, __ATOMIC_RELEASE);
	h->version = FORMAT_VERSION;
	h->chunks = 1;
	h->slots = 1;
	h->pull = 1;
	h->lg_sample = conf.lg_sample;
	h->active = conf.prof_active;
	facts_fill(h);
	make_births(h);
	__atomic_store_n(&h->magic, TABLE_MAGIC, __ATOMIC_RELEASE);
}

bool
table_adopt(int memfd, uint64_t size)
{
	unsigned char *chunk;

	if (!change_state(TABLE_OPENING, TABLE_MAPPING))
		return false;
	chunk = os_map_shared(memfd, TABLE_CHUNK);
	if (!chunk) {
		set_state(TABLE_OPENING);
		return false;
	}
	found(chunk, true, (uint32_t)(size / TABLE_CHUNK));
	set_state(TABLE_MAPPED);
	return true;
}

/* Open as anonymous memory; by the opener. */
static void
open_anonymous(void)
{
	unsigned char *chunk = os_map(TABLE_CHUNK);

	if (!chunk) {
		set_state(TABLE_FAILED);
		return;
	}
	found(chunk, false, TABLE_CHUNKS);
	((struct table_head *)(void *)chunk)->hello.flags |= HELLO_NO_TABLE;
	set_state(TABLE_MAPPED);
}

void
table_refuse(void)
{
	if (change_state(TABLE_OPENING, TABLE_MAPPING))
		open_anonymous();
}

/* Wait while the state is below `until`, at most `ms`. */
static uint32_t
wait_below(enum table_state until, int ms)
{
	uint64_t end = os_now_coarse() + (uint64_t)ms * 1000000u;
	uint32_t s;

	while ((s = state()) < (uint32_t)until) {
		if (os_now_coarse() >= end)
			break;
		os_futex_wait_ms(&table.state, s, 20);
	}
	return s;
}

bool
table_wait_ready(void)
{
	return wait_below(TABLE_READY, 5 * OPEN_WAIT_MS) == TABLE_READY;
}

/* The last step, by whoever comes first: the opener, or if he stopped waiting
 * for a slow helper, the next who samples. */
static void
fill(void)
{
	struct table_head *h;

	if (!change_state(TABLE_MAPPED, TABLE_FILLING))
		return;
	inherit_records();
	h = table_ptr(0);
	for (int i = 0; i < 8; i++)
		h->lost[i] = table.lost_before[i];
	set_state(TABLE_READY);
}

/* Until the helper has mapped chunk 0, or is found to have gone. */
static void
wait_for_helper(void)
{
	uint64_t end = os_now_coarse() + OPEN_WAIT_MS * UINT64_C(1000000);
	uint32_t s;

	while ((s = state()) < TABLE_MAPPED && control_lives() &&
	    os_now_coarse() < end)
		os_futex_wait_ms(&table.state, s, 20);
}

static void
open_it(void)
{
	bool helper = control_start();

	if (helper)
		wait_for_helper();
	if (change_state(TABLE_OPENING, TABLE_MAPPING))
		open_anonymous();
	wait_below(TABLE_MAPPED, OPEN_WAIT_MS);
	fill();
	wait_below(TABLE_READY, OPEN_WAIT_MS); /* another may fill it */
	if (helper)
		control_wait_handed();
}

/* Someone else is opening it.  One thread waits once; if that was in vain
 * nobody waits again, samples are lost until it is ready. */
static void
wait_for_opener(void)
{
	fill();
	if (table.waited_in_vain)
		return;
	if (wait_below(TABLE_READY, OPEN_WAIT_MS) < TABLE_READY)
		table.waited_in_vain = true;
}

bool
table_open(void)
{
	uint32_t s = state();

	if (s == TABLE_READY)
		return true;
	if (s == TABLE_FAILED)
		return false;
	/* opened by a child of vfork it would be the parent's table, without a
	 * helper for good: that is left to the parent */
	if (s == TABLE_NONE && conf.thread && !control_is_silent() &&
	    control_vforked())
		return false;
	if (s == TABLE_NONE && change_state(TABLE_NONE, TABLE_OPENING))
		open_it();
	else
		wait_for_opener();
	return state() == TABLE_READY;
}

void
table_settle(void)
{
	if (state() != TABLE_NONE)
		wait_below(TABLE_READY, OPEN_WAIT_MS);
}

void
table_forked(void)
{
	if (table.state == TABLE_NONE || table.state == TABLE_FAILED)
		return;
	/* halfway open in spite of table_settle(): what lives would be taken
	 * for what it is not, so nothing is taken over */
	inherit_from(
	    table_chunk, table.state == TABLE_READY ? table.chunks : 0);
	table_number++;
	memset(table_chunk, 0, sizeof table_chunk);
	memset(table.lost_before, 0, sizeof table.lost_before);
	table.chunks = 0;
	table.used = 0;
	table.waited_in_vain = false;
	table.state = TABLE_NONE;
}

struct lock *
table_fork_lock(void)
{
	return &table.lock;
}
