/*
 * Reads of the stack that is being walked.
 *
 * Direct where it can't fault: in the thread's home stack, in the live block
 * of our allocator that the real stack pointer lies in, else in its page.
 * Anywhere else (signal stacks, coroutines, garbage) in windows copied by the
 * kernel.
 *
 * The home stack is what struct thread says (set at the thread's start from
 * its attributes).  Where that is not known it ends at __libc_stack_end for
 * the first thread, at the thread pointer for others, as glibc puts the
 * thread's control block on top of its stack; its pages are then asked about
 * from the top down to the real stack pointer, once, and never on behalf of
 * an address read from memory.
 */
#ifndef PROF_STACKMEM_H
#define PROF_STACKMEM_H

#include <stdbool.h>
#include <stdint.h>

struct thread;

#define STACKMEM_WINDOW 4096u

struct stackmem {
	uint64_t home_lo, home_hi;   /* equal: none */
	uint64_t block_lo, block_hi; /* likewise */
	struct thread *t;            /* may be NULL */
	uint8_t *window;             /* copy of [at, at + len) */
	uint64_t at;
	uint32_t len;
	uint64_t from; /* where the frame begins: a window starts there */
};

/* At the start of the library, by its first thread. */
void stackmem_init(void);

/* For a walk of the calling thread, whose stack pointer is `sp`. */
void stackmem_start(struct stackmem *m, struct thread *t, uint64_t sp);

/* The end of the directly readable stack that `sp` lies in; 0: in none. */
static inline uint64_t
stackmem_top(const struct stackmem *m, uint64_t sp)
{
	if (sp - m->home_lo < m->home_hi - m->home_lo)
		return m->home_hi;
	if (sp - m->block_lo < m->block_hi - m->block_lo)
		return m->block_hi;
	return 0;
}

/* The end of the home stack if it is known already and `sp` lies in it; else
 * 0. */
uint64_t stackmem_home_top(const struct thread *t, uint64_t sp);

/* The word at `addr`, of any alignment; false if it can't be read. */
bool stackmem_read(struct stackmem *m, uint64_t addr, uint64_t *value);

#endif
