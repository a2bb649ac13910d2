/*
 * Runs steadily: steady [LINES [MILLISECONDS]]
 *
 * Holds 2 MiB in kept_mib() and, every so many milliseconds, prints a
 * numbered line and takes and gives back a block in passing().  Says at the
 * end how often each was done.  Its status is 7.
 */
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static void *volatile kept, *volatile block;

__attribute__((noinline)) static void
kept_mib(void)
{
	kept = malloc(2 << 20);
}

__attribute__((noinline)) static void
passing(void)
{
	block = malloc(100000);
	free(block);
}

int
main(int argc, char **argv)
{
	int lines = argc > 1 ? atoi(argv[1]) : 100;
	int ms = argc > 2 ? atoi(argv[2]) : 20;

	kept_mib();
	for (int i = 0; i < lines; i++) {
		passing();
		printf("line %d\n", i);
		fflush(stdout);
		usleep((useconds_t)ms * 1000);
	}
	printf("%d lines\n", lines);
	return 7;
}
