#include "entry.h"

#include <dlfcn.h>
#include <errno.h>
#include <malloc.h>
#include <stdlib.h>
#include <string.h>

#include "central.h"
#include "large.h"
#include "os.h"
#include "record.h"
#include "sample.h"
#include "span.h"
#include "unwind.h"

#define EXPORT   __attribute__((visibility("default")))
#define COLD     __attribute__((noinline, cold))
#define NOINLINE __attribute__((noinline))

static struct {
	void (*free)(void *);
	void *(*realloc)(void *, size_t);
	size_t (*malloc_usable_size)(void *);
} next;

void
entry_resolve_next(void)
{
	*(void **)&next.realloc = dlsym(RTLD_NEXT, "realloc");
	*(void **)&next.malloc_usable_size =
	    dlsym(RTLD_NEXT, "malloc_usable_size");
	*(void **)&next.free = dlsym(RTLD_NEXT, "free");
}

COLD void
entry_invalid_free(void *p)
{
	static _Atomic bool told;
	static const char head[] = "heaptop: free of 0x";
	static const char tail[] =
	    ", which is not a live block: freed twice, or not from malloc\n";
	char line[sizeof head + 16 + sizeof tail];
	if (atomic_exchange(&told, true))
		return;
	size_t n = sizeof head - 1;
	memcpy(line, head, n);
	for (int shift = 60; shift >= 0; shift -= 4)
		line[n++] = "0123456789abcdef"[(uintptr_t)p >> shift & 15];
	memcpy(line + n, tail, sizeof tail - 1);
	os_write(2, line, n + sizeof tail - 1);
}

static void *
plain_new(
    struct thread *t, size_t size, size_t align, unsigned class, bool zero)
{
	void *p;
	if (class == 0)
		return large_new(size, align, zero);
	if (t == NULL) {
		if (central_get(class, &p, 1) == 0)
			return NULL;
	} else {
		struct bin *b = &t->cache.bin[class];
		if (b->count > 0)
			p = b->slots[--b->count];
		else
			p = cache_refill(&t->cache, class);
	}
	if (zero && p != NULL)
		memset(p, 0, size);
	return p;
}

static void *
new_by(struct thread *t, size_t size, size_t align, bool zero)
{
	size_t usable = sc_usable(size, align);
	if (usable == 0)
		return NULL;
	unsigned class = sc_class_aligned(size, align);
	if (t == NULL) {
		thread_count_stateless(usable);
		return plain_new(t, size, align, class, zero);
	}
	t->countdown -= (int64_t)usable;
	if (t->countdown < 0) {
		void *p = sample_alloc(t, size, usable, align, zero);
		if (p != NULL)
			return p;
	}
	void *p = plain_new(t, size, align, class, zero);
	/* What could not be allocated was not. */
	if (p == NULL)
		t->countdown += (int64_t)usable;
	return p;
}

NOINLINE void *
alloc_new(size_t size, size_t align, bool zero)
{
	void *p = new_by(thread_get(), size, align, zero);
	thread_done();
	return p;
}

NOINLINE void *
alloc_stuck(size_t size)
{
	struct thread *t = thread_self();
	if (!alloc_counts(t, size))
		return alloc_new(size, 16, false);
	unsigned class = sc_class(size);
	if (__builtin_expect(t->countdown < 0, 0)) {
		void *p = sample_alloc(t, size, sc_info[class].size, 16, false);
		if (p != NULL)
			return p;
	}
	void *p = plain_new(t, size, 16, class, false);
	if (p == NULL)
		t->countdown += sc_info[class].size;
	return p;
}

static COLD void
free_foreign(void *p)
{
	if (p != NULL && next.free != NULL)
		next.free(p);
}

static void
free_sampled(void *p, uint64_t entry)
{
	struct sampled f = central_sampled_find(p, entry);
	if (f.record == NULL) {
		entry_invalid_free(p);
		return;
	}
	if (f.record->flags & RECORD_LINKMAP) {
		f.record->flags = 0;
		unwind_linkmap_freed();
	} else if (f.record->cell != 0) {
		sample_free(f.record);
	}
	central_sampled_release(&f);
}

static void
free_small(void *p, unsigned class)
{
	struct thread *t = thread_self();
	if (t == NULL && !thread_dying)
		t = thread_get();
	if (t == NULL) {
		central_put(class, &p, 1);
		return;
	}
	struct bin *b = &t->cache.bin[class];
	if (b->count == b->room)
		cache_spill(&t->cache, class, p);
	else
		b->slots[b->count++] = p;
}

NOINLINE void
alloc_free_slow(void *p, uint64_t entry)
{
	unsigned code = pagemap_code(entry);
	if (code == 0) {
		free_foreign(p);
	} else if (code <= SC_COUNT) {
		free_small(p, code);
	} else if (code == PAGE_SAMPLED) {
		free_sampled(p, entry);
	} else if (code == PAGE_LARGE &&
	    pagemap_span(entry)->start == (uintptr_t)p) {
		span_free(pagemap_span(entry));
	} else {
		entry_invalid_free(p);
	}
}

static size_t
usable_by(void *p, uint64_t entry)
{
	unsigned code = pagemap_code(entry);
	if (code - 1 < SC_COUNT)
		return sc_info[code].size;
	if (code == 0)
		return p != NULL && next.malloc_usable_size != NULL
		    ? next.malloc_usable_size(p)
		    : 0;
	if (code == PAGE_UNUSED)
		return 0;
	struct span *s = pagemap_span(entry);
	return s->class != 0 ? sc_info[s->class].size : span_bytes(s);
}

size_t
alloc_usable(void *p)
{
	return usable_by(p, pagemap_get((uintptr_t)p));
}

/* A large block got a new size where it is, or its pages moved. */
static void
count_resized(struct span *s)
{
	struct thread *t = thread_get();
	size_t usable = span_bytes(s);
	if (t == NULL) {
		thread_count_stateless(usable);
	} else {
		t->countdown -= (int64_t)usable;
		if (s->sampled && s->records->cell != 0)
			sample_resized(t, s->records, usable);
	}
	thread_done();
}

static bool
resize_large(struct span *s, size_t size)
{
	if (!large_resize(s, size))
		return false;
	count_resized(s);
	return true;
}

size_t
alloc_resize_in_place(void *p, size_t size)
{
	uint64_t e = pagemap_get((uintptr_t)p);
	unsigned code = pagemap_code(e);
	size_t usable = usable_by(p, e);
	if (code != PAGE_LARGE && code != PAGE_SAMPLED)
		return usable;
	struct span *s = pagemap_span(e);
	if (s->class == 0 && sc_usable(size, 16) != usable &&
	    resize_large(s, size))
		return span_bytes(s);
	return usable;
}

/* Large blocks that grow once will grow again: some room ahead keeps a
 * sequence of small steps from copying each time. */
static size_t
ahead(size_t size, size_t usable)
{
	size_t more = usable + usable / 8;
	return usable > SC_MAX && size < more ? more : size;
}

static void *
resize_by_copy(void *p, size_t usable, size_t size, size_t align, bool zero)
{
	void *q = NULL;
	size_t room = size > usable ? ahead(size, usable) : size;
	if (room > size)
		q = alloc_new(room, align, zero);
	if (q == NULL)
		q = alloc_new(size, align, zero);
	if (q == NULL)
		return NULL;
	memcpy(q, p, usable < size ? usable : size);
	alloc_free(p);
	return q;
}

static void *
resize_span(struct span *s, size_t size, size_t usable)
{
	if (size <= usable && size > SC_MAX && size >= usable - usable / 8)
		return (void *)s->start;
	if (resize_large(s, size))
		return (void *)s->start;
	if (size <= usable)
		return NULL;
	void *p = large_move(s, size);
	if (p != NULL)
		count_resized(s);
	return p;
}

static COLD void *
resize_foreign(void *p, size_t size)
{
	return next.realloc != NULL ? next.realloc(p, size) : NULL;
}

void *
alloc_resize(void *p, size_t size, size_t align, bool zero)
{
	uint64_t e = pagemap_get((uintptr_t)p);
	unsigned code = pagemap_code(e);
	if (code == 0)
		return resize_foreign(p, size);
	size_t usable = usable_by(p, e);
	if (size > PTRDIFF_MAX)
		return NULL;
	bool aligned = ((uintptr_t)p & (align - 1)) == 0;
	/* A block of less than half the size is worth the copy. */
	if (code - 1 < SC_COUNT || pagemap_span(e) == NULL ||
	    pagemap_span(e)->class != 0) {
		if (aligned && size <= usable &&
		    (size >= usable / 2 || usable <= 32))
			return p;
	} else if (code != PAGE_UNUSED && aligned && align <= PAGE_BYTES) {
		void *q = resize_span(pagemap_span(e), size, usable);
		if (q != NULL)
			return q;
	}
	return resize_by_copy(p, usable, size, align, zero);
}

static COLD void *
no_memory(void)
{
	errno = ENOMEM;
	return NULL;
}

static inline void *
or_enomem(void *p)
{
	return __builtin_expect(p == NULL, 0) ? no_memory() : p;
}

static NOINLINE void *
malloc_stuck(size_t size)
{
	return or_enomem(alloc_stuck(size));
}

EXPORT void *
malloc(size_t size)
{
	void *p = alloc_pop(size);
	return __builtin_expect(p != NULL, 1) ? p : malloc_stuck(size);
}

EXPORT void
free(void *p)
{
	alloc_free(p);
}

/* ld.so allocates a link_map: its free tells that a module went away. */
static COLD void *
calloc_linkmap(size_t size)
{
	struct sampled s;
	if (sc_usable(size, 16) == 0 ||
	    !central_sampled_new(size, 16, true, &s))
		return no_memory();
	s.record->flags = RECORD_LINKMAP;
	struct thread *t = thread_get();
	if (t != NULL)
		t->countdown -= (int64_t)s.usable;
	thread_done();
	return s.ptr;
}

EXPORT void *
calloc(size_t n, size_t each)
{
	size_t size;
	if (__builtin_mul_overflow(n, each, &size))
		return no_memory();
	if (__builtin_expect(
		unwind_is_ldso((uintptr_t)__builtin_return_address(0)), 0))
		return calloc_linkmap(size);
	if (size > SC_MAX)
		return or_enomem(alloc_new(size, 16, true));
	void *p = alloc_pop(size);
	if (__builtin_expect(p == NULL, 0) && (p = malloc_stuck(size)) == NULL)
		return NULL;
	return memset(p, 0, size);
}

static COLD NOINLINE void *
realloc_slow(void *p, size_t size)
{
	if (p == NULL)
		return or_enomem(alloc_new(size, 16, false));
	if (size == 0) {
		alloc_free(p);
		return NULL;
	}
	return or_enomem(alloc_resize(p, size, 16, false));
}

EXPORT void *
realloc(void *p, size_t size)
{
	unsigned class = pagemap_code(pagemap_get((uintptr_t)p));
	if (__builtin_expect(class - 1 < SC_COUNT && size > 0, 1)) {
		size_t usable = sc_info[class].size;
		if (size <= usable && (size >= usable / 2 || usable <= 32))
			return p;
		if (size > usable && size <= SC_MAX) {
			void *q = alloc_fast(size);
			if (__builtin_expect(q == NULL, 0))
				return no_memory();
			memcpy(q, p, usable);
			alloc_free(p);
			return q;
		}
	}
	return realloc_slow(p, size);
}

EXPORT void *
reallocarray(void *p, size_t n, size_t each)
{
	size_t size;
	if (__builtin_mul_overflow(n, each, &size))
		return no_memory();
	return realloc(p, size);
}

/* An allocation of a small class, where an alignment has one, is no slower
 * than a malloc. */
static inline void *
aligned_fast(size_t align, size_t size)
{
	struct thread *t = thread_self();
	unsigned class = sc_class_aligned(size, align);
	if (__builtin_expect(t == NULL || class == 0, 0))
		return alloc_new(size, align, false);
	struct bin *b = &t->cache.bin[class];
	t->countdown -= b->size;
	if (__builtin_expect(t->countdown >= 0 && b->count > 0, 1))
		return b->slots[--b->count];
	if (t->countdown < 0) {
		void *p = sample_alloc(t, size, b->size, align, false);
		if (p != NULL)
			return p;
	}
	return plain_new(t, size, align, class, false);
}

/* As glibc: an alignment that is no power of two is rounded up to one. */
static void *
any_alignment(size_t align, size_t size)
{
	if (align > PTRDIFF_MAX) {
		errno = EINVAL;
		return NULL;
	}
	size_t a = 16;
	while (a < align)
		a <<= 1;
	return or_enomem(aligned_fast(a, size));
}

EXPORT void *
memalign(size_t align, size_t size)
{
	return any_alignment(align, size);
}

EXPORT void *
aligned_alloc(size_t align, size_t size)
{
	return any_alignment(align, size);
}

EXPORT int
posix_memalign(void **out, size_t align, size_t size)
{
	if (align == 0 || (align & (align - 1)) != 0 ||
	    align % sizeof(void *) != 0)
		return EINVAL;
	void *p = aligned_fast(align < 16 ? 16 : align, size);
	if (p == NULL)
		return ENOMEM;
	*out = p;
	return 0;
}

#define KERNEL_PAGE ((size_t)4096)

EXPORT void *
valloc(size_t size)
{
	return any_alignment(KERNEL_PAGE, size);
}

EXPORT void *
pvalloc(size_t size)
{
	if (size > PTRDIFF_MAX)
		return no_memory();
	return any_alignment(KERNEL_PAGE,
	    (size + KERNEL_PAGE - 1) & -KERNEL_PAGE);
}

EXPORT size_t
malloc_usable_size(void *p)
{
	return alloc_usable(p);
}

EXPORT void free_sized(void *p, size_t size);
EXPORT void free_aligned_sized(void *p, size_t align, size_t size);

EXPORT void
free_sized(void *p, size_t size)
{
	(void)size;
	alloc_free(p);
}

EXPORT void
free_aligned_sized(void *p, size_t align, size_t size)
{
	(void)align;
	(void)size;
	alloc_free(p);
}
