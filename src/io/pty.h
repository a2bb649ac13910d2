/*
 * A pseudoterminal for a program: its two ends and what the holder of the
 * master does with them.
 *
 * What the program writes comes out unchanged (no "\r" before "\n"): it goes
 * to a file and to a view, not to a terminal's screen.  Everything else is as
 * the user's own terminal is set.  Both descriptors are above 2 and closed by
 * exec; reads and writes of the master do not wait.
 */
#ifndef IO_PTY_H
#define IO_PTY_H

#include <stdbool.h>
#include <stddef.h>

struct err;
struct termios;
struct winsize;

struct pty {
	int master, slave; /* -1: closed */
};

#define PTY_INIT       \
	{              \
		-1, -1 \
	}

/* `t` NULL: as the terminal `like` is set, or the system's default where that
 * is none (-1).  `size` NULL likewise, 24 lines of 80 where there is none. */
int pty_open(struct pty *p, int like, const struct termios *t,
    const struct winsize *size, struct err *e);
void pty_close(struct pty *p);

/* Lead a new session of which it is the controlling terminal.  -1, errno. */
int pty_lead(const struct pty *p);
/* In a child of the leader: a process group of its own in the foreground, so
 * that ^C and ^Z reach it and nobody else.  SIGTTOU must be ignored or
 * blocked.  -1 and errno. */
int pty_foreground(const struct pty *p);

/* The leader's own group in the foreground again. */
void pty_take_back(const struct pty *p);

/* The program gets SIGWINCH if it changes.  -1 and errno. */
int pty_resize(const struct pty *p, const struct winsize *size);

/* Would these bytes, typed, stop the programs in the foreground (^Z)? */
bool pty_suspends(const struct pty *p, const char *data, size_t len);

/* Let output flow again if somebody had typed ^S. */
void pty_flow(const struct pty *p);

#endif
