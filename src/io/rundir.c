#include "io/rundir.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include "base/err.h"

void
rundir_path(char out[108], uid_t uid, const char *xdg)
{
	size_t len = xdg != NULL && xdg[0] == '/' ? strlen(xdg) : 0;

	while (len > 1 && xdg[len - 1] == '/')
		len--;
	if (len > 0 && len + strlen("/heaptop") <= RUNDIR_PATH_MAX)
		snprintf(out, 108, "%.*s/heaptop", (int)len, xdg);
	else
		snprintf(out, 108, "/tmp/heaptop-%u", (unsigned)uid);
}

/* $XDG_RUNTIME_DIR if it is a directory of ours: `sudo` and `su` may leave
 * somebody else's in the environment. */
static const char *
own_xdg(void)
{
	const char *xdg = getenv("XDG_RUNTIME_DIR");
	struct stat st;

	if (xdg == NULL || stat(xdg, &st) < 0 || !S_ISDIR(st.st_mode) ||
	    st.st_uid != geteuid())
		return NULL;
	return xdg;
}

static int
check_dir(const struct rundir *r, struct err *e)
{
	struct stat st;

	if (fstat(r->fd, &st) < 0)
		return err_sys(e, "cannot look at %s", r->path);
	if (st.st_uid != geteuid())
		return err_set(e,
		    "%s belongs to another user (uid %u): remove it, or set "
		    "XDG_RUNTIME_DIR to a directory of yours",
		    r->path, (unsigned)st.st_uid);
	if ((st.st_mode & 077) == 0)
		return 0;
	if (fchmod(r->fd, 0700) < 0)
		return err_sys(e,
		    "others can enter %s and it cannot be closed to them",
		    r->path);
	return 0;
}

int
rundir_open(struct rundir *r, struct err *e)
{
	r->fd = -1;
	rundir_path(r->path, geteuid(), own_xdg());
	if (mkdir(r->path, 0700) < 0 && errno != EEXIST)
		return err_sys(
		    e, "cannot make the runtime directory %s", r->path);
	r->fd = open(r->path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
	if (r->fd < 0 && (errno == ELOOP || errno == ENOTDIR))
		return err_set(e,
		    "%s is not a directory: remove it, heaptop makes its "
		    "own",
		    r->path);
	if (r->fd < 0)
		return err_sys(
		    e, "cannot open the runtime directory %s", r->path);
	if (check_dir(r, e) < 0) {
		rundir_close(r);
		return -1;
	}
	rundir_sweep(r);
	return 0;
}

void
rundir_close(struct rundir *r)
{
	if (r->fd < 0)
		return;
	/* those of programs that were killed while we looked on */
	rundir_sweep(r);
	close(r->fd);
	r->fd = -1;
}

/* The pid of a name like "123.sock" (with "~" while it is being made), 0 if
 * it is none of ours. */
static pid_t
name_pid(const char *name)
{
	char *end;
	long pid;

	if (name[0] < '1' || name[0] > '9')
		return 0;
	errno = 0;
	pid = strtol(name, &end, 10);
	if (errno != 0 || pid <= 0 || pid > 0x7fffffff)
		return 0;
	if (strcmp(end, ".sock") != 0 && strcmp(end, ".sock~") != 0 &&
	    strcmp(end, ".launch") != 0)
		return 0;
	return (pid_t)pid;
}

/*
 * Is a live process behind the name?  A target in another pid namespace that
 * shares the directory has a pid that means nothing here: a socket that
 * somebody still listens at is never stale.
 */
static int
is_stale(const struct rundir *r, const char *name, pid_t pid)
{
	struct sockaddr_un a;
	int fd, stale;

	if (kill(pid, 0) == 0 || errno != ESRCH)
		return 0;
	memset(&a, 0, sizeof a);
	a.sun_family = AF_UNIX;
	snprintf(a.sun_path, sizeof a.sun_path, "/proc/self/fd/%d/%.60s", r->fd,
	    name);
	fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
	if (fd < 0)
		return 0;
	stale = connect(fd, (struct sockaddr *)&a, sizeof a) < 0 &&
	    errno == ECONNREFUSED;
	close(fd);
	return stale;
}

void
rundir_sweep(const struct rundir *r)
{
	int fd = openat(r->fd, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	DIR *dir = fd < 0 ? NULL : fdopendir(fd);
	const struct dirent *d;

	if (dir == NULL) {
		if (fd >= 0)
			close(fd);
		return;
	}
	while ((d = readdir(dir)) != NULL) {
		pid_t pid = name_pid(d->d_name);

		if (pid != 0 && is_stale(r, d->d_name, pid))
			unlinkat(r->fd, d->d_name, 0);
	}
	closedir(dir);
}

int
rundir_address(struct sockaddr_un *a, size_t *len, const char *path,
    int *dir_fd, struct err *e)
{
	const char *slash = strrchr(path, '/');
	char dir[4096];
	int n;

	*dir_fd = -1;
	*len = sizeof *a;
	memset(a, 0, sizeof *a);
	a->sun_family = AF_UNIX;
	if (strlen(path) < sizeof a->sun_path) {
		memcpy(a->sun_path, path, strlen(path));
		return 0;
	}
	if (slash == NULL || (size_t)(slash - path) >= sizeof dir)
		return err_set(e, "the path %.200s... is too long", path);
	snprintf(dir, sizeof dir, "%.*s", (int)(slash - path), path);
	*dir_fd = open(dir, O_PATH | O_DIRECTORY | O_CLOEXEC);
	if (*dir_fd < 0)
		return err_sys(e, "cannot open %.200s", dir);
	n = snprintf(a->sun_path, sizeof a->sun_path, "/proc/self/fd/%d%s",
	    *dir_fd, slash);
	if (n < 0 || (size_t)n >= sizeof a->sun_path) {
		close(*dir_fd);
		*dir_fd = -1;
		return err_set(
		    e, "the name of the socket %.200s is too long", slash + 1);
	}
	return 0;
}
