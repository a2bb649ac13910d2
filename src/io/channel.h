/*
 * One connection to the helper thread of a target.
 *
 * The target speaks first: hello, with the memory file of its table.  Then
 * the owner is asked for a decoder (on_hello); the channel makes a pipe,
 * hands its write end over and reads dumps from the other end into that
 * decoder.  Dumps are pulled, at most one at a time.  The same code serves a
 * target that connected to us and one that we connected to.
 *
 * All functions run on the loop's thread.  Callbacks may call anything here;
 * channel_free too, of any channel.  After on_gone nothing more comes.
 */
#ifndef IO_CHANNEL_H
#define IO_CHANNEL_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "model/profile.h"

struct channel;
struct dumpread;
struct err;
struct loop;

#define CHANNEL_PATIENCE_NS UINT64_C(2000000000) /* then: no answer */

enum channel_state {
	CHANNEL_WAITING, /* for hello */
	CHANNEL_READY,   /* may be pulled */
	CHANNEL_PULLING, /* a dump is on its way */
	CHANNEL_SILENT,  /* pulled, and no answer for CHANNEL_PATIENCE_NS */
	CHANNEL_GONE     /* closed; see on_gone */
};

/* Why a channel is gone. */
enum channel_end {
	CHANNEL_CLOSED,  /* end of file: exit, exec, or death */
	CHANNEL_SECCOMP, /* the helper will be silent: read the table */
	CHANNEL_REMADE,  /* the helper is made again and will call */
	CHANNEL_SLOW,    /* we did not read our pipe in time */
	CHANNEL_DAMAGED, /* the target sent nonsense */
	CHANNEL_REFUSED  /* it sent no hello, or speaks another version */
};

struct channel_events {
	/* Hello has come.  Return the decoder for its dumps (borrowed until
	 * the channel is freed), or NULL: the channel is closed. */
	struct dumpread *(*on_hello)(
	    void *arg, struct channel *c, const struct profile_facts *f);
	/* A whole dump is in the profile and committed. */
	void (*on_snapshot)(void *arg, struct channel *c);
	/* No answer for CHANNEL_PATIENCE_NS (true), or it came after all. */
	void (*on_silent)(void *arg, struct channel *c, bool silent);
	/* The answer to channel_ctl: error 0 and the value, or errno and a
	 * sentence. */
	void (*on_ctl)(
	    void *arg, struct channel *c, int error, const char *text);
	/* It is over; `why` is a sentence.  The channel still has to be
	 * freed; its table may be read (channel_table). */
	void (*on_gone)(void *arg, struct channel *c, enum channel_end end,
	    const char *why);
};
/* Any of them but on_hello may be NULL. */

/* Over a connected socket, which the channel owns from now on, whatever
 * comes.  `pid` names it in sentences until hello. */
struct channel *channel_open(struct loop *l, int fd, pid_t pid,
    const struct channel_events *ev, void *arg);

/* Connect to the socket of a preloaded process.  NULL with a sentence that
 * says what to do: not preloaded, no sample yet, not ours, filtered.  If
 * `again` is not NULL it says whether trying later makes sense. */
struct channel *channel_attach(struct loop *l, pid_t pid,
    const struct channel_events *ev, void *arg, bool *again, struct err *e);

void channel_free(struct channel *c); /* NULL is fine */

/* Ask for a dump.  -1 if one is outstanding or the channel is not ready. */
int channel_pull(struct channel *c, struct err *e);
/* Read (value NULL) or write a named value; one at a time. */
int channel_ctl(
    struct channel *c, const char *name, const char *value, struct err *e);

enum channel_state channel_state(const struct channel *c);
pid_t channel_pid(const struct channel *c); /* as seen from here */
int channel_pidfd(const struct channel *c); /* -1 if there is none */
/* The facts of hello; NULL before it.  Borrowed. */
const struct profile_facts *channel_facts(const struct channel *c);
/* The memory file of its table, -1 if none; the channel's. */
int channel_table(const struct channel *c);
/* The same, now the caller's to close; the channel has none any more. */
int channel_take_table(struct channel *c);

#endif
