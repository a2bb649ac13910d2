/* Threads: who allocated what lives. */
#ifndef UI_VIEW_THREADS_H
#define UI_VIEW_THREADS_H

#include "ui/list.h"

struct view;

/* Its part of the state of the screen. */
struct threads_view {
	struct list rows;
};

extern const struct view view_threads;

#endif
