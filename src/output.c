#include "output.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/err.h"
#include "base/utf8.h"

/* Where sentences go: one of the few things that belong to the process. */
static struct {
	void (*fn)(void *arg, const char *sentence);
	void *arg;
} listener;

void
say_to(void (*fn)(void *arg, const char *sentence), void *arg)
{
	listener.fn = fn;
	listener.arg = arg;
}

/* Names come from anywhere, and a sentence is a line of text on a terminal:
 * control characters and what is no UTF-8 are shown as '?'. */
static void
put_plain(struct buf *b, const char *s)
{
	size_t len = strlen(s), used;

	for (; len > 0; s += used, len -= used) {
		uint32_t c = utf8_decode(s, len, &used);

		if (c < 0x20 || (c >= 0x7f && c < 0xa0) || c == 0xfffd)
			buf_putc(b, '?');
		else
			buf_put(b, s, used);
	}
}

void
say(const char *fmt, ...)
{
	struct err text;
	struct buf b = BUF_INIT;
	va_list ap;

	va_start(ap, fmt);
	err_vset(&text, fmt, ap);
	va_end(ap);
	if (!listener.fn)
		buf_puts(&b, "heaptop: ");
	put_plain(&b, text.msg);
	if (listener.fn) {
		listener.fn(listener.arg, buf_str(&b));
	} else {
		buf_putc(&b, '\n');
		buf_write(&b, STDERR_FILENO, "stderr", NULL);
	}
	buf_fini(&b);
}

int
output_open(struct output *o, const char *path, int fd, struct err *e)
{
	memset(o, 0, sizeof *o);
	o->fd = fd;
	o->name = fd == STDOUT_FILENO ? "stdout" : "stderr";
	if (!path)
		return 0;
	o->fd = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
	if (o->fd < 0)
		return err_sys(e, "cannot write %s", path);
	o->owned = true;
	o->name = path;
	return 0;
}

/* "FILE.PID.part", in the same directory. */
static int
open_part(const char *path, struct buf *name, struct err *e)
{
	int fd;

	buf_clear(name);
	buf_printf(name, "%s.%ld.part", path, (long)getpid());
	fd = open(buf_str(name),
	    O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOFOLLOW, 0666);
	return fd >= 0 ? fd : err_sys(e, "cannot write %s", path);
}

/* What a symbolic link points to is to be there, lest the link be replaced. */
static void
make_linked(const char *path)
{
	struct stat st;
	int fd;

	if (lstat(path, &st) < 0 || !S_ISLNK(st.st_mode))
		return;
	fd = open(path, O_WRONLY | O_CREAT | O_CLOEXEC | O_NONBLOCK, 0666);
	if (fd >= 0)
		close(fd);
}

int
output_open_whole(struct output *o, const char *path, struct err *e)
{
	struct buf part = BUF_INIT;
	struct stat st;
	int fd;

	make_linked(path);
	if (stat(path, &st) == 0 && !S_ISREG(st.st_mode))
		return output_open(o, path, STDOUT_FILENO, e);
	memset(o, 0, sizeof *o);
	fd = open_part(path, &part, e);
	if (fd >= 0) {
		close(fd);
		unlink(buf_str(&part));
	}
	buf_fini(&part);
	o->fd = -1;
	o->name = path;
	o->whole = true;
	return fd < 0 ? -1 : 0;
}

/* As buf_write, but waits where somebody made the descriptor non-blocking
 * (it may be shared with programs that do). */
static int
write_all(const struct output *o, const struct buf *b, struct err *e)
{
	struct pollfd p = { .fd = o->fd, .events = POLLOUT };
	size_t done = 0;

	while (done < b->len) {
		ssize_t n = write(o->fd, b->data + done, b->len - done);

		if (n >= 0)
			done += (size_t)n;
		else if (errno == EAGAIN)
			poll(&p, 1, -1);
		else if (errno != EINTR)
			return err_sys(e, "cannot write %s", o->name);
	}
	return 0;
}

static void
fail(struct output *o, const struct err *e)
{
	if (!o->failed)
		say("%s", e->msg);
	o->failed = true;
}

/* The rights of a file that was there go on with it. */
static int
write_part(struct output *o, const char *path, const struct buf *b,
    struct buf *part, struct err *e)
{
	struct stat st;
	int r;

	o->fd = open_part(path, part, e);
	if (o->fd < 0)
		return -1;
	if (stat(path, &st) == 0)
		fchmod(o->fd, st.st_mode & 0777);
	r = write_all(o, b, e);
	if (close(o->fd) < 0 && r == 0)
		r = err_sys(e, "cannot write %s", path);
	o->fd = -1;
	if (r == 0 && rename(buf_str(part), path) < 0)
		r = err_sys(e, "cannot write %s", path);
	if (r < 0)
		unlink(buf_str(part));
	return r;
}

/* A symbolic link stays one. */
static int
replace(struct output *o, const struct buf *b, struct err *e)
{
	struct buf part = BUF_INIT;
	char *real = realpath(o->name, NULL);
	int r = write_part(o, real ? real : o->name, b, &part, e);

	free(real);
	buf_fini(&part);
	return r;
}

void
output_put(struct output *o, const struct buf *b)
{
	struct err e;

	if (o->failed || b->len == 0)
		return;
	if ((o->whole ? replace(o, b, &e) : write_all(o, b, &e)) < 0)
		fail(o, &e);
}

void
output_close(struct output *o)
{
	struct err e;

	/* A full disk may show only here, with network file systems. */
	if (o->owned && close(o->fd) < 0) {
		err_sys(&e, "cannot write %s", o->name);
		fail(o, &e);
	}
	o->owned = false;
	o->fd = -1;
}

void
output_reserve(void)
{
	for (int fd = 0; fd <= STDERR_FILENO; fd++)
		if (fcntl(fd, F_GETFD) < 0 && errno == EBADF &&
		    open("/dev/null", O_RDONLY | O_CLOEXEC) < 0)
			return;
}
