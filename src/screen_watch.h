/*
 * Running processes on the screen: which of a session's targets is shown,
 * what is told of it, and what the screen asks of it.
 *
 * One target is shown at a time: the one that the user has chosen, else the
 * one whose heap is largest; another takes its place only when it is more
 * than twice as large, or when the one shown has ended and it is at least
 * half as large.  An exec goes on with the new image.
 */
#ifndef SCREEN_WATCH_H
#define SCREEN_WATCH_H

#include <stdbool.h>
#include <stdint.h>

#include "io/loop.h"
#include "screen.h"
#include "session.h"

struct keeper;
struct record;
struct target;

struct watch {
	struct session *s;
	struct screen screen;
	struct keeper *keeper;  /* of a program that we started, or NULL */
	unsigned pty;           /* which of 0, 1, 2 are its terminal, as bits */
	bool launched;          /* the program is ours */
	const char *name;       /* of the program or process, before hello */
	char command[APP_TEXT]; /* with its arguments, as it was started */
	char waiting[256];      /* why there is nothing yet; "" normally */
	bool ended;             /* the program (session's root) */
	int status;             /* then: of waitpid; -1: nobody knows */
	uint64_t ended_ns;
	uint64_t started_ns;

	struct target *shown;
	bool chosen;          /* by the user */
	uint64_t look_due_ns; /* not before are mappings looked at again */
	bool look_asked;      /* a snapshot to look at is on its way */
	uint64_t interval_ns;
	loop_timer tick, second, eager;
	loop_timer names_due; /* names have come and are not shown yet */
	uint64_t names_ns;    /* when they were last */
	struct record *record;
	char record_name[APP_TEXT];
	struct target *recorded;

	/* What the user wants, also of images that are still to come. */
	bool rate_wanted, active_wanted;
	uint32_t lg_sample;
	bool active;

	/* Called when a target's image is gone for good; may be NULL. */
	void (*gone)(void *arg, struct target *t);
	void *gone_arg;

	bool done;  /* leave the screen */
	int quit;   /* because of this signal, or 0 */
	int ending; /* how often it was told to end */
	loop_timer end_wait;
};

/* Opens the screen; before the loop runs.  0 or -1. */
int watch_open(struct watch *w, struct session *s, struct err *e);
/* Runs the loop until the user leaves. */
void watch_run(struct watch *w);
/* Ends a recording and closes the screen; the session stays. */
void watch_close(struct watch *w);

/* The program has ended; a wait status. */
void watch_ended(struct watch *w, int status);
/* The process has ended, and nobody knows how. */
void watch_gone(struct watch *w);
/* Show the next process; the user's choice stands from then on. */
void watch_next(struct watch *w);
/* How many processes can be shown, and which one is (from 1, 0: none). */
unsigned watch_count(const struct watch *w, unsigned *shown);
void watch_every(struct watch *w, uint64_t interval_ns);
/* Tell the app who is shown and how it fares. */
void watch_tell(struct watch *w);
/* Why there is nothing to see yet: a sentence, "" for none. */
void watch_waiting(struct watch *w, const char *sentence);
/* Lives what is shown still? */
bool watch_lives(const struct watch *w);

#endif
