#include "base/strtab.h"

#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/map.h"
#include "base/vec.h"

struct entry {
	const char *s;
	uint32_t hash;
	uint32_t len : 31;
	uint32_t appended : 1; /* in no slot */
};

#define LEN_MAX INT32_MAX

struct strtab {
	struct arena arena;
	struct entry *entries;
	size_t count, cap;
	uint32_t *slots; /* id + 1, or 0; linear probing */
	size_t slot_cap; /* a power of two */
	size_t interned; /* how many of the entries are in slots */
};

static uint32_t
hash(const char *s, size_t len)
{
	uint64_t h = len;
	uint64_t word;

	for (; len >= sizeof word; s += sizeof word, len -= sizeof word) {
		memcpy(&word, s, sizeof word);
		h = map_mix(h ^ word);
	}
	word = 0;
	memcpy(&word, s, len);
	return (uint32_t)map_mix(h ^ word);
}

static void
grow(struct strtab *t)
{
	size_t cap = t->slot_cap ? t->slot_cap * 2 : 64;
	uint32_t *slots = xcalloc(cap, sizeof *slots);

	for (size_t id = 0; id < t->count; id++) {
		size_t i = t->entries[id].hash & (cap - 1);

		if (t->entries[id].appended)
			continue;
		while (slots[i])
			i = (i + 1) & (cap - 1);
		slots[i] = (uint32_t)id + 1;
	}
	free(t->slots);
	t->slots = slots;
	t->slot_cap = cap;
}

static struct entry *
new_entry(struct strtab *t, const char *s, size_t len, uint32_t h)
{
	struct entry *e;

	VEC_ROOM(t->entries, t->cap, t->count + 1);
	e = &t->entries[t->count++];
	*e = (struct entry){ .s = arena_strndup(&t->arena, s, len),
		.hash = h,
		.len = (uint32_t)len & LEN_MAX };
	return e;
}

struct strtab *
strtab_new(void)
{
	struct strtab *t = xcalloc(1, sizeof *t);

	strtab_addn(t, "", 0);
	return t;
}

void
strtab_free(struct strtab *t)
{
	if (!t)
		return;
	arena_fini(&t->arena);
	free(t->entries);
	free(t->slots);
	free(t);
}

str_id
strtab_add(struct strtab *t, const char *s)
{
	return strtab_addn(t, s, strlen(s));
}

str_id
strtab_addn(struct strtab *t, const char *s, size_t len)
{
	uint32_t h = hash(s, len);
	struct entry *e;
	size_t i;

	if (t->interned >= t->slot_cap / 2)
		grow(t);
	for (i = h & (t->slot_cap - 1); t->slots[i];
	     i = (i + 1) & (t->slot_cap - 1)) {
		e = &t->entries[t->slots[i] - 1];
		if (e->hash == h && e->len == len && !memcmp(e->s, s, len))
			return t->slots[i] - 1;
	}
	new_entry(t, s, len, h);
	t->interned++;
	t->slots[i] = (uint32_t)t->count;
	return (str_id)t->count - 1;
}

str_id
strtab_append(struct strtab *t, const char *s, size_t len)
{
	new_entry(t, s, len, 0)->appended = 1;
	return (str_id)t->count - 1;
}

const char *
strtab_at(const struct strtab *t, str_id id)
{
	return t->entries[id].s;
}

uint32_t
strtab_count(const struct strtab *t)
{
	return (uint32_t)t->count;
}
