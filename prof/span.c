#include "span.h"

#include "check.h"
#include "conf.h"
#include "lock.h"
#include "meta.h"
#include "os.h"
#include "pagemap.h"

/* Free spans hang on lists by size: one for each size to 64 pages, then
 * eight to a doubling. */
#define EXACT   64u
#define BINS    256u
#define KINDS   2 /* SPAN_DIRTY, SPAN_CLEAN */
/* Looked at in the list of the wanted size, where some may be too small. */
#define LOOKS   16

#define GROW_LEAST ((size_t)1 << (20 - PAGE_SHIFT))
#define GROW_MOST  ((size_t)16 << (20 - PAGE_SHIFT))
#define HUGE_PAGES ((size_t)64 << (20 - PAGE_SHIFT))
/* Pages given back at once by a thread that has other things to do. */
#define PURGE_MOST ((size_t)4 << (20 - PAGE_SHIFT))
/* The clock is read once in so many spans freed. */
#define TICK_OPS 64

static struct {
	struct lock lock;
	uint32_t ops;
	uint64_t now; /* ms, as of the last look at the clock */
	struct span *bin[KINDS][BINS];
	uint64_t map[KINDS][BINS / 64]; /* lists that are not empty */
	struct span *oldest, *newest;   /* dirty spans by age */
	struct span *spare;             /* structs not in use */
	uintptr_t low;                  /* where the heap last grew to */
	size_t mapped, dirty;           /* pages */
	size_t large_pages, large_count;
} heap;

struct lock *
span_lock(void)
{
	return &heap.lock;
}

static struct span *
struct_new(void)
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

static void
struct_free(struct span *s)
{
	s->next = heap.spare;
	heap.spare = s;
}

static unsigned
bin_of(size_t pages)
{
	if (pages <= EXACT)
		return (unsigned)pages - 1;
	unsigned lg = 63 - (unsigned)__builtin_clzl(pages);
	unsigned b = EXACT + 8 * (lg - 6) + (unsigned)(pages >> (lg - 3)) - 8;
	return b < BINS ? b : BINS - 1;
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

static void
list_remove(struct span *s)
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

static void
list_insert(struct span *s, unsigned kind)
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

/* The free span that ends or starts at the page of `a`. */
static struct span *
neighbour(uintptr_t a, unsigned kind)
{
	uint64_t e = pagemap_get(a);
	if (pagemap_code(e) != PAGE_UNUSED)
		return NULL;
	struct span *s = pagemap_span(e);
	return s != NULL && s->state == kind ? s : NULL;
}

/* Put a free span on its list, joined with what it touches. */
static void
insert(struct span *s, unsigned kind)
{
	s->class = 0;
	s->sampled = false;
	struct span *n = neighbour(s->start - 1, kind);
	if (n != NULL && n->start + span_bytes(n) == s->start) {
		list_remove(n);
		s->start = n->start;
		s->pages += n->pages;
		struct_free(n);
	}
	n = neighbour(s->start + span_bytes(s), kind);
	if (n != NULL && n->start == s->start + span_bytes(s)) {
		list_remove(n);
		s->pages += n->pages;
		struct_free(n);
	}
	list_insert(s, kind);
}

/* Cut the pages from `pages` on off into a span of their own, which is on no
 * list and not in the page map; NULL if there is no struct for it. */
static struct span *
cut(struct span *s, size_t pages)
{
	struct span *rest = struct_new();
	if (rest == NULL)
		return NULL;
	rest->start = s->start + (pages << PAGE_SHIFT);
	rest->pages = s->pages - pages;
	rest->tick = s->tick;
	s->pages = pages;
	return rest;
}

/* The first list from b on that is not empty, or BINS. */
static unsigned
next_bin(unsigned kind, unsigned b)
{
	for (unsigned w = b / 64; w < BINS / 64; w++) {
		uint64_t m = heap.map[kind][w];
		if (w == b / 64)
			m &= ~UINT64_C(0) << b % 64;
		if (m != 0)
			return w * 64 + (unsigned)__builtin_ctzl(m);
	}
	return BINS;
}

static struct span *
find(unsigned kind, size_t pages)
{
	unsigned b = bin_of(pages);
	if (b >= EXACT) {
		unsigned looks = b == BINS - 1 ? UINT32_MAX : LOOKS;
		for (struct span *s = heap.bin[kind][b]; s && looks > 0;
		     s = s->next, looks--)
			if (s->pages >= pages)
				return s;
		b++;
	}
	if (b >= BINS)
		return NULL;
	b = next_bin(kind, b);
	return b < BINS ? heap.bin[kind][b] : NULL;
}

/* Unmap all free spans: the last resort when address space is short. */
static bool
release_free(void)
{
	bool any = false;
	for (unsigned kind = 0; kind < KINDS; kind++)
		for (unsigned b = next_bin(kind, 0); b < BINS;
		     b = next_bin(kind, b)) {
			struct span *s = heap.bin[kind][b];
			list_remove(s);
			pagemap_set_run(s->start, s->pages, NULL, 0);
			os_unmap((void *)s->start, span_bytes(s));
			heap.mapped -= s->pages;
			struct_free(s);
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
	heap.mapped += pages;
	return p;
}

static bool
grow_by(size_t pages)
{
	struct span *s = struct_new();
	if (s == NULL)
		return false;
	void *p = map(pages, PAGE_BYTES);
	if (p == NULL) {
		struct_free(s);
		return false;
	}
	s->start = (uintptr_t)p;
	s->pages = pages;
	insert(s, SPAN_CLEAN);
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
		for (unsigned kind = 0; kind < KINDS; kind++) {
			struct span *s = find(kind, pages);
			if (s == NULL)
				continue;
			list_remove(s);
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
		struct span *rest = cut(s, head);
		if (rest == NULL)
			return;
		struct span keep = *s;
		s->start = rest->start;
		s->pages = rest->pages;
		rest->start = keep.start;
		rest->pages = keep.pages;
		list_insert(rest, kind);
	}
	if (s->pages > pages) {
		struct span *rest = cut(s, pages);
		if (rest != NULL)
			list_insert(rest, kind);
	}
}

static struct span *
huge_new(size_t pages, size_t align)
{
	struct span *s = struct_new();
	if (s == NULL)
		return NULL;
	void *p = map(pages, align);
	if (p == NULL && release_free())
		p = map(pages, align);
	if (p == NULL) {
		struct_free(s);
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
heap_new(size_t pages, size_t align)
{
	size_t extra = (align >> PAGE_SHIFT) - 1;
	struct span *s = take(pages + extra);
	if (s == NULL)
		return NULL;
	trim(s, pages, align);
	if ((s->start & (align - 1)) == 0)
		return s;
	insert(s, s->zero ? SPAN_CLEAN : SPAN_DIRTY);
	return NULL;
}

static void
set_entries(struct span *s, bool sampled)
{
	if (s->class == 0)
		pagemap_set_ends(s->start, s->pages, s,
		    sampled ? PAGE_SAMPLED : PAGE_LARGE);
	else
		pagemap_set_run(s->start, s->pages, s,
		    sampled ? PAGE_SAMPLED : s->class);
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
	struct span *s = huge ? huge_new(pages, align) : heap_new(pages, align);
	if (s == NULL) {
		lock_release(&heap.lock);
		return NULL;
	}
	s->class = (uint8_t)class;
	s->sampled = sampled;
	s->mirror = 0;
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
	return s;
}

/* Give one old span's pages back, at most so many; false if none is older
 * than `before`. */
static bool
purge_one(uint64_t before, size_t most)
{
	lock_acquire(&heap.lock);
	struct span *s = heap.oldest;
	if (s == NULL || s->tick > before) {
		lock_release(&heap.lock);
		return false;
	}
	list_remove(s);
	if (s->pages > most) {
		struct span *rest = cut(s, most);
		if (rest != NULL)
			list_insert(rest, SPAN_DIRTY);
	}
	s->state = SPAN_AWAY;
	pagemap_set_ends(s->start, s->pages, s, PAGE_UNUSED);
	lock_release(&heap.lock);

	bool done = os_purge((void *)s->start, span_bytes(s));

	lock_acquire(&heap.lock);
	s->tick = heap.now;
	insert(s, done ? SPAN_CLEAN : SPAN_DIRTY);
	lock_release(&heap.lock);
	return done;
}

/* Now and then somebody who frees a span looks at the clock; what is due is
 * given back in small parts.  The caller holds the lock. */
static bool
look_at_clock(uint64_t *before)
{
	int64_t decay = conf.read ? conf.dirty_decay_ms : 10000;
	if (decay < 0)
		return false;
	if (decay == 0) {
		*before = UINT64_MAX;
		return true;
	}
	if (heap.ops++ % TICK_OPS != 0)
		return false;
	heap.now = os_now_coarse() / 1000000;
	if (heap.oldest == NULL ||
	    heap.oldest->tick + (uint64_t)decay > heap.now)
		return false;
	*before = heap.now - (uint64_t)decay;
	return true;
}

static void
huge_free(struct span *s)
{
	lock_acquire(&heap.lock);
	heap.large_pages -= s->pages;
	heap.large_count--;
	heap.mapped -= s->pages;
	pagemap_set_ends(s->start, s->pages, NULL, 0);
	uintptr_t start = s->start;
	size_t bytes = span_bytes(s);
	struct_free(s);
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
	lock_acquire(&heap.lock);
	CHECK(s->state == SPAN_SLAB || s->state == SPAN_LARGE);
	if (s->state == SPAN_SLAB) {
		pagemap_set_run(s->start, s->pages, s, PAGE_UNUSED);
	} else {
		pagemap_set_ends(s->start, s->pages, s, PAGE_UNUSED);
		heap.large_pages -= s->pages;
		heap.large_count--;
	}
	bool purge = look_at_clock(&before);
	s->tick = heap.now;
	insert(s, SPAN_DIRTY);
	lock_release(&heap.lock);
	if (purge)
		purge_one(before, PURGE_MOST);
}

uint64_t
span_decay(uint64_t now_ms)
{
	int64_t decay = conf.read ? conf.dirty_decay_ms : 10000;
	if (decay < 0)
		return 0;
	lock_acquire(&heap.lock);
	heap.now = now_ms;
	lock_release(&heap.lock);
	if (now_ms >= (uint64_t)decay)
		while (purge_one(now_ms - (uint64_t)decay, HUGE_PAGES))
			;
	lock_acquire(&heap.lock);
	uint64_t due =
	    heap.oldest ? heap.oldest->tick + (uint64_t)decay - now_ms : 0;
	lock_release(&heap.lock);
	return due;
}

bool
span_purge_all(void)
{
	bool any = false;
	while (purge_one(UINT64_MAX, HUGE_PAGES))
		any = true;
	return any;
}

/* The caller holds the lock. */
static bool
extend(struct span *s, size_t pages)
{
	size_t more = pages - s->pages;
	uintptr_t end = s->start + span_bytes(s);
	struct span *n = neighbour(end, SPAN_DIRTY);
	if (n == NULL)
		n = neighbour(end, SPAN_CLEAN);
	if (n == NULL || n->start != end || n->pages < more)
		return false;
	unsigned kind = n->state;
	list_remove(n);
	if (n->pages > more) {
		struct span *rest = cut(n, more);
		if (rest != NULL)
			list_insert(rest, kind);
	}
	heap.large_pages += n->pages;
	pagemap_set(end - 1, NULL, PAGE_UNUSED);
	s->pages += n->pages;
	struct_free(n);
	set_entries(s, s->sampled);
	return true;
}

/* The caller holds the lock. */
static bool
shorten(struct span *s, size_t pages)
{
	struct span *rest = cut(s, pages);
	if (rest == NULL)
		return false;
	heap.large_pages -= rest->pages;
	set_entries(s, s->sampled);
	rest->tick = heap.now;
	insert(rest, SPAN_DIRTY);
	return true;
}

static void
huge_resized(struct span *s, uintptr_t start, size_t pages)
{
	pagemap_set_ends(s->start, s->pages, NULL, 0);
	heap.mapped += pages - s->pages;
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
		    os_resize((void *)s->start, span_bytes(s),
			pages << PAGE_SHIFT)) {
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

bool
span_move(struct span *s, size_t pages)
{
	if (s->state != SPAN_HUGE || pages <= s->pages ||
	    pages >= PAGEMAP_ROOT_COUNT * PAGEMAP_LEAF_PAGES)
		return false;
	size_t bytes = pages << PAGE_SHIFT;
	lock_acquire(&heap.lock);
	char *to = os_map_aligned(NULL, bytes, PAGE_BYTES);
	bool done = to != NULL && pagemap_cover((uintptr_t)to, pages) &&
	    os_move((void *)s->start, span_bytes(s), to, bytes);
	if (done)
		huge_resized(s, (uintptr_t)to, pages);
	else if (to != NULL)
		os_unmap(to, bytes);
	lock_release(&heap.lock);
	return done;
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
