/*
 * The table of this process, from inside: opening it, adding to it.
 *
 * It opens at the first sampled event, with the helper thread's memfd if
 * there can be a helper, else as anonymous memory; see control.h.  A fork
 * child goes on reading its parent's table, never writes it, and opens one
 * of its own at its first sampled event: that is a new generation.
 *
 * Locks: one lock, the last but meta's in the order of lock.h, for everything
 * that adds (chunks, modules, stacks, cells, slots) and for numbers of births.
 * Reading and counting take none.
 */
#ifndef PROF_TABLEWRITE_H
#define PROF_TABLEWRITE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "encode.h"
#include "index.h"
#include "table.h"

/* Be ready for counting; on the sampled path.  Opens the table if need be,
 * waiting a bounded time (2 s) for the helper.  False: not ready. */
bool table_open(void);

/* The head; NULL while the table is not ready. */
struct table_head *table_head(void);

/* The whole table of this process, for an encoder. */
struct table_view table_view(void);

/* Count a loss, whether the table is open or not. */
void table_lost(enum loss what);

/* For the functions below alone: where the chunks are, and which table this
 * is. */
extern unsigned char *table_chunk[TABLE_CHUNKS];
extern uint8_t table_number;

/* Number of the table, mod 256: +1 in each fork child that has forked since. */
static inline uint8_t
table_generation(void)
{
	return table_number;
}

/* The helper's offer of a memfd of `size` bytes, a multiple of 1 MiB, when
 * control_start() made it.  True if it became the table's memory; false if
 * the opener has given up waiting or chunk 0 cannot be mapped.  The descriptor stays
 * the helper's. */
bool table_adopt(int memfd, uint64_t size);
/* The helper has no memfd to offer: the opener need not wait. */
void table_refuse(void);
/* Wait until the table is ready or has failed, for the helper; true if ready. */
bool table_wait_ready(void);

/* Before a fork, no lock held: wait (2 s at most) while another thread opens
 * the table, so that the child finds it open or not, never halfway. */
void table_settle(void);
/* In the child after a fork. */
void table_forked(void);
/* The table's lock, for the fork handlers. */
struct lock;
struct lock *table_fork_lock(void);

/* Append `len` bytes, 8-aligned, zeroed; their offset, 0 if full.  Under the
 * lock, which the following take themselves unless they say otherwise. */
uint32_t table_append(size_t len, void **at);
void table_lock(void);
void table_unlock(void);

/* The address of a place in the table. */
static inline void *
table_ptr(uint32_t off)
{
	return table_chunk[off / TABLE_CHUNK] + off % TABLE_CHUNK;
}

/* Note for the viewers' next pulls that something was changed, in two stamps
 * that stand with it (or twice the same).  The change must be visible before
 * (a sequentially consistent read-modify-write or fence in between).
 *
 * A pull raises head.pull and then looks at the stamps.  Who was held up
 * between reading the one and writing the other must not leave a stamp that
 * is older than a pull which did not see the change: so the pull's number is
 * read once more. */
static inline void
table_stamp_both(uint32_t *stamp, uint32_t *other)
{
	const struct table_head *h = table_ptr(0);
	uint32_t n = __atomic_load_n(&h->pull, __ATOMIC_SEQ_CST);

	while (__atomic_load_n(stamp, __ATOMIC_RELAXED) != n ||
	    __atomic_load_n(other, __ATOMIC_RELAXED) != n) {
		__atomic_store_n(stamp, n, __ATOMIC_SEQ_CST);
		__atomic_store_n(other, n, __ATOMIC_SEQ_CST);
		n = __atomic_load_n(&h->pull, __ATOMIC_SEQ_CST);
	}
}

static inline void
table_stamp(uint32_t *stamp)
{
	table_stamp_both(stamp, stamp);
}

#endif
