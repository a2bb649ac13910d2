/*
 * Plays scripts (ui/script.h) on a recording, as the session plays keys on a
 * program: dumps are decoded as they come, reports built when the screen
 * wants one, snapshots pinned that it needs, source files read for it.
 *
 * Names come from a file beside the recording, a place a line: path of the
 * module, offset, function, file and line, with tabs between; a place with
 * an empty function, or that is not in it, has no name.  The step "names"
 * of a script says which are known: "all" (as at first), "libraries" (none
 * of the program itself), or the percentage that has come.
 *
 * A file or directory that a script names "DATA..." is below the directory
 * given to player_open.  Failures are those of the test that plays.
 */
#ifndef PLAYER_H
#define PLAYER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "ui/app.h"
#include "ui/script.h"

struct dumpread;
struct profile;
struct report;

struct player_name {
	char *module, *function, *file; /* into the file's text */
	uint64_t offset;
	uint32_t line;
};

/* A recording and its names, read once for many scripts. */
struct player_run {
	unsigned char *data; /* the stream */
	size_t len;
	struct player_name *names;
	size_t name_count;
	char *text; /* of the names */
};

struct player {
	const struct player_run *run;
	size_t at; /* bytes of the stream that were played */
	struct profile *profile;
	struct dumpread *reader;
	struct report *report;
	struct app app;
	struct script script;
	struct buf out, letters; /* what the scripts wrote so far */
	const char *data;        /* directory */
	uint64_t now_ns;
	uint32_t pins[3];
	char sources[APP_TEXT]; /* directory; "": none */
	char names[APP_TEXT];   /* which are known */
	char like[APP_TEXT];    /* what the script said */
};

void player_run_open(
    struct player_run *run, const char *recording, const char *names);
void player_run_close(struct player_run *run);

/* Before the first snapshot; `run` and `data` are borrowed. */
void player_open(struct player *p, const struct player_run *run,
    const char *data, bool ascii);
/* Play a script to its end; a second one goes on where the first ended. */
void player_play(struct player *p, const char *script);
void player_close(struct player *p);

#endif
