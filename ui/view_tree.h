/* Tree: where in the program. */
#ifndef UI_VIEW_TREE_H
#define UI_VIEW_TREE_H

#include "ui/list.h"

struct view;

/* Its part of the state of the screen. */
struct tree_view {
	struct list rows;
};

extern const struct view view_tree;

#endif
