#include "io/graphviz.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/err.h"
#include "io/cleanenv.h"

#define READ_BYTES  8192
#define WORDS_BYTES 4096 /* of what it says on stderr, to be repeated */

const struct graphviz_limits graphviz_usual = { 120, 256 };

/* One run: pipes of its standard output and error. */
struct run {
	pid_t pid;
	int out, err; /* -1: at its end */
	struct buf *to;
	size_t before; /* bytes in `to` that are not its */
	const struct graphviz_limits *limits;
	struct buf words;
	bool late, much;
};

/* ---- starting it ---- */

/* The text in a file without a name: dot may read it when it likes. */
static int
text_file(const struct buf *text, struct err *e)
{
	int fd = memfd_create("graph", MFD_CLOEXEC);

	if (fd < 0)
		return err_sys(e, "cannot hand the graph to dot");
	if (buf_write(text, fd, "the graph", e) < 0 ||
	    lseek(fd, 0, SEEK_SET) < 0) {
		close(fd);
		return -1;
	}
	return fd;
}

static int
spawn(struct run *r, const char *format, const int fd[3])
{
	char option[32], *argv[] = { (char[]){ "dot" }, option, NULL };
	char **env = cleanenv_make();
	posix_spawn_file_actions_t files;
	posix_spawnattr_t attr;
	sigset_t none, all;
	int status;

	snprintf(option, sizeof option, "-T%s", format);
	sigemptyset(&none);
	sigfillset(&all);
	posix_spawnattr_init(&attr);
	posix_spawnattr_setflags(
	    &attr, POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF);
	posix_spawnattr_setsigmask(&attr, &none);
	posix_spawnattr_setsigdefault(&attr, &all);
	posix_spawn_file_actions_init(&files);
	for (int i = 0; i < 3; i++)
		posix_spawn_file_actions_adddup2(&files, fd[i], i);
	status = posix_spawnp(&r->pid, "dot", &files, &attr, argv, env);
	posix_spawn_file_actions_destroy(&files);
	posix_spawnattr_destroy(&attr);
	free(env);
	return status;
}

static int
say_not_started(int status, struct err *e)
{
	if (status == ENOENT)
		return err_set(e,
		    "there is no program dot to draw the graph: install the "
		    "package graphviz, or write the graph's text with --dot");
	return err_set(
	    e, "cannot run dot to draw the graph: %s", strerror(status));
}

static int
start(struct run *r, const char *format, const struct buf *text, struct err *e)
{
	int out[2], err[2], fd[3], status;

	if (pipe2(out, O_CLOEXEC) < 0)
		return err_sys(e, "cannot run dot");
	if (pipe2(err, O_CLOEXEC) < 0) {
		close(out[0]);
		close(out[1]);
		return err_sys(e, "cannot run dot");
	}
	r->out = out[0];
	r->err = err[0];
	fd[0] = text_file(text, e);
	fd[1] = out[1];
	fd[2] = err[1];
	status = fd[0] < 0 ? -1 : spawn(r, format, fd);
	close(out[1]);
	close(err[1]);
	if (fd[0] >= 0)
		close(fd[0]);
	if (status == 0)
		return 0;
	return status < 0 ? -1 : say_not_started(status, e);
}

/* ---- hearing it ---- */

static int64_t
now_ms(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (int64_t)t.tv_sec * 1000 + t.tv_nsec / 1000000;
}

static void
close_pipe(int *fd)
{
	if (*fd >= 0)
		close(*fd);
	*fd = -1;
}

/* What is there now, as far as it fits; at the end the pipe is closed. */
static void
hear(int *fd, struct buf *to, size_t max)
{
	size_t room = max > to->len ? max - to->len : 0;
	char piece[READ_BYTES];
	ssize_t n = read(*fd, piece, sizeof piece);

	if (n > 0)
		buf_put(to, piece, (size_t)n < room ? (size_t)n : room);
	else if (n == 0 || errno != EINTR)
		close_pipe(fd);
}

/* Until both pipes are closed, or it takes too long or says too much. */
static void
listen_to(struct run *r)
{
	int64_t end = now_ms() + (int64_t)r->limits->seconds * 1000;
	size_t max = r->before + ((size_t)r->limits->mib << 20);

	while (r->out >= 0 || r->err >= 0) {
		struct pollfd p[2] = { { .fd = r->out, .events = POLLIN },
			{ .fd = r->err, .events = POLLIN } };
		int64_t left = end - now_ms();

		r->late = left <= 0;
		r->much = r->to->len >= max;
		if (r->late || r->much)
			return;
		if (poll(p, 2, (int)left) <= 0)
			continue;
		if (p[0].revents)
			hear(&r->out, r->to, max);
		if (p[1].revents)
			hear(&r->err, &r->words, WORDS_BYTES);
	}
}

/* ---- how it ended ---- */

static const char *
first_line(struct buf *words)
{
	char *s, *end;

	buf_putc(words, '\n');
	s = words->data;
	s += strspn(s, " \t\n");
	end = strchr(s, '\n');
	if (end)
		*end = '\0';
	for (char *c = s; *c; c++)
		if ((unsigned char)*c < ' ')
			*c = ' ';
	return s;
}

static int
judge(struct run *r, int status, struct err *e)
{
	const char *line = first_line(&r->words);

	if (r->late)
		return err_set(e,
		    "dot took more than %u s to draw the graph and was "
		    "stopped: a smaller --nodecount makes it easier",
		    r->limits->seconds);
	if (r->much)
		return err_set(e,
		    "dot drew more than %u MiB and was stopped: try a smaller "
		    "--nodecount",
		    r->limits->mib);
	if (WIFSIGNALED(status))
		return err_set(e, "dot died of signal %d (%s)%s%s",
		    WTERMSIG(status), strsignal(WTERMSIG(status)),
		    *line ? ": " : "", line);
	if (WEXITSTATUS(status) != 0)
		return err_set(e, "dot could not draw the graph: %s",
		    *line ? line : "it does not say why");
	if (r->to->len == r->before)
		return err_set(
		    e, "dot drew nothing%s%s", *line ? ": " : "", line);
	return 0;
}

int
graphviz_draw(const char *format, const struct buf *text,
    const struct graphviz_limits *limits, struct buf *out, struct err *e)
{
	struct run r = { .out = -1,
		.err = -1,
		.to = out,
		.before = out->len,
		.limits = limits };
	int result, status = 0;

	result = start(&r, format, text, e);
	if (result == 0) {
		listen_to(&r);
		if (r.late || r.much)
			kill(r.pid, SIGKILL);
		while (waitpid(r.pid, &status, 0) < 0 && errno == EINTR)
			;
		result = judge(&r, status, e);
	}
	close_pipe(&r.out);
	close_pipe(&r.err);
	buf_fini(&r.words);
	if (result < 0 && out->len > r.before) {
		out->len = r.before;
		out->data[out->len] = '\0';
	}
	return result;
}
