/*
 * What there is to say about one input file: sentences, each a line, the
 * first few of them, then how many more.  Whoever reads says here what it
 * leaves out; `partial` tells the caller that the profile is not all of it.
 */
#ifndef IO_HEAPNOTES_H
#define IO_HEAPNOTES_H

#include <stdbool.h>
#include <stdint.h>

struct buf;

struct heapnotes {
	const char *path; /* as the user gave it; borrowed */
	struct buf *to;   /* NULL: nobody wants to know */
	unsigned count;
	bool partial; /* something was left out */
};

/* `line` 0: the file as a whole. */
void heapnotes_say(struct heapnotes *n, uint64_t line, const char *fmt, ...)
    __attribute__((format(printf, 3, 4)));
/* The same of something that is not in the profile. */
void heapnotes_lost(struct heapnotes *n, uint64_t line, const char *fmt, ...)
    __attribute__((format(printf, 3, 4)));
/* After the last: how many more there were. */
void heapnotes_end(struct heapnotes *n);

#endif
