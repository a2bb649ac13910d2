/*
 * Pools: allocators of the program's own, which cut what they hand out from
 * memory that they hold already.
 *
 * What a pool tells of (heaptop.h) is sampled as malloc's blocks are, at the
 * same rates but with a countdown of its own, and counted by stack in the
 * table.  Those stacks have STACK_POOL, and as their outermost frame a module
 * called "[pool] NAME": a domain of their own, of which nothing is ever added
 * to what malloc has handed out.
 *
 * Records of live samples are kept here, by address.  A free of what was not
 * sampled takes no lock.  Any thread may free.  A child of fork does not know
 * what its parent's pools hold.
 */
#ifndef PROF_POOL_H
#define PROF_POOL_H

#define POOL_MARK     "[pool] "
#define POOL_NAME_MAX 63 /* bytes of a name */

struct lock;

/* prof.reset: forget all live samples. */
void pool_reset(void);

/* For the fork handlers; and in the child, where all is forgotten. */
struct lock *pool_lock(void);
void pool_forked(void);

#endif
