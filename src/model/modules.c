#include "model/modules.h"

#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/vec.h"

/* What a stream can name; keeps sparse ids from costing memory. */
#define MODULES_MAX 65535u

struct modules {
	struct arena arena;
	struct module **by_id; /* [id]; NULL: unknown */
	size_t cap;
	uint32_t max;
	/* In order of arrival, newest last, for addresses. */
	struct module **list;
	size_t list_cap, count;
};

struct modules *
modules_new(void)
{
	return xcalloc(1, sizeof(struct modules));
}

void
modules_free(struct modules *m)
{
	if (!m)
		return;
	free(m->by_id);
	free(m->list);
	arena_fini(&m->arena);
	free(m);
}

const struct module *
modules_find(const struct modules *m, uint32_t id)
{
	return id >= 1 && id <= m->max ? m->by_id[id] : NULL;
}

uint32_t
modules_max(const struct modules *m)
{
	return m->max;
}

const struct module *
modules_find_address(const struct modules *m, uint64_t address)
{
	for (size_t i = m->count; i-- > 0;) {
		if (address >= m->list[i]->start && address < m->list[i]->end)
			return m->list[i];
	}
	return NULL;
}

static int
same(const struct module *a, const struct module *b)
{
	return a->start == b->start && a->end == b->end && a->bias == b->bias &&
	    a->build_id_len == b->build_id_len &&
	    !memcmp(a->build_id, b->build_id, a->build_id_len) &&
	    !strcmp(a->path, b->path);
}

static void
grow(struct modules *m, uint32_t id)
{
	size_t old = m->cap;

	VEC_ROOM(m->by_id, m->cap, (size_t)id + 1);
	for (size_t i = old; i < m->cap; i++)
		m->by_id[i] = NULL;
	if (id > m->max)
		m->max = id;
}

/* Paths are not to be trusted: control bytes would move the cursor or end a
 * line of a report. */
static const char *
name_of(struct modules *m, const char *path)
{
	const char *slash = strrchr(path, '/');
	const char *last = slash ? slash + 1 : path;
	char *name;

	if (!*last)
		return "?";
	name = arena_strndup(&m->arena, last, strlen(last));
	for (char *c = name; *c; c++) {
		if ((unsigned char)*c < 0x20 || *c == 0x7f)
			*c = '?';
	}
	return name;
}

int
modules_add(struct modules *m, const struct module *in)
{
	const struct module *known = modules_find(m, in->id);
	struct module *copy;

	if (in->id == 0 || in->id > MODULES_MAX ||
	    in->build_id_len > sizeof in->build_id)
		return -1;
	if (known)
		return same(known, in) ? 0 : -1;
	grow(m, in->id);
	copy = arena_alloc(&m->arena, sizeof *copy);
	*copy = *in;
	copy->path = arena_strndup(&m->arena, in->path, strlen(in->path));
	copy->name = name_of(m, copy->path);
	m->by_id[in->id] = copy;
	VEC_ROOM(m->list, m->list_cap, m->count + 1);
	m->list[m->count++] = copy;
	return 0;
}
