#include "io/listen.h"

#include <errno.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include "base/err.h"
#include "base/mem.h"
#include "io/loop.h"
#include "io/rundir.h"

struct listener {
	struct loop *loop;
	int fd;
	pid_t owner; /* who made the socket: a forked child leaves it alone */
	uid_t overflow;
	listen_fn *fn;
	void *arg;
	char path[160];
};

static uid_t
overflow_uid(void)
{
	FILE *f = fopen("/proc/sys/kernel/overflowuid", "re");
	unsigned uid = 65534;

	if (f != NULL) {
		if (fscanf(f, "%u", &uid) != 1)
			uid = 65534;
		fclose(f);
	}
	return uid;
}

static void
on_caller(void *arg, int fd, unsigned events)
{
	struct listener *s = arg;
	struct ucred who;
	socklen_t len = sizeof who;
	int c;

	(void)events;
	c = accept4(fd, NULL, NULL, SOCK_CLOEXEC | SOCK_NONBLOCK);
	if (c < 0)
		return; /* it went away again, or we are short: next time */
	if (getsockopt(c, SOL_SOCKET, SO_PEERCRED, &who, &len) < 0 ||
	    (who.uid != geteuid() && who.uid != 0 && who.uid != s->overflow)) {
		close(c);
		return;
	}
	s->fn(s->arg, c, who.pid);
}

struct listener *
listen_open(struct loop *l, const struct rundir *r, listen_fn *fn, void *arg,
    struct err *e)
{
	struct listener *s = xcalloc(1, sizeof *s);
	struct sockaddr_un a;
	size_t len;
	int dir_fd = -1, bound;

	s->loop = l;
	s->fn = fn;
	s->arg = arg;
	s->owner = getpid();
	s->overflow = overflow_uid();
	snprintf(
	    s->path, sizeof s->path, "%s/%d.launch", r->path, (int)s->owner);
	s->fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
	if (s->fd < 0) {
		err_sys(e, "cannot make a socket");
		goto fail;
	}
	if (rundir_address(&a, &len, s->path, &dir_fd, e) < 0)
		goto fail;
	/* Left by a process of the same pid: the name is ours now. */
	unlink(s->path);
	fchmod(s->fd, 0600); /* bind makes the file with this mode */
	bound = bind(s->fd, (struct sockaddr *)&a, (socklen_t)len);
	if (bound < 0 || chmod(s->path, 0600) < 0 || listen(s->fd, 128) < 0) {
		err_sys(e, "cannot listen at %s", s->path);
		goto fail;
	}
	if (dir_fd >= 0)
		close(dir_fd);
	loop_watch(l, s->fd, POLLIN, on_caller, s);
	return s;
fail:
	if (dir_fd >= 0)
		close(dir_fd);
	if (s->fd >= 0)
		close(s->fd);
	free(s);
	return NULL;
}

void
listen_close(struct listener *s)
{
	if (s == NULL)
		return;
	loop_unwatch(s->loop, s->fd);
	close(s->fd);
	if (getpid() == s->owner)
		unlink(s->path);
	free(s);
}

const char *
listen_path(const struct listener *s)
{
	return s->path;
}
