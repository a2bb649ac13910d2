/*
 * A hash index from a 96-bit key to a 32-bit id, for the target's private
 * look-ups of stacks and cells.
 *
 * Reading takes no lock and may go on beside one writer.  Writers hold the
 * table's lock.  Entries are never changed or removed; growing makes a new
 * array and leaves the old one to readers that are still in it (all old
 * arrays together are smaller than the present one).  A reader may miss what
 * is being added: who then takes the lock and looks again is right.
 */
#ifndef PROF_INDEX_H
#define PROF_INDEX_H

#include <stdbool.h>
#include <stdint.h>

struct index_array;

struct index {
	struct index_array *array; /* NULL: empty */
};

struct index_key {
	uint64_t a; /* well mixed */
	uint32_t b;
};

/* The id of a key, 0 if it is not there (or being added). */
uint32_t index_find(const struct index *ix, struct index_key k);

/* Make room for one more key, so that index_add() will succeed; under the
 * table's lock.  False if there is no memory. */
bool index_reserve(struct index *ix);

/* Add a key that is not there; under the table's lock.  `id` is not 0.  False
 * if there is no memory. */
bool index_add(struct index *ix, struct index_key k, uint32_t id);

#endif
