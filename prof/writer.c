#include "writer.h"

#include <errno.h>
#include <string.h>
#include <sys/syscall.h>

#include "deflate.h"
#include "os.h"
#include "say.h"

static void
put(void *writer, const unsigned char *p, size_t len)
{
	struct writer *w = writer;
	size_t off = 0;

	while (off < len && w->error == 0) {
		long n = os_syscall(SYS_write, w->fd, p + off, len - off);

		if (n > 0)
			off += (size_t)n;
		else if (n != -EINTR)
			w->error = n < 0 ? (int)-n : EIO;
	}
}

void
writer_init(struct writer *w, int fd, struct deflate *gzip)
{
	w->fd = fd;
	w->error = 0;
	w->gzip = gzip;
	w->len = 0;
	if (gzip)
		deflate_begin(gzip, put, w);
}

static void
drain(struct writer *w)
{
	if (w->gzip && w->error == 0)
		deflate_bytes(w->gzip, w->buf, w->len);
	else
		put(w, (const unsigned char *)w->buf, w->len);
	w->len = 0;
}

void
writer_bytes(struct writer *w, const char *p, size_t n)
{
	while (n > 0) {
		size_t room = sizeof w->buf - w->len;
		size_t m = n < room ? n : room;

		memcpy(w->buf + w->len, p, m);
		w->len += m;
		p += m;
		n -= m;
		if (w->len == sizeof w->buf)
			drain(w);
	}
}

void
writer_text(struct writer *w, const char *s)
{
	writer_bytes(w, s, strlen(s));
}

void
writer_number(struct writer *w, uint64_t n)
{
	struct say_number num;

	writer_text(w, say_number(&num, n));
}

void
writer_hex(struct writer *w, uint64_t n)
{
	char text[20];
	int i = sizeof text;

	do {
		text[--i] = "0123456789abcdef"[n & 15];
		n >>= 4;
	} while (n > 0);
	text[--i] = 'x';
	text[--i] = '0';
	writer_bytes(w, text + i, sizeof text - (size_t)i);
}

int
writer_flush(struct writer *w)
{
	drain(w);
	if (w->gzip)
		deflate_end(w->gzip);
	w->gzip = NULL;
	return w->error;
}
