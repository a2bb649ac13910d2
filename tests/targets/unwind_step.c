/*
 * A stack at every instruction: sets the trap flag and captures in the
 * SIGTRAP handler, through libc code with its own signal stack, a PLT call
 * bound lazily, the vdso and longjmp.  Runs under unwind_probe.so; prints at
 * how many instructions the two unwinders differ.
 */
#include <math.h>
#include <setjmp.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>

unsigned unwind_probe(uint64_t *, unsigned, unsigned *);
unsigned long unwind_probe_differ(void);

static unsigned long steps;
static volatile double sink;

static void
on_trap(int sig)
{
	static uint64_t pcs[256];
	unsigned flags;

	(void)sig;
	unwind_probe(pcs, 256, &flags);
	steps++;
}

static void
trap(int on)
{
#if defined(__x86_64__)
	if (on)
		__asm__ volatile("pushfq; orl $0x100, (%%rsp); popfq" ::
				     : "memory", "cc");
	else
		__asm__ volatile("pushfq; andl $~0x100, (%%rsp); popfq" ::
				     : "memory", "cc");
#else
	(void)on;
#endif
}

static int
compare(const void *a, const void *b)
{
	return *(const int *)a - *(const int *)b;
}

static __attribute__((noinline)) void
work(unsigned kind)
{
	int v[12] = { 5, 3, 9, 1, 12, 4, 8, 2, 7, 6, 11, 10 };
	char text[200];
	struct timespec now;
	jmp_buf env;

	switch (kind) {
	case 0: qsort(v, 12, sizeof v[0], compare); break;
	case 1:
		snprintf(text, sizeof text, "%d %s %.3f", v[0], "x", 1.25);
		break;
	case 2: free(malloc(100)); break;
	case 3: free(calloc(1, 100000)); break;
	case 4: clock_gettime(CLOCK_MONOTONIC, &now); break;
	case 5: sink = strtod("3.25e2", NULL); break;
	case 6: sink = lgamma(2.5 + sink); break;
	default:
		if (setjmp(env) == 0)
			longjmp(env, 1);
	}
}

int
main(void)
{
	stack_t alt = { .ss_size = 1 << 18 };
	struct sigaction sa = { .sa_handler = on_trap, .sa_flags = SA_ONSTACK };
	unsigned i;

	alt.ss_sp = mmap(NULL, alt.ss_size, PROT_READ | PROT_WRITE,
	    MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	sigaltstack(&alt, NULL);
	sigaction(SIGTRAP, &sa, NULL);
	for (i = 0; i < 8; i++) {
		unsigned long before = unwind_probe_differ(), first = steps;

		trap(1);
		work(i);
		trap(0);
		printf("part %u: %lu instructions, %lu differ\n", i,
		    steps - first, unwind_probe_differ() - before);
	}
	return unwind_probe_differ() > 20;
}
