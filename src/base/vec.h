/*
 * Growing a typed array: `vec_room` makes sure that `need` elements fit into
 * the array at `*p`, doubling its capacity.  The array is plain memory owned
 * by whoever holds the pointer and freed with free().
 */
#ifndef BASE_VEC_H
#define BASE_VEC_H

#include <stddef.h>

#include "base/mem.h"

static inline void *
vec_room(void *p, size_t *cap, size_t need, size_t size)
{
	size_t want = *cap ? *cap : 8;

	if (need <= *cap)
		return p;
	while (want < need)
		want = want > (size_t)-1 / 2 ? need : want * 2;
	*cap = want;
	return xreallocarray(p, want, size);
}

/* VEC_ROOM(v->items, v->cap, v->count + 1): may move the items. */
#define VEC_ROOM(items, cap, need) \
	((items) = vec_room((items), &(cap), (need), sizeof *(items)))

#endif
