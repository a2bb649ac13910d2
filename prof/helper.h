/*
 * What the helper thread does: it makes the table's memfd, introduces itself
 * to heaptop, and answers its viewers' pulls until the process ends.
 *
 * It runs without libc's thread state: no errno, no thread-local storage, no
 * stdio, no malloc; system calls are raw (os.h).  It waits in poll() without
 * a time-out.  It writes to a viewer's pipe only what was pulled and never
 * blocks in it, so a viewer that stalls or dies costs the program nothing.
 *
 * Where heaptop launched the program, HEAPTOP_SOCKET names the socket it
 * listens on.  Where nobody listens there, or not any more, or after a moment
 * in any case, so that others may watch too, the helper itself listens on
 * `<pid>.sock` in the runtime directory (heaptop in $XDG_RUNTIME_DIR, if that
 * is ours, else /tmp/heaptop-UID; mode 0700 and ours, or there is no socket).
 */
#ifndef PROF_HELPER_H
#define PROF_HELPER_H

/* The body of the thread; returns when it is asked to end. */
void helper_run(void);

/* At exit: take away the socket in the runtime directory, if there is one. */
void helper_remove_socket(void);

#endif
