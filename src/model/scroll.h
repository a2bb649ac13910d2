/*
 * What a program printed, as lines of text: bytes go in, lines come out.
 *
 * A terminal made very simple: there is only the line at the end, which the
 * program can still change (CR, BS, TAB, the escapes that move or erase in a
 * line), and those above it, which stay.  All other escapes are swallowed,
 * also across the borders of chunks; a new screen just goes on below.  Lines
 * are well-formed UTF-8 without control characters: what is no UTF-8 becomes
 * U+FFFD, other control bytes '?'.  A line of more than SCROLL_COLS columns
 * goes on in the next.
 *
 * Bounded: the oldest lines go when there are more than SCROLL_LINES or
 * SCROLL_BYTES; they are counted.  A byte takes at most the time of copying
 * one such line, most take far less.
 *
 * Zeros are an empty one; its owner calls scroll_fini.
 */
#ifndef MODEL_SCROLL_H
#define MODEL_SCROLL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define SCROLL_LINES 100000
#define SCROLL_BYTES (8u << 20)
#define SCROLL_COLS  2048

struct buf;
struct scroll_cell;

enum scroll_state {
	SCROLL_TEXT,
	SCROLL_ESC,     /* after ESC */
	SCROLL_CHARSET, /* after ESC and an intermediate byte */
	SCROLL_CSI,
	SCROLL_STRING,     /* OSC, DCS, ... until ST, BEL or a newline */
	SCROLL_STRING_ESC, /* ESC within it */
};

struct scroll {
	/* Lines that are done: a ring from `first` on. */
	char **lines;
	size_t first, count, cap;
	size_t bytes; /* in them, with what they cost */
	size_t gone;  /* lines that went */
	bool lost;    /* there was a gap */

	/* The line at the end. */
	struct scroll_cell *cells; /* one a column */
	int used, at;              /* columns written; where the next goes */
	bool beyond;               /* ASCII: written to it since it began */
	char *last;                /* as text, made by scroll_put */

	enum scroll_state state;
	unsigned params[4], param; /* of a CSI sequence */
	bool odd;                  /* it has a private mark */
	char part[4];              /* of a UTF-8 character */
	unsigned part_len;
};

void scroll_fini(struct scroll *s); /* empty again, usable */

void scroll_put(struct scroll *s, const char *data, size_t len);
/* Something is missing here: what follows begins a line, and it says so in
 * a line of its own (scroll_is_gap). */
void scroll_gap(struct scroll *s);

/* Lines there are, the one at the end too if anything was written to it. */
size_t scroll_count(const struct scroll *s);
/* Line `i` from 0; "" behind the last.  Until the next put. */
const char *scroll_line(const struct scroll *s, size_t i);
bool scroll_is_gap(const struct scroll *s, size_t i);

/* All lines, each with a newline. */
void scroll_text(const struct scroll *s, struct buf *b);

#endif
