/*
 * Stacks and modules in the table: each distinct stack once, under a dense id.
 *
 * A stack is known by its return addresses and the unload epoch, so that an
 * address used again by another plugin is another stack.  Finding a known
 * stack takes no lock; a new one is translated to (module, offset) outside
 * the table's lock and added under it.
 */
#ifndef PROF_STACKTAB_H
#define PROF_STACKTAB_H

#include <stdint.h>

/* The id of the stack of `n` return addresses (leaf first, n >= 1), added if
 * new; 0 if the table is full.  `frames` is room for n frames.  flags are
 * STACK_* of format.h and belong to the stack that is added first. */
uint32_t stacktab_intern(
    const uint64_t *pcs, unsigned n, unsigned flags, uint64_t *frames);

/* Add a stack given by frames of this table, for a fork child that copies
 * its parent's; 0 if the table is full. */
uint32_t stacktab_copy(const uint64_t *frames, unsigned n, unsigned flags);

/* Add a module, or find it; the id, 0 if the table is full.  `path` is
 * path_len bytes. */
uint32_t stacktab_module(uint64_t start, uint64_t end, uint64_t bias,
    const uint8_t *build_id, unsigned build_id_len, const char *path,
    unsigned path_len);

/* In the child after a fork: everything is forgotten. */
void stacktab_forked(void);

#endif
