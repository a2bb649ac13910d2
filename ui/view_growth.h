/* Growth: what changed between A and B, suspects first. */
#ifndef UI_VIEW_GROWTH_H
#define UI_VIEW_GROWTH_H

#include "ui/list.h"

struct view;

/* Its part of the state of the screen. */
struct growth_view {
	struct list rows;
};

extern const struct view view_growth;

#endif
