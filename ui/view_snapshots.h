/*
 * View 5: the time axis.
 *
 * A row is a snapshot, the newest first; of many only those that say
 * something stand there (snapshot_rows.h), and a gap for those between, which
 * unfolds.  Enter looks at a snapshot, a and b mark it.  The selection goes
 * with the moment that is looked at, wherever that is changed, and is else a
 * moment, not a row.  Below is what changed over the compared interval.
 */
#ifndef UI_VIEW_SNAPSHOTS_H
#define UI_VIEW_SNAPSHOTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "model/stacks.h"
#include "ui/list.h"

struct snapshot_row;
struct snapshot_span;
struct view;

/* Stacks of a report by what became of them: grown and shrunk beyond their
 * error, and the others. */
struct snapshots_change {
	bool known;
	size_t grew, shrank, others;
	double growth, shrinkage, rest; /* in the report's metric */
};

/* Its part of the state of the screen. */
struct snapshots_view {
	struct list rows; /* keys are moments, see view_snapshots.c */
	struct snapshot_row *list;
	size_t count, cap;
	struct snapshot_span *open; /* gaps that were unfolded */
	size_t open_count, open_cap;
	uint64_t seen_ns; /* looked at when the rows were made; 0: the newest */
	/* What was selected in the view before: the next one goes there. */
	bool from;
	stack_id from_stack;
	uint32_t from_up;
	struct snapshots_change change;
};

extern const struct view view_snapshots;

#endif
