#include "io/keeperwire.h"

#include <errno.h>
#include <string.h>
#include <sys/socket.h>

void
keeperwire_fini(struct keeperwire *w)
{
	buf_fini(&w->buf);
	w->at = 0;
}

/* Forget what is done with. */
static void
squeeze(struct keeperwire *w)
{
	size_t left = w->buf.len - w->at;

	if (w->at == 0)
		return;
	memmove(w->buf.data, w->buf.data + w->at, left);
	w->buf.len = left;
	w->at = 0;
}

void
keeperwire_put2(struct keeperwire *w, enum keeperwire_kind kind, const void *a,
    size_t n, const void *b, size_t m)
{
	struct keeperwire_head h = { (uint32_t)(n + m), (uint16_t)kind, 0 };

	squeeze(w);
	buf_put(&w->buf, &h, sizeof h);
	buf_put(&w->buf, a, n);
	if (m > 0)
		buf_put(&w->buf, b, m);
}

void
keeperwire_put(
    struct keeperwire *w, enum keeperwire_kind kind, const void *a, size_t n)
{
	keeperwire_put2(w, kind, a, n, NULL, 0);
}

size_t
keeperwire_waiting(const struct keeperwire *w)
{
	return w->buf.len - w->at;
}

int
keeperwire_send(struct keeperwire *w, int fd)
{
	while (w->at < w->buf.len) {
		ssize_t n = send(fd, w->buf.data + w->at, w->buf.len - w->at,
		    MSG_NOSIGNAL | MSG_DONTWAIT);

		if (n >= 0)
			w->at += (size_t)n;
		else if (errno == EAGAIN)
			return 1;
		else if (errno != EINTR)
			return -1;
	}
	buf_clear(&w->buf);
	w->at = 0;
	return 0;
}

int
keeperwire_read(struct keeperwire *w, int fd)
{
	char data[8192];
	ssize_t n = recv(fd, data, sizeof data, MSG_DONTWAIT);

	if (n < 0 && (errno == EAGAIN || errno == EINTR))
		return 0;
	if (n <= 0)
		return -1;
	squeeze(w);
	buf_put(&w->buf, data, (size_t)n);
	return 1;
}

int
keeperwire_next(struct keeperwire *w, struct keeperwire_message *m)
{
	struct keeperwire_head h;
	size_t have = w->buf.len - w->at;

	if (have < sizeof h)
		return 0;
	memcpy(&h, w->buf.data + w->at, sizeof h);
	if (h.size > KEEPERWIRE_MAX || h.zero != 0 ||
	    h.kind < KEEPERWIRE_INPUT || h.kind > KEEPERWIRE_LOSSES)
		return -1;
	if (have - sizeof h < h.size)
		return 0;
	m->kind = (enum keeperwire_kind)h.kind;
	m->data = w->buf.data + w->at + sizeof h;
	m->size = h.size;
	w->at += sizeof h + h.size;
	return 1;
}

bool
keeperwire_take(struct keeperwire_message *m, void *to, size_t size)
{
	if (m->size < size)
		return false;
	memcpy(to, m->data, size);
	m->data += size;
	m->size -= size;
	return true;
}
