/*
 * View 1: who holds memory now, a row for each stack, function, line...
 *
 * Rows are the report's; what does not fit and what a filter leaves out are
 * rows too, so the figures add up.
 */
#ifndef UI_VIEW_TOP_H
#define UI_VIEW_TOP_H

#include "ui/view.h"

extern const struct view view_top;

#endif
