/*
 * Holds memory under many call stacks: stacks COUNT CHANGES
 *
 * Each of COUNT stacks (a path of 14 to 20 calls, its bits choose between two
 * functions at every step) holds 64 KiB; every second the blocks of CHANGES
 * of them are freed and made anew.
 */
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#define STEPS 20
#define BYTES 65536u

static void **blocks;

static void left(unsigned path, unsigned steps, unsigned id);
static void right(unsigned path, unsigned steps, unsigned id);

static __attribute__((noinline)) void
go(unsigned path, unsigned steps, unsigned id)
{
	if (steps == 0) {
		free(blocks[id]);
		blocks[id] = malloc(BYTES);
	} else if (path & 1) {
		left(path >> 1, steps - 1, id);
	} else {
		right(path >> 1, steps - 1, id);
	}
	__asm__ volatile("" ::: "memory"); /* no tail call */
}

static __attribute__((noinline)) void
left(unsigned path, unsigned steps, unsigned id)
{
	go(path, steps, id);
	__asm__ volatile("" ::: "memory");
}

static __attribute__((noinline)) void
right(unsigned path, unsigned steps, unsigned id)
{
	go(path, steps, id);
	__asm__ volatile("" ::: "memory");
}

int
main(int argc, char **argv)
{
	unsigned count = argc > 1 ? (unsigned)atoi(argv[1]) : 10000;
	unsigned changes = argc > 2 ? (unsigned)atoi(argv[2]) : 500;

	blocks = calloc(count, sizeof *blocks);
	if (!blocks || !changes)
		return 1;
	/* One place for all calls, so that a stack is the same each time. */
	for (unsigned long i = 0;; i++) {
		if (i == count) {
			puts("ready");
			fflush(stdout);
		}
		if (i >= count && (i - count) % changes == 0)
			sleep(1);
		go((unsigned)(i % count), STEPS, (unsigned)(i % count));
	}
}
