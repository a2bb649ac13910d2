/*
 * A recording made after the fact, of what a profile holds: its retained
 * snapshots as the stream (prof/format.h) would have told them.
 *
 * Figures of the newest snapshot are as they were told; those of older ones
 * are what history keeps, whole bytes and objects, without lifetimes.  Births
 * are there from the first snapshot on at which all are known.  Ids of stacks
 * are the profile's own.
 */
#ifndef IO_HISTORYFILE_H
#define IO_HISTORYFILE_H

#include <stddef.h>

struct err;
struct profile;

/* Makes or replaces the file (mode 0600); *dumps (may be NULL) is how many
 * snapshots are in it.  -1 with a sentence, also if there is none. */
int historyfile_write(
    const struct profile *p, const char *path, size_t *dumps, struct err *e);

#endif
