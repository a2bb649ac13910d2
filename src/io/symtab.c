#include "io/symtab.h"

#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/vec.h"
#include "io/ranges.h"

struct symbol {
	uint64_t address, size, limit;
	const char *name;
	enum symtab_bind bind;
};

struct symtab {
	struct symbol *items;
	size_t count, cap;
	struct ranges ranges; /* value: index of the best name there */
};

struct symtab *
symtab_new(void)
{
	return xcalloc(1, sizeof(struct symtab));
}

void
symtab_free(struct symtab *t)
{
	if (t == NULL)
		return;
	ranges_fini(&t->ranges);
	free(t->items);
	free(t);
}

void
symtab_add(struct symtab *t, uint64_t address, uint64_t size, uint64_t limit,
    enum symtab_bind bind, const char *name)
{
	struct symbol *s;

	if (name[0] == 0)
		return;
	VEC_ROOM(t->items, t->cap, t->count + 1);
	s = &t->items[t->count++];
	s->address = address;
	s->size = size;
	s->limit = limit;
	s->bind = bind;
	s->name = name;
}

static size_t
underscores(const char *s)
{
	return strspn(s, "_");
}

/* By address, the better name first. */
static int
compare(const void *a, const void *b)
{
	const struct symbol *x = a, *y = b;
	size_t ux, uy;

	if (x->address != y->address)
		return x->address < y->address ? -1 : 1;
	if ((x->size == 0) != (y->size == 0))
		return x->size == 0 ? 1 : -1;
	if ((x->bind == SYMTAB_LOCAL) != (y->bind == SYMTAB_LOCAL))
		return x->bind == SYMTAB_LOCAL ? 1 : -1;
	ux = underscores(x->name);
	uy = underscores(y->name);
	if (ux != uy)
		return ux < uy ? -1 : 1;
	if (x->bind != y->bind)
		return x->bind > y->bind ? -1 : 1;
	ux = strlen(x->name);
	uy = strlen(y->name);
	if (ux != uy)
		return ux < uy ? -1 : 1;
	return strcmp(x->name, y->name);
}

/* The end of a symbol that has no size: the next address that has one. */
static uint64_t
guess_end(const struct symtab *t, size_t i)
{
	const struct symbol *s = &t->items[i];
	uint64_t end = s->limit;

	for (size_t j = i + 1; j < t->count; j++) {
		if (t->items[j].address == s->address)
			continue;
		if (t->items[j].address < end)
			end = t->items[j].address;
		break;
	}
	return end;
}

void
symtab_sort(struct symtab *t)
{
	ranges_fini(&t->ranges);
	if (t->count > 0)
		qsort(t->items, t->count, sizeof *t->items, compare);
	for (size_t i = 0; i < t->count; i++) {
		const struct symbol *s = &t->items[i];
		uint64_t end = s->address + s->size;

		if (i > 0 && t->items[i - 1].address == s->address)
			continue;
		if (s->size == 0)
			end = guess_end(t, i);
		ranges_add(&t->ranges, s->address, end, 0, (uint32_t)i);
	}
	ranges_sort(&t->ranges);
}

/* A label inside a function does not take the rest of it: what has a size
 * goes before what has not. */
const char *
symtab_find(const struct symtab *t, uint64_t address)
{
	const struct symbol *guess = NULL;
	size_t i = RANGES_END;

	while ((i = ranges_find(&t->ranges, address, i)) != RANGES_END) {
		const struct symbol *s = &t->items[t->ranges.items[i].value];

		if (s->size > 0)
			return s->name;
		if (guess == NULL)
			guess = s;
	}
	return guess != NULL ? guess->name : NULL;
}

size_t
symtab_count(const struct symtab *t)
{
	return t->count;
}
