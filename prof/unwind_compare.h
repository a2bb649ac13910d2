/*
 * `prof_unwind:check`, the side inside this library: hands each capture's
 * registers to libheaptop-check.so and counts where the two walks differ.
 * One comparison at a time in the process; a capture that finds one under
 * way is only counted as skipped.
 */
#ifndef PROF_UNWIND_COMPARE_H
#define PROF_UNWIND_COMPARE_H

#include <stdbool.h>
#include <stdint.h>

struct unwind_regs;

typedef unsigned unwind_check_walk(const void *, uint64_t *, unsigned);

/* NULL until unwind_check_load() has found the module. */
extern unwind_check_walk *unwind_check_fn;

static inline bool
unwind_comparing(void)
{
	return __builtin_expect(unwind_check_fn != 0, 0);
}

/* Ours are `n` of at most `max` frames, walked from `r`. */
void unwind_compare(
    const struct unwind_regs *r, const uint64_t *pcs, unsigned n, unsigned max);

/* How many stacks were compared, differ, were skipped. */
struct unwind_compared {
	_Atomic uint64_t stacks, frames, differ, skipped;
};
extern struct unwind_compared unwind_compared;

#endif
