/*
 * Reaching a process that runs already, and reaching it again when it has
 * become another program.
 *
 * Tries now and then until there is a connection that can be asked; tells
 * what it waits for, once for each reason.  One process: the session's root.
 */
#ifndef CONNECT_H
#define CONNECT_H

#include <stdbool.h>
#include <stdint.h>

#include "base/err.h"
#include "io/loop.h"

struct session;

struct connect_events {
	/* It can be asked now. */
	void (*ready)(void *arg);
	/* Not yet; `why` is a sentence.  May come again with another. */
	void (*waiting)(void *arg, const char *why);
	/* It cannot be reached, and trying again makes no sense.  `gone`: the
	 * process has ended. */
	void (*failed)(void *arg, bool gone, const char *why);
};

struct connect {
	struct session *s;
	const struct connect_events *ev;
	void *arg;
	loop_timer retry; /* 0: connected, or given up */
	uint64_t since_ns;
	struct err why; /* what was told last */
	unsigned refusals, odd;
};

/* Begin, or begin again; events may come from within. */
void connect_begin(struct connect *c, struct session *s,
    const struct connect_events *ev, void *arg);
void connect_stop(struct connect *c);
/* Is it still trying? */
bool connect_trying(const struct connect *c);

#endif
