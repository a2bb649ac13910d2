/*
 * A sorted table of address ranges, each with a number; ranges may overlap
 * and nest.  Look-up goes from the innermost range that holds an address to
 * the outermost, each step in logarithmic time where ranges do not overlap.
 * All zeros is an empty table.
 */
#ifndef IO_RANGES_H
#define IO_RANGES_H

#include <stddef.h>
#include <stdint.h>

struct range {
	uint64_t lo, hi; /* hi exclusive */
	uint64_t up;     /* highest hi up to here: where to stop looking */
	uint32_t depth;  /* of two with the same lo the deeper is inner */
	uint32_t value;
};

struct ranges {
	struct range *items;
	size_t count, cap;
};

#define RANGES_END ((size_t)-1)

void ranges_fini(struct ranges *r);
/* Empty and reversed ranges are left out. */
void ranges_add(
    struct ranges *r, uint64_t lo, uint64_t hi, uint32_t depth, uint32_t value);
void ranges_sort(struct ranges *r); /* after the last add, before find */

/* Index of the innermost range that holds the address, RANGES_END if there
 * is none; `after` is the result before (outer ones follow), or RANGES_END
 * to begin. */
size_t ranges_find(const struct ranges *r, uint64_t address, size_t after);

#endif
