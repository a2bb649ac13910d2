#include "entry.h"

#include <errno.h>
#include <malloc.h>
#include <stdlib.h>
#include <string.h>

#include "central.h"
#include "foreign.h"
#include "large.h"
#include "record.h"
#include "sample.h"
#include "span.h"
#include "strict.h"
#include "unwind.h"

#define EXPORT   __attribute__((visibility("default")))
#define COLD     __attribute__((noinline, cold))
#define NOINLINE __attribute__((noinline))

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

/* An ordinary large block; NULL if there is anything special about it. */
static inline void *
try_large(struct thread *t, size_t size)
{
	if (t == NULL || size > PTRDIFF_MAX)
		return NULL;
	size_t pages = (size + PAGE_BYTES - 1) >> PAGE_SHIFT;
	int64_t usable = (int64_t)(pages << PAGE_SHIFT);
	if (t->countdown < usable)
		return NULL;
	struct span *s = span_new(pages, PAGE_BYTES, 0, false);
	if (s == NULL)
		return NULL;
	t->countdown -= usable;
	return (void *)s->start;
}

NOINLINE void *
alloc_stuck(size_t size)
{
	struct thread *t = thread_self();
	if (!alloc_counts(t, size)) {
		void *p = size > SC_MAX ? try_large(t, size) : NULL;
		return p != NULL ? p : alloc_new(size, 16, false);
	}
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

static void
free_sampled(void *p, uint64_t entry)
{
	struct sampled f = central_sampled_find(p, entry);
	if (f.record == NULL) {
		entry_invalid_free(p, true);
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
		foreign_free(p);
	} else if (code <= SC_COUNT) {
		free_small(p, code);
	} else if (code == PAGE_SAMPLED) {
		free_sampled(p, entry);
	} else if (code == PAGE_LARGE &&
	    pagemap_span(entry)->start == (uintptr_t)p) {
		span_free(pagemap_span(entry));
	} else {
		entry_invalid_free(p, true);
	}
}

static COLD void *
no_memory(void)
{
	strict_no_memory("malloc");
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

/* A link_map is larger (1,160 bytes and its names in glibc 2.36); most other
 * things that ld.so callocs, as a thread's vector of TLS blocks, are smaller
 * and are freed all the time. */
#define LINKMAP_LEAST 1024u

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
	/* It counts among what was allocated, and not down: it is not
	 * sampled, and the next block shall not be in its stead. */
	if (t != NULL)
		t->drawn += (int64_t)s.usable;
	thread_done();
	return s.ptr;
}

EXPORT void *
calloc(size_t n, size_t each)
{
	size_t size;
	if (__builtin_mul_overflow(n, each, &size))
		return no_memory();
	if (__builtin_expect(size >= LINKMAP_LEAST &&
		    unwind_is_ldso((uintptr_t)__builtin_return_address(0)),
		0))
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
	if (size == 0 && !strict_realloc_zero()) {
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
	void *p = plain_new(t, size, align, class, false);
	if (p == NULL)
		t->countdown += b->size;
	return p;
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
	if (p == NULL) {
		strict_no_memory("posix_memalign");
		return ENOMEM;
	}
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
	return any_alignment(
	    KERNEL_PAGE, (size + KERNEL_PAGE - 1) & -KERNEL_PAGE);
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
