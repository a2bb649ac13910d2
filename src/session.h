/*
 * The one place where everything meets: the loop, the targets with a profile
 * each, names, and the calls of helper threads.
 *
 * A round asks every target for its newest snapshot and ends when all have
 * answered or their patience is over.  What a round is for (a block of text,
 * a report) is the business of whoever started it: run.c for a launched
 * program, attach.c for a running one.
 */
#ifndef SESSION_H
#define SESSION_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "base/err.h"
#include "batch.h"
#include "io/loop.h"
#include "io/rundir.h"
#include "output.h"

struct channel;
struct listener;
struct options;
struct symbols;
struct target;

struct session {
	const struct options *o;
	struct sigstate signals; /* as heaptop was started */
	struct loop *loop;
	struct rundir dir;
	struct listener *listener; /* NULL unless launching */
	struct symbols *symbols;
	struct target *targets; /* oldest first */
	struct output out;
	struct batch batch;
	pid_t root;    /* the process launched or attached to; 0: none yet */
	struct err refused; /* why who was called last did not say hello */
	int quit;      /* a signal told us to leave, or 0 */
	bool round;    /* a round is under way */
	bool starting; /* and is just being started */
	loop_timer patience;
	struct channel **callers; /* connected, no hello yet */
	size_t caller_count, caller_cap;
	/* Called when a round has ended. */
	void (*round_done)(struct session *s);
	/* Called when the connection of a target is gone for good. */
	void (*target_gone)(struct session *s, struct target *t);
	/* Called when a snapshot of a target is in its profile. */
	void (*snapshot)(struct session *s, struct target *t);
	/* Called when names have come. */
	void (*names)(struct session *s);
	/* Called with the answer to session_ctl: `error` 0 and the value, or
	 * errno and a sentence. */
	void (*answered)(
	    struct session *s, struct target *t, int error, const char *text);
	void *user;          /* of those */
	uint32_t base; /* the snapshot that a report's is compared with, or 0 */
	struct target *kept; /* somebody looks at it: never forgotten */
};

/* Opens the output, the runtime directory and the loop.  0 or -1. */
int session_open(struct session *s, const struct options *o,
    const struct sigstate *signals, int output_fd, struct err *e);
void session_close(struct session *s);

/* Listen for the helpers of launched programs. */
int session_listen(struct session *s, struct err *e);
/* Connect to a preloaded process; see channel_attach. */
int session_attach(struct session *s, pid_t pid, bool *again, struct err *e);

/* Ask all targets; round_done follows, perhaps from within. */
void session_round(struct session *s);
/* Ask those that have answered last time; `snapshot` follows for each. */
void session_pull(struct session *s);
/* Read (value NULL) or write a named value of a target; `answered` follows.
 * -1 with a sentence if it can't be asked, or not now. */
int session_ctl(struct session *s, struct target *t, const char *name,
    const char *value, struct err *e);
/* Run the loop until what is on its way has come, at most `limit_ns`:
 * connections, hellos, answers, ends.  Starts a round first. */
void session_settle(struct session *s, uint64_t limit_ns);

/* Wait at most `timeout_ms` (< 0: bounded by the symbol process alone) for
 * the names of everything seen. */
void session_names(struct session *s, int timeout_ms);

/* The newest image of a pid, or NULL. */
struct target *session_find(const struct session *s, pid_t pid);

/* Gives up the memory of an ended target that nobody will ask for. */
void session_forget(struct session *s, struct target *t);

/* Ends every target whose process is `pid`. */
void session_died(struct session *s, pid_t pid, const char *end);

#endif
