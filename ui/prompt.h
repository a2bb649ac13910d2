/*
 * A line being typed: text, cursor, and what was typed before.
 *
 * Keys as in shells: Left Right Home End, C-a C-e, Backspace Delete, C-w and
 * M-Backspace kill a word, C-u to the beginning, C-k to the end, C-y puts
 * the last killed text back, Up and Down go through the history.  The text
 * is well-formed UTF-8 at all times and never longer than PROMPT_MAX bytes;
 * what would be longer is not taken.
 */
#ifndef UI_PROMPT_H
#define UI_PROMPT_H

#include <stdbool.h>
#include <stddef.h>

#include "ui/grid.h"
#include "ui/key.h"

#define PROMPT_MAX     255
#define PROMPT_HISTORY 16

struct prompt {
	char text[PROMPT_MAX + 1];
	size_t at; /* byte of the cursor, at the beginning of a character */
	char killed[PROMPT_MAX + 1];
	char history[PROMPT_HISTORY][PROMPT_MAX + 1]; /* newest first */
	int count;                                    /* of the history */
	int recall; /* 0: the line itself; n: the n-th of the history */
	char line[PROMPT_MAX + 1]; /* the line itself, meanwhile */
};

enum prompt_result {
	PROMPT_IGNORED, /* not a key for a prompt */
	PROMPT_MOVED,   /* only the cursor, or nothing */
	PROMPT_CHANGED, /* the text */
	PROMPT_DONE,    /* Enter: the text is in the history now */
	PROMPT_CANCEL,  /* Esc or C-c */
};

/* All zeros is an empty prompt too. */
void prompt_set(struct prompt *p, const char *text); /* cursor at its end */
enum prompt_result prompt_key(struct prompt *p, struct key k);

/* Draw the text into `cols` columns from (x, y), the cursor's place in view,
 * and park the cursor there. */
void prompt_draw(
    const struct prompt *p, struct grid *g, int x, int y, int cols);

#endif
