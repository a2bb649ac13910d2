/*
 * What the lines of a heap_v2 file said, until its mappings are known: the
 * stacks' addresses and their rows, as they are.
 */
#ifndef IO_HEAPDATA_H
#define IO_HEAPDATA_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct err;
struct heapmaps;
struct profile;

#define HEAPDATA_ALL UINT32_MAX /* uid of the row t* */

/* One row; figures may be negative in files that others made. */
struct heap_row {
	uint32_t uid;
	double live_objects, live_bytes, alloc_objects, alloc_bytes;
};

struct heap_stack {
	size_t first, count;    /* of addresses */
	size_t first_row, rows; /* of rows */
};

struct heapdata {
	double R;
	uint64_t *addresses;
	size_t address_count, address_cap;
	struct heap_row *rows;
	size_t row_count, row_cap;
	struct heap_stack *stacks;
	size_t stack_count, stack_cap;
};

void heapdata_fini(struct heapdata *d);

/* Put all stacks and their cells into the profile, whose modules are there.
 * The sums of raw samples are added to *live and *alloc. */
int heapdata_put(const struct heapdata *d, const struct heapmaps *m,
    struct profile *p, uint64_t *live, uint64_t *alloc, struct err *e);

#endif
