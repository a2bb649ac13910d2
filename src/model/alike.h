/*
 * Whether stacks of two builds are the same: by their functions' names.
 *
 * Names are compared as they are shown (name.h), so that a saved report has
 * the same ones; allocator frames at the leaf do not count, as another
 * allocator may have made the other dump.
 */
#ifndef MODEL_ALIKE_H
#define MODEL_ALIKE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct profile;

/* [stack id]: equal for stacks alike, of any profile.  Free it. */
uint64_t *alike_stacks(const struct profile *p);

/* The same by address, for profiles of one process: code that was unloaded in
 * one of them is in no module there. */
uint64_t *alike_addresses(const struct profile *p);

/* Has any of the `n` profiles a function that `p` has?  Only names that were
 * found count, and no allocator's. */
bool alike_any(
    const struct profile *p, const struct profile *const *others, size_t n);

#endif
