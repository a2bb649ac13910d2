/*
 * The compilation units of one file's DWARF, read as they are needed.
 *
 * Addresses are DWARF's.  Per unit, at the first hit: its line table and the
 * ranges of its functions; per function, at its first hit: the tree of the
 * calls inlined into it.  So the cost is that of the units touched, and an
 * address in a known function is a few binary searches.
 */
#ifndef IO_SYMBOLIZE_UNIT_H
#define IO_SYMBOLIZE_UNIT_H

#include <stdint.h>

#include <elfutils/libdw.h>

struct symbolize_name;
struct units;

/* Borrows dw; NULL if it has no unit with code. */
struct units *units_new(Dwarf *dw);
void units_free(struct units *u); /* NULL is fine */

/* The functions at the address, innermost inlined one first, with linkage
 * names where there are; how many, 0 if nothing is known.  Strings live as
 * long as dw. */
unsigned units_at(struct units *u, uint64_t address, struct symbolize_name *out,
    unsigned max);

#endif
