#include "io/ranges.h"

#include <stdlib.h>

#include "base/vec.h"

void
ranges_fini(struct ranges *r)
{
	free(r->items);
	r->items = NULL;
	r->count = r->cap = 0;
}

void
ranges_add(
    struct ranges *r, uint64_t lo, uint64_t hi, uint32_t depth, uint32_t value)
{
	struct range *n;

	if (lo >= hi)
		return;
	VEC_ROOM(r->items, r->cap, r->count + 1);
	n = &r->items[r->count++];
	n->lo = lo;
	n->hi = hi;
	n->up = hi;
	n->depth = depth;
	n->value = value;
}

/* By start; of equal starts the wider, then the less deep first, so that
 * inner ones come later. */
static int
compare(const void *a, const void *b)
{
	const struct range *x = a, *y = b;

	if (x->lo != y->lo)
		return x->lo < y->lo ? -1 : 1;
	if (x->depth != y->depth)
		return x->depth < y->depth ? -1 : 1;
	if (x->hi != y->hi)
		return x->hi > y->hi ? -1 : 1;
	return (x->value > y->value) - (x->value < y->value);
}

void
ranges_sort(struct ranges *r)
{
	if (r->count == 0)
		return;
	qsort(r->items, r->count, sizeof *r->items, compare);
	for (size_t i = 1; i < r->count; i++)
		if (r->items[i - 1].up > r->items[i].hi)
			r->items[i].up = r->items[i - 1].up;
}

/* How many ranges begin at or before the address. */
static size_t
begun(const struct ranges *r, uint64_t address)
{
	size_t lo = 0, hi = r->count;

	while (lo < hi) {
		size_t mid = lo + (hi - lo) / 2;

		if (r->items[mid].lo <= address)
			lo = mid + 1;
		else
			hi = mid;
	}
	return lo;
}

size_t
ranges_find(const struct ranges *r, uint64_t address, size_t after)
{
	size_t i = after == RANGES_END ? begun(r, address) : after;

	while (i-- > 0 && r->items[i].up > address)
		if (address < r->items[i].hi)
			return i;
	return RANGES_END;
}
