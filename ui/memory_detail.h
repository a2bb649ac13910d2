/*
 * The pane of Memory: the process's address space as a whole, and in some
 * sentences what the selected part or mapping is.  Below the list facts are
 * at the left; at the side RSS over the run stands under both.
 */
#ifndef UI_MEMORY_DETAIL_H
#define UI_MEMORY_DETAIL_H

struct app;
struct grid;
struct memory_rows;

void memory_detail_draw(
    const struct app *a, const struct memory_rows *m, struct grid *g);

#endif
