/*
 * heaptop's listening socket, `<runtime dir>/<pid>.launch`, where the
 * helpers of launched programs call in.
 *
 * The directory decides who gets in.  A caller whose uid (SO_PEERCRED) is
 * mapped here and neither ours nor 0 is refused; across user namespaces
 * credentials are the overflow uid, which is let in.
 */
#ifndef IO_LISTEN_H
#define IO_LISTEN_H

#include <sys/types.h>

struct err;
struct listener;
struct loop;
struct rundir;

/* A caller; fd is the function's to close (channel_open takes it). */
typedef void listen_fn(void *arg, int fd, pid_t pid);

/* NULL with a sentence.  The socket has mode 0600. */
struct listener *listen_open(struct loop *l, const struct rundir *r,
    listen_fn *fn, void *arg, struct err *e);
void listen_close(struct listener *s); /* removes the socket; NULL is fine */

/* For HEAPTOP_SOCKET. */
const char *listen_path(const struct listener *s);

#endif
