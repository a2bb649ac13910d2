/*
 * Memory: the parts that RSS is, and the largest mappings.
 *
 * One list: parts, a title, mappings.  Parts come from the last look at the
 * mappings (APP_MEMORY), as long as the present is looked at; of another
 * moment, or a file, only from what its totals say.
 */
#ifndef UI_VIEW_MEMORY_H
#define UI_VIEW_MEMORY_H

#include "model/memory.h"
#include "ui/list.h"

struct view;

/* Its part of the state of the screen. */
struct memory_view {
	struct list rows;
	struct memory_seen seen; /* ns 0: there was no look */
};

extern const struct view view_memory;

#endif
