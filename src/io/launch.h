/*
 * Starting a program under libheaptop.so.
 *
 * The program gets heaptop's own stdin, stdout and stderr (or those given),
 * signal dispositions and mask as heaptop got them, and an environment in
 * which only LD_PRELOAD, HEAPTOP_SOCKET, HEAPTOP_DEFAULTS and HEAPTOP_CONF
 * differ.  MALLOC_CONF is never touched.  It is looked up as execvp(3) does,
 * with the exit statuses of shells: 127 not found, 126 found and not
 * executable, 125 anything of ours.
 */
#ifndef IO_LAUNCH_H
#define IO_LAUNCH_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

struct err;
struct rundir;
struct sigstate;

#define LAUNCH_FAILED    125
#define LAUNCH_NOT_EXEC  126
#define LAUNCH_NOT_FOUND 127

struct launch_options {
	char *const *argv;              /* the program and its arguments */
	const struct sigstate *signals; /* to give back; NULL: leave */
	const struct rundir *rundir;    /* for a symlink; NULL: cannot */
	bool preload;                   /* false: just run it */
	const char *socket;             /* HEAPTOP_SOCKET; NULL: taken out */
	const char *defaults;           /* HEAPTOP_DEFAULTS; NULL: left alone */
	const char *conf; /* added to HEAPTOP_CONF after a comma; NULL: no */
	int in, out, err; /* descriptors to become 0, 1, 2; -1: heaptop's */
	int tty; /* >= 0: a pty to be its controlling terminal and 0, 1, 2
	          * (setsid); overridden one by one by in, out, err */
};

#define LAUNCH_OPTIONS_INIT                               \
	{                                                 \
		.in = -1, .out = -1, .err = -1, .tty = -1 \
	}

/* Start it.  0 and *pid, a child to be reaped by the caller; or one of the
 * statuses above with a sentence (nothing is left to be reaped). */
int launch_start(const struct launch_options *o, pid_t *pid, struct err *e);

/* Become it.  Returns only on failure, with a status and a sentence. */
int launch_exec(const struct launch_options *o, struct err *e);

/* Where execvp(3) would find `program`; the path is the caller's to free.
 * 0, or a status with a sentence that names the program. */
int launch_find(const char *program, char **path, struct err *e);

/* The library: beside this program's file (build tree), else in libdir.
 * The path is the caller's to free.  0 or -1. */
int launch_library(char **path, struct err *e);

/* Reap without waiting.  1 and *status (of waitpid) when it has ended, 0 if
 * it runs on, -1 if it is not our child. */
int launch_reap(pid_t pid, int *status);
/* The exit status that stands for a wait status: its own, or 128 + signal. */
int launch_status(int wait_status);
/* Die of the same signal that a wait status names (without a core of our
 * own); returns if it names none, or if the signal cannot be had. */
void launch_die_alike(int wait_status);

#endif
