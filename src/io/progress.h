/*
 * The line on stderr that says how far a long read has come.  It appears only
 * on a terminal and only after half a second, is written over at most ten
 * times a second, and goes away in the end.
 */
#ifndef IO_PROGRESS_H
#define IO_PROGRESS_H

#include <stdbool.h>
#include <stdint.h>

struct progress {
	const char *name; /* of the file; borrowed */
	uint64_t start_ns, last_ns;
	bool terminal, shown;
};

void progress_begin(struct progress *p, const char *name);
/* `at` bytes of `size` are read; size 0: not known. */
void progress_step(struct progress *p, uint64_t at, uint64_t size);
void progress_end(struct progress *p);

#endif
