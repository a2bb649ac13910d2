/*
 * The symbol process as seen by its parent: a forked child of heaptop that
 * has nothing of it but one socket.
 *
 * It is not a program of its own, so it needs no file that may be replaced
 * while heaptop runs.  It ends with its parent.
 */
#ifndef IO_SYMPROC_H
#define IO_SYMPROC_H

#include <stdint.h>
#include <sys/types.h>

struct symproc {
	pid_t pid;
	int fd; /* requests in, answers out; -1: there is no child */
};

/* `memory` as in symchild_run.  0 or -1 with errno. */
int symproc_start(struct symproc *p, uint64_t memory);
/* Killed and reaped. */
void symproc_end(struct symproc *p);

#endif
