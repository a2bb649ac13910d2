#include "span.h"

#include <errno.h>

#include "check.h"
#include "extents.h"
#include "heap.h"
#include "lock.h"
#include "os.h"
#include "pagemap.h"
#include "strict.h"

#define GROW_LEAST ((size_t)1 << (20 - PAGE_SHIFT))
#define GROW_MOST  ((size_t)16 << (20 - PAGE_SHIFT))
/* Pages given back at once by a thread that has other things to do. */
#define PURGE_MOST ((size_t)4 << (20 - PAGE_SHIFT))
/* From here on it is quicker to move a block's pages than to copy them. */
#define MOVE_LEAST ((size_t)512 >> (PAGE_SHIFT - 10))

struct lock *
span_lock(void)
{
	return &heap.lock;
}

/* Of mappings that come and go: the caller holds the lock. */
static void
mapped(uintptr_t start, size_t pages)
{
	heap.mapped += pages;
	extents_add(&extents[EXTENTS_HEAP], start, pages << PAGE_SHIFT);
}

static void
unmapped(uintptr_t start, size_t pages)
{
	heap.mapped -= pages;
	extents_remove(&extents[EXTENTS_HEAP], start, pages << PAGE_SHIFT);
}

/* Unmap all free spans: the last resort when address space is short. */
static bool
release_free(void)
{
	bool any = false;
	heap_join_recent();
	for (unsigned kind = 0; kind < HEAP_KINDS; kind++)
		for (unsigned b = heap_next_bin(kind, 0); b < HEAP_BINS;
		     b = heap_next_bin(kind, b)) {
			struct span *s = heap.bin[kind][b];
			heap_unlist(s);
			pagemap_set_run(s->start, s->pages, NULL, 0);
			os_unmap((void *)s->start, span_bytes(s));
			unmapped(s->start, s->pages);
			heap_struct_free(s);
			any = true;
		}
	return any;
}

static void *
map(size_t pages, size_t align)
{
	size_t bytes = pages << PAGE_SHIFT;
	/* Kernels map downwards; close to the last growth it can be joined. */
	uintptr_t hint = heap.low > bytes ? heap.low - bytes : 0;
	void *p = os_map_aligned((void *)hint, bytes, align);
	if (p == NULL)
		return NULL;
	if (!pagemap_cover((uintptr_t)p, pages)) {
		os_unmap(p, bytes);
		return NULL;
	}
	heap.low = (uintptr_t)p;
	mapped((uintptr_t)p, pages);
	return p;
}

static bool
grow_by(size_t pages)
{
	struct span *s = heap_struct_new();
	if (s == NULL)
		return false;
	void *p = map(pages, PAGE_BYTES);
	if (p == NULL) {
		heap_struct_free(s);
		return false;
	}
	s->start = (uintptr_t)p;
	s->pages = pages;
	heap_insert(s, SPAN_CLEAN);
	return true;
}

static bool
grow(size_t pages)
{
	size_t n = heap.mapped / 8;
	n = n < GROW_LEAST ? GROW_LEAST : n > GROW_MOST ? GROW_MOST : n;
	if (pages < n && grow_by(n))
		return true;
	return grow_by(pages) || (release_free() && grow_by(pages));
}

/* A span of at least that many pages, off its list, known zero or not. */
static struct span *
take(size_t pages)
{
	for (int tries = 0; tries < 2; tries++) {
		for (unsigned kind = 0; kind < HEAP_KINDS; kind++) {
			struct span *s = heap_find(kind, pages);
			if (s == NULL && kind == SPAN_DIRTY &&
			    heap.recents > 0) {
				heap_join_recent();
				s = heap_find(kind, pages);
			}
			if (s == NULL)
				continue;
			heap_unlist(s);
			s->zero = kind == SPAN_CLEAN;
			return s;
		}
		if (!grow(pages))
			break;
	}
	return NULL;
}

/* The span's pages that are not wanted go back where they came from. */
static void
trim(struct span *s, size_t pages, size_t align)
{
	unsigned kind = s->zero ? SPAN_CLEAN : SPAN_DIRTY;
	size_t head = (-s->start & (align - 1)) >> PAGE_SHIFT;
	if (head > 0) {
		/* Swapped, so that the struct in hand is the wanted part. */
		struct span *rest = heap_cut(s, head);
		if (rest == NULL)
			return;
		struct span keep = *s;
		s->start = rest->start;
		s->pages = rest->pages;
		rest->start = keep.start;
		rest->pages = keep.pages;
		heap_list(rest, kind);
	}
	if (s->pages > pages) {
		struct span *rest = heap_cut(s, pages);
		if (rest != NULL)
			heap_list(rest, kind);
	}
}

static struct span *
huge_new(size_t pages, size_t align)
{
	struct span *s = heap_struct_new();
	if (s == NULL)
		return NULL;
	void *p = map(pages, align);
	if (p == NULL && release_free())
		p = map(pages, align);
	if (p == NULL) {
		heap_struct_free(s);
		return NULL;
	}
	/* The hint for the next growth must not follow what goes away. */
	heap.low = 0;
	s->start = (uintptr_t)p;
	s->pages = pages;
	s->zero = true;
	return s;
}

static struct span *
heap_new(size_t pages, size_t align, unsigned class)
{
	size_t extra = (align >> PAGE_SHIFT) - 1;
	if (class == 0)
		heap_join_recent();
	struct span *s = take(pages + extra);
	if (s == NULL)
		return NULL;
	trim(s, pages, align);
	if ((s->start & (align - 1)) == 0)
		return s;
	heap_insert(s, s->zero ? SPAN_CLEAN : SPAN_DIRTY);
	return NULL;
}

static void
set_entries(struct span *s, bool sampled)
{
	if (s->class == 0)
		pagemap_set_ends(
		    s->start, s->pages, s, sampled ? PAGE_SAMPLED : PAGE_LARGE);
	else
		pagemap_set_run(
		    s->start, s->pages, s, sampled ? PAGE_SAMPLED : s->class);
}

struct span *
span_new(size_t pages, size_t align, unsigned class, bool sampled)
{
	if (pages >= PAGEMAP_ROOT_COUNT * PAGEMAP_LEAF_PAGES ||
	    align >> PAGE_SHIFT >= PAGEMAP_ROOT_COUNT * PAGEMAP_LEAF_PAGES)
		return NULL;
	if (align < PAGE_BYTES)
		align = PAGE_BYTES;
	bool huge = pages > HUGE_PAGES || align > HUGE_PAGES << PAGE_SHIFT;
	lock_acquire(&heap.lock);
	struct span *s =
	    class == 0 && !sampled ? heap_take_recent(pages, align) : NULL;
	if (s != NULL) {
		lock_release(&heap.lock);
		s->zero = strict_new((void *)s->start, span_bytes(s), s->zero);
		return s;
	}
	s = huge ? huge_new(pages, align) : heap_new(pages, align, class);
	if (s == NULL) {
		lock_release(&heap.lock);
		return NULL;
	}
	s->class = (uint8_t) class;
	s->sampled = sampled;
	s->records = NULL;
	s->live = NULL;
	s->count = 1;
	s->free = 0;
	if (class != 0) {
		s->state = SPAN_SLAB;
	} else {
		s->state = huge ? SPAN_HUGE : SPAN_LARGE;
		heap.large_pages += s->pages;
		heap.large_count++;
	}
	set_entries(s, sampled);
	lock_release(&heap.lock);
	if (class == 0)
		s->zero = strict_new((void *)s->start, span_bytes(s), s->zero);
	return s;
}

void
span_mark_sampled(struct span *s)
{
	lock_acquire(&heap.lock);
	s->sampled = true;
	set_entries(s, true);
	lock_release(&heap.lock);
}

static void
huge_free(struct span *s)
{
	lock_acquire(&heap.lock);
	heap.large_pages -= s->pages;
	heap.large_count--;
	unmapped(s->start, s->pages);
	pagemap_set_ends(s->start, s->pages, NULL, 0);
	uintptr_t start = s->start;
	size_t bytes = span_bytes(s);
	heap_struct_free(s);
	lock_release(&heap.lock);
	os_unmap((void *)start, bytes);
}

void
span_free(struct span *s)
{
	uint64_t before = 0;
	if (s->state == SPAN_HUGE) {
		huge_free(s);
		return;
	}
	if (s->state == SPAN_LARGE)
		strict_freed((void *)s->start, span_bytes(s));
	lock_acquire(&heap.lock);
	CHECK(s->state == SPAN_SLAB || s->state == SPAN_LARGE);
	bool purge = purge_due(&before);
	s->tick = heap.now;
	if (s->state == SPAN_LARGE) {
		heap.large_pages -= s->pages;
		heap.large_count--;
	}
	if (s->state == SPAN_LARGE && !s->sampled) {
		heap_keep_recent(s);
	} else {
		if (s->class != 0)
			pagemap_set_run(s->start, s->pages, s, PAGE_UNUSED);
		else
			pagemap_set_ends(s->start, s->pages, s, PAGE_UNUSED);
		heap_insert(s, SPAN_DIRTY);
	}
	lock_release(&heap.lock);
	if (purge)
		purge_one(before, PURGE_MOST);
}

/* The caller holds the lock. */
static bool
extend(struct span *s, size_t pages)
{
	size_t more = pages - s->pages;
	heap_join_recent();
	uintptr_t end = s->start + span_bytes(s);
	struct span *n = heap_neighbour(end, SPAN_DIRTY);
	if (n == NULL)
		n = heap_neighbour(end, SPAN_CLEAN);
	if (n == NULL || n->start != end || n->pages < more)
		return false;
	unsigned kind = n->state;
	heap_unlist(n);
	if (n->pages > more) {
		struct span *rest = heap_cut(n, more);
		if (rest != NULL)
			heap_list(rest, kind);
	}
	heap.large_pages += n->pages;
	pagemap_set(end - 1, NULL, PAGE_UNUSED);
	s->pages += n->pages;
	heap_struct_free(n);
	set_entries(s, s->sampled);
	return true;
}

/* The caller holds the lock. */
static bool
shorten(struct span *s, size_t pages)
{
	struct span *rest = heap_cut(s, pages);
	if (rest == NULL)
		return false;
	heap.large_pages -= rest->pages;
	strict_freed((void *)rest->start, span_bytes(rest));
	set_entries(s, s->sampled);
	rest->tick = heap.now;
	heap_insert(rest, SPAN_DIRTY);
	return true;
}

static void
huge_resized(struct span *s, uintptr_t start, size_t pages)
{
	pagemap_set_ends(s->start, s->pages, NULL, 0);
	unmapped(s->start, s->pages);
	mapped(start, pages);
	heap.large_pages += pages - s->pages;
	s->start = start;
	s->pages = pages;
	set_entries(s, s->sampled);
}

bool
span_resize(struct span *s, size_t pages)
{
	bool done = false;
	if (pages >= PAGEMAP_ROOT_COUNT * PAGEMAP_LEAF_PAGES)
		return false;
	lock_acquire(&heap.lock);
	if (s->state == SPAN_HUGE) {
		if (pagemap_cover(s->start, pages) &&
		    os_resize(
			(void *)s->start, span_bytes(s), pages << PAGE_SHIFT)) {
			huge_resized(s, s->start, pages);
			done = true;
		}
	} else if (pages > s->pages) {
		done = extend(s, pages);
	} else {
		done = pages == s->pages || shorten(s, pages);
	}
	lock_release(&heap.lock);
	return done;
}

/*
 * Where a block's mapping is once it has so many pages: grown in place, or
 * moved; 0 if neither can be.  Only what is one mapping can be moved, and
 * kernels before 6.17 unmap the place it should go to before they look: what is
 * there by the time they refuse may be somebody else's.  Growing in place is
 * refused for the same reasons, so that is tried first.
 */
static uintptr_t
grown(const struct span *s, size_t pages)
{
	size_t had = span_bytes(s), bytes = pages << PAGE_SHIFT;
	if (!pagemap_cover(s->start, pages))
		return 0;
	int error = os_grow((void *)s->start, had, bytes);
	if (error != ENOMEM)
		return error == 0 ? s->start : 0;
	char *to = os_map_aligned(NULL, bytes, PAGE_BYTES);
	if (to == NULL)
		return 0;
	if (pagemap_cover((uintptr_t)to, pages) &&
	    os_move((void *)s->start, had, to, bytes))
		return (uintptr_t)to;
	os_unmap(to, bytes);
	return 0;
}

bool
span_move(struct span *s, size_t pages)
{
	if (s->pages < MOVE_LEAST || pages <= s->pages ||
	    pages >= PAGEMAP_ROOT_COUNT * PAGEMAP_LEAF_PAGES)
		return false;
	lock_acquire(&heap.lock);
	uintptr_t to = grown(s, pages);
	if (to != 0) {
		pagemap_set_run(s->start, s->pages, NULL, 0);
		huge_resized(s, to, pages);
		if (pages > HUGE_PAGES)
			s->state = SPAN_HUGE;
	}
	lock_release(&heap.lock);
	return to != 0;
}

void
span_stats(struct span_stats *out)
{
	lock_acquire(&heap.lock);
	out->mapped = heap.mapped << PAGE_SHIFT;
	out->dirty = heap.dirty << PAGE_SHIFT;
	out->large_bytes = heap.large_pages << PAGE_SHIFT;
	out->large_count = heap.large_count;
	lock_release(&heap.lock);
}
