/*
 * The session as text: one snapshot is a block for each process that has
 * samples, all of them written at once; or, where a report is asked for as
 * well, that report.
 *
 * A process that has ended gets a last block, which says what became of it,
 * and none after that.
 */
#ifndef BATCH_H
#define BATCH_H

#include <stdbool.h>
#include <stdint.h>

struct options;
struct profile;
struct session;

struct batch {
	uint64_t printed; /* snapshots so far */
};

/* Are snapshots asked for, rather than one report? */
bool batch_wanted(const struct options *o);

/* Print what is there now.  False if nothing had a sample. */
bool batch_print(struct session *s);

/* -n COUNT snapshots are out. */
bool batch_done(const struct session *s);

#endif
