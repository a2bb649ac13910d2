/*
 * Stacks and modules in the table: each distinct stack once, under a dense id.
 *
 * A stack is known by its return addresses; and where any of them is of a
 * module that can be closed, or of none, by the unload epoch too, so that an
 * address used again by another plugin is another stack.  Finding a known
 * stack takes no lock; a new one is translated to (module, offset) outside
 * the table's lock and added under it.
 */
#ifndef PROF_STACKTAB_H
#define PROF_STACKTAB_H

#include <stdint.h>

/*
 * Two independent 64-bit hashes of return addresses, from the outermost frame
 * inwards; 96 bits of them make the key of a stack: multiply and rotate,
 * finished as in splitmix64 (Steele, Lea and Flood 2014).  Two stacks share a
 * key with a chance of 2^-96 a pair.
 */
struct stack_hash {
	uint64_t a, b;
};

static inline struct stack_hash
stack_hash_start(void)
{
	return (struct stack_hash){ 0, ~UINT64_C(0) };
}

static inline void
stack_hash_add(struct stack_hash *h, uint64_t pc)
{
	h->a = (h->a ^ pc) * UINT64_C(0xbf58476d1ce4e5b9);
	h->a ^= h->a >> 29;
	h->b = (h->b + pc) * UINT64_C(0x94d049bb133111eb);
	h->b = h->b << 31 | h->b >> 33;
}

/* The id of a known stack of n addresses by its hash; 0: not known. */
uint32_t stacktab_find(struct stack_hash h, unsigned n);

/* The id of the stack of `n` return addresses (leaf first, n >= 1), added if
 * new; 0 if the table is full.  `frames` is room for n frames.  flags are
 * STACK_* of format.h and belong to the stack that is added first. */
uint32_t stacktab_intern(
    const uint64_t *pcs, unsigned n, unsigned flags, uint64_t *frames);

/* The same of a stack below a module of stacktab_module(): `frames` is room
 * for one more. */
uint32_t stacktab_intern_in(uint32_t module, const uint64_t *pcs, unsigned n,
    unsigned flags, uint64_t *frames);

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
