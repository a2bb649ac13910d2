/*
 * reaper MILLISECONDS COMMAND...
 *
 * Runs the command and after so long kills it with SIGKILL.  What it leaves
 * behind becomes a child of the reaper, which waits for all of it and prints
 * `orphan STATUS' for each, as wait(2) gives it.
 */
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

int
main(int argc, char **argv)
{
	pid_t first, p;
	int st;

	if (argc < 3 || prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0))
		return 2;
	first = fork();
	if (first == 0) {
		execvp(argv[2], argv + 2);
		_exit(127);
	}
	usleep((useconds_t)atoi(argv[1]) * 1000);
	kill(first, SIGKILL);
	while ((p = wait(&st)) > 0)
		if (p != first)
			printf("orphan %d\n", st);
		else if (!WIFSIGNALED(st) || WTERMSIG(st) != SIGKILL)
			printf("the command ended by itself\n");
	return 0;
}
