/* needs: src/io/pty.c src/base/err.c */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/wait.h>
#include <termios.h>
#include <unistd.h>

#include "base/err.h"
#include "io/pty.h"

/* What the master reads within a second, up to `want` bytes. */
static const char *
master_reads(const struct pty *p, size_t want)
{
	static char text[256];
	size_t got = 0;

	while (got < want) {
		struct pollfd pfd = { .fd = p->master, .events = POLLIN };
		ssize_t n;

		if (poll(&pfd, 1, 1000) != 1)
			break;
		n = read(p->master, text + got, want - got);
		if (n <= 0)
			break;
		got += (size_t)n;
	}
	text[got] = 0;
	return text;
}

static void
test_open(void **state)
{
	struct winsize size = { .ws_row = 11, .ws_col = 222 }, got;
	struct pty p = PTY_INIT, like = PTY_INIT;
	struct termios t;
	char c;

	(void)state;
	assert_int_equal(pty_open(&p, -1, NULL, NULL, NULL), 0);
	assert_int_equal(ioctl(p.slave, TIOCGWINSZ, &got), 0);
	assert_int_equal(got.ws_row, 24);
	assert_int_equal(got.ws_col, 80);
	assert_true(p.master > 2 && p.slave > 2);
	assert_true(fcntl(p.master, F_GETFD) & FD_CLOEXEC);
	assert_true(fcntl(p.slave, F_GETFD) & FD_CLOEXEC);
	assert_int_equal(read(p.master, &c, 1), -1);
	assert_int_equal(errno, EAGAIN);
	/* unchanged, although a terminal makes "\r\n" of it */
	assert_int_equal(write(p.slave, "a\n\tb\n", 5), 5);
	assert_string_equal(master_reads(&p, 5), "a\n\tb\n");

	/* as another one is set */
	assert_int_equal(tcgetattr(p.slave, &t), 0);
	t.c_cc[VINTR] = 7;
	t.c_lflag &= ~(tcflag_t)ECHO;
	assert_int_equal(tcsetattr(p.slave, TCSANOW, &t), 0);
	assert_int_equal(pty_resize(&p, &size), 0);
	assert_int_equal(pty_open(&like, p.slave, NULL, NULL, NULL), 0);
	assert_int_equal(tcgetattr(like.slave, &t), 0);
	assert_int_equal(t.c_cc[VINTR], 7);
	assert_false(t.c_lflag & ECHO);
	assert_int_equal(ioctl(like.slave, TIOCGWINSZ, &got), 0);
	assert_int_equal(got.ws_row, 11);
	assert_int_equal(got.ws_col, 222);
	pty_close(&like);
	pty_close(&p);
	assert_int_equal(p.master, -1);
	pty_close(&p);
}

/* In the foreground group: ^C and a change of size come here. */
static int
member(const struct pty *p)
{
	sigset_t set;
	int sig;

	sigemptyset(&set);
	sigaddset(&set, SIGINT);
	sigaddset(&set, SIGWINCH);
	sigprocmask(SIG_BLOCK, &set, NULL);
	if (pty_foreground(p) < 0 || tcgetpgrp(p->slave) != getpid())
		return 1;
	if (write(p->slave, "!", 1) != 1)
		return 2;
	for (int i = 0; i < 2; i++) {
		if (sigwait(&set, &sig) != 0)
			return 3;
		if (write(p->slave, sig == SIGINT ? "i" : "w", 1) != 1)
			return 4;
	}
	return 0;
}

static int
leader(const struct pty *p)
{
	int status;
	pid_t pid;

	signal(SIGTTOU, SIG_IGN);
	if (pty_lead(p) < 0 || getsid(0) != getpid())
		return 10;
	pid = fork();
	if (pid == 0)
		_exit(member(p));
	return waitpid(pid, &status, 0) == pid ? WEXITSTATUS(status) : 11;
}

static void
test_session(void **state)
{
	struct winsize size = { .ws_row = 30, .ws_col = 100 };
	struct pty p;
	struct termios t;
	int status;
	pid_t pid;

	(void)state;
	assert_int_equal(pty_open(&p, -1, NULL, NULL, NULL), 0);
	assert_int_equal(tcgetattr(p.slave, &t), 0);
	t.c_lflag &= ~(tcflag_t)ECHO;
	assert_int_equal(tcsetattr(p.slave, TCSANOW, &t), 0);
	pid = fork();
	if (pid == 0)
		_exit(leader(&p));
	assert_string_equal(master_reads(&p, 1), "!");
	assert_int_equal(write(p.master, "\003", 1), 1);
	assert_string_equal(master_reads(&p, 1), "i");
	assert_int_equal(pty_resize(&p, &size), 0);
	assert_string_equal(master_reads(&p, 1), "w");
	assert_int_equal(waitpid(pid, &status, 0), pid);
	assert_int_equal(status, 0);
	pty_close(&p);
}

/* ^S stops what is written, pty_flow lets it go on. */
static void
test_flow(void **state)
{
	struct pty p;

	(void)state;
	assert_int_equal(pty_open(&p, -1, NULL, NULL, NULL), 0);
	assert_int_equal(fcntl(p.slave, F_SETFL, O_RDWR | O_NONBLOCK), 0);
	assert_int_equal(write(p.master, "\023", 1), 1);
	/* the kernel's worker comes to it sooner or later */
	for (int i = 0; i < 1000 && write(p.slave, "x", 1) == 1; i++)
		usleep(1000);
	assert_int_equal(write(p.slave, "x", 1), -1);
	assert_int_equal(errno, EAGAIN);
	pty_flow(&p);
	assert_int_equal(write(p.slave, "x", 1), 1);
	pty_close(&p);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_open),
		cmocka_unit_test(test_session),
		cmocka_unit_test(test_flow),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
