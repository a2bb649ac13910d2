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
#include "base/err.h"
#include "model/history.h"

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
	size_t unread;    /* how many could not be read, so far... */
	struct err first; /* ...and why the first of them */
	struct buf notes; /* sentences, each a line: what was left out... */
	bool failed; /* not all that was asked for could be read: status 1 */
};

/* Reads o->dumps.  0; -1 if there is nothing to show: `e` says why, and
 * nothing is to be freed. */
int dumps_load(const struct options *o, struct loaded *out, struct err *e);

/*
 * The same, but of a series of many there is only the first and the last dump
 * at first, and *more (else NULL) reads the others, some milliseconds a call:
 *
 *	while (dumps_read_on(l))
 *		;
 *	goes_on = dumps_take(l, &old);
 *
 * Then `out`, which must stay where it is, has more of it, and the same again
 * as long as it goes on: some of very many, then all.  What it had before is
 * in `old`: profile, files and count, for loaded_free once nothing uses them.
 * A series too large for history's budget loses every second dump, and that is
 * noted.  `out->notes` and `failed` grow with what is read.
 */
struct loading;
int dumps_begin(const struct options *o, struct loaded *out,
    struct loading **more, struct err *e);
bool dumps_read_on(struct loading *l);
bool dumps_take(struct loading *l, struct loaded *old);
/* How many files have been read so far. */
size_t dumps_progress(const struct loading *l, size_t *of);
void dumps_end(struct loading *l); /* NULL is fine */

void loaded_free(struct loaded *l); /* all that is in it */

/* The name (without directories) of the file of a snapshot; "" for a
 * recording. */
const char *loaded_file(const struct loaded *l, snap_id id);

#endif
