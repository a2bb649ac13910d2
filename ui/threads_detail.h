/*
 * The pane of a thread: what it holds and what it did, and its heaviest
 * stacks.  Below the list facts are at the left and stacks at the right; in
 * three rows and fewer both are a line; at the side they stand under one
 * another.
 */
#ifndef UI_THREADS_DETAIL_H
#define UI_THREADS_DETAIL_H

struct app;
struct grid;
struct report_row;
struct thread_facts;

/* With its rule, or the line left of a pane at the side. */
void threads_detail_draw(const struct app *a, const struct report_row *row,
    const struct thread_facts *t, struct grid *g);

#endif
