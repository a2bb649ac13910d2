/*
 * A walk that remembers the last one of its thread.
 *
 * Stacks that a thread allocates from one after the other mostly share their
 * outer frames.  A step of a walk depends on where it starts (program counter,
 * stack pointer, and rbp if the rule asks for it) and on the words it reads:
 * the return address and perhaps a saved rbp.  So where a walk arrives at a
 * frame of the last one, the rest is the same as long as those words are.
 * Reading and comparing them costs a few times less than a step by rules, as
 * no load waits for another; nothing is assumed, every word is read again.
 *
 * Only walks of the usual kind are remembered: within the home stack, by rules
 * of the rule table whose words lie there, to the outermost frame, in one
 * unload epoch.  Any other is left to unwind_capture().
 *
 * A memo belongs to one thread; only its thread uses it, one walk at a time.
 * Frames are kept outermost first, so that what is shared stays in place, and
 * with each the hash of the stack from there outwards (stacktab.h).
 */
#ifndef PROF_MEMO_H
#define PROF_MEMO_H

#include <stdbool.h>
#include <stdint.h>

#include "stacktab.h"

struct unwind_regs;

struct memo_frame {
	uint64_t pc, sp, bp;
	const uint64_t *ra;     /* where its caller's pc was read */
	const uint64_t *up;     /* what must be the bp of its caller */
	struct stack_hash hash; /* of its pc and of those outside */
	int32_t slot;  /* rbp is saved so many words from ra; 0: it is not */
	uint16_t kept; /* frames that count from here outwards */
	bool uses;     /* its rule asks for rbp */
	bool needs;    /* its rule or that of a frame outside does */
};

/* A frame that the walk under way has added.  In another order than above, or
 * the compiler copies two words at once, which were written one by one: that
 * would stall. */
struct memo_fresh {
	uint64_t sp;
	const uint64_t *ra;
	uint64_t pc;
	int32_t slot;
	bool uses;
	uint64_t bp;
};

struct memo {
	uint64_t epoch;
	uint64_t end;  /* 0, the return address of the outermost frame */
	uint32_t n;    /* frames: at[1] is the outermost, at[n] the innermost */
	uint32_t room; /* of at[] and of fresh[] */
	uint32_t most; /* frames that may count */
	uint32_t wait, waits; /* captures to leave to others */

	/* sample.c's: the cell this stack is counted in; 0: none yet */
	uint32_t cell;
	uint8_t generation;

	struct memo_fresh *fresh; /* innermost first */
	struct memo_frame at[];
};

/* For stacks of up to `most` frames; NULL if there is no memory. */
struct memo *memo_new(uint32_t most);
void memo_free(struct memo *m);

enum memo_result {
	MEMO_NONE,  /* not a usual walk */
	MEMO_OTHER, /* another stack than the last one */
	MEMO_SAME,
};

/* Walk from `r` in the home stack, which ends at `top`. */
enum memo_result memo_walk(
    struct memo *m, const struct unwind_regs *r, uint64_t top, uint64_t epoch);

/* The return addresses of the last walk, leaf first, without our own frames
 * (at the leaf only, if `all`); how many. */
unsigned memo_pcs(const struct memo *m, uint64_t *pcs, bool all);

#endif
