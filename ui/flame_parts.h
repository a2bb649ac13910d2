/*
 * The pieces of the Flame view: what is drawn (flame_draw.c), what is looked
 * for (flame_find.c), which bar is selected (flame_select.c).
 */
#ifndef UI_FLAME_PARTS_H
#define UI_FLAME_PARTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "ui/grid.h"

struct app;
struct buf;
struct flame_bar;
struct flame_view;

/* ---- what is selected ---------------------------------------------------- */

/* The tree or the width is new: lay out, find selection and roots again. */
void flame_lay_out(struct flame_view *f, int width);
/* Select a bar. */
void flame_select(struct flame_view *f, size_t bar);
/* Select a node of the tree; roots it is not below are left. */
void flame_select_node(struct flame_view *f, uint32_t node);
/* The selected bar becomes the root; the root before is it again.  False:
 * there is none.  Lay out afterwards. */
bool flame_zoom_in(struct flame_view *f);
bool flame_zoom_out(struct flame_view *f);
/* Scroll as little as shows the selected bar in `rows`. */
void flame_show_selected(struct flame_view *f, int rows);
/* The bar below that was visited last, or else the widest; false: none. */
bool flame_below(const struct flame_view *f, size_t *bar);
/* The selection may be another: show it, and what it is as a row. */
void flame_moved(struct app *a);
/* Select a node, and make roots of what hides it until it is a bar of its own,
 * which is said.  Laid out then. */
void flame_reveal(struct app *a, uint32_t node);

/* ---- what is looked for ---------------------------------------------------- */

struct flame_hits {
	bool *bars; /* [bar]; NULL: nothing is looked for */
	size_t count;
	size_t nth;   /* the selected one is the nth, from 1; 0: it is none */
	double value; /* in and below them, each once */
};
/* Of what is being typed, or was. */
struct flame_hits flame_hits(const struct app *a);
void flame_hits_fini(struct flame_hits *h);
/* Look for it from now on, and go to the first; "" ends it. */
void flame_find(struct app *a, const char *text);
void flame_find_next(struct app *a, bool forward);
/* "3 bars  24.2 MiB  5.9%", for the prompt. */
void flame_find_effect(const struct app *a, bool ascii, struct buf *b);

/* ---- drawing ---------------------------------------------------------------- */

/* The name of a bar: of its function, or "… 12 more". */
void flame_name(
    const struct flame_view *f, size_t bar, bool ascii, struct buf *b);
void flame_draw(const struct app *a, struct grid *g);
/* What its colour says, and what is said behind its name: "" or " +21.5 MiB";
 * if that takes more than `room` columns a sign of it. */
enum role flame_role(const struct app *a, size_t bar);
void flame_tell(
    const struct app *a, size_t bar, int room, bool ascii, struct buf *b);
bool flame_knows_ages(const struct app *a);

/* Rows for bars, and their columns. */
int flame_rows(const struct app *a);
int flame_columns(const struct app *a);

#endif
