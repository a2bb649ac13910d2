/*
 * Blocks above SC_MAX, or aligned to more than a page: whole spans.
 *
 * Plain ones; sampled ones are made by central.h and differ only in their
 * entries in the page map.  Sizes are bytes; a block's usable size is its
 * span's.
 */
#ifndef PROF_LARGE_H
#define PROF_LARGE_H

#include <stdbool.h>
#include <stddef.h>

struct span;

/* A block of at least `size`, zeroed if asked; NULL if there is no memory. */
void *large_new(size_t size, size_t align, bool zero);
/* Resize a block, plain or sampled, without moving it; false if there is no
 * room, or if `size` is no large size. */
bool large_resize(struct span *s, size_t size);
/* Move a growing block without copying it: NULL if that is not possible. */
void *large_move(struct span *s, size_t size);

#endif
