/* Snapshots: the time axis. */
#ifndef UI_VIEW_SNAPSHOTS_H
#define UI_VIEW_SNAPSHOTS_H

#include "ui/list.h"

struct view;

/* Its part of the state of the screen. */
struct snapshots_view {
	struct list rows;
};

extern const struct view view_snapshots;

#endif
