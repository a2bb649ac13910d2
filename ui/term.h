/*
 * The terminal: keys in, cells out.  The only file that knows curses.
 *
 * One at a time; it speaks with /dev/tty, so standard input and output may
 * be anything.  From term_new to term_free (or term_suspend) the terminal is
 * in raw mode: C-c and C-z are keys.  Signals are the caller's: after SIGWINCH
 * it calls term_resize, before stopping term_suspend, after SIGCONT
 * term_resume.  term_restore puts the terminal right from anywhere but a
 * signal handler; give it to mem_on_death.
 *
 * A loop watches term_fd and, when it can be read, calls term_key with time-
 * out 0 until there is none left: some are held back here.
 */
#ifndef UI_TERM_H
#define UI_TERM_H

#include <stdbool.h>
#include <stddef.h>

#include "ui/grid.h"
#include "ui/key.h"

struct buf;
struct err;
struct terminal;
struct termios;

struct term_options {
	const char *color; /* --color: auto, never, 16, 256; NULL: auto */
	const char *theme; /* --theme: auto, dark, light; NULL: auto */
	bool ascii;        /* --ascii; also where the locale is not UTF-8 */
	bool no_mouse;     /* leave it to the terminal, to select text */
};

/* Could it be taken?  0, or -1 with the sentence of term_new. */
int term_check(const struct term_options *o, struct err *e);
/* Take the terminal.  NULL and a sentence if there is none or it can't place
 * a cursor (TERM unset, unknown, "dumb"). */
struct terminal *term_new(const struct term_options *o, struct err *e);
void term_free(struct terminal *t); /* NULL is fine */

int term_fd(const struct terminal *t);
int term_width(const struct terminal *t);
int term_height(const struct terminal *t);
/* The size it has now, and its ways, for a grid to be drawn for it. */
void term_fit(const struct terminal *t, struct grid *g);

/* What a handler of a fault needs that can call nothing here: bytes for the
 * terminal that leave our screen, and the modes it had before. */
struct term_undo {
	int fd;
	char text[256];
	size_t len;
};
void term_undo(
    const struct terminal *t, struct term_undo *u, struct termios *modes);

/* Ask the terminal for its size again. */
void term_resize(struct terminal *t);
void term_suspend(struct terminal *t);
void term_resume(struct terminal *t);
/* Whoever else wrote on the screen: draw all of it at the next blit. */
void term_redraw(struct terminal *t);
void term_restore(void);

/* The next key; K_NONE if none comes within timeout_ms (0: do not wait,
 * -1: as long as it takes). */
struct key term_key(struct terminal *t, int timeout_ms);
/* The terminal hung up: no more keys will come. */
bool term_gone(const struct terminal *t);

/* Other ways of looking, from now on.  0, or -1 and a sentence: then they are
 * as before. */
int term_change(
    struct terminal *t, const struct term_options *o, struct err *e);

/* Bytes that are no cells: a control sequence (clipboard.h).  0 or -1. */
int term_send(const struct terminal *t, const struct buf *b, struct err *e);

/* Show the grid: only cells that differ from what is there are written. */
void term_blit(struct terminal *t, const struct grid *g);

#endif
