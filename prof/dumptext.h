/*
 * The text of a dump: heap_v2, as jeprof reads it.
 *
 * A row carries the pair of whole numbers that jeprof's formula turns into
 * our unbiased figures at the header's R (heapv2.h), so rows sampled at
 * different rates are right; R is the finest rate that was used, for no row
 * can be less than that.  Accumulated figures are zero unless prof_accum.
 * What jeprof has no place for stands in lines `# heaptop KEY=VALUE` after
 * the first one, which readers take as they know them:
 *
 *	leaf=call           the first address is inside the call
 *	version, pid, type, seq, program     who wrote it, and as which file
 *	wall_ns, start_ns   CLOCK_REALTIME of the dump, and of the start
 *	now_ns, image_ns    CLOCK_MONOTONIC of the same two moments
 *	lg_sample, rate_changes, bt_max      how it was sampled
 *	active              1 if sampling is on
 *	inactive_ns         for how long in all it was off
 *	inactive_since_ns   CLOCK_REALTIME since when, if it is off
 *	active_since_ns     the same, if it is on and was off before
 *	reset_ns            CLOCK_REALTIME of the last prof.reset, if any
 *	live_bytes ...      exact figures of the allocator
 *	lost_... cut_...    losses; dumps_failed: dumps before this one
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
