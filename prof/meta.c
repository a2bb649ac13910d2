#include "meta.h"

#include <string.h>

#include "extents.h"
#include "lock.h"
#include "os.h"

/* Small processes live in the first, which costs no system call; later
 * mappings double up to the largest. */
#define FIRST_BYTES  (32u << 10)
#define SMALLEST_MAP (128u << 10)
#define LARGEST_MAP  (1u << 20)
#define SMALLEST     16u
#define SMALLEST_LOG 4
#define SIZES        28 /* up to 2 GiB */

struct free_block {
	struct free_block *next;
};

static char first[FIRST_BYTES] BIG_BSS;

static struct {
	struct lock lock;
	char *at, *end;
	size_t map_bytes; /* size of the next mapping */
	size_t used;
	struct free_block *freed[SIZES];
} meta;

static unsigned
size_index(size_t size)
{
	if (size <= SMALLEST)
		return 0;
	return 64 - (unsigned)__builtin_clzl(size - 1) - SMALLEST_LOG;
}

static bool
more(size_t size)
{
	if (meta.map_bytes == 0) {
		meta.map_bytes = SMALLEST_MAP;
		meta.at = first;
		meta.end = first + sizeof first;
		if (size <= sizeof first)
			return true;
	}
	size_t n = meta.map_bytes;
	if (n < LARGEST_MAP)
		meta.map_bytes *= 2;
	if (n < size)
		n = (size + 4095) & ~(size_t)4095;
	char *p = os_map(n);
	if (p == NULL)
		return false;
	extents_add(&extents[EXTENTS_OWN], (uintptr_t)p, n);
	meta.at = p;
	meta.end = p + n;
	return true;
}

/* Cut from the front; the caller holds the lock. */
static void *
cut(size_t size, size_t align)
{
	for (;;) {
		char *p = meta.at;
		p += -(uintptr_t)p & (align - 1);
		if (meta.at != NULL && (size_t)(meta.end - meta.at) >= size &&
		    (size_t)(meta.end - p) >= size && p <= meta.end) {
			meta.at = p + size;
			meta.used += size;
			return p;
		}
		if (!more(size + align))
			return NULL;
	}
}

void *
meta_alloc(size_t size)
{
	unsigned i = size_index(size);
	if (i >= SIZES)
		return NULL;
	size_t whole = (size_t)SMALLEST << i;
	lock_acquire(&meta.lock);
	struct free_block *b = meta.freed[i];
	if (b != NULL) {
		meta.freed[i] = b->next;
		lock_release(&meta.lock);
		return memset(b, 0, size);
	}
	void *p = cut(whole, whole < 64 ? whole : 64);
	lock_release(&meta.lock);
	return p;
}

void
meta_free(void *p, size_t size)
{
	if (p == NULL)
		return;
	unsigned i = size_index(size);
	struct free_block *b = p;
	lock_acquire(&meta.lock);
	b->next = meta.freed[i];
	meta.freed[i] = b;
	lock_release(&meta.lock);
}

/* What a mapping of that size takes. */
static size_t
whole_pages(size_t size)
{
	return (size + 4095) & ~(size_t)4095;
}

void
meta_note(const void *p, size_t size)
{
	lock_acquire(&meta.lock);
	extents_add(&extents[EXTENTS_OWN], (uintptr_t)p, whole_pages(size));
	lock_release(&meta.lock);
}

void
meta_unnote(const void *p, size_t size)
{
	lock_acquire(&meta.lock);
	extents_remove(&extents[EXTENTS_OWN], (uintptr_t)p, whole_pages(size));
	lock_release(&meta.lock);
}

size_t
meta_bytes(void)
{
	lock_acquire(&meta.lock);
	size_t n = meta.used;
	lock_release(&meta.lock);
	return n;
}

struct lock *
meta_lock(void)
{
	return &meta.lock;
}
