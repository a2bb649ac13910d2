#include "helper.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/close_range.h>
#include <linux/memfd.h>
#include <poll.h>
#include <sched.h>
#include <signal.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/signalfd.h>
#include <sys/stat.h>
#include <sys/syscall.h>

#include "conf.h"
#include "control.h"
#include "creds.h"
#include "os.h"
#include "rendezvous.h"
#include "span.h"
#include "tablewrite.h"
#include "trigger.h"
#include "viewer.h"

#define VIEWERS 16

/* Descriptors closed one by one where close_range() is not known. */
#define CLOSE_BY_HAND 65536

static struct {
	int memfd;          /* -1: none */
	int listen;         /* -1: not listening */
	int wake;           /* signalfd of the wake signal */
	bool deaf;          /* no descriptors left to hear those who call */
	uint64_t listen_ns; /* listen from then on, whoever watches */
	struct viewer viewer[VIEWERS];
} helper;

/* A descriptor table of our own, empty.  False if the kernel refuses. */
static bool
leave_descriptors(void)
{
	struct rlimit lim = { 0, 0 };

	if (os_syscall(SYS_close_range, 0, ~0u, CLOSE_RANGE_UNSHARE) == 0)
		return true;
	if (os_syscall(SYS_unshare, CLONE_FILES) != 0)
		return false;
	os_syscall(SYS_prlimit64, 0, RLIMIT_NOFILE, NULL, &lim);
	for (uint64_t fd = 0; fd < lim.rlim_cur && fd < CLOSE_BY_HAND; fd++)
		os_syscall(SYS_close, fd);
	return true;
}

/* The table's file: sparse, as large as a table can get or as files may get
 * here, never to be resized. */
static int
make_memfd(uint64_t *size)
{
	struct rlimit lim = { RLIM_INFINITY, 0 };
	int fd = (int)os_syscall(
	    SYS_memfd_create, "heaptop", MFD_CLOEXEC | MFD_ALLOW_SEALING);

	if (fd < 0)
		return -1;
	*size = (uint64_t)TABLE_CHUNK * TABLE_CHUNKS;
	os_syscall(SYS_prlimit64, 0, RLIMIT_FSIZE, NULL, &lim);
	if (lim.rlim_cur < *size)
		*size = lim.rlim_cur / TABLE_CHUNK * TABLE_CHUNK;
	if (*size > 0 && os_syscall(SYS_ftruncate, fd, *size) == 0) {
		os_syscall(SYS_fcntl, fd, F_ADD_SEALS,
		    F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_SEAL);
		return fd;
	}
	os_syscall(SYS_close, fd);
	return -1;
}

/* Offer a memfd to who opens the table.  (A helper that is made again finds
 * the table open and has none to offer: the first one's went with it.) */
static void
offer_table(void)
{
	uint64_t size = 0;

	helper.memfd = -1;
	if (table_head())
		return;
	helper.memfd = make_memfd(&size);
	if (helper.memfd >= 0 && table_adopt(helper.memfd, size))
		return;
	if (helper.memfd >= 0)
		os_syscall(SYS_close, helper.memfd);
	helper.memfd = -1;
	table_refuse();
}

static void
add_viewer(int sock)
{
	for (int i = 0; i < VIEWERS; i++) {
		struct viewer *v = &helper.viewer[i];

		if (v->sock >= 0)
			continue;
		viewer_open(v, sock, helper.memfd);
		return;
	}
	os_syscall(SYS_close, sock);
}

/* A program that lives so long can be watched by others too, beside the
 * heaptop that launched it; the many short ones of a build are spared the
 * socket. */
#define ALONE_NS UINT64_C(300000000)
#define NEVER    UINT64_MAX

/* Introduce ourselves to heaptop, or listen for it. */
static void
meet(void)
{
	int sock = conf.socket[0] ? rendezvous_connect(conf.socket) : -1;

	helper.listen = -1;
	helper.listen_ns = os_now_coarse() + ALONE_NS;
	if (sock >= 0)
		add_viewer(sock);
	if (helper.viewer[0].sock < 0)
		helper.listen = rendezvous_listen();
	control_handed();
}

static void
accept_viewers(void)
{
	int sock;

	while ((sock = rendezvous_accept(helper.listen)) >= 0 || sock == -EPERM)
		if (sock >= 0)
			add_viewer(sock);
	/* who calls stays in the queue, and poll() would tell at once again */
	helper.deaf = sock != -EAGAIN;
}

/* Others may come now: it is time, or the heaptop that launched us is
 * gone. */
static void
listen_if_due(void)
{
	if (helper.listen >= 0)
		return;
	if (os_now_coarse() >= helper.listen_ns) {
		helper.listen_ns = NEVER; /* this is tried once */
		helper.listen = rendezvous_listen();
		return;
	}
	for (int i = 0; i < VIEWERS; i++)
		if (helper.viewer[i].sock >= 0)
			return;
	helper.listen = rendezvous_listen();
}

static void
serve(struct viewer *v, int on_sock, int on_pipe)
{
	bool good = true;

	if (on_sock)
		good = viewer_read(v);
	if (good && (v->sending || on_pipe & POLLOUT))
		good = viewer_write(v);
	if (good && on_pipe & (POLLERR | POLLNVAL))
		good = false;
	if (!good)
		viewer_close(v);
}

/* Say bye to all and be seen no more. */
static void
leave(uint32_t reason)
{
	for (int i = 0; i < VIEWERS; i++) {
		if (helper.viewer[i].sock < 0)
			continue;
		viewer_bye(&helper.viewer[i], reason);
		viewer_close(&helper.viewer[i]);
	}
	helper_remove_socket();
}

static void
drain_wakes(void)
{
	char drain[128];

	while (os_syscall(SYS_read, helper.wake, drain, sizeof drain) > 0)
		;
}

/* True when the helper is to end. */
static bool
serve_requests(void)
{
	uint32_t asked = control_asked();

	if (asked & ASK_CREDS) {
		creds_take();
		control_did(ASK_CREDS);
	}
	if (!(asked & (ASK_STOP | ASK_SILENCE)))
		return false;
	leave(asked & ASK_SILENCE ? BYE_SECCOMP : BYE_REMADE);
	control_did(ASK_STOP | ASK_SILENCE);
	return true;
}

/* What is waited for, and where it stands among it; 0: nowhere, for the wake
 * signal is the first.  No more than there is: the kernel takes no more than
 * RLIMIT_NOFILE. */
struct waits {
	struct pollfd p[2 + 2 * VIEWERS];
	unsigned n;
	unsigned listen;
	unsigned sock[VIEWERS], pipe[VIEWERS];
};

static unsigned
wait_for(struct waits *w, int fd, short events)
{
	if (fd < 0)
		return 0;
	w->p[w->n] = (struct pollfd){ fd, events, 0 };
	return w->n++;
}

static int
happened(const struct waits *w, unsigned i)
{
	return i ? w->p[i].revents : 0;
}

static void
fill_waits(struct waits *w)
{
	w->n = 0;
	wait_for(w, helper.wake, POLLIN);
	w->listen = helper.deaf ? 0 : wait_for(w, helper.listen, POLLIN);
	for (int i = 0; i < VIEWERS; i++) {
		const struct viewer *v = &helper.viewer[i];

		w->sock[i] = wait_for(w, v->sock, POLLIN);
		w->pipe[i] = wait_for(w, v->pipe, v->sending ? POLLOUT : 0);
	}
}

/* How long to wait before hearing those who call again. */
#define DEAF_MS 1000

/* Freed memory is given back in time even if the program is idle by then;
 * with nothing to give back there is no time-out. */
static long
wait_events(struct pollfd *p, unsigned n, uint64_t dumps_ms)
{
	uint64_t ms = span_decay(os_now_coarse() / 1000000u);
	struct timespec ts;

	if (dumps_ms > 0 && (ms == 0 || ms > dumps_ms))
		ms = dumps_ms;
	if (helper.deaf && (ms == 0 || ms > DEAF_MS))
		ms = DEAF_MS;
	if (helper.listen < 0 && helper.listen_ns != NEVER &&
	    (ms == 0 || ms > ALONE_NS / 1000000))
		ms = ALONE_NS / 1000000;
	ts = (struct timespec){ (time_t)(ms / 1000),
		(long)(ms % 1000) * 1000000 };

	return os_syscall(SYS_ppoll, p, n, ms > 0 ? &ts : NULL, NULL, 0);
}

static void
loop(void)
{
	struct waits w;

	for (;;) {
		uint64_t dumps_ms = trigger_serve();
		long n;

		fill_waits(&w);
		n = wait_events(w.p, w.n, dumps_ms);
		helper.deaf = false;
		if (n < 0 && n != -EINTR)
			break; /* RLIMIT_NOFILE is below what we have open */
		if (n > 0 && w.p[0].revents)
			drain_wakes();
		if (control_asked() && serve_requests())
			return;
		if (n <= 0) {
			listen_if_due();
			continue;
		}
		if (happened(&w, w.listen))
			accept_viewers();
		for (int i = 0; i < VIEWERS; i++)
			if (w.sock[i])
				serve(&helper.viewer[i],
				    happened(&w, w.sock[i]),
				    happened(&w, w.pipe[i]));
		listen_if_due();
	}
	/* the table stays, and can be read by who holds its memfd */
	leave(BYE_SECCOMP);
}

void
helper_run(void)
{
	uint64_t wake = UINT64_C(1) << (CONTROL_WAKE_SIGNAL - 1);

	for (int i = 0; i < VIEWERS; i++)
		helper.viewer[i].sock = helper.viewer[i].pipe = -1;
	os_syscall(SYS_prctl, PR_SET_NAME, "heaptop");
	if (!leave_descriptors()) {
		table_refuse();
		control_handed();
		return;
	}
	helper.wake = (int)os_syscall(
	    SYS_signalfd4, -1, &wake, 8, SFD_CLOEXEC | SFD_NONBLOCK);
	if (helper.wake < 0) { /* no descriptors at all */
		table_refuse();
		control_handed();
		return;
	}
	offer_table();
	if (!table_wait_ready()) {
		control_handed();
		return;
	}
	meet();
	os_syscall(SYS_chdir, "/");
	loop();
}

void
helper_remove_socket(void)
{
	if (rendezvous_name()[0])
		os_syscall(SYS_unlinkat, AT_FDCWD, rendezvous_name(), 0);
}
