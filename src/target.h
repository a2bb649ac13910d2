/*
 * One watched process image: its connection, its table, its profile.
 *
 * (pid, image_ns) names an image; an exec makes a new target and the old one
 * ends, with what its table last held.  A target outlives its connection:
 * the helper may be made again and call again, or be silent for good, and
 * then the table itself is read.
 *
 * The session owns targets; a target owns everything in it.
 */
#ifndef TARGET_H
#define TARGET_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

struct channel;
struct dumpread;
struct err;
struct profile;
struct profile_facts;

struct target {
	struct target *next;
	pid_t pid; /* as seen from here */
	uint64_t image_ns;
	char *command;
	struct profile *profile; /* NULL once target_forget was called */
	struct dumpread *reader; /* NULL once it has ended */
	struct channel *channel; /* NULL: there is none now */
	int table;               /* the memory file, -1: none (any more) */
	bool ended;              /* the image is gone; profile is its last */
	bool late;               /* has not answered in time */
	bool replaced;           /* it has called exec: nothing of it lives */
	bool told;               /* a last block was printed */
	uint64_t last_samples, last_live; /* when it was forgotten */
	const char *asked; /* the name of a value it is being told, or NULL */
	bool rate_refused; /* it does not take what it was told */
	uint64_t
	    heard_ns; /* when it last answered, CLOCK_MONOTONIC; 0: never */
	uint64_t start_ticks; /* of its process, 0: not known */
	char end[128];        /* how it ended, "" if not known */
};

struct target *target_new(pid_t pid, const struct profile_facts *f);
/* A new connection to an image that is known, ended or not. */
void target_resume(struct target *t, struct channel *c);
void target_free(struct target *t); /* NULL is fine; not its `next` */

/* Read the table as it is now into the profile: the last word of a dead
 * image, or the only one of a silent helper.  0 or -1. */
int target_read_table(struct target *t, struct err *e);

/* Look at its mappings, for its profile.  0 or -1 with a sentence. */
int target_look(struct target *t, struct err *e);

/* The image is gone: take the channel's table, read it, give all up but the
 * profile.  `end` says how, may be "". */
void target_end(struct target *t, const char *end);

/* Its process is still there, perhaps as another program. */
bool target_process_lives(const struct target *t);

/* What became of an ended image: "ended", "became another program", or what
 * was told to target_end. */
const char *target_fate(const struct target *t);

/* Give up the memory of an ended image that nobody will ask for. */
void target_forget(struct target *t);

/* Samples that are or were in it; 0 also before the first snapshot. */
uint64_t target_samples(const struct target *t);
/* Live bytes as the newest snapshot has them. */
uint64_t target_live(const struct target *t);

#endif
