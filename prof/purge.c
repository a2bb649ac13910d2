/*
 * Giving dirty pages back to the kernel, never with the lock held.
 */
#include "conf.h"
#include "heap.h"
#include "os.h"
#include "pagemap.h"

/* The clock is read once in so many spans freed. */
#define TICK_OPS 64

static int64_t
decay_ms(void)
{
	return conf.read ? conf.dirty_decay_ms : 10000;
}

bool
purge_one(uint64_t before, size_t most)
{
	lock_acquire(&heap.lock);
	heap_join_recent();
	struct span *s = heap.oldest;
	if (s == NULL || s->tick > before) {
		lock_release(&heap.lock);
		return false;
	}
	heap_unlist(s);
	if (s->pages > most) {
		struct span *rest = heap_cut(s, most);
		if (rest != NULL)
			heap_list(rest, SPAN_DIRTY);
	}
	s->state = SPAN_AWAY;
	pagemap_set_ends(s->start, s->pages, s, PAGE_UNUSED);
	lock_release(&heap.lock);

	bool done = os_purge((void *)s->start, span_bytes(s));

	lock_acquire(&heap.lock);
	s->tick = heap.now;
	heap_insert(s, done ? SPAN_CLEAN : SPAN_DIRTY);
	lock_release(&heap.lock);
	return done;
}

bool
purge_due(uint64_t *before)
{
	int64_t decay = decay_ms();
	if (decay < 0)
		return false;
	if (decay == 0) {
		*before = UINT64_MAX;
		return true;
	}
	if (heap.ops++ % TICK_OPS != 0)
		return false;
	heap.now = os_now_coarse() / 1000000;
	if (heap.recents > 0 &&
	    heap.recent[0]->tick + (uint64_t)decay <= heap.now)
		heap_join_recent();
	if (heap.oldest == NULL ||
	    heap.oldest->tick + (uint64_t)decay > heap.now)
		return false;
	*before = heap.now - (uint64_t)decay;
	return true;
}

uint64_t
span_decay(uint64_t now_ms)
{
	int64_t decay = decay_ms();
	if (decay < 0)
		return 0;
	lock_acquire(&heap.lock);
	heap.now = now_ms;
	lock_release(&heap.lock);
	if (now_ms >= (uint64_t)decay)
		while (purge_one(now_ms - (uint64_t)decay, HUGE_PAGES))
			;
	lock_acquire(&heap.lock);
	heap_join_recent();
	uint64_t due =
	    heap.oldest ? heap.oldest->tick + (uint64_t)decay - now_ms : 0;
	lock_release(&heap.lock);
	return due;
}

bool
span_purge_all(void)
{
	bool any = false;
	while (purge_one(UINT64_MAX, HUGE_PAGES))
		any = true;
	return any;
}
