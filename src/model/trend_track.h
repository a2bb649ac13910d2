/*
 * What history says of rows at some of its snapshots: how trends are read.
 *
 * A track is one row; tracks are numbered as trends.list is, and what is not
 * read yet of one stands in `missing`.
 */
#ifndef MODEL_TREND_TRACK_H
#define MODEL_TREND_TRACK_H

#include <stddef.h>
#include <stdint.h>

#include "model/trend.h"

struct report;

struct trend_point {
	double value, var;
	double also; /* objects beside bytes, bytes beside objects */
	double alloc, alloc_var;
	double samples, alloc_samples;
};

struct trend_track {
	uint64_t key;     /* of the row */
	uint32_t missing; /* 1u << i: point i */
	struct trend_point p[TREND_SNAPSHOTS];
};

/* Choose what to look at: ids, t, steps, snapshots, times. */
void trend_choose(struct trends *t, bool timed);

/* Which row each cell is in: row_of. */
void trend_map(struct trends *t);

/* Read what is missing of the tracks from `from` on, each a row of t->at; and
 * if `all` is not NULL what all of the report's stacks hold together. */
void trend_read(struct trends *t, size_t from, struct trend_track *all);

/* What the rows were at the first snapshot and are at the last, of those with
 * a number in `which`, UINT32_MAX: not wanted.  Twice n of them. */
void trend_read_ends(
    const struct trends *t, const uint32_t *which, struct trend_point *ends);

/* A hash of the question, so that what was read for one is not taken for
 * another. */
uint64_t trend_question(const struct report *r);

#endif
