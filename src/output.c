#include "output.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdarg.h>
#include <string.h>
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

void
output_put(struct output *o, const struct buf *b)
{
	struct err e;

	if (o->failed || b->len == 0)
		return;
	if (write_all(o, b, &e) < 0)
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
