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
 *	until 8:02        let them come up to this time since the start
 *	screen            write the screen
 *	roles             write the letters of its cells
 *	every             write both at each of script_sizes
 *
 * What the program and the session say in a live one:
 *
 *	now 12:41         the clock, without a snapshot
 *	target KEY VALUE  a field of struct app_target: name command exe
 *	                  launched output_file names_hint (text); pid threads
 *	                  rss interval_ms lg_sample shown processes (numbers);
 *	                  active ours running untimed recording has_terminal
 *	                  takes_input (0, 1)
 *	sentence TEXT     of the next status: what happened
 *	printed TEXT      likewise: its last line
 *	reading 312 1000  likewise: files of a series
 *	status waiting, status live, status late 6,
 *	status ended 12:41 exited 0, status killed 12:41 SIGSEGV,
 *	status file NAME  the state of the connection
 *	message TEXT, trouble TEXT
 *	                  what became of a request; trouble is bad news
 *	exists FILE       or this: there is a file of that name
 *	output FILE       the program prints what is in a file
 *	memory FILE       a look at its mappings, from a file
 *	source DIRECTORY  where source files are found; "": nowhere
 *	names WHICH       who has a name; like FILE, it is the player's
 *	like NAME         and this: what the screens are compared with
 *
 * A time is 8:02, 1:02:03 or 12:41.4.  Texts go to the end of the line.  What is written is collected in `out`
 * and, from `every`, in `letters`; each screen is followed by a line of '='
 * of its width.  The script borrows its text.
 */
#ifndef UI_SCRIPT_H
#define UI_SCRIPT_H

#include <stdbool.h>
#include <stdint.h>

#include "base/buf.h"
#include "ui/app.h"
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
	struct buf out, letters;
	char *text; /* owned, if it was read from a file */

	/* What the step is about. */
	uint64_t ns;          /* UNTIL, NOW: since the start */
	char value[APP_TEXT]; /* MESSAGE, OUTPUT, MEMORY, SOURCE, NAMES, LIKE */
	bool bad;             /* MESSAGE */
	/* Of all lines so far.  Of a status that tells a moment `ns` is the
	 * time since the start. */
	struct app_status status;
	struct app_target target;
};

struct script_size {
	int width, height;
};

#define SCRIPT_SIZES 5
extern const struct script_size script_sizes[SCRIPT_SIZES];

enum script_step {
	SCRIPT_END,
	SCRIPT_KEY,    /* handle `key` */
	SCRIPT_RESIZE, /* size or ways changed: script_fit, and lay out */
	SCRIPT_WAIT,   /* let `count` snapshots come */
	SCRIPT_UNTIL,  /* let them come until `ns` */
	SCRIPT_NOW,
	SCRIPT_SCREEN, /* draw, then script_show */
	SCRIPT_ROLES,  /* draw, then script_show_roles */
	SCRIPT_EVERY,  /* at each size: draw, then script_show_both */
	SCRIPT_TARGET,
	SCRIPT_STATUS,
	SCRIPT_MESSAGE,
	SCRIPT_EXISTS,
	SCRIPT_OUTPUT,
	SCRIPT_MEMORY,
	SCRIPT_SOURCE,
	SCRIPT_NAMES,
	SCRIPT_LIKE,
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
void script_show_both(struct script *s, const struct grid *g);

#endif
