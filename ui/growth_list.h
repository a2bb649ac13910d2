/*
 * Which rows Growth lists, in which order, and what the others are.
 */
#ifndef UI_GROWTH_LIST_H
#define UI_GROWTH_LIST_H

struct growth_view;

/* Of v->report and v->trends: listed, count, suspects, small, smaller, same
 * and max, which are all 0 before. */
void growth_list(struct growth_view *v);

#endif
