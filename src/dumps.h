/*
 * Reading saved dumps and recordings: a report of them, each as text, or one
 * profile for a screen.
 *
 * Dumps of one process are a series, of which a report takes the last and
 * says so; different processes add up; --sum adds all.  Whose dump a file is
 * is told by the process id and start it carries; files that do not say are
 * taken for a series.  A screen shows one process: its dumps are snapshots
 * in the order of time (series.h).
 */
#ifndef DUMPS_H
#define DUMPS_H

#include <stdbool.h>
#include <stddef.h>

#include "base/buf.h"
#include "model/history.h"

struct err;
struct options;
struct profile;

/* MODE_DUMPS without a screen.  0; 1 if not all could be done; 2 if a file
 * is missing. */
int dumps_read(const struct options *o);

/*
 * What a screen shows.  The profile has a snapshot for each dump, none of
 * which ages away, or those of one recording as they were while it was
 * written, aged as a live run's.  Its moments count from facts.image_ns as a
 * live profile's do: that is when the process began where the files tell it,
 * else the first dump.  (Among dumps all times are CLOCK_REALTIME.)
 */
struct loaded {
	struct profile *profile;
	char *program;    /* path of PROGRAM, for symbols_add; or NULL */
	char *name;       /* for the status: "run.htd.gz", "12 dumps" */
	bool untimed;     /* when the dumps were made is not known: each is
	                   * a second after the last */
	bool recording;   /* it is one recording, not a series of dumps */
	char **files;     /* path of snapshot `id` is [id - 1]; see below */
	size_t count;     /* of files; 0 for a recording */
	struct buf notes; /* sentences, each a line: what was left out... */
	bool failed; /* not all that was asked for could be read: status 1 */
};

/* Reads o->dumps.  0; -1 if there is nothing to show: `e` says why, and
 * nothing is to be freed. */
int dumps_load(const struct options *o, struct loaded *out, struct err *e);
void loaded_free(struct loaded *l); /* all that is in it */

/* The name (without directories) of the file of a snapshot; "" for a
 * recording. */
const char *loaded_file(const struct loaded *l, snap_id id);

#endif
