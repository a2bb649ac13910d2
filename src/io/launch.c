#include "io/launch.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/err.h"
#include "base/mem.h"
#include "config.h"
#include "io/loop.h"
#include "io/preloadenv.h"

#define LIBRARY "libheaptop.so"

/* What the child tells when it could not become the program. */
struct failure {
	int error;
};

static int
find_status(const char *program, int error, struct err *e)
{
	if (error == ENOENT || error == ENOTDIR || error == 0) {
		err_set(e, "%s: not found", program);
		return LAUNCH_NOT_FOUND;
	}
	if (error == EISDIR)
		err_set(e, "%s is a directory, not a program", program);
	else if (error == ENXIO)
		err_set(
		    e, "%s is no file, but a FIFO, socket or device", program);
	else if (error == ENOEXEC)
		err_set(e,
		    "%s is no program that this system can run, or it is "
		    "damaged",
		    program);
	else if (error == EACCES)
		err_set(e, "%s is not executable: permission denied", program);
	else
		err_set(e, "%s cannot be run: %s", program, strerror(error));
	return LAUNCH_NOT_EXEC;
}

/* 0 if the file may be executed, else an errno value. */
static int
may_run(const char *path)
{
	struct stat st;

	if (stat(path, &st) < 0)
		return errno;
	if (S_ISDIR(st.st_mode))
		return EISDIR;
	if (!S_ISREG(st.st_mode))
		return ENXIO;
	return faccessat(AT_FDCWD, path, X_OK, AT_EACCESS) < 0 ? errno : 0;
}

/* As execvp(3): the first that may be run; EACCES counts if none may. */
static int
find_in_path(const char *program, const char *search, char **path)
{
	int worst = ENOENT;

	for (const char *p = search;;) {
		const char *end = strchrnul(p, ':');
		int len = (int)(end - p);
		size_t size = (size_t)len + strlen(program) + 3;
		char *try = xmalloc(size);
		int error;

		snprintf(try, size, "%.*s%s%s", len > 0 ? len : 1,
		    len > 0 ? p : ".", "/", program);
		error = may_run(try);
		if (error == 0) {
			*path = try;
			return 0;
		}
		free(try);
		if (error == EACCES || error == ENXIO)
			worst = error;
		if (*end == 0)
			return worst;
		p = end + 1;
	}
}

int
launch_find(const char *program, char **path, struct err *e)
{
	const char *search = getenv("PATH");
	int error;

	*path = NULL;
	if (program[0] == 0)
		return find_status("the program's name is empty", ENOENT, e);
	if (strchr(program, '/') != NULL) {
		error = may_run(program);
		if (error != 0)
			return find_status(program, error, e);
		*path = xstrdup(program);
		return 0;
	}
	error = find_in_path(
	    program, search != NULL ? search : "/bin:/usr/bin", path);
	return error != 0 ? find_status(program, error, e) : 0;
}

int
launch_library(char **path, struct err *e)
{
	char self[PATH_MAX], try[PATH_MAX + 32];
	ssize_t n = readlink("/proc/self/exe", self, sizeof self - 1);
	char *slash;

	*path = NULL;
	self[n > 0 ? n : 0] = 0;
	slash = strrchr(self, '/');
	if (slash != NULL) {
		snprintf(try, sizeof try, "%.*s/%s", (int)(slash - self), self,
		    LIBRARY);
		if (access(try, R_OK) == 0) {
			*path = xstrdup(try);
			return 0;
		}
	}
	if (access(HEAPTOP_LIBDIR "/" LIBRARY, R_OK) == 0) {
		*path = xstrdup(HEAPTOP_LIBDIR "/" LIBRARY);
		return 0;
	}
	return err_set(e,
	    "%s is neither beside heaptop nor in %s: install heaptop again",
	    LIBRARY, HEAPTOP_LIBDIR);
}

/* Make `fd` the descriptor `as`, if it was given at all. */
static int
become(int fd, int as)
{
	if (fd < 0)
		return 0;
	if (fd == as)
		return fcntl(fd, F_SETFD, 0);
	return dup2(fd, as);
}

static int
set_up(const struct launch_options *o)
{
	if (o->tty >= 0 &&
	    (setsid() < 0 || ioctl(o->tty, TIOCSCTTY, 0) < 0 ||
		become(o->tty, 0) < 0 || dup2(0, 1) < 0 || dup2(0, 2) < 0))
		return -1;
	if (become(o->in, 0) < 0 || become(o->out, 1) < 0 ||
	    become(o->err, 2) < 0)
		return -1;
	if (o->signals != NULL)
		sigstate_restore(o->signals);
	return 0;
}

/* A NUL in the first line: no shell will make sense of it, as shells
 * themselves have it.  A file that cannot be read is left to them. */
static bool
is_binary(const char *path)
{
	char head[256];
	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	ssize_t n = fd < 0 ? -1 : read(fd, head, sizeof head);
	const char *end = n > 0 ? memchr(head, '\n', (size_t)n) : NULL;

	if (fd >= 0)
		close(fd);
	return n > 0 &&
	    (memcmp(head, "\177ELF", n < 4 ? (size_t)n : 4) == 0 ||
		memchr(head, 0,
		    end != NULL ? (size_t)(end - head) : (size_t)n) != NULL);
}

/* Become the program; returns errno.  A file without a format that the
 * kernel knows is a script for the shell, as execvp(3) has it. */
static int
become_program(const char *path, char *const *argv, char *const *env)
{
	char **sh;
	size_t n = 0;

	execve(path, argv, env);
	if (errno != ENOEXEC)
		return errno;
	if (is_binary(path))
		return ENOEXEC;
	while (argv[n] != NULL)
		n++;
	sh = xcalloc(n + 2, sizeof *sh);
	sh[0] = xstrdup("/bin/sh");
	sh[1] = xstrdup(path);
	for (size_t i = 1; i < n; i++)
		sh[i + 1] = argv[i];
	execve(sh[0], sh, env);
	return errno == ENOENT ? ENOEXEC : errno;
}

/* The status and sentence for an exec that failed. */
static int
exec_status(const char *program, int error, struct err *e)
{
	/* launch_find saw the file, and that it may be run: what is wrong is
	 * what runs it. */
	if (error == EACCES || error == ELOOP) {
		err_set(e, "%s cannot be run: its interpreter (after #!) %s",
		    program,
		    error == EACCES ? "is not executable"
				    : "is a script of a script of a script");
		return LAUNCH_NOT_EXEC;
	}
	if (error == ENOENT) {
		err_set(e,
		    "%s cannot be run: its interpreter (after #!, or the "
		    "loader) is not found",
		    program);
		return LAUNCH_NOT_FOUND;
	}
	return find_status(program, error, e);
}

static int
environment(const struct launch_options *o, char ***env, struct err *e)
{
	char *library = NULL;
	int r;

	if (o->preload && launch_library(&library, e) < 0)
		return -1;
	r = preloadenv_make(o, library, env, e);
	free(library);
	return r;
}

/* Read what the child has to tell until it is the program: 0, or errno. */
static int
hear_failure(int fd)
{
	struct failure f;
	ssize_t n;

	do
		n = read(fd, &f, sizeof f);
	while (n < 0 && errno == EINTR);
	return n == (ssize_t)sizeof f ? f.error : 0;
}

static _Noreturn void
child(const struct launch_options *o, const char *path, char *const *env,
    int tell)
{
	struct failure f = { 0 };
	ssize_t n;

	if (set_up(o) < 0)
		f.error = errno;
	else
		f.error = become_program(path, o->argv, env);
	n = write(tell, &f, sizeof f);
	_exit(n == (ssize_t)sizeof f ? LAUNCH_NOT_EXEC : LAUNCH_FAILED);
}

int
launch_start(const struct launch_options *o, pid_t *pid, struct err *e)
{
	char *path = NULL, **env = NULL;
	int tell[2] = { -1, -1 }, status = LAUNCH_FAILED, error;

	*pid = -1;
	status = launch_find(o->argv[0], &path, e);
	if (status != 0)
		return status;
	status = LAUNCH_FAILED;
	if (environment(o, &env, e) < 0)
		goto out;
	if (pipe2(tell, O_CLOEXEC) < 0) {
		err_sys(e, "cannot make a pipe");
		goto out;
	}
	fflush(NULL);
	*pid = fork();
	if (*pid < 0) {
		err_sys(e, "cannot start %s", o->argv[0]);
		goto out;
	}
	if (*pid == 0)
		child(o, path, env, tell[1]);
	close(tell[1]);
	tell[1] = -1;
	error = hear_failure(tell[0]);
	status = 0;
	if (error != 0) {
		while (waitpid(*pid, NULL, 0) < 0 && errno == EINTR)
			;
		*pid = -1;
		status = exec_status(o->argv[0], error, e);
	}
out:
	if (tell[0] >= 0)
		close(tell[0]);
	if (tell[1] >= 0)
		close(tell[1]);
	preloadenv_free(env);
	free(path);
	return status;
}

int
launch_exec(const struct launch_options *o, struct err *e)
{
	char *path = NULL, **env = NULL;
	int status = launch_find(o->argv[0], &path, e);

	if (status != 0)
		return status;
	status = LAUNCH_FAILED;
	if (environment(o, &env, e) < 0)
		goto out;
	fflush(NULL);
	if (set_up(o) < 0)
		err_sys(e, "cannot start %s", o->argv[0]);
	else
		status = exec_status(
		    o->argv[0], become_program(path, o->argv, env), e);
out:
	preloadenv_free(env);
	free(path);
	return status;
}

int
launch_reap(pid_t pid, int *status)
{
	pid_t r;

	do
		r = waitpid(pid, status, WNOHANG);
	while (r < 0 && errno == EINTR);
	return r == pid ? 1 : (int)r;
}

int
launch_status(int wait_status)
{
	if (WIFSIGNALED(wait_status))
		return 128 + WTERMSIG(wait_status);
	return WIFEXITED(wait_status) ? WEXITSTATUS(wait_status)
				      : LAUNCH_FAILED;
}

void
launch_die_alike(int wait_status)
{
	struct rlimit none = { 0, 0 };
	struct sigaction sa;
	sigset_t set;
	int sig;

	if (!WIFSIGNALED(wait_status))
		return;
	sig = WTERMSIG(wait_status);
	/* The core, if one is wanted, is the program's.  A core piped to a
	 * program does not ask the limit, only whether we may be dumped. */
	setrlimit(RLIMIT_CORE, &none);
	prctl(PR_SET_DUMPABLE, 0, 0, 0, 0);
	memset(&sa, 0, sizeof sa);
	sa.sa_handler = SIG_DFL;
	sigaction(sig, &sa, NULL);
	sigemptyset(&set);
	sigaddset(&set, sig);
	raise(sig);
	sigprocmask(SIG_UNBLOCK, &set, NULL);
}
