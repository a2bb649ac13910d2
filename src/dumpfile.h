/*
 * One saved dump or recording, of whatever format, into a profile.
 */
#ifndef DUMPFILE_H
#define DUMPFILE_H

struct buf;
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

#endif
