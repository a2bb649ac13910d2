/*
 * The session as text: one snapshot is a block for each process that has
 * samples, all of them written at once.
 *
 * A process that has ended gets a last block, which says what became of it,
 * and none after that.
 */
#ifndef BATCH_H
#define BATCH_H

#include <stdbool.h>
#include <stdint.h>

struct profile;
struct session;

struct batch {
	uint64_t printed; /* snapshots so far */
};

/* Print what is there now.  False if nothing had a sample. */
bool batch_print(struct session *s);

/* -n COUNT snapshots are out. */
bool batch_done(const struct session *s);

#endif
