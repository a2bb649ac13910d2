/*
 * Which rows of a report may be leaks, and why: in words.
 *
 * A suspect grew from A to B by more than its error, at a rate above 0, and
 * goes on growing: in the latter half of the time its rate is more than
 * SUSPECT_SURE times its error, it has not levelled off and did not jump
 * (trend.h has what these are).  SUSPECT_SURE times a 95 % half width are 2.94
 * standard deviations: of a thousand rows that do not grow one or two pass.
 * Of less than SUSPECT_STEPS steps none may have fallen.  With two moments there
 * is one step only, and whether it goes on cannot be told: that is said.  What
 * makes less than a SUSPECT_PART of all that grew is not worth to be named yet.
 *
 * So a slow leak becomes a suspect when it has grown enough to be seen, and
 * only then; a cache that fills is one until it is full and a third of that
 * time has gone by; what is allocated and freed again never is.  What was
 * allocated in all only grows: of that nothing is suspected.
 *
 * The first is the one that grew most.  That it leaks is not proven.
 */
#ifndef MODEL_SUSPECT_H
#define MODEL_SUSPECT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/fmt.h"

struct buf;
struct report;
struct trend;
struct trends;

#define SUSPECT_SURE  1.5
#define SUSPECT_STEPS 4
#define SUSPECT_PART  0.001
/* So many rows are looked at: those that grew most. */
#define SUSPECT_LOOKS 50

/* Rows of the report, to be freed; *n of them.  They are followed in `t`,
 * which is NULL where there is no series: then what grew by more than its
 * error is suspected. */
uint32_t *suspects_find(struct trends *t, const struct report *r, size_t *n);

bool suspect_is(
    const struct trends *t, const struct report *r, const struct trend *row);

/* Why it is one: "grew in 14 of 15, +78.9 KiB/s ±3.8%, 96% ±4 of what it
 * allocated since A is still there"; brief: "..., kept 96% ±4".  `since` is
 * "since A". */
void suspect_why(const struct trends *t, const struct report *r,
    const struct trend *row, const char *since, bool brief, bool ascii,
    struct buf *b);
/* Why a row that grew is none: "it has levelled off".  Nothing where it did
 * not grow. */
void suspect_why_not(const struct trends *t, const struct report *r,
    const struct trend *row, struct buf *b);

/* A rate as it is written: "+78.9 KiB/s", of few objects "+3/min", a snapshot
 * "+1.2 MiB" where times say nothing. */
struct fmt suspect_rate(const struct trends *t, const struct report *r,
    double rate, unsigned flags);

#endif
