#include "io/symproc.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "io/symchild.h"

#define SOCKET_BYTES (256 * 1024) /* a request fits in without waiting */

/* In the child: only the socket and nothing of the terminal's. */
static _Noreturn void
be_child(int fd, uint64_t memory, pid_t parent)
{
	sigset_t none;
	int null;

	prctl(PR_SET_PDEATHSIG, SIGKILL);
	if (getppid() != parent)
		_exit(1);
	prctl(PR_SET_NAME, "heaptop-symbols");
	setpgid(0, 0);
	for (int sig = 1; sig < NSIG; sig++)
		signal(sig, SIG_DFL);
	sigemptyset(&none);
	sigprocmask(SIG_SETMASK, &none, NULL);
	null = open("/dev/null", O_RDWR);
	if (dup2(fd, 3) < 0)
		_exit(1);
	for (int i = 0; i < 3 && null >= 0; i++)
		dup2(null, i);
	syscall(SYS_close_range, 4u, ~0u, 0u);
	_exit(symchild_run(3, 3, memory));
}

int
symproc_start(struct symproc *p, uint64_t memory)
{
	int size = SOCKET_BYTES, s[2];
	pid_t parent = getpid();

	p->fd = -1;
	if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, s) < 0)
		return -1;
	setsockopt(s[0], SOL_SOCKET, SO_SNDBUF, &size, sizeof size);
	p->pid = fork();
	if (p->pid < 0) {
		close(s[0]);
		close(s[1]);
		return -1;
	}
	if (p->pid == 0)
		be_child(s[1], memory, parent);
	close(s[1]);
	p->fd = s[0];
	return 0;
}

void
symproc_end(struct symproc *p)
{
	if (p->fd < 0)
		return;
	close(p->fd);
	p->fd = -1;
	kill(p->pid, SIGKILL);
	while (waitpid(p->pid, NULL, 0) < 0 && errno == EINTR)
		;
}
