/*
 * The terminal after a fault of heaptop's own: put right, then die of the
 * signal as if nothing had been.
 *
 * Covers SIGSEGV, SIGBUS, SIGILL, SIGFPE, SIGABRT and SIGSYS, also when the
 * stack is used up.  The handler writes and sets modes, both of which are
 * async-signal-safe, and calls nothing else.
 */
#ifndef CRASH_H
#define CRASH_H

#include <stddef.h>
#include <termios.h>

/* `text` is copied, at most 256 bytes of it; `fd` must stay open until
 * crash_forget. */
void crash_guard(
    int fd, const char *text, size_t len, const struct termios *modes);
void crash_forget(void);

#endif
