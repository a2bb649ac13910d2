#include "index.h"

#include <stddef.h>

#include "meta.h"
#include "os.h"

struct index_entry {
	uint64_t a;
	uint32_t b;
	uint32_t id; /* written last; 0: free */
};

struct index_array {
	uint32_t mask; /* entries - 1, a power of two */
	uint32_t used;
	struct index_entry entry[];
};

/* One page holds the first array. */
#define FIRST_ENTRIES 128u

static size_t
array_bytes(uint32_t entries)
{
	return sizeof(struct index_array) +
	    entries * sizeof(struct index_entry);
}

uint32_t
index_find(const struct index *ix, struct index_key k)
{
	struct index_array *x = __atomic_load_n(&ix->array, __ATOMIC_ACQUIRE);

	if (!x)
		return 0;
	for (uint32_t i = (uint32_t)k.a;; i++) {
		const struct index_entry *e = &x->entry[i & x->mask];
		uint32_t id = __atomic_load_n(&e->id, __ATOMIC_ACQUIRE);

		if (id == 0)
			return 0;
		if (e->a == k.a && e->b == k.b)
			return id;
	}
}

static void
put(struct index_array *x, struct index_key k, uint32_t id)
{
	uint32_t i = (uint32_t)k.a;
	struct index_entry *e;

	while (x->entry[i & x->mask].id != 0)
		i++;
	e = &x->entry[i & x->mask];
	e->a = k.a;
	e->b = k.b;
	__atomic_store_n(&e->id, id, __ATOMIC_RELEASE);
	x->used++;
}

static struct index_array *
grow(struct index_array *old)
{
	uint32_t entries = old ? (old->mask + 1) * 2 : FIRST_ENTRIES;
	struct index_array *x = os_map(array_bytes(entries));

	if (!x)
		return NULL;
	meta_note(x, array_bytes(entries));
	x->mask = entries - 1;
	for (uint32_t i = 0; old && i <= old->mask; i++) {
		const struct index_entry *e = &old->entry[i];

		if (e->id != 0)
			put(x, (struct index_key){ e->a, e->b }, e->id);
	}
	return x;
}

bool
index_reserve(struct index *ix)
{
	struct index_array *x = ix->array;

	/* at most half full, so that searches end soon */
	if (!x || x->used * 2 > x->mask) {
		struct index_array *bigger = grow(x);

		/* a full array without memory to grow still has room up to
		 * the last entry, which must stay free to end searches */
		if (!bigger && (!x || x->used + 1 >= x->mask))
			return false;
		if (bigger)
			__atomic_store_n(&ix->array, bigger, __ATOMIC_RELEASE);
	}
	return true;
}

bool
index_add(struct index *ix, struct index_key k, uint32_t id)
{
	if (!index_reserve(ix))
		return false;
	put(ix->array, k, id);
	return true;
}
