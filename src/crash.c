#include "crash.h"

#include <signal.h>
#include <string.h>
#include <unistd.h>

static const int faults[] = { SIGSEGV, SIGBUS, SIGILL, SIGFPE, SIGABRT,
	SIGSYS };

#define FAULTS     (sizeof faults / sizeof *faults)
#define STACK_SIZE 16384

/* A handler has nowhere else to look. */
static struct {
	int fd;
	size_t len;
	char text[256];
	struct termios modes;
	_Alignas(16) char stack[STACK_SIZE];
} guard = { .fd = -1 };

static void
on_fault(int sig)
{
	if (guard.fd >= 0) {
		ssize_t n = write(guard.fd, guard.text, guard.len);

		(void)n;
		tcsetattr(guard.fd, TCSANOW, &guard.modes);
	}
	/* SA_RESETHAND made it deadly again; it comes when this returns. */
	raise(sig);
}

void
crash_guard(int fd, const char *text, size_t len, const struct termios *modes)
{
	struct sigaction sa = { .sa_handler = on_fault,
		.sa_flags = (int)(SA_RESETHAND | SA_ONSTACK) };
	stack_t stack = { .ss_sp = guard.stack, .ss_size = STACK_SIZE };

	guard.len = len < sizeof guard.text ? len : sizeof guard.text;
	memcpy(guard.text, text, guard.len);
	guard.modes = *modes;
	guard.fd = fd;
	sigaltstack(&stack, NULL);
	sigemptyset(&sa.sa_mask);
	for (size_t i = 0; i < FAULTS; i++)
		sigaction(faults[i], &sa, NULL);
}

void
crash_forget(void)
{
	struct sigaction sa = { .sa_handler = SIG_DFL };

	for (size_t i = 0; i < FAULTS; i++)
		sigaction(faults[i], &sa, NULL);
	guard.fd = -1;
}
