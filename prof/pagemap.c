#include "pagemap.h"

#include "meta.h"
#include "os.h"
#include "span.h"

#define LEAF_BYTES (PAGEMAP_LEAF_PAGES * sizeof(pagemap_slot))

pagemap_slot *_Atomic pagemap_root[PAGEMAP_ROOT_COUNT] BIG_BSS;

struct pagemap_near pagemap_near = { .lo = (uintptr_t)1 << 63 };

static _Atomic size_t leaves;

/* Before the heap's first mapping is handed out, so before any other thread
 * can hold a pointer into it. */
static void
make_near(size_t top)
{
	static _Atomic bool tried;
	size_t first = top >= PAGEMAP_NEAR - 1 - PAGEMAP_ABOVE
	    ? top - (PAGEMAP_NEAR - 1 - PAGEMAP_ABOVE)
	    : 0;
	if (atomic_exchange(&tried, true) ||
	    first + PAGEMAP_NEAR > PAGEMAP_ROOT_COUNT)
		return;
	pagemap_slot *row = os_map(PAGEMAP_NEAR * LEAF_BYTES);
	if (row == NULL)
		return;
	meta_note(row, PAGEMAP_NEAR * LEAF_BYTES);
	for (size_t i = 0; i < PAGEMAP_NEAR; i++)
		atomic_store_explicit(&pagemap_root[first + i],
		    row + i * PAGEMAP_LEAF_PAGES, memory_order_release);
	atomic_store_explicit(&leaves, PAGEMAP_NEAR, memory_order_relaxed);
	pagemap_near.slot = row;
	atomic_thread_fence(memory_order_release);
	pagemap_near.lo = first << 30;
}

static bool
cover_one(size_t top)
{
	if (top >= PAGEMAP_ROOT_COUNT)
		return false;
	if (atomic_load_explicit(&pagemap_root[top], memory_order_acquire))
		return true;
	pagemap_slot *leaf = os_map(LEAF_BYTES);
	if (leaf == NULL)
		return false;
	pagemap_slot *none = NULL;
	if (atomic_compare_exchange_strong(&pagemap_root[top], &none, leaf)) {
		atomic_fetch_add_explicit(&leaves, 1, memory_order_relaxed);
		meta_note(leaf, LEAF_BYTES);
	} else
		os_unmap(leaf, LEAF_BYTES);
	return true;
}

bool
pagemap_cover(uintptr_t start, size_t pages)
{
	uintptr_t last = start + (pages << PAGE_SHIFT) - 1;
	make_near(start >> 30);
	for (size_t top = start >> 30; top <= last >> 30; top++)
		if (!cover_one(top))
			return false;
	return true;
}

void
pagemap_set_run(uintptr_t start, size_t pages, struct span *s, unsigned code)
{
	for (size_t i = 0; i < pages; i++)
		pagemap_set(start + (i << PAGE_SHIFT), s, code);
}

void
pagemap_set_ends(uintptr_t start, size_t pages, struct span *s, unsigned code)
{
	pagemap_set(start, s, code);
	pagemap_set(start + ((pages - 1) << PAGE_SHIFT), s, code);
}

size_t
pagemap_bytes(void)
{
	return atomic_load_explicit(&leaves, memory_order_relaxed) * LEAF_BYTES;
}

bool
pagemap_owns(const void *p)
{
	return pagemap_get((uintptr_t)p) != 0;
}

/* Of a large block only the ends are in the map; so far back is looked for
 * its start (8 MiB: stacks of coroutines are smaller). */
#define LOOK_BACK 1024u

bool
pagemap_block(const void *p, uintptr_t *lo, uintptr_t *hi)
{
	uintptr_t a = (uintptr_t)p, page = a;
	uint64_t e = pagemap_get(a);
	for (unsigned i = 0; pagemap_code(e) == PAGE_UNUSED; i++) {
		if (i == LOOK_BACK || page < PAGE_BYTES)
			return false;
		page -= PAGE_BYTES;
		e = pagemap_get(page);
	}
	if (pagemap_code(e) == 0)
		return false;
	const struct span *s = pagemap_span(e);
	size_t size = s->class != 0 ? sc_info[s->class].size : span_bytes(s);
	if (a - s->start >= span_bytes(s))
		return false;
	*lo = s->start + (a - s->start) / size * size;
	*hi = *lo + size;
	return *hi <= s->start + span_bytes(s);
}
