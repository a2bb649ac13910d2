/*
 * A box over the screen: a frame with a title, lines in it, or choices.
 *
 * Pure drawing into the middle of the grid; what does not fit is cut, and of
 * lines it is told how many follow.  Keys
 * of choices are the caller's to handle: popup_choice says which one a key
 * means.
 */
#ifndef UI_POPUP_H
#define UI_POPUP_H

#include "ui/grid.h"
#include "ui/key.h"

struct popup_line {
	const char *key;  /* drawn as a key; NULL: the text begins here */
	const char *text; /* NULL: an empty line */
};

struct popup {
	const char *title;
	const struct popup_line *lines;
	int count;
	int selected; /* this line is marked; -1: none */
	int first;    /* first line shown, when there are too many */
	int width;    /* of the box with its frame; 0: as wide as needed */
};

/* Draw an empty box in the middle; returns the inside. */
struct rect popup_box(struct grid *g, int w, int h, const char *title);
void popup_draw(const struct popup *p, struct grid *g);
/* How many of `count` lines are shown at once on this grid. */
int popup_page(const struct grid *g, int count);
/* The line whose key this is, or -1. */
int popup_choice(const struct popup *p, struct key k);

#endif
