/*
 * What the symbol process runs: it reads requests (symwire.h) and answers
 * them with symbolize.h.
 */
#ifndef IO_SYMCHILD_H
#define IO_SYMCHILD_H

#include <stdint.h>

/* Serve requests until the end of `in`; returns an exit status.  `memory` is
 * the limit of its address space beyond what it has, 0: none. */
int symchild_run(int in, int out, uint64_t memory);

#endif
