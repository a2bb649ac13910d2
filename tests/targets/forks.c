/*
 * forks NUMBER: forks so many children one after the other, ten at a time.
 * Every tenth allocates (and so opens a table of its own), every hundredth
 * forks a child itself; each checks a block of its parent's.  Prints how many
 * ended well.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#define AT_ONCE 10

static char *volatile block;
static void *volatile mine;

__attribute__((noinline)) static void
fill(void)
{
	block = malloc(3 << 20);
	memset(block, 0x5a, 3 << 20);
}

static int
child(int i)
{
	int st = 0;

	if (block[i] != 0x5a || block[(3 << 20) - 1 - i] != 0x5a)
		return 1;
	if (i % 10 == 0) {
		mine = malloc(50000);
		memset(mine, 1, 50000);
		free(mine);
	}
	if (i % 100 == 0) {
		if (fork() == 0) {
			mine = malloc(70000);
			_exit(mine ? 0 : 1);
		}
		wait(&st);
	}
	free(block);
	return st != 0;
}

int
main(int argc, char **argv)
{
	int n = argc > 1 ? atoi(argv[1]) : 100, good = 0, st;

	fill();
	for (int i = 0; i < n; i += AT_ONCE) {
		for (int k = 0; k < AT_ONCE; k++)
			if (fork() == 0)
				_exit(child(i + k));
		for (int k = 0; k < AT_ONCE; k++)
			good += wait(&st) > 0 && st == 0;
	}
	printf("%d of %d\n", good, n);
	return good != n;
}
