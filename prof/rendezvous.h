/*
 * Where the helper and heaptop meet: sockets by name.  Used by the helper
 * thread alone; raw system calls, errors are negative errno values.
 */
#ifndef PROF_RENDEZVOUS_H
#define PROF_RENDEZVOUS_H

#include <stdbool.h>

/* Connect to the socket at `path`; a descriptor or -errno. */
int rendezvous_connect(const char *path);

/* Listen on our own name in the runtime directory; a descriptor or -errno.
 * rendezvous_name() is then the path, "" before. */
int rendezvous_listen(void);
const char *rendezvous_name(void);
/* In the child after a fork: the name is the parent's. */
void rendezvous_forked(void);

/* The next viewer that may see us; -errno if there is none (now). */
int rendezvous_accept(int fd);

#endif
