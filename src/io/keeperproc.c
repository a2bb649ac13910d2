#include "io/keeperproc.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <signal.h>
#include <stdbool.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/err.h"
#include "base/mem.h"
#include "io/keeperwire.h"
#include "io/launch.h"
#include "io/loop.h"
#include "io/ring.h"

#define READ_BYTES  8192       /* of the pty at a time */
#define READ_ROUNDS 32         /* before anything else gets its turn */
#define SEND_BYTES  16384      /* of output in a message */
#define INPUT_MAX   (1u << 20) /* bytes the program has not read yet */
/* More than the kernel holds for a pty (8 KiB and a page, Linux 6): what is
 * read beyond it after the program's end is of other processes. */
#define DRAIN_BYTES (1u << 20)

struct proc {
	struct loop *loop;
	int sock;  /* -1: heaptop is gone */
	bool deaf; /* it takes nothing any more */
	struct pty pty;
	int log; /* -1: none */
	pid_t pid;
	int stopped;     /* the signal the program is stopped by; 0: runs */
	bool stop_asked; /* by heaptop */
	bool ended;      /* and reaped */
	bool eof;        /* nobody holds the slave */
	bool news;       /* `status` is to be told */
	bool lossy;      /* `losses` are to be told */
	int status;      /* the last one of waitpid */
	uint64_t end;    /* once ended: offset after its last output */
	uint64_t sent, logged; /* offsets of output passed on */
	struct ring ring;
	struct keeperwire in, out;
	struct buf input; /* for the program */
	struct keeperwire_losses losses;
};

/* ---- output ---- */

static void
end_log(struct proc *p, int error)
{
	loop_unwatch(p->loop, p->log);
	close(p->log);
	p->log = -1;
	p->losses.error = error;
	p->lossy = true;
}

static void on_log(void *arg, int fd, unsigned events);

/* The output file takes what it can.  A regular one takes all. */
static void
pump_log(struct proc *p)
{
	while (p->log >= 0 && p->logged < p->ring.end) {
		size_t len;
		const char *from;
		ssize_t n;

		if (p->logged < p->ring.start) {
			p->losses.log += p->ring.start - p->logged;
			p->logged = p->ring.start;
			p->lossy = true;
		}
		from = ring_at(&p->ring, p->logged, &len);
		n = write(p->log, from, len);
		if (n >= 0)
			p->logged += (size_t)n;
		else if (errno == EAGAIN) {
			loop_watch(p->loop, p->log, POLLOUT, on_log, p);
			return;
		} else if (errno != EINTR)
			end_log(p, errno);
	}
	if (p->log >= 0)
		loop_unwatch(p->loop, p->log);
}

static void
on_log(void *arg, int fd, unsigned events)
{
	(void)fd;
	(void)events;
	pump_log(arg);
}

/* Bytes that came, 0 if there are none now. */
static size_t
read_output(struct proc *p)
{
	char data[READ_BYTES];
	ssize_t n = p->eof ? 0 : read(p->pty.master, data, sizeof data);

	if (n > 0) {
		ring_put(&p->ring, data, (size_t)n);
		pump_log(p);
		return (size_t)n;
	}
	if (n < 0 && (errno == EAGAIN || errno == EINTR))
		return 0;
	p->eof = true;
	loop_unwatch(p->loop, p->pty.master);
	return 0;
}

/* The next message to heaptop, if there is one. */
static bool
compose(struct proc *p)
{
	uint64_t from = p->sent > p->ring.start ? p->sent : p->ring.start;
	size_t len;
	const char *data;

	if (p->news && (!p->ended || p->sent >= p->end)) {
		int32_t status = p->status;

		p->news = false;
		keeperwire_put(
		    &p->out, KEEPERWIRE_STATUS, &status, sizeof status);
		return true;
	}
	if (p->lossy) {
		p->lossy = false;
		keeperwire_put(
		    &p->out, KEEPERWIRE_LOSSES, &p->losses, sizeof p->losses);
		return true;
	}
	data = ring_at(&p->ring, from, &len);
	if (data == NULL)
		return false;
	if (len > SEND_BYTES)
		len = SEND_BYTES;
	keeperwire_put2(
	    &p->out, KEEPERWIRE_OUTPUT, &from, sizeof from, data, len);
	p->sent = from + len;
	return true;
}

static void on_client(void *arg, int fd, unsigned events);

static void
pump_client(struct proc *p)
{
	int r;

	if (p->sock < 0 || p->deaf)
		return;
	do
		r = keeperwire_send(&p->out, p->sock);
	while (r == 0 && compose(p));
	p->deaf = r < 0;
	loop_watch(
	    p->loop, p->sock, r > 0 ? POLLIN | POLLOUT : POLLIN, on_client, p);
}

/* ---- input ---- */

static void on_master(void *arg, int fd, unsigned events);

/* What is typed waits here while the program does not read. */
static void
pump_input(struct proc *p)
{
	size_t at = 0;

	while (!p->eof && at < p->input.len) {
		ssize_t n =
		    write(p->pty.master, p->input.data + at, p->input.len - at);

		if (n == 0 || (n < 0 && errno != EINTR))
			break;
		at += n > 0 ? (size_t)n : 0;
	}
	if (at > 0) {
		p->input.len -= at;
		memmove(p->input.data, p->input.data + at, p->input.len);
	}
	if (!p->eof)
		loop_watch(p->loop, p->pty.master,
		    p->input.len > 0 ? POLLIN | POLLOUT : POLLIN, on_master, p);
}

static void
on_master(void *arg, int fd, unsigned events)
{
	struct proc *p = arg;

	(void)fd;
	for (int i = 0; i < READ_ROUNDS && read_output(p) > 0; i++)
		;
	if (events & POLLOUT)
		pump_input(p);
}

static void
take_input(struct proc *p, const struct keeperwire_message *m)
{
	size_t room = INPUT_MAX - p->input.len;
	size_t n = m->size < room ? m->size : room;

	/* A shell in the middle of vfork() is stopped without a status. */
	if (p->pty.slave >= 0 && pty_suspends(&p->pty, m->data, n))
		p->stop_asked = true;
	if (n < m->size) {
		p->losses.input += m->size - n;
		p->lossy = true;
	}
	buf_put(&p->input, m->data, n);
	pump_input(p);
}

/* To all of the program's process group, as the terminal does. */
static void
send_signal(struct proc *p, int sig)
{
	if (p->ended || sig <= 0 || sig >= NSIG)
		return;
	kill(-p->pid, sig);
	if (sig == SIGSTOP || sig == SIGTSTP)
		p->stop_asked = true;
	else if (sig == SIGCONT)
		p->stop_asked = false;
	else if (p->stopped &&
	    (sig == SIGTERM || sig == SIGHUP || sig == SIGINT ||
		sig == SIGQUIT))
		kill(-p->pid, SIGCONT); /* or it would not take notice */
}

/* Nobody is there any more who could type ^Q or resume the program. */
static void
lose_client(struct proc *p)
{
	loop_unwatch(p->loop, p->sock);
	close(p->sock);
	p->sock = -1;
	p->news = p->lossy = false;
	if (p->pty.slave >= 0)
		pty_flow(&p->pty);
	if (p->stop_asked || p->stopped == SIGTSTP)
		send_signal(p, SIGCONT);
}

/* false: nonsense. */
static bool
obey(struct proc *p, struct keeperwire_message *m)
{
	struct winsize size;
	int32_t sig;

	switch ((int)m->kind) {
	case KEEPERWIRE_INPUT: take_input(p, m); return true;
	case KEEPERWIRE_RESIZE:
		if (!keeperwire_take(m, &size, sizeof size))
			return false;
		pty_resize(&p->pty, &size);
		return true;
	case KEEPERWIRE_SIGNAL:
		if (!keeperwire_take(m, &sig, sizeof sig))
			return false;
		send_signal(p, sig);
		return true;
	default: return false;
	}
}

static void
on_client(void *arg, int fd, unsigned events)
{
	struct proc *p = arg;
	struct keeperwire_message m;
	int r = keeperwire_read(&p->in, fd), next = 0;

	(void)events; /* the loop's end sends what there is */
	while (r > 0 && (next = keeperwire_next(&p->in, &m)) > 0)
		if (!obey(p, &m))
			break;
	if (r < 0 || next != 0)
		lose_client(p);
}

/* ---- the program ---- */

/* All that it has written is in the kernel's hands now.  A child of it may
 * still be writing, which is not waited for. */
static void
drain(struct proc *p)
{
	size_t got = 0, n;

	/* What it left running is in the foreground no longer, or it would
	 * be hung up with us. */
	pty_take_back(&p->pty);
	close(p->pty.slave);
	p->pty.slave = -1;
	while (got < DRAIN_BYTES && (n = read_output(p)) > 0)
		got += n;
	p->end = p->ring.end;
}

static void
on_child(void *arg, int sig)
{
	struct proc *p = arg;
	int status;

	(void)sig;
	while (!p->ended &&
	    waitpid(p->pid, &status, WNOHANG | WUNTRACED | WCONTINUED) ==
		p->pid) {
		p->status = status;
		p->news = p->sock >= 0;
		p->stopped = WIFSTOPPED(status) ? WSTOPSIG(status) : 0;
		p->stop_asked &= !WIFCONTINUED(status);
		if (p->stopped == SIGTSTP && p->sock < 0)
			send_signal(p, SIGCONT);
		p->ended = WIFEXITED(status) || WIFSIGNALED(status);
	}
	if (p->ended && p->pty.slave >= 0)
		drain(p);
}

static bool
is_done(const struct proc *p)
{
	if (!p->ended || !p->eof)
		return false;
	if (p->log >= 0 && p->logged < p->ring.end)
		return false;
	return p->sock < 0 || p->deaf ||
	    (!p->news && !p->lossy && p->sent == p->ring.end &&
		keeperwire_waiting(&p->out) == 0);
}

static void
keep(struct proc *p)
{
	struct timespec moment = { 0, 10000000 };

	on_child(p, SIGCHLD); /* its signal may have come before the loop */
	for (;;) {
		pump_client(p);
		if (is_done(p))
			return;
		/* Out of memory in the kernel: the program must not lose its
		 * terminal for that. */
		if (loop_once(p->loop, -1, NULL) < 0)
			nanosleep(&moment, NULL);
	}
}

/* ---- the start ---- */

/* Nothing of heaptop's handlers; what is meant for people at a terminal is
 * not meant for the keeper. */
static void
set_signals(void)
{
	static const int ignored[] = { SIGHUP, SIGINT, SIGQUIT, SIGTERM,
		SIGPIPE, SIGXFSZ, SIGTSTP, SIGTTIN, SIGTTOU };
	struct sigstate s;

	sigemptyset(&s.mask);
	sigemptyset(&s.ignored);
	for (size_t i = 0; i < sizeof ignored / sizeof *ignored; i++)
		sigaddset(&s.ignored, ignored[i]);
	sigstate_restore(&s);
}

struct failure {
	int32_t status;
	struct err e;
};

static void
fail(const struct keeperproc *k, const struct failure *f)
{
	struct keeperwire w = { 0 };

	keeperwire_put2(&w, KEEPERWIRE_FAILED, &f->status, sizeof f->status,
	    f->e.msg, strlen(f->e.msg));
	keeperwire_send(&w, k->sock);
	_exit(f->status);
}

static _Noreturn void
become_program(const struct keeperproc *k, int tell)
{
	struct failure f = { .status = LAUNCH_FAILED };
	ssize_t n;

	if (pty_foreground(&k->pty) < 0)
		err_sys(
		    &f.e, "cannot give %s its terminal", k->launch->argv[0]);
	else
		f.status = launch_exec(k->launch, &f.e);
	n = write(tell, &f, sizeof f);
	_exit(n == (ssize_t)sizeof f ? f.status : LAUNCH_FAILED);
}

/* false: it was told why not. */
static bool
hear(int fd, struct failure *f)
{
	ssize_t n;

	do
		n = read(fd, f, sizeof *f);
	while (n < 0 && errno == EINTR);
	return n != (ssize_t)sizeof *f;
}

static pid_t
start(const struct keeperproc *k)
{
	struct failure f = { .status = LAUNCH_FAILED };
	int tell[2];
	pid_t pid;

	if (pty_lead(&k->pty) < 0 || pipe2(tell, O_CLOEXEC) < 0) {
		err_sys(&f.e, "cannot make a session for the program");
		fail(k, &f);
	}
	pid = fork();
	if (pid < 0) {
		err_sys(&f.e, "cannot start %s", k->launch->argv[0]);
		fail(k, &f);
	}
	if (pid == 0)
		become_program(k, tell[1]);
	close(tell[1]);
	if (!hear(tell[0], &f)) {
		while (waitpid(pid, NULL, 0) < 0 && errno == EINTR)
			;
		fail(k, &f);
	}
	close(tell[0]);
	return pid;
}

/* Whoever is at the other end of heaptop's descriptors must not be kept
 * waiting for the keeper to close them. */
static void
close_others(const struct keeperproc *k)
{
	const int keep[] = { k->sock, k->pty.master, k->pty.slave, k->log };
	unsigned from = STDERR_FILENO + 1;
	int null = open("/dev/null", O_RDWR | O_CLOEXEC);

	for (int fd = 0; fd <= STDERR_FILENO; fd++)
		if (null >= 0 && null != fd)
			dup2(null, fd);
	for (;;) {
		unsigned next = INT_MAX;

		for (size_t i = 0; i < sizeof keep / sizeof *keep; i++)
			if (keep[i] >= (int)from && (unsigned)keep[i] < next)
				next = (unsigned)keep[i];
		if (next > from)
			syscall(SYS_close_range, from,
			    next == INT_MAX ? ~0u : next - 1, 0u);
		if (next == INT_MAX)
			return;
		from = next + 1;
	}
}

void
keeperproc_run(const struct keeperproc *k)
{
	struct proc p = { .sock = k->sock, .pty = k->pty, .log = k->log };
	int32_t pid;

	mem_on_death(NULL);
	set_signals();
	p.pid = start(k);
	close_others(k);
	prctl(PR_SET_NAME, "heaptop-keeper", 0, 0, 0);
	/* The directory may be on something that is to be unmounted. */
	if (chdir("/") < 0)
		(void)errno;
	ring_init(&p.ring, k->ring_bytes);
	p.loop = loop_new();
	pid = p.pid;
	keeperwire_put(&p.out, KEEPERWIRE_STARTED, &pid, sizeof pid);
	loop_signal(p.loop, SIGCHLD, on_child, &p, NULL);
	loop_watch(p.loop, p.pty.master, POLLIN, on_master, &p);
	keep(&p);
	_exit(0);
}
