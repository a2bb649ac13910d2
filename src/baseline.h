/*
 * What a report is compared with: the file of --base, read and named.
 *
 * Stacks are compared by build-id and offset.  Where the report is of another
 * build, or one of the two is a saved report, they are compared by the names
 * of their functions, and that is said; without a name in common the
 * comparison is refused.  Where one of two dumps of a process was written
 * after a library was unloaded, they are compared by address.
 */
#ifndef BASELINE_H
#define BASELINE_H

#include <stdbool.h>
#include <stddef.h>

#include "base/buf.h"

struct err;
struct loop;
struct options;
struct profile;
struct symbols;

struct baseline {
	struct profile *profile; /* NULL: there is no base */
	bool by_name, by_address;
	bool partial;       /* something of the file was left out, and said */
	struct buf remarks; /* what was said, each a line */
	struct loop *loop;
	struct symbols *symbols;
};

/* Reads o->base, if there is one, for a report of these profiles.  0, or -1
 * with a sentence; baseline_free in any case. */
int baseline_read(struct baseline *b, const struct options *o,
    const struct profile *const *profiles, size_t n, struct err *e);
void baseline_free(struct baseline *b);

/* Before anything is started: is there such a file at all?  0, or the exit
 * status with a sentence. */
int baseline_check(const struct options *o, struct err *e);

#endif
