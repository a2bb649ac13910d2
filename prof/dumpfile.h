/*
 * Dump files: how they come to be, whole or not at all.
 *
 * The text (dumptext.h) is written under a temporary name beside the file and
 * renamed when it is complete; what fails leaves nothing behind.  Where files
 * may not grow (RLIMIT_FSIZE) no signal reaches the program for our sake.
 * System calls only; by the helper, too.  One at a time: dump.c sees to it.
 */
#ifndef PROF_DUMPFILE_H
#define PROF_DUMPFILE_H

#include <stdbool.h>

struct dump_about;

/* A dump of this moment to `path`, packed if `gzip`.  0 or an errno value:
 * EAGAIN if the table is not open. */
int dumpfile_write(const char *path, bool gzip, const struct dump_about *about);

/* Say that `what` could not be written at `path`, and why.  The path comes
 * last: a long one is cut, not the reason. */
void dumpfile_say(int error, const char *what, const char *path);

/* Why files beginning with `prefix` cannot be made: an errno value; 0 if it
 * looks as if they can. */
int dumpfile_check(const char *prefix);

bool dumpfile_is_directory(const char *path);

#endif
