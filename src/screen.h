/*
 * The live screen: a terminal, the state of the app, and the profile that is
 * looked at, put together.
 *
 * Owned by whoever knows where the profile comes from (screen_watch.c: a
 * session; screen_files.c: saved dumps), who tells it what has changed and
 * does what only it can do.  The screen draws by itself, at most once in
 * 50 ms and only if something has changed, and does the rest of what is asked
 * for: exporting, printing, suspending.
 *
 * While it is open sentences of say() are shown on it, and printed on stderr
 * after its end.  SIGWINCH, SIGTSTP, SIGCONT, SIGINT, SIGTERM, SIGHUP and
 * SIGQUIT of the loop are its own; a fault of heaptop's leaves the terminal
 * as it was.
 */
#ifndef SCREEN_H
#define SCREEN_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/ioctl.h>

#include "base/buf.h"
#include "io/editor.h"
#include "io/loop.h"
#include "ui/app.h"
#include "ui/grid.h"
#include "ui/term.h"

struct err;
struct options;
struct plain;
struct profile;
struct report;

struct screen_owner {
	/* A request that is not the screen's own: quit, terminate, pull,
	 * interval, rate, active, record, type, process. */
	void (*request)(void *arg, const struct request *r);
	/* The terminal is gone, or a signal says to leave. */
	void (*leave)(void *arg, int sig);
	/* The terminal has another size; may be NULL. */
	void (*resized)(void *arg, const struct winsize *size);
	/* A snapshot is half put into the profile; NULL: never. */
	bool (*busy)(void *arg);
	/* The app's state may have changed, before it is drawn; NULL: no
	 * need to know. */
	void (*updated)(void *arg);
};

struct screen {
	const struct options *o;
	struct loop *loop;
	const struct screen_owner *owner;
	void *arg;
	struct terminal *term; /* NULL: lines instead, by `plain` */
	struct plain *plain;
	struct term_options look;
	bool away;            /* another program has the terminal */
	struct editor editor; /* that one */
	loop_timer editor_timer;
	struct app app;
	struct grid grid;
	struct profile *profile; /* shown, or NULL */
	const struct profile *list[1];
	struct report *report;
	bool report_halfway; /* it was built while a snapshot came in */
	snap_id pins[3];
	loop_timer frame;
	loop_timer ahead; /* work that a later key may want */
	uint64_t drawn_ns;
	bool updating;   /* owner->updated runs */
	bool fresh;      /* nothing was drawn yet */
	bool keyed;      /* a key is to be answered */
	struct buf said; /* sentences, for stderr after the end */
	struct buf kept; /* stacks to print after the end */
};

/* Whether the live modes have a screen: no report, -b, -n or -o, stdout is a
 * terminal and /dev/tty opens. */
bool screen_wanted(const struct options *o);
/* Whether screen_open will find a terminal it can use.  0 or -1. */
int screen_check(const struct options *o, struct err *e);

int screen_open(struct screen *s, const struct options *o, struct loop *l,
    const struct screen_owner *owner, void *arg, struct err *e);
/* Gives the terminal back and prints what was kept for then. */
void screen_close(struct screen *s);

/* Show this profile from now on; the one before may be freed afterwards.
 * Drawn with the next event: who it is should come first. */
void screen_show(struct screen *s, struct profile *p);
/* More was read of the same series, into this profile, of which nothing was
 * shown yet; the one before may be freed afterwards.  Marks and what is looked
 * at stay at their moments.  Drawn with the next event. */
void screen_more(struct screen *s, struct profile *p);
/* A snapshot was committed. */
void screen_changed(struct screen *s);
/* Names have come. */
void screen_named(struct screen *s);
/* Any other event of the app. */
void screen_send(struct screen *s, const struct app_event *e);
/* What became of a request. */
void screen_say(struct screen *s, bool bad, const char *fmt, ...)
    __attribute__((format(printf, 3, 4)));

bool screen_is_open(const struct screen *s);

/* ---- for screen_serve.c and screen_plain.c ------------------------------ */

/* Do what a key or a line asked for. */
void screen_do(struct screen *s, const struct request *r);
/* Give the terminal to another program; nothing is read or written until it
 * is taken back. */
void screen_leave_terminal(struct screen *s);
void screen_take_terminal(struct screen *s);

/* The report as the screen has it now, or NULL. */
const struct report *screen_report(struct screen *s);

#endif
