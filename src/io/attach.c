#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include "base/err.h"
#include "io/channel.h"
#include "io/procfs.h"
#include "io/rundir.h"

/* Where a target's own socket may be: under its root or ours, in the
 * directory that its environment names or in the one in /tmp. */
#define CANDIDATES 6

static void
candidates(pid_t pid, char out[CANDIDATES][256])
{
	char *xdg = procfs_environ(pid, "XDG_RUNTIME_DIR");
	uid_t uid = procfs_uid(pid);
	pid_t inner = procfs_inner_pid(pid);
	char dir[3][108];

	rundir_path(dir[0], uid, xdg);
	rundir_path(dir[1], uid, NULL);
	rundir_path(dir[2], uid, getenv("XDG_RUNTIME_DIR"));
	for (int i = 0; i < 3; i++) {
		snprintf(out[2 * i], 256, "/proc/%d/root%.107s/%d.sock",
		    (int)pid, dir[i], (int)inner);
		snprintf(
		    out[2 * i + 1], 256, "%.107s/%d.sock", dir[i], (int)inner);
	}
	free(xdg);
}

/* Connected, or -1 with errno. */
static int
try_connect(const char *path, pid_t pid)
{
	struct sockaddr_un a;
	struct ucred who;
	socklen_t size = sizeof who;
	size_t len;
	int dir_fd, fd, r;

	if (rundir_address(&a, &len, path, &dir_fd, NULL) < 0)
		return -1;
	fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
	r = fd < 0 ? -1 : connect(fd, (struct sockaddr *)&a, (socklen_t)len);
	if (dir_fd >= 0) {
		int saved = errno;

		close(dir_fd);
		errno = saved;
	}
	if (fd < 0)
		return -1;
	/* A socket left by a process whose pid came round again, or one of
	 * another pid namespace, is not the one we want. */
	if (r == 0 &&
	    getsockopt(fd, SOL_SOCKET, SO_PEERCRED, &who, &size) == 0 &&
	    (who.pid == pid || who.pid == 0))
		return fd;
	r = r == 0 ? ESRCH : errno;
	close(fd);
	errno = r;
	return -1;
}

/* Why there is no socket, and what to do. */
static void
explain(pid_t pid, int denied, bool *again, struct err *e)
{
	char cmd[64];

	procfs_command(pid, cmd, sizeof cmd);
	switch (procfs_library(pid)) {
	case PROCFS_ABSENT:
		err_set(e,
		    "process %d (%s) does not run under libheaptop.so: "
		    "start it with `heaptop exec`",
		    (int)pid, cmd);
		return;
	case PROCFS_UNKNOWN:
		if (geteuid() == 0)
			err_set(e,
			    "process %d (%s) may not be looked into from "
			    "here, not even by root",
			    (int)pid, cmd);
		else
			err_set(e,
			    "process %d (%s) belongs to uid %u: watch it as "
			    "that user or as root",
			    (int)pid, cmd, (unsigned)procfs_uid(pid));
		return;
	case PROCFS_PRELOADED: break;
	}
	if (denied) {
		err_set(e,
		    "process %d (%s) does not let us in: watch it as uid %u "
		    "or as root",
		    (int)pid, cmd, (unsigned)procfs_uid(pid));
		return;
	}
	*again = true;
	err_set(e,
	    "process %d (%s) runs under libheaptop.so but does not listen: "
	    "it has made no sample yet, or was started with thread:false",
	    (int)pid, cmd);
}

struct channel *
channel_attach(struct loop *l, pid_t pid, const struct channel_events *ev,
    void *arg, bool *again, struct err *e)
{
	char path[CANDIDATES][256];
	struct procfs_stat st;
	bool retry = false;
	int denied = 0;

	if (again != NULL)
		*again = false;
	if (procfs_stat(pid, &st) < 0 || st.state == 'Z' || st.state == 'X') {
		err_set(e, "there is no process %d", (int)pid);
		return NULL;
	}
	if (procfs_filtered(pid)) {
		/* A request would make it use system calls that its filter
		 * may answer with death. */
		err_set(e,
		    "process %d set a system call filter and is left alone: "
		    "launch it with heaptop to watch it",
		    (int)pid);
		return NULL;
	}
	candidates(pid, path);
	for (int i = 0; i < CANDIDATES; i++) {
		int fd = try_connect(path[i], pid);

		if (fd >= 0)
			return channel_open(l, fd, pid, ev, arg);
		denied |= errno == EACCES || errno == EPERM;
	}
	explain(pid, denied, &retry, e);
	if (again != NULL)
		*again = retry;
	return NULL;
}
