/*
 * The choice of what to export, drawn over the view, and what follows: a name
 * for the file, and a question if there is one of that name.
 */
#ifndef UI_EXPORT_MENU_H
#define UI_EXPORT_MENU_H

#include <stddef.h>

#include "ui/grid.h"
#include "ui/key.h"

struct app;
struct request;

void export_menu_draw(const struct app *a, struct grid *g);
void export_menu_key(struct app *a, struct key k, struct request *r);

/* That format: into `file`, or, where that is "", a name is asked for. */
void export_menu_choose(
    struct app *a, size_t format, const char *file, struct request *r);

/* The file that a->wanted names is there: "X exists. o overwrite ...", in
 * that rectangle. */
void export_menu_draw_exists(
    const struct app *a, struct grid *g, struct rect r);
void export_menu_key_exists(struct app *a, struct key k, struct request *r);

#endif
