/*
 * The selected row of the Tree view, for others: as a row of the report, as a
 * stack, in the pane below or beside the list.
 */
#ifndef UI_TREE_NODE_H
#define UI_TREE_NODE_H

#include <stdbool.h>
#include <stdint.h>

#include "ui/grid.h"

struct app;
struct app_seek;
struct place;
struct report_row;
struct tree_row;

/* Rows have moved, or the cursor: derive what is told of the selected one, and
 * the ages of those that are seen, if they are. */
void tree_node_settle(struct app *a);

/* The stack that weighs most of a row, and how far from its leaf it is; false:
 * there is none. */
bool tree_node_stack(const struct app *a, const struct tree_row *row,
    uint32_t *stack, uint32_t *up);
/* Whether the program tells when objects were born. */
bool tree_node_knows_ages(const struct app *a);

/* The hooks of the view. */
const struct report_row *tree_node_selected(const struct app *a);
bool tree_node_where(const struct app *a, struct app_seek *s);
bool tree_node_detail(const struct app *a, struct grid *g);
bool tree_node_source(const struct app *a, struct place *p);

#endif
