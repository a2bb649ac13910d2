#include "base/map.h"

#include <stdlib.h>

#include "base/mem.h"

void
map_fini(struct map *m)
{
	free(m->slots);
	*m = (struct map){ 0 };
}

/* Linear probing; at most three quarters are taken, so it ends. */
static struct map_slot *
probe(const struct map *m, uint64_t key)
{
	size_t i = map_mix(key) & (m->cap - 1);

	while (m->slots[i].value != MAP_NONE && m->slots[i].key != key)
		i = (i + 1) & (m->cap - 1);
	return &m->slots[i];
}

uint32_t
map_find(const struct map *m, uint64_t key)
{
	return m->cap ? probe(m, key)->value : MAP_NONE;
}

static void
grow(struct map *m)
{
	struct map bigger = { .cap = m->cap ? m->cap * 2 : 16 };

	bigger.count = m->count;
	bigger.slots = xreallocarray(NULL, bigger.cap, sizeof *bigger.slots);
	for (size_t i = 0; i < bigger.cap; i++)
		bigger.slots[i] = (struct map_slot){ 0, MAP_NONE };
	for (size_t i = 0; i < m->cap; i++) {
		if (m->slots[i].value != MAP_NONE)
			*probe(&bigger, m->slots[i].key) = m->slots[i];
	}
	free(m->slots);
	*m = bigger;
}

uint32_t *
map_put(struct map *m, uint64_t key)
{
	struct map_slot *slot;

	if (m->count >= m->cap / 4 * 3)
		grow(m);
	slot = probe(m, key);
	if (slot->value == MAP_NONE) {
		slot->key = key;
		m->count++;
	}
	return &slot->value;
}
