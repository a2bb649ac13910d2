/*
 * Threads: who allocated what lives.
 *
 * All threads are shown, also while every view is filtered by one of them:
 * this is where one chooses it.
 */
#ifndef UI_VIEW_THREADS_H
#define UI_VIEW_THREADS_H

#include "ui/list.h"

struct thread_facts;
struct view;

/* Its part of the state of the screen. */
struct threads_view {
	struct list rows;
	struct thread_facts *facts; /* [row of the report]; NULL: none */
};

extern const struct view view_threads;

#endif
