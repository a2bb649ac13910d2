#include "heap.h"

#include "meta.h"
#include "pagemap.h"

/* Looked at in the list of the wanted size, where some may be too small. */
#define LOOKS 16

struct heap heap;

struct span *
heap_struct_new(void)
{
	enum {
		MANY = 24
	};
	if (heap.spare == NULL) {
		struct span *s = meta_alloc(MANY * sizeof *s);
		if (s == NULL)
			return NULL;
		for (unsigned i = 0; i < MANY; i++) {
			s[i].next = heap.spare;
			heap.spare = &s[i];
		}
	}
	struct span *s = heap.spare;
	heap.spare = s->next;
	return s;
}

void
heap_struct_free(struct span *s)
{
	s->next = heap.spare;
	heap.spare = s;
}

static unsigned
bin_of(size_t pages)
{
	if (pages <= HEAP_EXACT)
		return (unsigned)pages - 1;
	unsigned lg = 63 - (unsigned)__builtin_clzl(pages);
	unsigned b =
	    HEAP_EXACT + 8 * (lg - 6) + (unsigned)(pages >> (lg - 3)) - 8;
	return b < HEAP_BINS ? b : HEAP_BINS - 1;
}

static void
age_remove(struct span *s)
{
	*(s->older ? &s->older->newer : &heap.oldest) = s->newer;
	*(s->newer ? &s->newer->older : &heap.newest) = s->older;
}

/* Keep the list sorted: joined spans may be older than the newest. */
static void
age_insert(struct span *s)
{
	struct span *after = heap.newest;
	while (after != NULL && after->tick > s->tick)
		after = after->older;
	s->older = after;
	s->newer = after ? after->newer : heap.oldest;
	*(s->older ? &s->older->newer : &heap.oldest) = s;
	*(s->newer ? &s->newer->older : &heap.newest) = s;
}

void
heap_unlist(struct span *s)
{
	unsigned kind = s->state, b = bin_of(s->pages);
	if (s->prev != NULL)
		s->prev->next = s->next;
	else
		heap.bin[kind][b] = s->next;
	if (s->next != NULL)
		s->next->prev = s->prev;
	if (heap.bin[kind][b] == NULL)
		heap.map[kind][b / 64] &= ~(UINT64_C(1) << b % 64);
	if (kind == SPAN_DIRTY) {
		heap.dirty -= s->pages;
		age_remove(s);
	}
}

void
heap_list(struct span *s, unsigned kind)
{
	unsigned b = bin_of(s->pages);
	s->state = (uint8_t)kind;
	s->prev = NULL;
	s->next = heap.bin[kind][b];
	if (s->next != NULL)
		s->next->prev = s;
	heap.bin[kind][b] = s;
	heap.map[kind][b / 64] |= UINT64_C(1) << b % 64;
	if (kind == SPAN_DIRTY) {
		heap.dirty += s->pages;
		age_insert(s);
	}
	pagemap_set_ends(s->start, s->pages, s, PAGE_UNUSED);
}

struct span *
heap_neighbour(uintptr_t a, unsigned kind)
{
	uint64_t e = pagemap_get(a);
	if (pagemap_code(e) != PAGE_UNUSED)
		return NULL;
	struct span *s = pagemap_span(e);
	return s != NULL && s->state == kind ? s : NULL;
}

void
heap_insert(struct span *s, unsigned kind)
{
	s->class = 0;
	s->sampled = false;
	struct span *n = heap_neighbour(s->start - 1, kind);
	if (n != NULL && n->start + span_bytes(n) == s->start) {
		heap_unlist(n);
		s->start = n->start;
		s->pages += n->pages;
		heap_struct_free(n);
	}
	n = heap_neighbour(s->start + span_bytes(s), kind);
	if (n != NULL && n->start == s->start + span_bytes(s)) {
		heap_unlist(n);
		s->pages += n->pages;
		heap_struct_free(n);
	}
	heap_list(s, kind);
}

void
heap_join_recent(void)
{
	for (unsigned i = 0; i < heap.recents; i++) {
		heap.dirty -= heap.recent[i]->pages;
		heap_insert(heap.recent[i], SPAN_DIRTY);
	}
	heap.recents = 0;
}

static void
recent_remove(unsigned i)
{
	heap.dirty -= heap.recent[i]->pages;
	heap.recents--;
	for (; i < heap.recents; i++)
		heap.recent[i] = heap.recent[i + 1];
}

/* The entry of its last page stays, which keeps neighbours from joining it. */
void
heap_keep_recent(struct span *s)
{
	pagemap_set(s->start, s, PAGE_UNUSED);
	if (heap.recents == HEAP_RECENT) {
		struct span *first = heap.recent[0];
		recent_remove(0);
		heap_insert(first, SPAN_DIRTY);
	}
	s->state = SPAN_RECENT;
	heap.recent[heap.recents++] = s;
	heap.dirty += s->pages;
}

struct span *
heap_take_recent(size_t pages, size_t align)
{
	for (unsigned i = heap.recents; i-- > 0;) {
		struct span *s = heap.recent[i];
		if (s->pages != pages || (s->start & (align - 1)) != 0)
			continue;
		recent_remove(i);
		s->state = SPAN_LARGE;
		s->zero = false;
		heap.large_pages += pages;
		heap.large_count++;
		pagemap_set(s->start, s, PAGE_LARGE);
		return s;
	}
	return NULL;
}

struct span *
heap_cut(struct span *s, size_t pages)
{
	struct span *rest = heap_struct_new();
	if (rest == NULL)
		return NULL;
	rest->start = s->start + (pages << PAGE_SHIFT);
	rest->pages = s->pages - pages;
	rest->tick = s->tick;
	s->pages = pages;
	return rest;
}

unsigned
heap_next_bin(unsigned kind, unsigned b)
{
	for (unsigned w = b / 64; w < HEAP_BINS / 64; w++) {
		uint64_t m = heap.map[kind][w];
		if (w == b / 64)
			m &= ~UINT64_C(0) << b % 64;
		if (m != 0)
			return w * 64 + (unsigned)__builtin_ctzl(m);
	}
	return HEAP_BINS;
}

struct span *
heap_find(unsigned kind, size_t pages)
{
	unsigned b = bin_of(pages);
	if (b >= HEAP_EXACT) {
		unsigned looks = b == HEAP_BINS - 1 ? UINT32_MAX : LOOKS;
		for (struct span *s = heap.bin[kind][b]; s && looks > 0;
		     s = s->next, looks--)
			if (s->pages >= pages)
				return s;
		b++;
	}
	if (b >= HEAP_BINS)
		return NULL;
	b = heap_next_bin(kind, b);
	return b < HEAP_BINS ? heap.bin[kind][b] : NULL;
}
