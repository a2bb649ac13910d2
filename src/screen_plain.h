/*
 * The screen without a screen: for who listens to it, or has a terminal that
 * can't place a cursor.
 *
 * The same state of the app, asked and answered in lines.  A command a line
 * comes in, from the terminal; sentences go out, on standard output, and only
 * when asked, or when something has happened that one would want to be told:
 * the program ended, does not answer, answers again.  No figure is in a
 * column, nothing is drawn, the name comes first in a row.
 *
 * Commands are those of ui/command.h and a few of its own (plain_help).
 * Where the screen would ask a question the next line is the answer.
 */
#ifndef SCREEN_PLAIN_H
#define SCREEN_PLAIN_H

#include <stdbool.h>
#include <stddef.h>

struct err;
struct screen;

/* The size of the screen that the app thinks it has. */
#define PLAIN_COLS 160
#define PLAIN_ROWS 60

int plain_open(struct screen *s, struct err *e);
void plain_close(struct screen *s); /* nothing if it is not open */
/* Read lines, or leave them to another program. */
void plain_listen(struct screen *s, bool on);
/* Its terminal, for a program that takes it. */
int plain_terminal(const struct screen *s);
/* The app has changed: tell what must be told. */
void plain_update(struct screen *s);

#endif
