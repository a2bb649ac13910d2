/*
 * Which addresses are the library's: what the page heap has mapped, and where
 * its own data lies.
 *
 * Kept for those who look at the process from outside: the kernel joins
 * mappings that touch, so what it says of a mapping may be of the program's
 * memory and of ours.  Ranges that touch are one.  There is room for a fixed
 * number of ranges; bytes that found no room are counted.
 *
 * Plain data: the heap's are changed under the heap's lock, the others under
 * that of meta.h.
 */
#ifndef PROF_EXTENTS_H
#define PROF_EXTENTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "table.h"

extern struct table_extents extents[EXTENTS_KINDS]
    __attribute__((visibility("hidden")));

void extents_add(struct table_extents *x, uintptr_t start, size_t bytes);
/* Of ranges that were added, perhaps of several or in their middle. */
void extents_remove(struct table_extents *x, uintptr_t start, size_t bytes);

#endif
