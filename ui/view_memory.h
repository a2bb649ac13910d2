/* Memory: the parts that RSS is. */
#ifndef UI_VIEW_MEMORY_H
#define UI_VIEW_MEMORY_H

#include "ui/list.h"

struct view;

/* Its part of the state of the screen. */
struct memory_view {
	struct list rows;
};

extern const struct view view_memory;

#endif
