#include "model/stacks.h"

#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/map.h"
#include "base/vec.h"
#include "model/modules.h"

struct stacks {
	struct stack *list; /* [id - 1] */
	size_t count, cap;
	struct arena arena;
	uint64_t *module_hash; /* [module id], made when first met */
	size_t module_cap;
};

struct stacks *
stacks_new(void)
{
	return xcalloc(1, sizeof(struct stacks));
}

void
stacks_free(struct stacks *t)
{
	if (!t)
		return;
	free(t->list);
	free(t->module_hash);
	arena_fini(&t->arena);
	free(t);
}

static uint64_t
hash_bytes(const void *data, size_t len)
{
	const unsigned char *p = data;
	uint64_t h = len;

	for (size_t i = 0; i < len; i++)
		h = map_mix(h ^ p[i]);
	return h | 1; /* never 0, which means not made yet */
}

static uint64_t
module_hash(struct stacks *t, uint32_t id, const struct modules *modules)
{
	const struct module *m = modules_find(modules, id);
	size_t old = t->module_cap;

	if (!m)
		return 0;
	VEC_ROOM(t->module_hash, t->module_cap, (size_t)id + 1);
	for (size_t i = old; i < t->module_cap; i++)
		t->module_hash[i] = 0;
	if (t->module_hash[id] == 0)
		t->module_hash[id] = m->build_id_len
		    ? hash_bytes(m->build_id, m->build_id_len)
		    : hash_bytes(m->path, strlen(m->path));
	return t->module_hash[id];
}

stack_id
stacks_add(struct stacks *t, unsigned flags, const frame_id *ids,
    uint32_t count, const struct frames *f, const struct modules *m)
{
	frame_id *copy = arena_alloc(&t->arena, count * sizeof *copy);
	uint64_t h = count;

	memcpy(copy, ids, count * sizeof *copy);
	for (uint32_t i = 0; i < count; i++) {
		h = map_mix(h ^ module_hash(t, frames_module(f, ids[i]), m));
		h = map_mix(h ^ frames_offset(f, ids[i]));
	}
	VEC_ROOM(t->list, t->cap, t->count + 1);
	t->list[t->count++] = (struct stack){ copy, count, flags, h };
	return (stack_id)t->count;
}

uint32_t
stacks_count(const struct stacks *t)
{
	return (uint32_t)t->count;
}

const struct stack *
stacks_at(const struct stacks *t, stack_id id)
{
	return &t->list[id - 1];
}
