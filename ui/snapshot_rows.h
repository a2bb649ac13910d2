/*
 * Which of very many snapshots stand in the list of View 5, newest first.
 *
 * The newest ones do, as many as leave room for the rest, and those that say
 * something: the peak, the largest drop, the first, where samples were lost,
 * the rate of sampling changed or sampling was switched; and those asked for.
 * What lies between is one row, a gap, unless that is unfolded or a single
 * snapshot.  Pure; work is proportional to the number of snapshots.
 */
#ifndef UI_SNAPSHOT_ROWS_H
#define UI_SNAPSHOT_ROWS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct app_point;

enum snapshot_why {
	SNAPSHOT_PEAK = 1,
	SNAPSHOT_DROP = 2,  /* the largest, if it is worth a word */
	SNAPSHOT_FIRST = 4, /* of all */
	SNAPSHOT_LOST = 8,  /* samples, since the one before */
	SNAPSHOT_RATE = 16, /* of sampling is another one */
	SNAPSHOT_OFF = 32,  /* sampling was switched off, on */
	SNAPSHOT_ON = 64,
	SNAPSHOT_KEPT = 128, /* asked for */
};

struct snapshot_row {
	size_t point;  /* index; of a gap the newest in it */
	size_t hidden; /* how many snapshots a gap stands for; 0: no gap */
	unsigned why;
};

/* Moments that are unfolded, both ends with them. */
struct snapshot_span {
	uint64_t from_ns, to_ns;
};

#define SNAPSHOT_KEEP 4
struct snapshot_ask {
	const struct app_point *points; /* oldest first */
	size_t count;
	uint64_t keep_ns[SNAPSHOT_KEEP]; /* moments asked for; 0: none */
	const struct snapshot_span *open;
	size_t open_count;
	size_t height; /* rows there is room for */
};

/* Rows are put into *rows, which grows. */
size_t snapshot_rows(
    const struct snapshot_ask *q, struct snapshot_row **rows, size_t *cap);

/* Samples lost since the snapshot before (of the first one: so far), and for
 * which reason most of them, an enum profile_loss. */
uint64_t snapshot_lost(
    const struct app_point *points, size_t i, unsigned *reason);

#endif
