#include "io/channel.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "base/err.h"
#include "base/mem.h"
#include "io/dumpread.h"
#include "io/loop.h"
#include "prof/format.h"

#define PIPE_BYTES (1 << 20)
/* Read at a time, so that keys are not kept waiting by a large dump. */
#define READ_BYTES 65536
#define READS      8

struct channel {
	struct loop *loop;
	const struct channel_events *ev;
	void *arg;
	enum channel_state state;
	int sock;
	int pipe;  /* read end, -1 before hello */
	int table; /* memory file, -1: none */
	int pidfd;
	pid_t pid;
	loop_timer patience;
	bool ctl_waiting;
	bool silent; /* on_silent(true) was said */
	struct dumpread *decoder;
	struct profile_facts facts;
	struct hello_text text;
	bool hello_seen;

	/* Callbacks may free the channel: it goes when the outermost one has
	 * returned. */
	unsigned depth;
	bool freed;

	struct frame_head head;
	size_t have;
	unsigned char payload[FRAME_MAX + 1];
	unsigned char piece[READ_BYTES]; /* of the pipe */
};

static void
destroy(struct channel *c)
{
	hello_text_fini(&c->text);
	if (c->table >= 0)
		close(c->table);
	if (c->pidfd >= 0)
		close(c->pidfd);
	free(c);
}

static void
enter(struct channel *c)
{
	c->depth++;
}

static void
leave(struct channel *c)
{
	if (--c->depth == 0 && c->freed)
		destroy(c);
}

/* Close what goes to the target; facts and table stay. */
static void
hang_up(struct channel *c)
{
	loop_cancel(c->loop, c->patience);
	c->patience = 0;
	if (c->sock >= 0) {
		loop_unwatch(c->loop, c->sock);
		close(c->sock);
		c->sock = -1;
	}
	if (c->pipe >= 0) {
		loop_unwatch(c->loop, c->pipe);
		close(c->pipe);
		c->pipe = -1;
	}
	c->state = CHANNEL_GONE;
}

static void
gone(struct channel *c, enum channel_end end, const char *why)
{
	if (c->state == CHANNEL_GONE)
		return;
	hang_up(c);
	if (!c->freed && c->ev->on_gone != NULL)
		c->ev->on_gone(c->arg, c, end, why);
}

static void
say_silent(struct channel *c, bool silent)
{
	if (c->silent == silent)
		return;
	c->silent = silent;
	if (c->ev->on_silent != NULL)
		c->ev->on_silent(c->arg, c, silent);
}

static void
on_patience(void *arg)
{
	struct channel *c = arg;

	c->patience = 0;
	enter(c);
	if (c->state == CHANNEL_PULLING)
		c->state = CHANNEL_SILENT;
	say_silent(c, true);
	leave(c);
}

static void
be_patient(struct channel *c)
{
	loop_cancel(c->loop, c->patience);
	c->patience = loop_after(c->loop, CHANNEL_PATIENCE_NS, on_patience, c);
}

/* One message; a descriptor goes with it if fd >= 0. */
static int
send_message(struct channel *c, enum msg_kind kind, const void *payload,
    size_t size, int fd, struct err *e)
{
	struct frame_head h = { (uint32_t)size, (uint16_t)kind, 0 };
	struct iovec iov[2] = { { &h, sizeof h },
		{ (void *)(uintptr_t)payload, size } };
	union {
		struct cmsghdr head;
		char space[CMSG_SPACE(sizeof(int))];
	} control;
	struct msghdr m = { .msg_iov = iov, .msg_iovlen = size > 0 ? 2 : 1 };
	ssize_t n;

	if (fd >= 0) {
		memset(&control, 0, sizeof control);
		control.head.cmsg_level = SOL_SOCKET;
		control.head.cmsg_type = SCM_RIGHTS;
		control.head.cmsg_len = CMSG_LEN(sizeof fd);
		memcpy(CMSG_DATA(&control.head), &fd, sizeof fd);
		m.msg_control = &control;
		m.msg_controllen = sizeof control;
	}
	n = sendmsg(c->sock, &m, MSG_NOSIGNAL | MSG_DONTWAIT);
	if (n < 0)
		return err_sys(e, "cannot talk to process %d", (int)c->pid);
	if ((size_t)n != sizeof h + size)
		return err_set(
		    e, "process %d does not take what it is told", (int)c->pid);
	return 0;
}

/* Some bytes of a dump have come. */
static int
feed(struct channel *c, const void *data, size_t len)
{
	unsigned before = dumpread_snapshots(c->decoder);
	struct err e;

	if (dumpread_feed(c->decoder, data, len, &e) < 0) {
		gone(c, CHANNEL_DAMAGED, e.msg);
		return -1;
	}
	if (c->state != CHANNEL_PULLING && c->state != CHANNEL_SILENT)
		return 0;
	be_patient(c);
	c->state = CHANNEL_PULLING;
	say_silent(c, false);
	if (c->freed || dumpread_snapshots(c->decoder) == before)
		return c->freed ? -1 : 0;
	loop_cancel(c->loop, c->patience);
	c->patience = 0;
	c->state = CHANNEL_READY;
	if (c->ev->on_snapshot != NULL)
		c->ev->on_snapshot(c->arg, c);
	return c->freed || c->state == CHANNEL_GONE ? -1 : 0;
}

/* Read at most `reads` pieces; 1 if there may be more, 0 if the pipe is empty
 * or at its end, -1 if the channel is over. */
static int
drain(struct channel *c, unsigned reads)
{
	while (c->pipe >= 0 && reads-- > 0) {
		ssize_t n = read(c->pipe, c->piece, sizeof c->piece);

		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0)
			return 0;
		if (n == 0) {
			/* Its write end is closed everywhere; the socket
			 * will tell the rest. */
			loop_unwatch(c->loop, c->pipe);
			return 0;
		}
		if (feed(c, c->piece, (size_t)n) < 0)
			return -1;
	}
	return 1;
}

static void
on_pipe(void *arg, int fd, unsigned events)
{
	struct channel *c = arg;

	(void)fd;
	(void)events;
	enter(c);
	drain(c, READS);
	leave(c);
}

/* The pipe for the dumps; its write end goes to the target.  A target that
 * has hung up by now may have said why: its farewell is still to be read, so
 * only reading says that the channel is over. */
static int
hand_over_pipe(struct channel *c, struct err *e)
{
	int p[2];

	if (pipe2(p, O_CLOEXEC | O_NONBLOCK) < 0)
		return err_sys(e, "cannot make a pipe");
	/* More than the system's limit for users is refused: fine. */
	(void)fcntl(p[1], F_SETPIPE_SZ, PIPE_BYTES);
	(void)send_message(c, MSG_PIPE, NULL, 0, p[1], NULL);
	close(p[1]);
	c->pipe = p[0];
	loop_watch(c->loop, c->pipe, POLLIN, on_pipe, c);
	return 0;
}

static void
take_hello(struct channel *c)
{
	char name[32];
	struct err e;

	snprintf(name, sizeof name, "process %d", (int)c->pid);
	if (c->hello_seen) {
		gone(c, CHANNEL_DAMAGED, "the target greeted twice");
		return;
	}
	if (dumpread_hello(
		c->payload, c->head.size, name, &c->text, &c->facts, &e) < 0) {
		gone(c, CHANNEL_REFUSED, e.msg);
		return;
	}
	c->hello_seen = true;
	loop_cancel(c->loop, c->patience);
	c->patience = 0;
	say_silent(c, false);
	if (c->freed)
		return;
	if (c->pid == 0)
		c->pid = (pid_t)c->facts.pid;
	c->decoder = c->ev->on_hello(c->arg, c, &c->facts);
	if (c->freed)
		return;
	if (c->decoder == NULL) {
		gone(c, CHANNEL_REFUSED, "not wanted");
		return;
	}
	dumpread_restart(c->decoder);
	if (hand_over_pipe(c, &e) < 0) {
		gone(c, CHANNEL_CLOSED, e.msg);
		return;
	}
	c->state = CHANNEL_READY;
}

static void
take_bye(struct channel *c)
{
	struct bye b;

	if (c->head.size < sizeof b) {
		gone(c, CHANNEL_DAMAGED, "the target's farewell is too short");
		return;
	}
	memcpy(&b, c->payload, sizeof b);
	switch (b.reason) {
	case BYE_SECCOMP:
		gone(c, CHANNEL_SECCOMP,
		    "the program sets a system call filter and answers no "
		    "more; its table is read instead");
		break;
	case BYE_REMADE:
		gone(c, CHANNEL_REMADE,
		    "the program changes its namespaces or user and will "
		    "call again");
		break;
	case BYE_SLOW:
		gone(c, CHANNEL_SLOW,
		    "the target gave up: its dump was not read in time");
		break;
	default: gone(c, CHANNEL_CLOSED, "the target said good-bye"); break;
	}
}

static void
take_reply(struct channel *c)
{
	struct ctl_reply r;
	char *text = (char *)c->payload + sizeof r;

	if (c->head.size < sizeof r) {
		gone(
		    c, CHANNEL_DAMAGED, "an answer of the target is too short");
		return;
	}
	memcpy(&r, c->payload, sizeof r);
	if (c->head.size != sizeof r + r.text_len || !c->ctl_waiting) {
		gone(c, CHANNEL_DAMAGED,
		    "an answer of the target does not fit its question");
		return;
	}
	c->ctl_waiting = false;
	text[r.text_len] = 0; /* payload has room for it */
	if (c->ev->on_ctl != NULL)
		c->ev->on_ctl(c->arg, c, (int)r.error, text);
}

static void
take_message(struct channel *c)
{
	c->have = 0;
	if (c->head.kind == MSG_HELLO)
		take_hello(c);
	else if (!c->hello_seen)
		gone(c, CHANNEL_REFUSED, "the caller sent no greeting");
	else if (c->head.kind == MSG_BYE)
		take_bye(c);
	else if (c->head.kind == MSG_CTL_REPLY)
		take_reply(c);
	/* else of a later version: skipped */
}

/* A memory file and nothing else: reading a pipe or a file of some file
 * system of the sender's could block us. */
static void
keep_table(struct channel *c, int fd)
{
	if (c->table < 0 && !c->hello_seen && fcntl(fd, F_GET_SEALS) >= 0)
		c->table = fd;
	else
		close(fd);
}

static void
keep_descriptors(struct channel *c, struct msghdr *m)
{
	for (struct cmsghdr *h = CMSG_FIRSTHDR(m); h != NULL;
	     h = CMSG_NXTHDR(m, h)) {
		size_t n;

		if (h->cmsg_level != SOL_SOCKET || h->cmsg_type != SCM_RIGHTS)
			continue;
		n = (h->cmsg_len - CMSG_LEN(0)) / sizeof(int);
		for (size_t i = 0; i < n; i++) {
			int fd;

			memcpy(&fd, CMSG_DATA(h) + i * sizeof fd, sizeof fd);
			keep_table(c, fd);
		}
	}
}

/* Read from the socket to where it is missed: n > 0, 0 at the end, -1. */
static ssize_t
receive(struct channel *c)
{
	union {
		struct cmsghdr head;
		char space[CMSG_SPACE(8 * sizeof(int))];
	} control;
	const size_t head = sizeof c->head;
	struct iovec iov;
	struct msghdr m = { .msg_iov = &iov,
		.msg_iovlen = 1,
		.msg_control = &control,
		.msg_controllen = sizeof control };
	ssize_t n;

	if (c->have < head) {
		iov.iov_base = (unsigned char *)&c->head + c->have;
		iov.iov_len = head - c->have;
	} else {
		iov.iov_base = c->payload + (c->have - head);
		iov.iov_len = c->head.size - (c->have - head);
	}
	n = recvmsg(c->sock, &m, MSG_CMSG_CLOEXEC | MSG_DONTWAIT);
	if (n >= 0)
		keep_descriptors(c, &m);
	return n;
}

static void
at_end(struct channel *c)
{
	int left = drain(c, 1u << 16); /* what it wrote before it went */

	if (left >= 0 && !c->freed)
		gone(c, c->hello_seen ? CHANNEL_CLOSED : CHANNEL_REFUSED,
		    "the program has ended or become another one");
}

/* Read one message, or a part; false when there is nothing more to do. */
static bool
read_message(struct channel *c)
{
	const size_t head = sizeof c->head;
	ssize_t n = receive(c);

	if (n < 0 && (errno == EAGAIN || errno == EINTR))
		return false;
	if (n <= 0) {
		at_end(c);
		return false;
	}
	c->have += (size_t)n;
	if (c->have < head)
		return true;
	if (c->have == head &&
	    (c->head.size > FRAME_MAX || c->head.zero != 0)) {
		gone(c, c->hello_seen ? CHANNEL_DAMAGED : CHANNEL_REFUSED,
		    "what calls here does not speak heaptop's protocol");
		return false;
	}
	if (c->have == head + c->head.size)
		take_message(c);
	return !c->freed && c->state != CHANNEL_GONE;
}

static void
on_socket(void *arg, int fd, unsigned events)
{
	struct channel *c = arg;

	(void)fd;
	(void)events;
	enter(c);
	for (int i = 0; i < 64 && read_message(c); i++)
		;
	leave(c);
}

static int
open_pidfd(pid_t pid)
{
	return pid > 0 ? (int)syscall(SYS_pidfd_open, pid, 0) : -1;
}

struct channel *
channel_open(struct loop *l, int fd, pid_t pid, const struct channel_events *ev,
    void *arg)
{
	struct channel *c = xcalloc(1, sizeof *c);

	c->loop = l;
	c->ev = ev;
	c->arg = arg;
	c->state = CHANNEL_WAITING;
	c->sock = fd;
	c->pipe = c->table = -1;
	c->pid = pid;
	c->pidfd = open_pidfd(pid);
	loop_watch(l, fd, POLLIN, on_socket, c);
	be_patient(c);
	return c;
}

void
channel_free(struct channel *c)
{
	if (c == NULL || c->freed)
		return;
	hang_up(c);
	c->freed = true;
	if (c->depth == 0)
		destroy(c);
}

int
channel_pull(struct channel *c, struct err *e)
{
	if (c->state != CHANNEL_READY)
		return err_set(e,
		    c->state == CHANNEL_GONE
			? "process %d is gone"
			: "process %d has not answered yet",
		    (int)c->pid);
	if (send_message(c, MSG_PULL, NULL, 0, -1, e) < 0)
		return -1;
	c->state = CHANNEL_PULLING;
	be_patient(c);
	return 0;
}

int
channel_ctl(
    struct channel *c, const char *name, const char *value, struct err *e)
{
	struct ctl_request q = { 0 };
	size_t nl = strlen(name), vl = value != NULL ? strlen(value) : 0;
	unsigned char *msg;
	int r;

	if (!c->hello_seen || c->state == CHANNEL_GONE || c->ctl_waiting)
		return err_set(
		    e, "process %d takes no orders now", (int)c->pid);
	if (nl > 1024 || vl > 32768)
		return err_set(e, "%.64s...: that is too long", name);
	q.name_len = (uint16_t)nl;
	q.value_len = (uint16_t)vl;
	msg = xmalloc(sizeof q + nl + vl);
	memcpy(msg, &q, sizeof q);
	memcpy(msg + sizeof q, name, nl);
	if (vl > 0)
		memcpy(msg + sizeof q + nl, value, vl);
	r = send_message(c, MSG_CTL, msg, sizeof q + nl + vl, -1, e);
	free(msg);
	c->ctl_waiting = r == 0;
	return r;
}

enum channel_state
channel_state(const struct channel *c)
{
	return c->state;
}

pid_t
channel_pid(const struct channel *c)
{
	return c->pid;
}

int
channel_pidfd(const struct channel *c)
{
	return c->pidfd;
}

const struct profile_facts *
channel_facts(const struct channel *c)
{
	return c->hello_seen ? &c->facts : NULL;
}

int
channel_table(const struct channel *c)
{
	return c->table;
}

int
channel_take_table(struct channel *c)
{
	int fd = c->table;

	c->table = -1;
	return fd;
}
