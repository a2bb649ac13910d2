#include "io/pty.h"

#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <termios.h>
#include <unistd.h>

#include "base/err.h"

/* Away from 0, 1 and 2, which a child may have to get; -1 and errno. */
static int
above_standard(int fd)
{
	int up = fd, error;

	if (fd < 0 || fd > STDERR_FILENO)
		return fd;
	up = fcntl(fd, F_DUPFD_CLOEXEC, STDERR_FILENO + 1);
	error = errno;
	close(fd);
	errno = error;
	return up;
}

static int
open_ends(struct pty *p)
{
	int flags;

	p->master = above_standard(posix_openpt(O_RDWR | O_NOCTTY | O_CLOEXEC));
	if (p->master < 0 || grantpt(p->master) < 0 || unlockpt(p->master) < 0)
		return -1;
	/* Not by its name: /dev/pts may be another one here. */
	p->slave = above_standard(
	    ioctl(p->master, TIOCGPTPEER, O_RDWR | O_NOCTTY | O_CLOEXEC));
	if (p->slave < 0)
		return -1;
	flags = fcntl(p->master, F_GETFL);
	return fcntl(p->master, F_SETFL, flags | O_NONBLOCK);
}

static int
set_modes(const struct pty *p, int like, const struct termios *given)
{
	struct termios t;

	if (given != NULL)
		t = *given;
	else if ((like < 0 || tcgetattr(like, &t) < 0) &&
	    tcgetattr(p->slave, &t) < 0)
		return -1;
	t.c_oflag &= ~(tcflag_t)OPOST;
	return tcsetattr(p->slave, TCSANOW, &t);
}

static int
set_size(const struct pty *p, int like, const struct winsize *given)
{
	struct winsize size;

	memset(&size, 0, sizeof size);
	if (given != NULL)
		size = *given;
	else if (like < 0 || ioctl(like, TIOCGWINSZ, &size) < 0 ||
	    size.ws_row == 0 || size.ws_col == 0) {
		size.ws_row = 24;
		size.ws_col = 80;
	}
	return pty_resize(p, &size);
}

int
pty_open(struct pty *p, int like, const struct termios *t,
    const struct winsize *size, struct err *e)
{
	p->master = p->slave = -1;
	if (open_ends(p) < 0 || set_modes(p, like, t) < 0 ||
	    set_size(p, like, size) < 0) {
		err_sys(e, "cannot make a terminal for the program");
		pty_close(p);
		return -1;
	}
	return 0;
}

void
pty_close(struct pty *p)
{
	if (p->master >= 0)
		close(p->master);
	if (p->slave >= 0)
		close(p->slave);
	p->master = p->slave = -1;
}

int
pty_lead(const struct pty *p)
{
	return setsid() < 0 ? -1 : ioctl(p->slave, TIOCSCTTY, 0);
}

int
pty_foreground(const struct pty *p)
{
	return setpgid(0, 0) < 0 ? -1 : tcsetpgrp(p->slave, getpid());
}

void
pty_take_back(const struct pty *p)
{
	tcsetpgrp(p->slave, getpgrp());
}

int
pty_resize(const struct pty *p, const struct winsize *size)
{
	return ioctl(p->master, TIOCSWINSZ, size);
}

bool
pty_suspends(const struct pty *p, const char *data, size_t len)
{
	struct termios t;

	return tcgetattr(p->slave, &t) == 0 && (t.c_lflag & ISIG) &&
	    t.c_cc[VSUSP] != _POSIX_VDISABLE &&
	    memchr(data, t.c_cc[VSUSP], len) != NULL;
}

void
pty_flow(const struct pty *p)
{
	/* The kernel lifts only a stop that was asked for in the same way:
	 * ask for one, which takes the place of ^S, and lift it. */
	if (tcflow(p->slave, TCOOFF) == 0)
		tcflow(p->slave, TCOON);
}
