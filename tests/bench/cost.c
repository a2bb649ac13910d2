/*
 * What a command costs.
 *
 *	cost [-n N] [-e NAME=VALUE ...] COMMAND...
 *
 * Runs it N times (1) with these in its environment, its output thrown away,
 * and prints the microseconds of CPU of one run, children included, and the
 * peak memory of the largest process in KiB.
 */
#include <fcntl.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

static int
run(char **command)
{
	posix_spawn_file_actions_t files;
	pid_t pid;
	int status;

	posix_spawn_file_actions_init(&files);
	posix_spawn_file_actions_addopen(
	    &files, STDOUT_FILENO, "/dev/null", O_WRONLY, 0);
	if (posix_spawnp(&pid, *command, &files, NULL, command, environ) != 0 ||
	    waitpid(pid, &status, 0) != pid)
		return -1;
	posix_spawn_file_actions_destroy(&files);
	return status;
}

static double
us(struct timeval t)
{
	return (double)t.tv_sec * 1e6 + (double)t.tv_usec;
}

int
main(int argc, char **argv)
{
	struct rusage r;
	int opt, n = 1;

	while ((opt = getopt(argc, argv, "+n:e:")) != -1) {
		if (opt == 'n')
			n = atoi(optarg);
		else if (opt == 'e')
			putenv(optarg);
		else
			return 2;
	}
	if (optind == argc || n < 1)
		return 2;
	for (int i = 0; i < n; i++)
		if (run(argv + optind) != 0) {
			fprintf(stderr, "%s failed\n", argv[optind]);
			return 1;
		}
	getrusage(RUSAGE_CHILDREN, &r);
	printf(
	    "%.1f %ld\n", (us(r.ru_utime) + us(r.ru_stime)) / n, r.ru_maxrss);
	return 0;
}
