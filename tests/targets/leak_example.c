/* flags: -O0 */
/*
 * The program of the third guide: 1,000 turns, about three seconds.  Each
 * leaves 1,024 B of constant_leak, every fourth 640 B of conditional_leak,
 * and says which turn it was.  In the end that is 1,024,000 B (86.5 %) and
 * 160,000 B (13.5 %), 1.13 MiB.
 */
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static void *volatile lost;

static void
constant_leak(void)
{
	lost = malloc(1024);
}

static void
conditional_leak(int turn)
{
	if (turn % 4 == 0)
		lost = malloc(640);
}

int
main(void)
{
	static char out[4096];

	setvbuf(stdout, out, _IOLBF, sizeof out);
	for (int turn = 1; turn <= 1000; turn++) {
		constant_leak();
		conditional_leak(turn);
		printf("turn %d\n", turn);
		usleep(3000);
	}
	return 0;
}
