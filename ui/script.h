/*
 * The other terminal: keys from a text, screens to a text.
 *
 * For tests and for the pictures of the manual.  A script has a command a
 * line; '#' begins a comment, empty lines are nothing:
 *
 *	size 80x24        the screen's size from here on (at first 80x24)
 *	ascii, unicode    which glyphs
 *	mono, colour      whether colours will show
 *	key j C-l Enter   keys, by name (key.h); "key Click 3,4" is one
 *	type some text    a key for each character
 *	wait 3            let three snapshots come
 *	screen            write the screen
 *	roles             write the letters of its cells
 *
 * What is written is collected in `out`; each screen is followed by a line
 * of '=' of its width.  The script borrows its text.
 */
#ifndef UI_SCRIPT_H
#define UI_SCRIPT_H

#include "base/buf.h"
#include "ui/grid.h"
#include "ui/key.h"

struct err;

struct script {
	const char *name; /* for sentences: the file's name */
	const char *at;   /* what is left */
	const char *args; /* what is left of the line, or NULL */
	bool typing;      /* args are text, not names */
	int line;         /* from 1 */
	int width, height;
	bool ascii, mono;
	struct buf out;
	char *text; /* owned, if it was read from a file */
};

enum script_step {
	SCRIPT_END,
	SCRIPT_KEY,    /* handle `key` */
	SCRIPT_RESIZE, /* size or ways changed: script_fit, and lay out */
	SCRIPT_WAIT,   /* let `count` snapshots come */
	SCRIPT_SCREEN, /* draw, then script_show */
	SCRIPT_ROLES,  /* draw, then script_show_roles */
};

void script_init(struct script *s, const char *name, const char *text);
int script_open(struct script *s, const char *path, struct err *e);
void script_fini(struct script *s);

/* The next step, or -1 with a sentence that names file and line. */
int script_next(struct script *s, struct key *key, int *count, struct err *e);

/* As term_fit does. */
void script_fit(const struct script *s, struct grid *g);
void script_show(struct script *s, const struct grid *g);
void script_show_roles(struct script *s, const struct grid *g);

#endif
