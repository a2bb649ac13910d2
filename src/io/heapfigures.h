/*
 * The figures of one stack's rows, unsampled: estimates per thread that add
 * up to those of the whole stack.
 */
#ifndef IO_HEAPFIGURES_H
#define IO_HEAPFIGURES_H

#include <stddef.h>
#include <stdint.h>

#include "io/heapdata.h"

struct cell_values;
struct err;
struct profile;

/* Cells of the profile's stack `id` from `rows`, which are sorted: by uid, t*
 * last.  The row t* gives the stack's figures, `whole`; those of its threads
 * are scaled so that they add up to it. */
void heapfigures_sort(struct heap_row *rows, size_t n);
int heapfigures_put(const struct heapdata *d, struct profile *p, uint32_t id,
    const struct heap_row *rows, size_t n, struct cell_values *whole,
    struct err *e);

/* Can two rows be added before unsampling, with the same result? */
int heapfigures_alike(const struct heapdata *d, const struct heap_row *a,
    const struct heap_row *b);

#endif
