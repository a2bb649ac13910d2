/*
 * What makes the library write dumps by itself: signals, bytes allocated,
 * new peaks.
 *
 * Who notices only counts and wakes the helper, which writes.  A signal's
 * handler does no more than that, and stands only where the default action
 * stood when the program started.  The thread that completes an interval
 * waits for its dump, a second at most, so that each shows its own moment; a
 * new peak is the exact live heap 5 % above the last one dumped, and there is
 * at most one dump of that kind a second.  What cannot be written for want of
 * a helper is told once, and counted (dump_lost).
 */
#ifndef PROF_TRIGGER_H
#define PROF_TRIGGER_H

#include <stdbool.h>
#include <stdint.h>

struct thread;

/* The options have been read, nothing has been drawn by them yet. */
void trigger_configure(void);
/* In the constructor: take the signals. */
void trigger_start(void);

/* Dumps at new peaks may be turned on and off. */
bool trigger_peaks(void);
void trigger_set_peaks(bool on);
/* Bytes from dump to dump, 0 if there are none such. */
uint64_t trigger_interval(void);

/* For the sampled path, where trigger_counting is set: count what the thread
 * allocated; may wait for the helper. */
extern bool trigger_counting;
void trigger_count(struct thread *t);

/* For the sampled path: the table is to be opened before the first sample, so
 * that there is a helper to answer signals.  True once. */
extern bool trigger_opening;
bool trigger_claim_opening(void);

/* By the helper: write what is due.  Milliseconds until it wants to be called
 * again without being woken, 0: not at all. */
uint64_t trigger_serve(void);

/* At exit: wait for what is being written, and write what still is due. */
void trigger_finish(void);

/* In the child after a fork. */
void trigger_forked(void);

#endif
