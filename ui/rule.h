/*
 * A hairline with words on it: where a region begins.
 */
#ifndef UI_RULE_H
#define UI_RULE_H

#include "ui/grid.h"

/* Over row r.y: "─ title  more ───── right ──".  NULL or "" leaves a part
 * out; the right part gives way to the title. */
void rule_draw(struct grid *g, struct rect r, const char *title,
    const char *more, const char *right);

#endif
