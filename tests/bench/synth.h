/*
 * A made-up program for benchmarks, told to the decoder as the stream tells
 * it, in virtual time.
 *
 * It has `stacks` call stacks of 10 to 40 frames, each sharing all but its 1
 * to 8 innermost frames with an earlier one, through 4,000 functions with 5
 * call sites each; every stack in `threads` threads.  In each second
 * `permille` of all cells change, three in four of them among a tenth that is
 * busy (not if it is `uniform`); one stack in a hundred never frees.
 *
 * There is one at a time; a failure ends the benchmark.
 */
#ifndef SYNTH_H
#define SYNTH_H

#include <stdbool.h>
#include <stdint.h>

struct profile;

struct synth {
	unsigned stacks, threads, permille;
	bool uniform;
	struct profile *profile; /* ours */
	double feed_s;           /* CPU seconds of decoding the last second */
};

/* Makes the profile with its names and the first snapshot, at second 1. */
void synth_begin(struct synth *s);
/* A snapshot at that second. */
void synth_second(struct synth *s, uint64_t second);
void synth_end(struct synth *s);

/* A number below `below`; the same each time one runs it. */
uint32_t synth_draw(uint32_t below);
/* CPU seconds of the process, as others may be busy on the machine. */
double synth_cpu(void);

#endif
