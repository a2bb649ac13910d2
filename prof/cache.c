#include "cache.h"

#include <string.h>

#include "central.h"
#include "meta.h"
#include "strict.h"

/* Bins looked at for room at a time. */
#define LOOKS 16u
/* What is added to the room of a cache that was too small, in bytes. */
#define MORE ((size_t)4 << 10)
/* A bin that only runs over grows to so many batches: what its thread frees
 * is wanted elsewhere. */
#define SPILL_BATCHES 2u

void
cache_init(struct cache *c)
{
	for (unsigned i = 1; i <= SC_COUNT; i++)
		c->bin[i].size = sc_info[i].size;
	c->most = CACHE_LEAST;
}

static size_t
array_bytes(unsigned room)
{
	return room * sizeof(void *);
}

static bool
set_room(struct bin *b, unsigned room)
{
	void **to = NULL;
	if (room > 0) {
		to = meta_alloc(array_bytes(room));
		if (to == NULL)
			return false;
		if (b->count > 0)
			memcpy(to, b->slots, array_bytes(b->count));
	}
	void **from = b->slots;
	unsigned had = b->room;
	b->slots = to;
	b->room = (uint16_t)room;
	meta_free(from, array_bytes(had));
	return true;
}

/* Take room from bins that are not busy, each time another few of them. */
static bool
make_room(struct cache *c, unsigned class, size_t need)
{
	if (c->most < CACHE_MOST)
		c->most += MORE;
	for (unsigned i = 0; i < LOOKS && c->room + need > c->most; i++) {
		c->hand = c->hand % SC_COUNT + 1;
		struct bin *b = &c->bin[c->hand];
		if (c->hand == class || b->room == 0)
			continue;
		unsigned room = b->room / 2u, had = b->room;
		/* The objects that were longest in it go. */
		if (b->count > room)
			central_put_from(c->hand, b, b->count - room);
		if (set_room(b, room))
			c->room -= (size_t)(had - room) * b->size;
	}
	return c->room + need <= c->most;
}

static bool
grow(struct cache *c, unsigned class, unsigned most)
{
	struct bin *b = &c->bin[class];
	const struct sc_info *info = &sc_info[class];
	if (strict.uncached || b->size > strict.most)
		return false;
	unsigned room = b->room == 0 ? info->first : b->room * 2u;
	if (room > most)
		room = most;
	if (room <= b->room)
		return false;
	size_t need = (size_t)(room - b->room) * b->size;
	if (c->room + need > c->most && !make_room(c, class, need))
		return false;
	if (!set_room(b, room))
		return false;
	c->room += need;
	return true;
}

void *
cache_refill(struct cache *c, unsigned class)
{
	struct bin *b = &c->bin[class];
	const struct sc_info *info = &sc_info[class];
	grow(c, class, info->most);
	if (b->room == 0) {
		void *one;
		return central_get(class, &one, 1) == 1 ? one : NULL;
	}
	unsigned want = (b->room + 1u) / 2;
	if (want > info->batch)
		want = info->batch;
	unsigned got = central_get(class, b->slots, want);
	if (got == 0)
		return NULL;
	b->count = (uint16_t)(got - 1);
	return b->slots[got - 1];
}

void
cache_spill(struct cache *c, unsigned class, void *p)
{
	struct bin *b = &c->bin[class];
	const struct sc_info *info = &sc_info[class];
	unsigned most = SPILL_BATCHES * info->batch;
	if (!grow(c, class, most < info->most ? most : info->most)) {
		if (b->room == 0) {
			central_put(class, &p, 1);
			return;
		}
		unsigned n = (b->room + 1u) / 2;
		central_put_from(class, b, n < info->batch ? n : info->batch);
	}
	b->slots[b->count] = p;
	b->count++;
}

void
cache_drain(struct cache *c)
{
	for (unsigned i = 1; i <= SC_COUNT; i++) {
		struct bin *b = &c->bin[i];
		if (b->room == 0)
			continue;
		if (b->count > 0)
			central_put_from(i, b, b->count);
		set_room(b, 0);
	}
	c->room = 0;
	struct bin *sampled = c->sampled;
	if (sampled == NULL)
		return;
	/* Who counts must not find it any more. */
	__atomic_store_n(&c->sampled, NULL, __ATOMIC_RELEASE);
	for (unsigned i = 1; i <= SC_COUNT; i++) {
		struct bin *b = &sampled[i];
		if (b->count > 0)
			central_sampled_put_from(i, b, b->count);
		set_room(b, 0);
	}
	meta_free(sampled, sizeof c->bin);
}

void *
cache_sampled_pop(struct cache *c, unsigned class)
{
	if (c->sampled == NULL)
		return NULL;
	struct bin *b = &c->sampled[class];
	if (b->count == 0) {
		/* It ran empty, so it may be larger. */
		unsigned most = sc_info[class].marked;
		unsigned room = b->room == 0 ? 4 : b->room * 2u;
		if (room > most)
			room = most;
		if (room <= b->room || set_room(b, room))
			b->count = (uint16_t)central_sampled_get(
			    class, b->slots, b->room / 2u);
		if (b->count == 0)
			return NULL;
	}
	b->count--;
	return b->slots[b->count];
}

bool
cache_sampled_push(struct cache *c, unsigned class, void *p)
{
	if (strict.uncached)
		return false;
	if (c->sampled == NULL) {
		/* Not for a thread that samples now and then. */
		c->sampled = meta_alloc(sizeof c->bin);
		return false;
	}
	struct bin *b = &c->sampled[class];
	if (b->count == b->room) {
		unsigned n = b->room / 2u;
		if (n == 0)
			return false;
		central_sampled_put_from(class, b, n);
	}
	b->slots[b->count] = p;
	b->count++;
	return true;
}
