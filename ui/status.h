/*
 * The last row: what keys do here and where we are; or what is being typed,
 * a message, a question.
 */
#ifndef UI_STATUS_H
#define UI_STATUS_H

struct app;
struct grid;

void status_draw(const struct app *a, struct grid *g);

#endif
