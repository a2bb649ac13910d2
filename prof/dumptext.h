/*
 * The text of a dump: heap_v2, as jeprof reads it.
 *
 * A row carries the pair of whole numbers that jeprof's formula turns into
 * our unbiased figures at the header's R (heapv2.h), so rows sampled at
 * different rates are right; R is the finest rate that was used, for no row
 * can be less than that.  Accumulated figures are zero unless prof_accum.
 * What jeprof has no place for stands in the lines of dumpkeys.h.
 *
 * Addresses are return addresses, but the leaf of a stack is one less
 * (`leaf=call`), because jeprof takes one off all others only.
 */
#ifndef PROF_DUMPTEXT_H
#define PROF_DUMPTEXT_H

#include <stdbool.h>
#include <stdint.h>

/* What the text tells of the file it is for. */
struct dump_about {
	char type;       /* i, u, m, f; 0: a name was given */
	uint32_t seq;    /* of the dumps this process named itself */
	uint64_t failed; /* dumps that could not be written */
};

/* Write the present state to fd, packed if `gzip`; 0 or an errno value.  The
 * table must be open.  One at a time. */
int dumptext_write(int fd, bool gzip, const struct dump_about *about);

/* What the dump would say of the whole process. */
struct dump_sums {
	double bytes, objects;
	uint32_t stacks; /* with something live */
};

/* Call `each` for each stack with something live, if it is not NULL, and sum
 * up; -1 if there is no memory.  The table must be open. */
int dumptext_live(struct dump_sums *sums,
    void (*each)(uint32_t stack, double bytes, double objects, void *arg),
    void *arg);

#endif
