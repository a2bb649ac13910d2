#include "viewer.h"

#include <errno.h>
#include <fcntl.h>
#include <stddef.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <time.h>

#include "ctl.h"
#include "facts.h"
#include "meta.h"
#include "names.h"
#include "os.h"
#include "tablewrite.h"

/* Bytes that one call of viewer_write moves at most, so that one viewer does
 * not keep the others waiting. */
#define WRITE_AT_ONCE (1u << 20)

static long
send_message(int sock, const void *data, size_t len, int fd)
{
	struct iovec iov = { (void *)(uintptr_t)data, len };
	union {
		struct cmsghdr head;
		char room[CMSG_SPACE(sizeof(int))];
	} control = { { 0 } };
	struct msghdr m = { .msg_iov = &iov, .msg_iovlen = 1 };

	if (fd >= 0) {
		m.msg_control = &control;
		m.msg_controllen = sizeof control.room;
		control.head.cmsg_len = CMSG_LEN(sizeof(int));
		control.head.cmsg_level = SOL_SOCKET;
		control.head.cmsg_type = SCM_RIGHTS;
		memcpy(CMSG_DATA(&control.head), &fd, sizeof fd);
	}
	return os_syscall(SYS_sendmsg, sock, &m, MSG_NOSIGNAL | MSG_DONTWAIT);
}

static bool
say_hello(struct viewer *v, int memfd)
{
	struct table_view view = table_view();
	size_t n = encode_hello(&view, v->buf, ENCODE_ROOM);
	struct hello *h =
	    (struct hello *)(void *)(v->buf + sizeof(struct frame_head));

	if (n == 0)
		return false;
	if (memfd < 0)
		h->flags |= HELLO_NO_TABLE;
	return send_message(v->sock, v->buf, n, memfd) == (long)n;
}

bool
viewer_open(struct viewer *v, int sock, int memfd)
{
	memset(v, 0, offsetof(struct viewer, in));
	v->sock = sock;
	v->pipe = -1;
	v->buf = meta_alloc(ENCODE_ROOM);
	if (v->buf && say_hello(v, memfd)) {
		encoder_init(&v->encoder, table_view());
		return true;
	}
	viewer_close(v);
	return false;
}

void
viewer_close(struct viewer *v)
{
	if (v->sock >= 0)
		os_syscall(SYS_close, v->sock);
	if (v->pipe >= 0)
		os_syscall(SYS_close, v->pipe);
	meta_free(v->buf, ENCODE_ROOM);
	v->buf = NULL;
	v->sock = v->pipe = -1;
}

void
viewer_bye(struct viewer *v, uint32_t reason)
{
	struct {
		struct frame_head head;
		struct bye bye;
	} m = { { sizeof m.bye, MSG_BYE, 0 }, { reason, 0 } };

	send_message(v->sock, &m, sizeof m, -1);
}

/* A dump is asked for; one that is still on its way is the answer. */
static void
pull(struct viewer *v)
{
	struct table_head *h = table_head();
	uint32_t n;

	if (v->sending || v->pipe < 0 || !h)
		return;
	facts_totals();
	names_refresh();
	n = __atomic_fetch_add(&h->pull, 1, __ATOMIC_SEQ_CST);
	encoder_begin(&v->encoder, n, facts_clock_ns(CLOCK_MONOTONIC), 0);
	v->sending = true;
	v->len = v->off = 0;
}

static void
take_pipe(struct viewer *v, int fd)
{
	long flags;

	if (v->pipe >= 0 || fd < 0) {
		if (fd >= 0)
			os_syscall(SYS_close, fd);
		return;
	}
	flags = os_syscall(SYS_fcntl, fd, F_GETFL);
	os_syscall(SYS_fcntl, fd, F_SETFL, flags | O_NONBLOCK);
	v->pipe = fd;
}

static bool
answer(struct viewer *v, const struct ctl_request *r, const char *text)
{
	struct {
		struct frame_head head;
		struct ctl_reply reply;
		char text[CTL_TEXT];
	} m = { { 0, MSG_CTL_REPLY, 0 }, { 0 }, { 0 } };
	size_t n;

	m.reply.error = (uint32_t)ctl_do(text, r->name_len, text + r->name_len,
	    r->value_len, m.text, sizeof m.text);
	m.reply.text_len = (uint16_t)strlen(m.text);
	m.head.size = (uint32_t)(sizeof m.reply + m.reply.text_len);
	n = sizeof m.head + m.head.size;
	return send_message(v->sock, &m, n, -1) == (long)n;
}

/* One whole message.  False: it makes no sense, the viewer is let go. */
static bool
message(
    struct viewer *v, const struct frame_head *h, const void *payload, int *fd)
{
	struct ctl_request r;

	switch (h->kind) {
	case MSG_PIPE:
		take_pipe(v, *fd);
		*fd = -1;
		return v->pipe >= 0;
	case MSG_PULL: pull(v); return true;
	case MSG_CTL:
		if (h->size < sizeof r)
			return false;
		memcpy(&r, payload, sizeof r);
		if ((size_t)r.name_len + r.value_len != h->size - sizeof r)
			return false;
		return answer(v, &r, (const char *)payload + sizeof r);
	default: return true; /* from a later version */
	}
}

/* All whole messages in v->in. */
static bool
messages(struct viewer *v, int *fd)
{
	struct frame_head h;
	bool good = true;

	while (good && v->in_len >= sizeof h) {
		memcpy(&h, v->in, sizeof h);
		if (h.size > sizeof v->in - sizeof h)
			return false;
		if (v->in_len < sizeof h + h.size)
			break;
		good = message(v, &h, v->in + sizeof h, fd);
		v->in_len -= sizeof h + h.size;
		memmove(v->in, v->in + sizeof h + h.size, v->in_len);
	}
	return good;
}

/* The descriptor that came along, -1 if none; more than one are closed. */
static int
received_fd(struct msghdr *m)
{
	int fd = -1;

	for (struct cmsghdr *c = CMSG_FIRSTHDR(m); c; c = CMSG_NXTHDR(m, c)) {
		size_t n = (c->cmsg_len - CMSG_LEN(0)) / sizeof(int);

		if (c->cmsg_level != SOL_SOCKET || c->cmsg_type != SCM_RIGHTS)
			continue;
		for (size_t i = 0; i < n; i++) {
			if (fd >= 0)
				os_syscall(SYS_close, fd);
			memcpy(&fd, CMSG_DATA(c) + i * sizeof fd, sizeof fd);
		}
	}
	return fd;
}

bool
viewer_read(struct viewer *v)
{
	struct iovec iov = { v->in + v->in_len, sizeof v->in - v->in_len };
	union {
		struct cmsghdr head;
		char room[CMSG_SPACE(4 * sizeof(int))];
	} control;
	struct msghdr m = { .msg_iov = &iov,
		.msg_iovlen = 1,
		.msg_control = &control,
		.msg_controllen = sizeof control.room };
	long n = os_syscall(
	    SYS_recvmsg, v->sock, &m, MSG_DONTWAIT | MSG_CMSG_CLOEXEC);
	int fd;
	bool good;

	if (n == -EAGAIN || n == -EINTR)
		return true;
	if (n <= 0)
		return false;
	fd = received_fd(&m);
	v->in_len += (size_t)n;
	good = messages(v, &fd);
	if (fd >= 0)
		os_syscall(SYS_close, fd);
	return good;
}

bool
viewer_write(struct viewer *v)
{
	size_t moved = 0;

	while (v->sending && moved < WRITE_AT_ONCE) {
		long n;

		if (v->off == v->len) {
			v->off = 0;
			v->len = encoder_some(&v->encoder, v->buf, ENCODE_ROOM);
			if (v->len == 0) {
				v->sending = false;
				break;
			}
		}
		n = os_syscall(
		    SYS_write, v->pipe, v->buf + v->off, v->len - v->off);
		if (n == -EAGAIN || n == -EINTR)
			break;
		if (n <= 0)
			return false;
		v->off += (size_t)n;
		moved += (size_t)n;
	}
	return true;
}
