/*
 * Cells: the figures of each (stack, thread slot), and the slots.
 *
 * There are 1,024 slots.  Slot 0 is «other threads»; each thread takes one at
 * its first sample and keeps it until it ends.  A slot is used again when
 * its thread has ended and nothing it allocated lives; what it had
 * accumulated then goes to slot 0.  When none is free, new threads count in
 * slot 0, and each such sample is counted as LOST_SHARED_SLOT says.
 */
#ifndef PROF_CELLS_H
#define PROF_CELLS_H

#include <stdbool.h>
#include <stdint.h>

struct record;
struct table_slot;
struct thread;

/* One sample in figures of a cell; see sample.h for the estimator. */
struct weighed {
	uint64_t bytes;
	uint64_t est_objects, est_bytes; /* fixed point, see format.h */
	double var_bytes, var_objects;
};

/* The cell of a stack in this thread's slot, made if need be; 0 if the table
 * is full. */
uint32_t cells_get(struct thread *t, uint32_t stack);
/* The same for a given slot, which only the fork child's copying uses. */
uint32_t cells_get_in(uint32_t stack, uint16_t slot);

/* Count a sample as allocated, by the slot's own thread. */
void cells_alloc(uint32_t cell, const struct weighed *w);
/* Count it as freed after `age` ticks of 10 ms, by anyone. */
void cells_free(uint32_t cell, const struct weighed *w, uint32_t age);

/* Count it as gone, without a life: prof.reset drops it. */
void cells_drop(uint32_t cell, const struct weighed *w);

/* The name a thread gives itself; the kernel's does not replace it. */
void cells_thread_named(struct thread *t);
/* Is a slot's name one of those? */
bool cells_slot_named(uint32_t slot);

/* Give a slot of the table new contents, its stamp apart, and stamp it; under
 * the table's lock. */
void cells_slot_write(struct table_slot *s, const struct table_slot *new);

/* Called, if it is set, when a cell's accumulated figures have been added to
 * another's and cleared; under the table's lock. */
extern void (*cells_moved)(uint32_t from, uint32_t to);

/* The thread ends. */
void cells_thread_end(struct thread *t);

/* In the child after a fork: everything is forgotten. */
void cells_forked(void);

#endif
