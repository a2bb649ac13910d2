/*
 * How the Tree view looks: columns of figures, the tree, places in code.
 */
#ifndef UI_TREE_DRAW_H
#define UI_TREE_DRAW_H

#include "ui/grid.h"

struct app;
struct tree_row;

#define TREE_NAME_COLS 40 /* names are shortened to that */

void tree_draw(const struct app *a, struct grid *g); /* head and body */

/* The column of a row's fold sign, in the body. */
int tree_draw_sign_x(const struct app *a, int depth);

/* The names of a row's chain, into columns from x on and before `end`. */
void tree_draw_chain(const struct app *a, const struct tree_row *row,
    struct grid *g, int x, int y, int end);
/* The module of a node, "" if it is the program's own or not known. */
const char *tree_draw_library(const struct app *a, uint32_t node);

#endif
