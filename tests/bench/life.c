/*
 * What the life of a thread or of a forked child costs.
 *
 *	life thread|fork N
 *
 * A thread allocates a little, as most do; the process that forks holds 32
 * MiB of small blocks.  The CPU of all N is what cost.c measures.
 */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

enum {
	BLOCKS = 1 << 17,
	BLOCK = 256,
	FEW = 20
};

static void *volatile held[BLOCKS];

static void *
thread(void *arg)
{
	void *volatile p[FEW];

	for (size_t i = 0; i < FEW; i++)
		p[i] = malloc(16 + 40 * i);
	for (size_t i = 0; i < FEW; i++)
		free(p[i]);
	return arg;
}

static int
threads(int n)
{
	pthread_t t;

	for (int i = 0; i < n; i++)
		if (pthread_create(&t, NULL, thread, NULL) != 0 ||
		    pthread_join(t, NULL) != 0)
			return 1;
	return 0;
}

static int
forks(int n)
{
	for (size_t i = 0; i < BLOCKS; i++) {
		held[i] = malloc(BLOCK);
		if (held[i])
			memset(held[i], 1, BLOCK);
	}
	for (int i = 0; i < n; i++) {
		pid_t pid = fork();

		if (pid < 0)
			return 1;
		if (pid == 0)
			_exit(0);
		waitpid(pid, NULL, 0);
	}
	return 0;
}

int
main(int argc, char **argv)
{
	if (argc != 3)
		return 2;
	return strcmp(argv[1], "fork") == 0 ? forks(atoi(argv[2]))
					    : threads(atoi(argv[2]));
}
