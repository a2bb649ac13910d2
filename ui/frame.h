/*
 * The whole screen, and the table of views.
 *
 * Drawing is a function of the state: the same app gives the same cells.
 */
#ifndef UI_FRAME_H
#define UI_FRAME_H

struct app;
struct grid;

/* Draw into a grid of app's size (else nothing but blanks is drawn).  Its
 * `ascii` and `mono` are the terminal's (term_fit). */
void ui_render(const struct app *a, struct grid *g);

#endif
