/*
 * What the program printed, over the whole screen: scroll back, search,
 * save, and give it the keyboard.
 *
 * Follows the end until one scrolls up.  Lines are counted from the first
 * that ever was, so that what is looked at stays while old lines go.
 */
#ifndef UI_CONSOLE_H
#define UI_CONSOLE_H

#include <stdbool.h>

#include "ui/grid.h"
#include "ui/key.h"
#include "ui/keymap.h"

struct app;
struct app_event;
struct buf;
struct request;

void console_draw(const struct app *a, struct grid *g); /* head and body */
/* "1180-1204 of 1204" */
void console_position(const struct app *a, bool ascii, struct buf *b);
/* In the last row, while keys go to the program; false: they do not. */
bool console_draw_hints(const struct app *a, struct grid *g);

/* Open and close it. */
void console_toggle(struct app *a);
void console_close(struct app *a);
/* False: the action is not ours. */
bool console_act(struct app *a, enum action action);
void console_mouse(struct app *a, struct key k);
/* A key while they go to the program. */
void console_type(struct app *a, struct key k, struct request *r);
/* What was typed in '/'. */
void console_search(struct app *a, const char *text);

/* More of it; another size. */
void console_take(struct app *a, const struct app_event *e);
void console_update(struct app *a);

#endif
