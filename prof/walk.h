/*
 * A walk under way: what unwind.c and walk_slow.c share.
 *
 * A step goes from the frame in (pc, sp, bp) to its caller's.  The stack
 * pointer rises with every step, except out of a signal's frame and in an
 * interrupted function that has popped everything, so a walk ends.
 */
#ifndef PROF_WALK_H
#define PROF_WALK_H

#include <stdbool.h>
#include <stdint.h>

#include "cfi.h"
#include "stackmem.h"

struct modinfo_tables;

struct walk {
	uint64_t pc, sp, bp;
	bool exact; /* pc is the next instruction, not a return address */
	bool full;  /* the list is */
	uint64_t epoch;
	unsigned flags; /* STACK_* */
	struct stackmem mem;

	uint64_t *pcs;
	unsigned n, max;
	unsigned own; /* frames of our own still to be skipped, at most */
};

enum step {
	STEP_ON,
	STEP_END,  /* the outermost frame */
	STEP_CUT,  /* can't go on */
	STEP_FULL, /* only the evaluator can go on */
};

/* Tables of the code at `pc`; false if it is in no module. */
bool walk_tables(uint64_t pc, struct modinfo_tables *m);

/* The rule at `pc`, which is not in the table of rules as yet. */
uint64_t walk_rule(uint64_t pc, bool exact, uint64_t epoch);

/* Any step, with every read checked; `rule` is 0 if it is not known yet. */
enum step walk_slow(struct walk *w, uint64_t rule);

/* Any step, with all registers. */
enum step walk_full_step(struct walk *w, struct cfi_regs *regs);

#endif
