/*
 * What every cell was at every retained snapshot.
 *
 * A snapshot is the state at one commit; its id counts commits from 1 and is
 * never reused.  Cells are kept in logs of their changes (history_log.h),
 * some hundred neighbours to a log, so that one cell is found fast, and all
 * cells at one moment are, too.  Values kept are rounded to whole bytes,
 * objects and standard deviations.
 *
 * Old snapshots are dropped as they age: all of the last minute are kept, one
 * per 10 s for an hour, one per minute after; the first, that of the peak,
 * pinned ones and the newest two always.  When the logs are larger than the
 * budget the steps double: the old ones first, those of the last hour when the
 * old ones are eight times as long, those of the last minute at last.  Changes at a
 * dropped snapshot move to the next kept one, so what is asked about kept
 * snapshots is never affected.
 *
 * What was asked last is kept unpacked, behind the const of the functions
 * that ask: so one history is for one thread at a time.
 */
#ifndef MODEL_HISTORY_H
#define MODEL_HISTORY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "model/profile.h"

struct history;

typedef uint32_t snap_id; /* from 1; 0 is none */

struct snapshot {
	snap_id id;
	bool pinned;
	uint32_t stacks; /* that hold something */
	/* Sums over the cells, estimates. */
	double live_bytes, live_objects, alloc_bytes, alloc_objects;
	struct profile_totals totals;
};

/* One cell at one snapshot; whole numbers. */
struct history_values {
	int64_t live_bytes, live_objects;
	int64_t alloc_bytes, alloc_objects;
	int64_t live_samples, alloc_samples;
	int64_t live_sd_bytes, live_sd_objects; /* standard deviations */
	int64_t alloc_sd_bytes, alloc_sd_objects;
};

/* Its fields by number, in the same order. */
enum history_field {
	HISTORY_LIVE_BYTES,
	HISTORY_LIVE_OBJECTS,
	HISTORY_ALLOC_BYTES,
	HISTORY_ALLOC_OBJECTS,
	HISTORY_LIVE_SAMPLES,
	HISTORY_ALLOC_SAMPLES,
	HISTORY_LIVE_SD_BYTES,
	HISTORY_LIVE_SD_OBJECTS,
	HISTORY_ALLOC_SD_BYTES,
	HISTORY_ALLOC_SD_OBJECTS,
	HISTORY_FIELDS
};

/* What the logs may take, unless it is set: grows with the cells, as few
 * moments of very many would be of no use, up to a limit. */
#define HISTORY_BUDGET      ((size_t)16 << 20)
#define HISTORY_BUDGET_CELL ((size_t)1280)
#define HISTORY_BUDGET_MAX  ((size_t)140 << 20)

struct history *history_new(void);
void history_free(struct history *h);
void history_set_budget(struct history *h, size_t bytes);

/* Used by the profile: the cell's values as of the snapshot being made
 * (cells are dense from 0, each at most once), then the snapshot itself;
 * of `sums` only the sums are taken. */
void history_put(struct history *h, uint32_t cell, uint64_t now_ns,
    const struct cell_values *v);
void history_commit(struct history *h, const struct profile_totals *t,
    const struct snapshot *sums);
/* The newest snapshot, of which no cell was put, is to be made again. */
void history_reopen(struct history *h);
/* Other totals for the newest snapshot; its time must stay. */
void history_set_totals(struct history *h, const struct profile_totals *t);
void history_pin(struct history *h, snap_id id, bool on);
/* Whether the logs are larger than the budget, as they may be where all is
 * pinned; then every second snapshot can be dropped, pinned or not: all but
 * the first, that of the peak and the newest.  Costs a look at all. */
bool history_crowded(const struct history *h);
void history_halve(struct history *h);

/* Retained snapshots, oldest first, by position.  Borrowed until the next
 * commit. */
size_t history_count(const struct history *h);
const struct snapshot *history_at(const struct history *h, size_t i);
/* The position of the newest retained snapshot that is not newer than `id`;
 * history_count() if there is none. */
size_t history_index(const struct history *h, snap_id id);
/* Newest retained one taken at or before a time (CLOCK_MONOTONIC), or 0. */
snap_id history_id_at(const struct history *h, uint64_t now_ns);

/* What a cell was at a snapshot; all zeros before it was first seen. */
struct history_values history_cell(
    const struct history *h, uint32_t cell, snap_id id);
/* Some fields of all cells at a retained snapshot: field[f][cell], for the f
 * whose bit 1u << f was set in the mask; cells from `count` on were not there
 * yet and are all zeros.  Borrowed until HISTORY_COLUMNS other snapshots have
 * been asked for. */
#define HISTORY_COLUMNS 4
struct history_columns {
	const int64_t *field[HISTORY_FIELDS];
	size_t count;
};
struct history_columns history_columns(
    const struct history *h, snap_id id, unsigned mask);
/* A number as history keeps it; what is none, or far too large, is cut. */
static inline int64_t
history_whole(double v)
{
	if (!(v > -9e18 && v < 9e18))
		return v > 0 ? INT64_MAX / 2 : v < 0 ? -INT64_MAX / 2 : 0;
	return (int64_t)(v < 0 ? v - 0.5 : v + 0.5);
}
/* Rounded as history keeps them, to compare the present with the past. */
struct history_values history_round(const struct cell_values *v);
/* The snapshot of the cell's last change, whether it is kept or not; or 0. */
snap_id history_last(const struct history *h, uint32_t cell);
/* When the cell was first seen, exactly, whatever history has thinned; or 0. */
uint64_t history_first_ns(const struct history *h, uint32_t cell);

size_t history_bytes(const struct history *h); /* memory in use */

#endif
