/*
 * Memory for the library's own data: never malloc, never beside the
 * program's objects.
 *
 * Mappings are cut from the front and never given back; what is freed is
 * kept on lists by size (powers of two) and given out again.  Sizes are
 * bytes.  Any thread, under a lock of its own that is last in the order.
 */
#ifndef PROF_META_H
#define PROF_META_H

#include <stdint.h>

#include <stddef.h>

/* Zeroed memory, aligned to 64 bytes if it is that large, else to its size
 * rounded up to a power of two (at least 16); NULL if there is none. */
void *meta_alloc(size_t size);
/* `size` as it was asked for.  NULL is fine. */
void meta_free(void *p, size_t size);

/* A mapping made elsewhere that holds the library's own data too:
 * for extents.h. */
void meta_note(const void *p, size_t size);
void meta_unnote(const void *p, size_t size); /* it is no more */

/* Bytes handed out, and bytes on the lists. */
size_t meta_bytes(void);

struct lock *meta_lock(void);

#endif
