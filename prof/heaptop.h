/*
 * libheaptop: what a program can call itself; libheaptop(3) tells it all.
 *
 * The functions are jemalloc's, by its names and with je_ before them.  A
 * program that may run without the library declares what it uses weak, or
 * asks dlsym(3):
 *
 *	extern int mallctl(const char *, void *, size_t *, void *, size_t)
 *	    __attribute__((weak));
 */
#ifndef HEAPTOP_H
#define HEAPTOP_H

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Flags of mallocx() and its kin: an alignment, as a power of two or its
 * logarithm; zeroed.  Those of arenas and caches are taken and mean nothing. */
#define MALLOCX_LG_ALIGN(lg) ((int)(lg))
#define MALLOCX_ALIGN(a)     ((int)__builtin_ctzl(a))
#define MALLOCX_ZERO         ((int)0x40)
#define MALLOCX_TCACHE(tc)   ((int)(((tc) + 2) << 8))
#define MALLOCX_TCACHE_NONE  MALLOCX_TCACHE(-1)
#define MALLOCX_ARENA(a)     ((((int)(a)) + 1) << 20)

/* Blocks with an alignment or zeroed, as flags say; NULL if there is no
 * memory.  xallocx() resizes where the block is, to between size and size +
 * extra bytes if it can, and tells the bytes it has; nallocx() what mallocx()
 * would give, without giving it.  Size is not 0. */
void *mallocx(size_t size, int flags);
void *rallocx(void *p, size_t size, int flags);
size_t xallocx(void *p, size_t size, size_t extra, int flags);
size_t sallocx(const void *p, int flags);
void dallocx(void *p, int flags);
void sdallocx(void *p, size_t size, int flags);
size_t nallocx(size_t size, int flags);

/* A line of figures to `write`, or to the standard error if that is NULL. */
void malloc_stats_print(
    void (*write)(void *arg, const char *text), void *arg, const char *opts);

/* The program's own options, read at its start: a string literal. */
extern const char *malloc_conf;

/* Read a value into *oldp, *oldlenp bytes, and write *newp, newlen bytes;
 * NULL and 0 for what is not wanted.  0, EINVAL (a size is wrong), ENOENT (no
 * such name, or no profiler), EPERM (it cannot be read, or written), EAGAIN
 * or EFAULT (it could not be done). */
int mallctl(
    const char *name, void *oldp, size_t *oldlenp, void *newp, size_t newlen);

/* The same for a name that is used often: *miblen is the room in mib, then
 * the number of the name's parts. */
int mallctlnametomib(const char *name, size_t *mib, size_t *miblen);
int mallctlbymib(const size_t *mib, size_t miblen, void *oldp, size_t *oldlenp,
    void *newp, size_t newlen);

/* Pools: a program's own allocator tells of what it hands out and takes back,
 * of memory that it holds already.  heaptop shows those objects by stack with
 * --pool=NAME; they are never added to what malloc has handed out.  `pool` is
 * a name of up to 63 bytes, the same at each call.  Without the library the
 * functions are NULL, and the macros do nothing. */
void heaptop_pool_alloc(const char *pool, const void *object, size_t size)
    __attribute__((weak));
void heaptop_pool_free(const char *pool, const void *object)
    __attribute__((weak));

#define HEAPTOP_POOL_ALLOC(pool, object, size) \
	(heaptop_pool_alloc ? heaptop_pool_alloc(pool, object, size) : (void)0)
#define HEAPTOP_POOL_FREE(pool, object) \
	(heaptop_pool_free ? heaptop_pool_free(pool, object) : (void)0)

int je_mallctl(
    const char *name, void *oldp, size_t *oldlenp, void *newp, size_t newlen);
int je_mallctlnametomib(const char *name, size_t *mib, size_t *miblen);
int je_mallctlbymib(const size_t *mib, size_t miblen, void *oldp,
    size_t *oldlenp, void *newp, size_t newlen);

void *je_malloc(size_t size);
void *je_calloc(size_t n, size_t each);
void *je_realloc(void *p, size_t size);
void je_free(void *p);
int je_posix_memalign(void **out, size_t align, size_t size);
void *je_aligned_alloc(size_t align, size_t size);
void *je_memalign(size_t align, size_t size);
void *je_valloc(size_t size);
size_t je_malloc_usable_size(void *p);
void *je_mallocx(size_t size, int flags);
void *je_rallocx(void *p, size_t size, int flags);
size_t je_xallocx(void *p, size_t size, size_t extra, int flags);
size_t je_sallocx(const void *p, int flags);
void je_dallocx(void *p, int flags);
void je_sdallocx(void *p, size_t size, int flags);
size_t je_nallocx(size_t size, int flags);
void je_malloc_stats_print(
    void (*write)(void *arg, const char *text), void *arg, const char *opts);

#ifdef __cplusplus
}
#endif

#endif
