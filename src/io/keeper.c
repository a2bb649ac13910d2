#include "io/keeper.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <termios.h>
#include <unistd.h>

#include "base/err.h"
#include "base/mem.h"
#include "io/keeperproc.h"
#include "io/keeperwire.h"
#include "io/launch.h"
#include "io/loop.h"
#include "io/pty.h"
#include "io/ring.h"

#define WAITING_MAX (1u << 20) /* bytes typed that the keeper has not taken */
#define READ_ROUNDS 16         /* before the loop's others get their turn */

struct keeper {
	struct loop *loop;
	const struct keeper_events *ev;
	void *arg;
	char *name;
	int sock;        /* -1: the keeper is gone */
	loop_timer rest; /* for what came along with the first message */
	pid_t keeper;    /* our child; -1: reaped */
	pid_t pid;
	bool ended, stopped;
	int status;
	struct ring ring;
	struct keeperwire in, out;
	struct keeper_losses losses;
	bool busy, freed; /* in a callback; to be freed after it */
};

unsigned
keeper_terminals(void)
{
	unsigned mask = 0;

	for (int fd = 0; fd <= STDERR_FILENO; fd++)
		if (isatty(fd))
			mask |= 1u << fd;
	return mask;
}

/* ---- the start ---- */

/* A pipe that nobody reads is an error and not a wait. */
static int
open_log(const char *path, struct err *e)
{
	int fd = open(path,
	    O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOCTTY | O_NONBLOCK,
	    0666);
	int up;

	if (fd < 0 && errno == ENXIO)
		return err_set(e,
		    "cannot write the program's output to %s: nobody reads it",
		    path);
	if (fd < 0)
		return err_sys(
		    e, "cannot write the program's output to %s", path);
	if (fd > STDERR_FILENO)
		return fd;
	/* Where ours are closed: the keeper puts others in their place. */
	up = fcntl(fd, F_DUPFD_CLOEXEC, STDERR_FILENO + 1);
	close(fd);
	return up < 0 ? err_sys(e, "cannot open %s", path) : up;
}

static int
make_socket(int sock[2], struct err *e)
{
	int low[2] = { -1, -1 };

	sock[0] = sock[1] = -1;
	if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, low) == 0) {
		sock[0] = fcntl(low[0], F_DUPFD_CLOEXEC, STDERR_FILENO + 1);
		sock[1] = fcntl(low[1], F_DUPFD_CLOEXEC, STDERR_FILENO + 1);
	}
	if (sock[0] < 0 || sock[1] < 0)
		err_sys(e, "cannot make a socket");
	for (int i = 0; i < 2; i++)
		if (low[i] >= 0)
			close(low[i]);
	return sock[0] < 0 || sock[1] < 0 ? -1 : 0;
}

/* All that the keeper needs; -1 leaves `kp` to be closed all the same. */
static int
prepare(struct keeperproc *kp, int sock[2], const struct keeper_options *o,
    struct err *e)
{
	unsigned tty = keeper_terminals();
	int like = tty ? __builtin_ctz(tty) : -1;

	if (make_socket(sock, e) < 0 ||
	    pty_open(&kp->pty, like, o->termios, o->size, e) < 0)
		return -1;
	kp->sock = sock[1];
	kp->ring_bytes = o->ring_bytes ? o->ring_bytes : KEEPER_RING_BYTES;
	if (o->log != NULL && (kp->log = open_log(o->log, e)) < 0)
		return -1;
	return 0;
}

/* The program's descriptors: given, or the pty, or our own. */
static void
place(struct launch_options *l, unsigned mask, int slave)
{
	int *fd[] = { &l->in, &l->out, &l->err };

	l->tty = -1;
	for (int i = 0; i <= STDERR_FILENO; i++)
		if (*fd[i] < 0 && (mask & 1u << i))
			*fd[i] = slave;
}

/* The first message: how it went. */
static int
hear_start(struct keeper *k, struct err *e)
{
	struct pollfd pfd = { .fd = k->sock, .events = POLLIN };
	struct keeperwire_message m;
	int32_t n = LAUNCH_FAILED;
	int r;

	while ((r = keeperwire_next(&k->in, &m)) == 0) {
		(void)poll(&pfd, 1, -1);
		if (keeperwire_read(&k->in, k->sock) < 0)
			break;
	}
	if (r > 0 && keeperwire_take(&m, &n, sizeof n)) {
		if (m.kind == KEEPERWIRE_STARTED) {
			k->pid = n;
			return 0;
		}
		if (m.kind == KEEPERWIRE_FAILED && n > 0) {
			err_set(e, "%.*s", (int)m.size, m.data);
			return n;
		}
	}
	err_set(e, "cannot start %s: its keeper was killed", k->name);
	return LAUNCH_FAILED;
}

static void
reap(struct keeper *k, int flags)
{
	pid_t r;

	if (k->keeper <= 0)
		return;
	do
		r = waitpid(k->keeper, NULL, flags);
	while (r < 0 && errno == EINTR);
	if (r != 0)
		k->keeper = -1;
}

static void on_event(void *arg, int fd, unsigned events);
static void on_rest(void *arg);

static struct keeper *
make(struct loop *l, const struct keeper_events *ev, void *arg,
    const char *name, size_t ring_bytes)
{
	struct keeper *k = xcalloc(1, sizeof *k);

	k->loop = l;
	k->ev = ev;
	k->arg = arg;
	k->name = xstrdup(name);
	k->sock = k->keeper = k->pid = -1;
	ring_init(&k->ring, ring_bytes);
	return k;
}

static void
destroy(struct keeper *k)
{
	ring_fini(&k->ring);
	keeperwire_fini(&k->in);
	keeperwire_fini(&k->out);
	free(k->name);
	free(k);
}

int
keeper_start(struct loop *l, const struct keeper_options *o,
    const struct keeper_events *ev, void *arg, struct keeper **k, struct err *e)
{
	struct keeperproc kp = { .sock = -1, .pty = PTY_INIT, .log = -1 };
	struct launch_options launch = *o->launch;
	struct sigstate signals;
	int sock[2] = { -1, -1 }, status;
	char *path = NULL;

	*k = NULL;
	/* Before an output file is emptied for nothing. */
	status = launch_find(launch.argv[0], &path, e);
	free(path);
	if (status != 0)
		return status;
	status = LAUNCH_FAILED;
	if (prepare(&kp, sock, o, e) < 0)
		goto out;
	sigstate_get(&signals);
	if (launch.signals == NULL)
		launch.signals = &signals;
	place(&launch, o->pty, kp.pty.slave);
	kp.launch = &launch;
	*k = make(l, ev, arg, launch.argv[0], kp.ring_bytes);
	fflush(NULL);
	(*k)->keeper = fork();
	if ((*k)->keeper < 0) {
		err_sys(e, "cannot start %s", launch.argv[0]);
		goto out;
	}
	if ((*k)->keeper == 0)
		keeperproc_run(&kp);
	(*k)->sock = sock[0];
	close(sock[1]);
	sock[0] = sock[1] = -1;
	status = hear_start(*k, e);
	if (status == 0) {
		loop_watch(l, (*k)->sock, POLLIN, on_event, *k);
		(*k)->rest = loop_after(l, 0, on_rest, *k);
	}
out:
	for (int i = 0; i < 2; i++)
		if (sock[i] >= 0)
			close(sock[i]);
	pty_close(&kp.pty);
	if (kp.log >= 0)
		close(kp.log);
	if (status != 0 && *k != NULL) {
		if ((*k)->sock >= 0)
			close((*k)->sock);
		reap(*k, 0);
		destroy(*k);
		*k = NULL;
	}
	return status;
}

/* ---- what comes ---- */

static void
hang_up(struct keeper *k)
{
	if (k->sock < 0)
		return;
	loop_cancel(k->loop, k->rest);
	loop_unwatch(k->loop, k->sock);
	close(k->sock);
	k->sock = -1;
	k->rest = 0;
}

static void
lose(struct keeper *k)
{
	struct err e;

	hang_up(k);
	reap(k, WNOHANG);
	if (k->ended || k->freed || k->ev->on_gone == NULL)
		return;
	err_set(&e,
	    "the keeper of %s (process %ld) was killed: the program has lost "
	    "its terminal, and how it ends is not known",
	    k->name, (long)k->pid);
	k->ev->on_gone(k->arg, k, e.msg);
}

static bool
take_output(struct keeper *k, struct keeperwire_message *m)
{
	uint64_t offset;

	if (!keeperwire_take(m, &offset, sizeof offset) || offset < k->ring.end)
		return false;
	ring_skip(&k->ring, offset);
	ring_put(&k->ring, m->data, m->size);
	if (k->ev->on_output != NULL)
		k->ev->on_output(k->arg, k, m->data, m->size);
	return true;
}

static bool
take_status(struct keeper *k, struct keeperwire_message *m)
{
	int32_t status;

	if (!keeperwire_take(m, &status, sizeof status) || k->ended)
		return false;
	k->status = status;
	k->stopped = WIFSTOPPED(status);
	k->ended = WIFEXITED(status) || WIFSIGNALED(status);
	if (k->ev->on_status != NULL)
		k->ev->on_status(k->arg, k, status);
	return true;
}

static bool
take_losses(struct keeper *k, struct keeperwire_message *m)
{
	struct keeperwire_losses l;

	if (!keeperwire_take(m, &l, sizeof l))
		return false;
	k->losses.input = l.input;
	k->losses.log = l.log;
	k->losses.log_error = l.error;
	if (k->ev->on_losses != NULL)
		k->ev->on_losses(k->arg, k);
	return true;
}

static bool
take(struct keeper *k, struct keeperwire_message *m)
{
	switch ((int)m->kind) {
	case KEEPERWIRE_OUTPUT: return take_output(k, m);
	case KEEPERWIRE_STATUS: return take_status(k, m);
	case KEEPERWIRE_LOSSES: return take_losses(k, m);
	default: return false;
	}
}

/* Everything that is here; false when the keeper is gone. */
static bool
take_all(struct keeper *k)
{
	struct keeperwire_message m;
	int next;

	while (!k->freed && (next = keeperwire_next(&k->in, &m)) != 0)
		if (next < 0 || !take(k, &m))
			return false;
	return true;
}

static void
flush(struct keeper *k)
{
	int r = k->sock < 0 ? 0 : keeperwire_send(&k->out, k->sock);

	/* If nobody is there, reading says so, after what is left to read. */
	if (k->sock >= 0)
		loop_watch(k->loop, k->sock, r > 0 ? POLLIN | POLLOUT : POLLIN,
		    on_event, k);
}

static void
on_event(void *arg, int fd, unsigned events)
{
	struct keeper *k = arg;
	int r;

	k->busy = true;
	if (events & POLLOUT)
		flush(k);
	r = take_all(k) ? 1 : -1;
	for (int i = 0; i < READ_ROUNDS && r > 0 && !k->freed; i++) {
		r = keeperwire_read(&k->in, fd);
		if (!take_all(k))
			r = -1;
	}
	if (r < 0 && !k->freed)
		lose(k);
	k->busy = false;
	if (k->freed)
		keeper_free(k);
}

static void
on_rest(void *arg)
{
	struct keeper *k = arg;

	k->rest = 0;
	on_event(k, k->sock, 0);
}

/* ---- what goes ---- */

bool
keeper_write(struct keeper *k, const void *data, size_t len)
{
	const char *p = data;

	if (k->sock < 0 || k->ended ||
	    keeperwire_waiting(&k->out) + len > WAITING_MAX)
		return false;
	while (len > 0) {
		size_t n = len < KEEPERWIRE_MAX ? len : KEEPERWIRE_MAX;

		keeperwire_put(&k->out, KEEPERWIRE_INPUT, p, n);
		p += n;
		len -= n;
	}
	flush(k);
	return true;
}

void
keeper_resize(struct keeper *k, const struct winsize *size)
{
	keeperwire_put(&k->out, KEEPERWIRE_RESIZE, size, sizeof *size);
	flush(k);
}

void
keeper_signal(struct keeper *k, int sig)
{
	int32_t n = sig;

	keeperwire_put(&k->out, KEEPERWIRE_SIGNAL, &n, sizeof n);
	flush(k);
}

void
keeper_free(struct keeper *k)
{
	if (k == NULL)
		return;
	if (k->sock >= 0)
		keeperwire_send(&k->out, k->sock);
	hang_up(k);
	if (k->busy) {
		k->freed = true;
		return;
	}
	reap(k, WNOHANG);
	destroy(k);
}

pid_t
keeper_pid(const struct keeper *k)
{
	return k->pid;
}

const struct ring *
keeper_output(const struct keeper *k)
{
	return &k->ring;
}

const struct keeper_losses *
keeper_losses(const struct keeper *k)
{
	return &k->losses;
}

bool
keeper_ended(const struct keeper *k, int *wait_status)
{
	if (k->ended && wait_status != NULL)
		*wait_status = k->status;
	return k->ended;
}

bool
keeper_stopped(const struct keeper *k)
{
	return k->stopped;
}
