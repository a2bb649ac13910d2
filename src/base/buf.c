#include "base/buf.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/err.h"
#include "base/vec.h"

/* Makes room for `more` bytes and the NUL. */
static void
room(struct buf *b, size_t more)
{
	size_t need = b->len + more + 1;

	if (need <= more)
		need = SIZE_MAX; /* overflow: let the allocation die */
	VEC_ROOM(b->data, b->cap, need);
}

void
buf_fini(struct buf *b)
{
	free(b->data);
	*b = (struct buf)BUF_INIT;
}

void
buf_clear(struct buf *b)
{
	b->len = 0;
	if (b->data)
		b->data[0] = '\0';
}

void
buf_cut(struct buf *b, size_t len)
{
	b->len = len;
	if (b->data)
		b->data[len] = 0;
}

void
buf_put(struct buf *b, const void *data, size_t len)
{
	room(b, len);
	if (len)
		memcpy(b->data + b->len, data, len);
	b->len += len;
	b->data[b->len] = '\0';
}

void
buf_puts(struct buf *b, const char *s)
{
	buf_put(b, s, strlen(s));
}

void
buf_putc(struct buf *b, char c)
{
	buf_put(b, &c, 1);
}

void
buf_pad(struct buf *b, char c, size_t n)
{
	room(b, n);
	memset(b->data + b->len, c, n);
	b->len += n;
	b->data[b->len] = '\0';
}

void
buf_printf(struct buf *b, const char *fmt, ...)
{
	va_list ap;
	int len;

	va_start(ap, fmt);
	len = vsnprintf(NULL, 0, fmt, ap);
	va_end(ap);
	if (len < 0)
		return;
	room(b, (size_t)len);
	va_start(ap, fmt);
	vsnprintf(b->data + b->len, (size_t)len + 1, fmt, ap);
	va_end(ap);
	b->len += (size_t)len;
}

#define MUCH (1u << 20)

void
buf_offer(struct buf *b)
{
	if (!b->drain || b->len < MUCH)
		return;
	b->drain->take(b->drain->arg, b);
	buf_clear(b);
}

const char *
buf_str(const struct buf *b)
{
	return b->data ? b->data : "";
}

int
buf_write(const struct buf *b, int fd, const char *what, struct err *e)
{
	size_t done = 0;

	while (done < b->len) {
		ssize_t n = write(fd, b->data + done, b->len - done);

		if (n >= 0)
			done += (size_t)n;
		else if (errno != EINTR)
			return err_sys(e, "cannot write %s", what);
	}
	return 0;
}

void
buf_put_word(struct buf *b, const char *word)
{
	static const char plain[] =
	    "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
	    "@%_-+=:,./";

	if (*word && word[strspn(word, plain)] == '\0') {
		buf_puts(b, word);
		return;
	}
	buf_putc(b, '\'');
	for (; *word; word++) {
		if (*word == '\'')
			buf_puts(b, "'\\'");
		buf_putc(b, *word);
	}
	buf_putc(b, '\'');
}
