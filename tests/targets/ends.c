/*
 * Dies right after its first allocation: ends exit|segv|fault|abort|kill
 */
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static void *volatile kept;

__attribute__((noinline)) static void
only_mib(void)
{
	kept = malloc(1 << 20);
}

int
main(int argc, char **argv)
{
	const char *how = argc > 1 ? argv[1] : "";

	only_mib();
	if (!strcmp(how, "segv"))
		raise(SIGSEGV);
	if (!strcmp(how, "fault"))
		*(volatile int *)8 = 1;
	if (!strcmp(how, "abort"))
		abort();
	if (!strcmp(how, "kill"))
		kill(getpid(), SIGKILL);
	_exit(5);
}
