/*
 * What every cell was at every retained snapshot.
 *
 * A snapshot is the state at one commit; its id counts commits from 1 and is
 * never reused.  Per cell there is a log of its changes: (snapshot, new
 * values) as varint differences in blocks, each of which starts with whole
 * values, so any moment is found without reading from the beginning.  Values
 * kept are rounded to whole bytes, objects and standard deviations.
 *
 * Old snapshots are dropped as they age: all of the last minute are kept, one
 * per 10 s for an hour, one per minute after; the first, pinned ones and the
 * newest two always.  When the logs are larger than the budget the older
 * steps double.  Changes at a dropped snapshot move to the next kept one, so
 * what is asked about kept snapshots is never affected.
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

#define HISTORY_BUDGET ((size_t)40 << 20)

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
void history_pin(struct history *h, snap_id id, bool on);

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
/* Rounded as history keeps them, to compare the present with the past. */
struct history_values history_round(const struct cell_values *v);
/* The snapshot of the cell's last change, or 0. */
snap_id history_last(const struct history *h, uint32_t cell);
/* When the cell was first seen, exactly, whatever history has thinned; or 0. */
uint64_t history_first_ns(const struct history *h, uint32_t cell);

size_t history_bytes(const struct history *h); /* memory in use */

#endif
