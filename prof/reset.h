/*
 * prof.reset: forget what was sampled so far.
 *
 * Live samples are dropped from the figures, so that a later free of theirs
 * counts nothing.  What was accumulated stays in the table, where only its
 * thread may write; dumps take off what it was at the reset.
 */
#ifndef PROF_RESET_H
#define PROF_RESET_H

#include <stdbool.h>
#include <stdint.h>

/* Reset now; by a thread of the program that is not in the profiler and not
 * writing a dump (dump.c holds its lock).  False: the table cannot be
 * opened. */
bool reset_now(void);

/* By the helper, which must not count: have the next sampled event do it. */
void reset_ask(void);
/* For the sampled path: it has been asked for, and is now yours to do. */
extern bool reset_wanted;
bool reset_claim(void);

/* Take off from a cell's accumulated estimates what they were at the reset. */
void reset_take_off(uint32_t cell, double *objects, double *bytes);

/* CLOCK_MONOTONIC of the last reset, 0 if there was none. */
uint64_t reset_ns(void);

/* In the child after a fork. */
void reset_forked(void);

#endif
