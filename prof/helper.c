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
#include "viewer.h"

#define VIEWERS 16

/* Descriptors closed one by one where close_range() is not known. */
#define CLOSE_BY_HAND 65536

static struct {
	int memfd;  /* -1: none */
	int listen; /* -1: not listening */
	int wake;   /* signalfd of the wake signal */
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

/* Introduce ourselves to heaptop, or listen for it. */
static void
meet(void)
{
	int sock = conf.socket[0] ? rendezvous_connect(conf.socket) : -1;

	helper.listen = -1;
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
}

static void
serve(struct viewer *v, const struct pollfd *sock, const struct pollfd *pipe)
{
	bool good = true;

	if (sock->revents)
		good = viewer_read(v);
	if (good && (v->sending || pipe->revents & POLLOUT))
		good = viewer_write(v);
	if (good && pipe->revents & (POLLERR | POLLNVAL))
		good = false;
	if (!good)
		viewer_close(v);
}

/* True when the helper is to end. */
static bool
serve_requests(void)
{
	uint32_t asked = control_asked();
	char drain[128];

	while (os_syscall(SYS_read, helper.wake, drain, sizeof drain) > 0)
		;
	if (asked & ASK_CREDS) {
		creds_take();
		control_did(ASK_CREDS);
	}
	if (!(asked & (ASK_STOP | ASK_SILENCE)))
		return false;
	for (int i = 0; i < VIEWERS; i++) {
		if (helper.viewer[i].sock < 0)
			continue;
		viewer_bye(&helper.viewer[i],
		    asked & ASK_SILENCE ? BYE_SECCOMP : BYE_REMADE);
		viewer_close(&helper.viewer[i]);
	}
	helper_remove_socket();
	control_did(ASK_STOP | ASK_SILENCE);
	return true;
}

enum {
	POLL_WAKE,
	POLL_LISTEN,
	POLL_VIEWERS
};

static void
fill_poll(struct pollfd *p)
{
	p[POLL_WAKE] = (struct pollfd){ helper.wake, POLLIN, 0 };
	p[POLL_LISTEN] = (struct pollfd){ helper.listen, POLLIN, 0 };
	for (int i = 0; i < VIEWERS; i++) {
		const struct viewer *v = &helper.viewer[i];
		struct pollfd *q = &p[POLL_VIEWERS + 2 * i];

		q[0] = (struct pollfd){ v->sock, POLLIN, 0 };
		q[1] = (struct pollfd){ v->sock < 0 ? -1 : v->pipe,
			v->sending ? POLLOUT : 0, 0 };
	}
}

/* Freed memory is given back in time even if the program is idle by then;
 * with nothing to give back there is no time-out. */
static long
wait_events(struct pollfd *p, unsigned n)
{
	uint64_t ms = span_decay(os_now_coarse() / 1000000u);
	struct timespec ts = { (time_t)(ms / 1000),
		(long)(ms % 1000) * 1000000 };

	return os_syscall(SYS_ppoll, p, n, ms > 0 ? &ts : NULL, NULL, 0);
}

static void
loop(void)
{
	struct pollfd p[POLL_VIEWERS + 2 * VIEWERS];

	for (;;) {
		long n;

		fill_poll(p);
		n = wait_events(p, sizeof p / sizeof *p);
		if (n < 0 && n != -EINTR)
			return;
		if (control_asked() && serve_requests())
			return;
		if (n <= 0)
			continue;
		if (p[POLL_LISTEN].revents)
			accept_viewers();
		for (int i = 0; i < VIEWERS; i++)
			if (p[POLL_VIEWERS + 2 * i].fd >= 0)
				serve(&helper.viewer[i],
				    &p[POLL_VIEWERS + 2 * i],
				    &p[POLL_VIEWERS + 2 * i + 1]);
	}
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
	os_syscall(SYS_umask, 077);
	helper.wake = (int)os_syscall(
	    SYS_signalfd4, -1, &wake, 8, SFD_CLOEXEC | SFD_NONBLOCK);
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
