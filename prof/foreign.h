/*
 * Pointers that are not ours.
 *
 * A program may hold blocks of the allocator behind us: from before we were
 * loaded, or from functions that bypass us.  They go there, once
 * entry_resolve_next() has found it; before that they are left alone.
 */
#ifndef PROF_FOREIGN_H
#define PROF_FOREIGN_H

#include <stddef.h>

/* NULL is fine for all of them. */
void foreign_free(void *p);
void *foreign_realloc(void *p, size_t size);
size_t foreign_usable(void *p);

#endif
