/*
 * What a dump tells that jeprof has no place for: lines `# heaptop KEY=VALUE`
 * after its first one, which readers take as they know them.
 *
 *	leaf=call           the first address is inside the call
 *	version, pid, type, seq, program     who wrote it, and as which file
 *	wall_ns, start_ns   CLOCK_REALTIME of the dump, and of the start
 *	now_ns, image_ns    CLOCK_MONOTONIC of the same two moments
 *	lg_sample, rate_changes, bt_max      how it was sampled
 *	lg_interval         dumps every 2^n bytes allocated, if any
 *	samples, samples_live                taken, and of them not freed
 *	active              1 if sampling is on
 *	inactive_ns         for how long in all it was off
 *	inactive_since_ns   CLOCK_REALTIME since when, if it is off
 *	active_since_ns     the same, if it is on and was off before
 *	reset_ns            CLOCK_REALTIME of the last prof.reset, if any
 *	live_bytes ...      exact figures of the allocator, as in format.h
 *	rss_bytes ...       the process, as facts.h has it; not where /proc
 *	                    is missing
 *	lost_... cut_...    losses; dumps_failed: dumps before this one
 *	module=START-END BIAS BUILD-ID PATH
 *	                    a file that frames are in: where it was mapped, what
 *	                    is taken off an address to have the file's own, `-`
 *	                    for a build-id that it has not.  One that is loaded
 *	                    again comes again.
 *
 * Behind the stacks, with "# " before each line, come those of pools (pool.h):
 * pool=NAME before each, then as other stacks are.
 *
 * Numbers are decimal, those of `module` hexadecimal without 0x.  Text has no
 * control bytes: they are question marks.
 */
#ifndef PROF_DUMPKEYS_H
#define PROF_DUMPKEYS_H

#include <stdint.h>

struct dump_about;
struct table_view;
struct writer;

/* Samples taken since the start, and those whose object is live. */
struct dump_samples {
	uint64_t all, live;
};

/* By who writes a dump: system calls only, no lock, bounded. */
void dumpkeys_put(struct writer *w, const struct table_view *v,
    const struct dump_about *about, const struct dump_samples *n);

/* "pool=NAME" of the module that stands for a pool. */
void dumpkeys_pool(
    struct writer *w, const struct table_view *v, uint32_t module);

#endif
