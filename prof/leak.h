/*
 * What is left at exit, told on the program's standard error (prof_leak).
 *
 * First jemalloc's line, with estimates from the samples:
 *
 *	heaptop: Leak approximation summary: ~B bytes, ~N objects, >= K contexts
 *
 * then the stacks with most bytes, innermost frames first as module+0xoffset,
 * which any symbolizer takes, and the line of heaptop to run for names.
 */
#ifndef PROF_LEAK_H
#define PROF_LEAK_H

#include <stdbool.h>

/* Tell; `dump` is the path of the dump at exit, "" if there is none.  True if
 * anything is left.  The table must be open. */
bool leak_tell(const char *dump);

#endif
