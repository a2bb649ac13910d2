/*
 * jemalloc's functions beside malloc's: mallocx and its kin, and everything
 * once more under names with je_ before them, for programs that were built
 * against such a jemalloc.
 *
 * There are no arenas and no caches to choose from: those flags are taken
 * and mean nothing.  Unlike malloc's none of the x functions sets errno.
 */
#include <malloc.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "entry.h"
#include "heaptop.h"
#include "statsprint.h"
#include "strict.h"

#define EXPORT __attribute__((visibility("default")))

#define LG_ALIGN_MASK 63

/* The alignment that flags ask for, 16 at least; 0 if there is no such. */
static size_t
align_of(int flags)
{
	unsigned lg = (unsigned)flags & LG_ALIGN_MASK;

	return lg <= 4 ? 16 : lg < 48 ? (size_t)1 << lg : 0;
}

/* Unlike or_enomem() of malloc's: errno stays. */
static void *
or_abort(void *p, const char *who)
{
	if (p == NULL)
		strict_no_memory(who);
	return p;
}

EXPORT void *
mallocx(size_t size, int flags)
{
	size_t align = align_of(flags);
	void *p = align ? alloc_new(size, align, flags & MALLOCX_ZERO) : NULL;

	return or_abort(p, "mallocx");
}

EXPORT void *
rallocx(void *p, size_t size, int flags)
{
	size_t align = align_of(flags);

	return or_abort(
	    align ? alloc_resize(p, size, align, flags & MALLOCX_ZERO) : NULL,
	    "rallocx");
}

EXPORT size_t
xallocx(void *p, size_t size, size_t extra, int flags)
{
	size_t before = alloc_usable(p), after;

	if (extra > SIZE_MAX - size)
		extra = SIZE_MAX - size;
	after = alloc_resize_in_place(p, size + extra);
	if (after < size)
		after = alloc_resize_in_place(p, size);
	if (flags & MALLOCX_ZERO && after > before)
		memset((char *)p + before, 0, after - before);
	return after;
}

EXPORT size_t
sallocx(const void *p, int flags)
{
	(void)flags;
	return alloc_usable((void *)(uintptr_t)p);
}

EXPORT void
dallocx(void *p, int flags)
{
	(void)flags;
	alloc_free(p);
}

EXPORT void
sdallocx(void *p, size_t size, int flags)
{
	(void)size;
	(void)flags;
	alloc_free(p);
}

EXPORT size_t
nallocx(size_t size, int flags)
{
	size_t align = align_of(flags);

	return align ? sc_usable(size, align) : 0;
}

EXPORT void
malloc_stats_print(
    void (*write)(void *, const char *), void *arg, const char *opts)
{
	stats_print(write, arg, opts);
}

#define ALIAS(name) __attribute__((alias(#name)))

EXPORT void *je_mallocx(size_t size, int flags) ALIAS(mallocx);
EXPORT void *je_rallocx(void *p, size_t size, int flags) ALIAS(rallocx);
EXPORT size_t je_xallocx(void *p, size_t size, size_t extra, int flags)
    ALIAS(xallocx);
EXPORT size_t je_sallocx(const void *p, int flags) ALIAS(sallocx);
EXPORT void je_dallocx(void *p, int flags) ALIAS(dallocx);
EXPORT void je_sdallocx(void *p, size_t size, int flags) ALIAS(sdallocx);
EXPORT size_t je_nallocx(size_t size, int flags) ALIAS(nallocx);
EXPORT void je_malloc_stats_print(void (*write)(void *, const char *),
    void *arg, const char *opts) ALIAS(malloc_stats_print);

EXPORT void *
je_malloc(size_t size)
{
	return malloc(size);
}

EXPORT void *
je_calloc(size_t n, size_t each)
{
	return calloc(n, each);
}

EXPORT void *
je_realloc(void *p, size_t size)
{
	return realloc(p, size);
}

EXPORT void
je_free(void *p)
{
	alloc_free(p);
}

EXPORT int
je_posix_memalign(void **out, size_t align, size_t size)
{
	return posix_memalign(out, align, size);
}

EXPORT void *
je_aligned_alloc(size_t align, size_t size)
{
	return aligned_alloc(align, size);
}

EXPORT void *
je_memalign(size_t align, size_t size)
{
	return memalign(align, size);
}

EXPORT void *
je_valloc(size_t size)
{
	return valloc(size);
}

EXPORT size_t
je_malloc_usable_size(void *p)
{
	return alloc_usable(p);
}
