/*
 * One saved dump or recording, of whatever format, into a profile.
 */
#ifndef DUMPFILE_H
#define DUMPFILE_H

#include <stdbool.h>

#include "io/heapread.h"

struct err;
struct options;
struct profile;

/* Read the file into an empty profile; `program` may be NULL.  0; 1 if
 * something of it was left out, with a sentence a line in `notes`; -1 with a
 * sentence, also for what is no dump at all. */
int dumpfile_read(const char *path, const char *program, struct profile *p,
    struct buf *notes, struct err *e);
/* PROGRAM as a path: as it is if there is such a file, else by PATH; NULL if
 * none was given.  Free it.  0, or -1 with a sentence. */
int dumpfile_program(const struct options *o, char **program, struct err *e);

/*
 * The dumps of one process, one after the other: what they have in common is
 * read once.  All zeros at first; fini it.
 */
struct dumpfile_series {
	struct heapread_kept kept;
	struct profile *other;      /* of a file that shares nothing... */
	const struct profile *last; /* ...or the kept one, or NULL */
	bool more; /* it is that of the call before, with another snapshot */
};

/* As dumpfile_read; s->last is the file's then, until the next call. */
int dumpfile_next(struct dumpfile_series *s, const char *path,
    const char *program, struct buf *notes, struct err *e);
void dumpfile_series_fini(struct dumpfile_series *s);

#endif
