/*
 * A program that runs on a terminal of its own, and the keeper that holds it.
 *
 * The keeper is a process between heaptop and the program: it holds the
 * master of the program's pty, reads all that the program prints, and reaps
 * it.  The program is in a session that heaptop's terminal knows nothing of.
 * When heaptop leaves, is killed or stops reading, nothing changes for the
 * program: it is neither blocked nor hung up, a ^Z or ^S that nobody could
 * take back is taken back, and the output file still gets everything.  The
 * keeper ends when the program has ended and nobody has the pty open.
 *
 * This object is heaptop's end of it: driven by the loop, one thread, it never
 * blocks after the start.  It keeps the last bytes printed (keeper_output) by
 * their offset in all that was ever printed; what heaptop was too slow to
 * fetch is missing there and only there.  Bytes come as the program wrote
 * them, with what the terminal echoed.
 *
 * Callbacks may call anything here, keeper_free included.
 */
#ifndef IO_KEEPER_H
#define IO_KEEPER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

struct err;
struct keeper;
struct launch_options;
struct loop;
struct ring;
struct termios;
struct winsize;

#define KEEPER_RING_BYTES (1u << 20)

struct keeper_options {
	/* The program.  Its `tty` is not used; `in`, `out`, `err` that are
	 * given come before the pty. */
	const struct launch_options *launch;
	unsigned pty;    /* 1u << 0, 1, 2: which of the program's descriptors
	                  * are the pty; the others are heaptop's own.  See
	                  * keeper_terminals */
	const char *log; /* file for all output, made anew; NULL: none */
	const struct termios *termios; /* NULL: as our terminal is now */
	const struct winsize *size;    /* NULL: as our terminal is now */
	size_t ring_bytes;             /* kept here and there; 0: 1 MiB */
};

/* What could not be passed on, so far. */
struct keeper_losses {
	uint64_t input; /* typed bytes that the program did not read in time */
	uint64_t log;   /* bytes that the reader of a pipe was too slow for */
	int log_error;  /* errno that ended the output file; 0: none */
};

/* Each may be NULL. */
struct keeper_events {
	/* Bytes were printed; they are in the ring as well. */
	void (*on_output)(
	    void *arg, struct keeper *k, const char *data, size_t len);
	/* The program was stopped or continued, or has ended: a status of
	 * waitpid(2).  The end comes once, after all its output. */
	void (*on_status)(void *arg, struct keeper *k, int wait_status);
	/* keeper_losses() has changed. */
	void (*on_losses)(void *arg, struct keeper *k);
	/* The keeper was killed: how the program fares is not known, and it
	 * has lost its terminal.  Never after its end was told. */
	void (*on_gone)(void *arg, struct keeper *k, const char *why);
};

/* Which of heaptop's 0, 1, 2 are terminals, as bits for `pty`. */
unsigned keeper_terminals(void);

/* Start it; returns when the program runs: 0, or a status of launch.h with a
 * sentence, and nothing is left behind.  heaptop should let go of descriptors
 * that the program has taken over, such as a pipe on its stdin. */
int keeper_start(struct loop *l, const struct keeper_options *o,
    const struct keeper_events *ev, void *arg, struct keeper **k,
    struct err *e);

/* Let go: the program, if it lives, runs on without us.  NULL is fine. */
void keeper_free(struct keeper *k);

pid_t keeper_pid(const struct keeper *k); /* the program's */
/* The output, as offsets from the program's start.  Borrowed. */
const struct ring *keeper_output(const struct keeper *k);
const struct keeper_losses *keeper_losses(const struct keeper *k);
/* True and *wait_status once it has ended and that was told. */
bool keeper_ended(const struct keeper *k, int *wait_status);
bool keeper_stopped(const struct keeper *k);

/* Type these bytes; false if so much waits that they are not taken. */
bool keeper_write(struct keeper *k, const void *data, size_t len);
void keeper_resize(struct keeper *k, const struct winsize *size);
/* To the program's process group; if it is stopped and the signal asks it to
 * end, it is continued as well. */
void keeper_signal(struct keeper *k, int sig);

#endif
