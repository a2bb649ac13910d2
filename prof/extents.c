#include "extents.h"

#include "os.h"

/* All of them lie on one page. */
struct table_extents extents[EXTENTS_KINDS] BIG_BSS;

_Static_assert(sizeof extents <= 4096, "one page");

static void
drop(struct table_extents *x, uint32_t i)
{
	x->at[i] = x->at[--x->count];
}

/* The first that ends where this range starts, or the other way round; or
 * count. */
static uint32_t
touching(const struct table_extents *x, uint64_t start, uint64_t end)
{
	uint32_t i = 0;

	while (i < x->count && x->at[i].start != end &&
	    x->at[i].start + x->at[i].bytes != start)
		i++;
	return i;
}

void
extents_add(struct table_extents *x, uintptr_t start, size_t bytes)
{
	uint64_t lo = start, hi = start + bytes;

	/* At most one on each side. */
	for (uint32_t i; (i = touching(x, lo, hi)) < x->count; drop(x, i)) {
		if (x->at[i].start == hi)
			hi += x->at[i].bytes;
		else
			lo = x->at[i].start;
	}
	if (x->count == EXTENTS_MAX) {
		x->missed += hi - lo;
		return;
	}
	x->at[x->count].start = lo;
	x->at[x->count++].bytes = hi - lo;
}

void
extents_remove(struct table_extents *x, uintptr_t start, size_t bytes)
{
	uint64_t lo = start, hi = start + bytes, found = 0;

	for (uint32_t i = 0; i < x->count;) {
		uint64_t from = x->at[i].start, to = from + x->at[i].bytes;

		if (to <= lo || from >= hi) {
			i++;
			continue;
		}
		found += (to < hi ? to : hi) - (from > lo ? from : lo);
		drop(x, i);
		if (from < lo)
			extents_add(x, (uintptr_t)from, (size_t)(lo - from));
		if (to > hi)
			extents_add(x, (uintptr_t)hi, (size_t)(to - hi));
		i = 0; /* what was put back lies outside */
	}
	if (bytes - found > x->missed)
		x->missed = 0;
	else
		x->missed -= bytes - found;
}
