/*
 * The names of the dumps that a process names itself.
 *
 *	<prefix>.<pid>.<seq>.<type><n>.heap     seq counts them all, n its type
 *	<prefix>.<pid>.<seq>.f.heap             at exit
 *	<dir>/<program>.<pid>.<seconds>.<type><n>.heap    the prefix is a directory
 *
 * and .gz behind it with prof_compress.  After a fork the child goes on from
 * its parent's counters under its own pid.  With prof_keep only the newest so
 * many of a process stay.  One caller at a time: dump.c sees to it.
 */
#ifndef PROF_DUMPNAME_H
#define PROF_DUMPNAME_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The next name of that type (i, u, m, f), and its number.  False if it does
 * not fit. */
bool dumpname_next(char type, char *path, size_t cap, uint32_t *seq);

/* `path` has been written: if that makes too many, remove the oldest. */
void dumpname_written(const char *path);

/* In the child after a fork: the files are its parent's. */
void dumpname_forked(void);

#endif
