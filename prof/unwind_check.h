/*
 * Between libheaptop.so and libheaptop-check.so, the module that unwinds
 * once more with libunwind (`prof_unwind:check`).  The module is loaded only
 * when checking is asked for, by dlopen without RTLD_GLOBAL, as libunwind
 * exports names of the C++ runtime.
 */
#ifndef PROF_UNWIND_CHECK_H
#define PROF_UNWIND_CHECK_H

#include <stdint.h>

/* The registers that a function must keep, all read at `pc`. */
struct unwind_regs {
	uint64_t pc, sp, bp, bx, r12, r13, r14, r15;
};

/*
 * Walks from `start_regs` (a struct unwind_regs) with libunwind's unw_step
 * and writes the program counters, the start included; returns how many.
 * One caller at a time.
 */
unsigned heaptop_check_walk(
    const void *start_regs, uint64_t *pcs, unsigned max);

struct thread;

/* unwind_capture() from given registers, which may be anything; apart for
 * tests. */
unsigned unwind_from(struct thread *t, const struct unwind_regs *r,
    uint64_t *pcs, unsigned max, unsigned *flags);

#endif
