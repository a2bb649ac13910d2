/*
 * A series being read, for dumps_load.c, which finds the files and chooses
 * the process, and dumps_stage.c, which reads them.
 *
 * A series that is shown is read in stages, each of which makes a profile
 * from nothing: the first and the last file, at once; if there are many, some
 * between; all.  So one sees early what there is at the ends, while figures
 * stay those of whole files in their order.  Stacks have the same ids in all
 * of them, as each profile begins with those of the one before.
 */
#ifndef DUMPS_STAGE_H
#define DUMPS_STAGE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/err.h"
#include "base/map.h"
#include "dumpfile.h"
#include "series.h"

struct loaded;
struct merge;
struct options;
struct profile;

#define NS_PER_S UINT64_C(1000000000)

/* One of the files that may be dumps. */
struct source {
	const char *path;
	struct profile *profile; /* of a recording; a dump is read later */
	uint64_t began_ns;       /* its process, CLOCK_REALTIME; or 0 */
	uint64_t wall_ns;        /* its last moment, CLOCK_REALTIME */
	bool tried;              /* it was read, and what is odd is said */
	bool bad;                /* it could not be */
};

enum stage {
	STAGE_ENDS,
	STAGE_SOME, /* evenly spaced */
	STAGE_ALL,
	STAGES
};

struct loading {
	const struct options *o;
	struct loaded *out;
	struct source *sources;
	struct series_dump *dumps; /* of the same */
	size_t *order;             /* series.h */
	size_t count;
	struct map seen; /* files, by device and inode */
	bool any_error;  /* why the first could not be read is in `out` */
	bool bounded;    /* history may leave some out, to stay small */

	/* The process that is shown: this part of `order`. */
	size_t part, part_count;
	size_t tried; /* of its files */

	/* The stage. */
	enum stage stage;
	size_t at;     /* next file, of those of the stage */
	size_t stride; /* of all, every so many are read */
	struct merge *merge;
	struct dumpfile_series series;
	char **files; /* those that are in it */
	size_t file_count;
};

/* The moment of a dump: its file's time, unless the name says a second that
 * is another one (a copy has the time of the copying). */
uint64_t stage_moment(const struct loading *l, size_t i);

/* Something could not be read: noted for the end. */
void stage_note(struct loading *l, const struct err *e);

/* Begin one. */
void stage_begin(struct loading *l, enum stage stage);
/* Read its next file; false: there is none any more. */
bool stage_read(struct loading *l);
/* What it made becomes that of l->out, whose files and profile must have been
 * taken away.  False if no file could be read: then there is nothing. */
bool stage_end(struct loading *l);
/* The stage that follows, or STAGES. */
enum stage stage_after(const struct loading *l);
/* It is not wanted any more. */
void stage_drop(struct loading *l);

#endif
