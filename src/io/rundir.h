/*
 * The runtime directory: where sockets of heaptop and its targets lie.
 *
 * `$XDG_RUNTIME_DIR/heaptop`, or `/tmp/heaptop-UID` when that variable is not
 * set, is not an absolute path of a directory of ours, or is longer than
 * RUNDIR_PATH_MAX (a target has to put the whole path of a socket in
 * sockaddr_un).  It is a real directory, ours, and mode 0700, or it is
 * refused: who may enter it may watch our programs.
 *
 * Names in it: `<pid>.launch` (a heaptop that launched something listens),
 * `<pid>.sock` (a target listens), `libheaptop-<hash>.so` (a symbolic link
 * to the library where its own path cannot stand in LD_PRELOAD; it stays, as
 * children of children may need it).
 */
#ifndef IO_RUNDIR_H
#define IO_RUNDIR_H

#include <stddef.h>
#include <sys/types.h>

struct err;
struct sockaddr_un;

#define RUNDIR_PATH_MAX 80 /* leaves room for "/<pid>.launch" in sun_path */

struct rundir {
	int fd;         /* the directory, or -1 */
	char path[108]; /* absolute, without a final slash */
};

/* Open it, made if need be; files of dead processes are removed, and again
 * when it is closed. */
int rundir_open(struct rundir *r, struct err *e);
void rundir_close(struct rundir *r);

/* Its path for user `uid` whose XDG_RUNTIME_DIR is `xdg` (NULL: not set),
 * nothing is looked at. */
void rundir_path(char out[108], uid_t uid, const char *xdg);

/* Remove the sockets of processes that are gone. */
void rundir_sweep(const struct rundir *r);

/* Fill `a` with an address of `path` of any length: a path too long for
 * sun_path is reached through /proc/self/fd of its directory, opened in
 * *dir_fd (-1 if not needed), to be closed after bind or connect. */
int rundir_address(struct sockaddr_un *a, size_t *len, const char *path,
    int *dir_fd, struct err *e);

#endif
