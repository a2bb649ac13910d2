/* needs: src/io/channel.c src/io/domain.c src/io/dumpread.c src/io/loop.c
 * src/model/profile.c src/model/births.c src/model/frames.c src/model/modules.c
 * src/model/stacks.c src/model/history.c src/model/history_log.c
 * src/model/plumbing.c src/model/name.c src/base/arena.c src/base/buf.c
 * src/base/err.c src/base/map.c src/base/mem.c src/base/strtab.c
 * src/base/utf8.c */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <unistd.h>

#include "base/err.h"
#include "io/channel.h"
#include "io/dumpread.h"
#include "io/loop.h"
#include "model/history.h"
#include "model/profile.h"
#include "stream.h"

/* Both ends in one process: the test is the target. */
struct ends {
	struct loop *loop;
	struct channel *channel;
	int sock, pipe; /* the target's */
	struct profile *profile;
	struct dumpread *reader;
	unsigned snapshots, silences;
	bool want, free_at_snapshot;
	bool gone;
	enum channel_end end;
	char why[200];
	int ctl_error;
	char ctl_text[100];
};

static struct dumpread *
on_hello(void *arg, struct channel *c, const struct profile_facts *f)
{
	struct ends *x = arg;

	assert_ptr_equal(c, x->channel);
	assert_int_equal(f->pid, 77);
	return x->want ? x->reader : NULL;
}

static void
on_snapshot(void *arg, struct channel *c)
{
	struct ends *x = arg;

	x->snapshots++;
	if (!x->free_at_snapshot)
		return;
	channel_free(c);
	x->channel = NULL;
}

static void
on_silent(void *arg, struct channel *c, bool silent)
{
	struct ends *x = arg;

	(void)c;
	x->silences += silent;
}

static void
on_ctl(void *arg, struct channel *c, int error, const char *text)
{
	struct ends *x = arg;

	(void)c;
	x->ctl_error = error;
	strncat(x->ctl_text, text, sizeof x->ctl_text - 1);
}

static void
on_gone(void *arg, struct channel *c, enum channel_end end, const char *why)
{
	struct ends *x = arg;

	(void)c;
	x->gone = true;
	x->end = end;
	strncat(x->why, why, sizeof x->why - 1);
}

static const struct channel_events events = { on_hello, on_snapshot, on_silent,
	on_ctl, on_gone };

static void
open_ends(struct ends *x)
{
	int s[2];

	memset(x, 0, sizeof *x);
	assert_int_equal(socketpair(AF_UNIX, SOCK_STREAM, 0, s), 0);
	x->loop = loop_new();
	x->profile = profile_new();
	x->reader = dumpread_new(x->profile, "process 77");
	x->sock = s[1];
	x->pipe = -1;
	x->want = true;
	x->channel = channel_open(x->loop, s[0], getpid(), &events, x);
}

static void
close_ends(struct ends *x)
{
	channel_free(x->channel);
	dumpread_free(x->reader);
	profile_free(x->profile);
	loop_free(x->loop);
	if (x->sock >= 0)
		close(x->sock);
	if (x->pipe >= 0)
		close(x->pipe);
}

static void
turn(struct ends *x)
{
	while (loop_once(x->loop, 0, NULL) > 0)
		;
}

/* Say hello, with a descriptor if it is >= 0. */
static void
hello(struct ends *x, int fd)
{
	struct buf b = BUF_INIT;
	union {
		struct cmsghdr head;
		char space[CMSG_SPACE(sizeof(int))];
	} control;
	struct iovec iov;
	struct msghdr m = { .msg_iov = &iov, .msg_iovlen = 1 };

	stream_hello(&b, MSG_HELLO, FORMAT_VERSION);
	iov = (struct iovec){ b.data, b.len };
	if (fd >= 0) {
		memset(&control, 0, sizeof control);
		control.head.cmsg_level = SOL_SOCKET;
		control.head.cmsg_type = SCM_RIGHTS;
		control.head.cmsg_len = CMSG_LEN(sizeof fd);
		memcpy(CMSG_DATA(&control.head), &fd, sizeof fd);
		m.msg_control = &control;
		m.msg_controllen = sizeof control;
	}
	assert_int_equal(sendmsg(x->sock, &m, 0), b.len);
	buf_fini(&b);
	turn(x);
}

/* What heaptop says next; a descriptor that came with it goes to x->pipe. */
static unsigned
heard(struct ends *x, char *payload, size_t size)
{
	struct frame_head h;
	char space[CMSG_SPACE(sizeof(int))];
	struct iovec iov = { &h, sizeof h };
	struct msghdr m = { .msg_iov = &iov,
		.msg_iovlen = 1,
		.msg_control = space,
		.msg_controllen = sizeof space };
	ssize_t n = recvmsg(x->sock, &m, MSG_DONTWAIT);

	if (n != (ssize_t)sizeof h)
		return 0;
	if (CMSG_FIRSTHDR(&m) != NULL)
		memcpy(&x->pipe, CMSG_DATA(CMSG_FIRSTHDR(&m)), sizeof(int));
	assert_true(h.size <= size);
	if (h.size > 0)
		assert_int_equal(recv(x->sock, payload, h.size, 0), h.size);
	return h.kind;
}

static void
test_pull(void **state)
{
	struct ends x;
	struct buf b = BUF_INIT;
	int table = memfd_create("t", MFD_CLOEXEC);

	(void)state;
	open_ends(&x);
	assert_int_equal(channel_state(x.channel), CHANNEL_WAITING);
	assert_int_equal(channel_pull(x.channel, NULL), -1);
	hello(&x, table);
	assert_int_equal(channel_state(x.channel), CHANNEL_READY);
	assert_true(channel_table(x.channel) >= 0);
	assert_string_equal(channel_facts(x.channel)->command, "x -y");
	assert_int_equal(heard(&x, NULL, 0), MSG_PIPE);
	assert_true(x.pipe >= 0);
	/* its other end must not stop the target when it is full */
	assert_true(fcntl(x.pipe, F_GETFL) & O_NONBLOCK);

	assert_int_equal(channel_pull(x.channel, NULL), 0);
	assert_int_equal(channel_pull(x.channel, NULL), -1);
	assert_int_equal(heard(&x, NULL, 0), MSG_PULL);
	stream_dump(&b, 9000, 300);
	assert_int_equal(write(x.pipe, b.data, 100), 100);
	turn(&x);
	assert_int_equal(x.snapshots, 0);
	assert_int_equal(channel_state(x.channel), CHANNEL_PULLING);
	assert_int_equal(write(x.pipe, b.data + 100, b.len - 100), b.len - 100);
	turn(&x);
	assert_int_equal(x.snapshots, 1);
	assert_int_equal(channel_state(x.channel), CHANNEL_READY);

	/* the program ends: what it wrote before still counts */
	assert_int_equal(channel_pull(x.channel, NULL), 0);
	buf_clear(&b);
	stream_change(&b, 10000, 200);
	assert_int_equal(write(x.pipe, b.data, b.len), b.len);
	close(x.sock);
	x.sock = -1;
	turn(&x);
	assert_int_equal(x.snapshots, 2);
	assert_true(x.gone);
	assert_int_equal(x.end, CHANNEL_CLOSED);
	assert_int_equal(channel_state(x.channel), CHANNEL_GONE);
	assert_true(channel_table(x.channel) >= 0);
	close(channel_take_table(x.channel));
	assert_int_equal(channel_table(x.channel), -1);
	close(table);
	buf_fini(&b);
	close_ends(&x);
}

static void
test_free_in_callback(void **state)
{
	struct ends x;
	struct buf b = BUF_INIT;

	(void)state;
	open_ends(&x);
	x.free_at_snapshot = true;
	hello(&x, -1);
	assert_int_equal(heard(&x, NULL, 0), MSG_PIPE);
	channel_pull(x.channel, NULL);
	stream_dump(&b, 9000, 300);
	stream_change(&b, 9500, 100);
	assert_int_equal(write(x.pipe, b.data, b.len), b.len);
	turn(&x);
	assert_int_equal(x.snapshots, 1);
	assert_null(x.channel);
	assert_false(x.gone);
	buf_fini(&b);
	close_ends(&x);
}

static void
test_ctl(void **state)
{
	struct ends x;
	struct buf b = BUF_INIT;
	struct ctl_request q;
	struct ctl_reply r = { 2, 7, 0 };
	char text[64];

	(void)state;
	open_ends(&x);
	hello(&x, -1);
	assert_int_equal(heard(&x, NULL, 0), MSG_PIPE);
	assert_int_equal(
	    channel_ctl(x.channel, "prof.active", "false", NULL), 0);
	assert_int_equal(channel_ctl(x.channel, "x", NULL, NULL), -1);
	assert_int_equal(heard(&x, text, sizeof text), MSG_CTL);
	memcpy(&q, text, sizeof q);
	assert_int_equal(q.name_len, 11);
	assert_int_equal(q.value_len, 5);
	assert_memory_equal(text + sizeof q, "prof.activefalse", 16);
	memcpy(text, &r, sizeof r);
	memcpy(text + sizeof r, "no such", 7);
	stream_frame(&b, MSG_CTL_REPLY, text, sizeof r + 7);
	assert_int_equal(write(x.sock, b.data, b.len), b.len);
	turn(&x);
	assert_int_equal(x.ctl_error, 2);
	assert_string_equal(x.ctl_text, "no such");
	assert_int_equal(channel_ctl(x.channel, "x", NULL, NULL), 0);
	buf_fini(&b);
	close_ends(&x);
}

/* Greeted, said bye and hung up before the greeting is read: why it went is
 * not lost, though the pipe cannot be handed over any more. */
static void
test_short_visit(void **state)
{
	static const struct {
		uint32_t reason;
		enum channel_end end;
	} want[] = { { BYE_SECCOMP, CHANNEL_SECCOMP },
		{ BYE_REMADE, CHANNEL_REMADE }, { 0, CHANNEL_CLOSED } };

	(void)state;
	for (size_t i = 0; i < sizeof want / sizeof *want; i++) {
		struct buf b = BUF_INIT;
		struct bye bye = { want[i].reason, 0 };
		struct ends x;

		open_ends(&x);
		stream_hello(&b, MSG_HELLO, FORMAT_VERSION);
		if (want[i].reason)
			stream_frame(&b, MSG_BYE, &bye, sizeof bye);
		assert_int_equal(write(x.sock, b.data, b.len), b.len);
		close(x.sock);
		x.sock = -1;
		for (int j = 0; j < 3 && !x.gone; j++)
			turn(&x);
		assert_true(x.gone);
		assert_int_equal(x.end, want[i].end);
		buf_fini(&b);
		close_ends(&x);
	}
}

static void
check_end(const void *data, size_t len, bool greet, enum channel_end end)
{
	struct ends x;

	open_ends(&x);
	if (greet)
		hello(&x, -1);
	assert_int_equal(write(x.sock, data, len), len);
	turn(&x);
	assert_true(x.gone);
	assert_int_equal(x.end, end);
	assert_true(x.why[0] != 0);
	close_ends(&x);
}

static void
test_ends(void **state)
{
	struct buf b = BUF_INIT;
	struct bye bye = { BYE_SECCOMP, 0 };
	struct ends x;

	(void)state;
	check_end("GET / HTTP/1.0\r\n", 16, false, CHANNEL_REFUSED);
	check_end("GET / HTTP/1.0\r\n", 16, true, CHANNEL_DAMAGED);
	stream_frame(&b, MSG_BYE, &bye, sizeof bye);
	check_end(b.data, b.len, true, CHANNEL_SECCOMP);
	check_end(b.data, b.len, false, CHANNEL_REFUSED);
	buf_clear(&b);
	bye.reason = BYE_SLOW;
	stream_frame(&b, MSG_BYE, &bye, sizeof bye);
	check_end(b.data, b.len, true, CHANNEL_SLOW);
	buf_clear(&b);
	stream_hello(&b, MSG_HELLO, FORMAT_VERSION + 1);
	check_end(b.data, b.len, false, CHANNEL_REFUSED);
	buf_clear(&b);
	stream_hello(&b, MSG_HELLO, FORMAT_VERSION);
	check_end(b.data, b.len, true, CHANNEL_DAMAGED); /* twice */
	buf_fini(&b);

	open_ends(&x);
	x.want = false;
	hello(&x, -1);
	assert_true(x.gone);
	close_ends(&x);
}

/* Only a memory file is kept: others could make a reader wait. */
static void
test_table_kind(void **state)
{
	struct ends x;
	int fd = open("/dev/zero", O_RDONLY);

	(void)state;
	open_ends(&x);
	hello(&x, fd);
	assert_int_equal(channel_table(x.channel), -1);
	close(fd);
	close_ends(&x);
}

static void
stop(void *arg)
{
	loop_stop(arg);
}

static void
test_silence(void **state)
{
	struct ends x;
	struct buf b = BUF_INIT;

	(void)state;
	open_ends(&x);
	hello(&x, -1);
	assert_int_equal(heard(&x, NULL, 0), MSG_PIPE);
	channel_pull(x.channel, NULL);
	loop_after(x.loop, CHANNEL_PATIENCE_NS + 100000000, stop, x.loop);
	loop_run(x.loop, NULL);
	assert_int_equal(x.silences, 1);
	assert_int_equal(channel_state(x.channel), CHANNEL_SILENT);
	stream_dump(&b, 9000, 300);
	assert_int_equal(write(x.pipe, b.data, b.len), b.len);
	turn(&x);
	assert_int_equal(x.snapshots, 1);
	assert_int_equal(channel_state(x.channel), CHANNEL_READY);
	buf_fini(&b);
	close_ends(&x);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_pull),
		cmocka_unit_test(test_free_in_callback),
		cmocka_unit_test(test_ctl),
		cmocka_unit_test(test_short_visit),
		cmocka_unit_test(test_ends),
		cmocka_unit_test(test_table_kind),
		cmocka_unit_test(test_silence),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
