/*
 * Which of several dumps belong to one process, and in which order.
 *
 * Processes are told apart by the pid in the dump (and its start, if there),
 * else by a pid in the file's name, as in PREFIX.PID.SEQ.TYPE.heap or
 * PROGRAM.PID.SECONDS.TYPE.heap; a file with neither belongs to one nameless
 * process with all such files.  Of a pid that came round again, a dump
 * without a start is of the last one.
 *
 * Within a process the later dump is the one with the higher number in its
 * name (SEQ or SECONDS; then by the clock, as many may be of one second, then
 * that behind TYPE) if all have such; else the one with the later clock, which
 * may only be the file's time, if all have one; else, and where those are
 * equal, the one given later.  Pure.
 */
#ifndef SERIES_H
#define SERIES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct series_dump {
	const char *path;
	uint64_t pid;    /* from the dump, 0: not there */
	uint64_t start;  /* of the process, 0: not there */
	uint64_t now_ns; /* its clock, 0: not there */
	/* set by series_order */
	bool numbered;      /* the name has these numbers: */
	uint64_t seq, type; /* SEQ or SECONDS, and that behind TYPE */
	size_t process;     /* from 0, by pid */
	bool last;          /* of its process */
};

/* Sets `process` and `last` in each, and `order` (NULL: not wanted) to the
 * indices process by process, oldest first; how many processes there are. */
size_t series_order(struct series_dump *dumps, size_t n, size_t *order);

#endif
