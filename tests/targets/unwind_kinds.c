/*
 * Kinds of stacks a capture may meet; runs under unwind_probe.so (see there).
 * Each function on the way records its own return address; a captured stack
 * must hold them in order.  One line a kind, exit status 1 if any is wrong.
 */
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <ucontext.h>
#include <unistd.h>

#include "format.h"

unsigned unwind_probe(uint64_t *, unsigned, unsigned *);
unsigned long unwind_probe_differ(void);

#define CALLER   ((uint64_t)(uintptr_t)__builtin_return_address(0))
#define NOINLINE __attribute__((noinline, noclone))

static uint64_t want[64];
static unsigned wanted;
static uint64_t pcs[1024];
static unsigned n, flags, limit = 1024, failed;
static volatile unsigned sink;

static void
expect(uint64_t pc)
{
	want[wanted++] = pc;
}

/* The innermost was recorded last. */
static void
verdict(const char *kind, bool whole)
{
	static unsigned long differ;
	unsigned i, k = wanted;

	for (i = 0; i < n && k > 0; i++)
		if (pcs[i] == want[k - 1])
			k--;
	if (k > 0 || (whole && (flags & (STACK_CUT_UNWIND | STACK_GUESSED))) ||
	    unwind_probe_differ() != differ) {
		printf("%s: WRONG: %u frames, flags %u, %u of %u missing\n",
		    kind, n, flags, k, wanted);
		failed++;
	} else {
		printf("%s: %u frames, flags %u\n", kind, n, flags);
	}
	differ = unwind_probe_differ();
	wanted = 0;
	fflush(stdout);
}

static NOINLINE void
leaf(void)
{
	expect(CALLER);
	n = unwind_probe(pcs, limit, &flags);
	sink++;
}

static NOINLINE void
middle(unsigned size)
{
	volatile char room[size + 1];

	room[size] = 1;
	expect(CALLER);
	leaf();
	sink += (unsigned)room[size];
}

static NOINLINE void
deep(unsigned depth)
{
	volatile char room[1000];

	room[depth % 1000] = 0;
	if (depth == 0)
		middle(100);
	else
		deep(depth - 1);
	sink += (unsigned)room[0];
}

/* Realigned frame: its CFA is kept in memory (DRAP). */
static NOINLINE void
aligned(unsigned size)
{
	volatile char big[256] __attribute__((aligned(64)));
	volatile char room[size];

	big[0] = room[0] = 1;
	expect(CALLER);
	middle(10);
	sink += (unsigned)big[0];
}

static void *
in_thread(void *arg)
{
	(void)arg;
	expect(CALLER);
	middle(50);
	sink++;
	return NULL;
}

static void *
forks_in_thread(void *arg)
{
	int status = 0;
	pid_t pid = fork();

	(void)arg;
	if (pid == 0) {
		middle(5);
		verdict("child forked by a thread", true);
		_exit(failed != 0);
	}
	waitpid(pid, &status, 0);
	if (status != 0)
		failed++;
	return NULL;
}

static void
thread(const char *kind, size_t size, void *stack, void *(*fn)(void *))
{
	pthread_attr_t attr;
	pthread_t id;

	pthread_attr_init(&attr);
	if (stack)
		pthread_attr_setstack(&attr, stack, size);
	else if (size)
		pthread_attr_setstacksize(&attr, size);
	if (pthread_create(&id, &attr, fn, NULL) != 0) {
		printf("%s: no thread\n", kind);
		failed++;
		return;
	}
	pthread_join(id, NULL);
	if (fn == in_thread)
		verdict(kind, true);
}

static ucontext_t back, there;

static void
coroutine_body(void)
{
	middle(30);
	sink++;
}

static void
coroutine(const char *kind, void *stack, size_t size)
{
	getcontext(&there);
	there.uc_stack.ss_sp = stack;
	there.uc_stack.ss_size = size;
	there.uc_link = &back;
	makecontext(&there, coroutine_body, 0);
	swapcontext(&back, &there);
	verdict(kind, true);
}

static void
handler(int sig)
{
	(void)sig;
	expect(CALLER);
	middle(20);
	sink++;
}

static NOINLINE void
kick(void)
{
	expect(CALLER);
	raise(SIGUSR1);
	sink++;
}

static void
signals(const char *kind, int on)
{
	struct sigaction sa = { .sa_handler = handler, .sa_flags = on };

	sigaction(SIGUSR1, &sa, NULL);
	kick();
	verdict(kind, true);
}

static int
vm_child(void *arg)
{
	(void)arg;
	middle(7);
	return 0;
}

/* Machine code without tables calls back through rdi. */
typedef void jit_fn(void (*)(void));

static void
jit_callee(void)
{
	middle(3);
	sink++;
}

static NOINLINE void
jit_caller(jit_fn *fn)
{
	expect(CALLER);
	fn(jit_callee);
	sink++;
}

static void
jit(void)
{
#if defined(__x86_64__)
	/* push rbp; mov rsp,rbp; call *rdi; pop rbp; ret */
	static const uint8_t framed[] = { 0x55, 0x48, 0x89, 0xe5, 0xff, 0xd7,
		0x5d, 0xc3 };
	/* mov rsi,rbp between push and pop: rbp is anything */
	static const uint8_t wild[] = { 0x55, 0x48, 0x89, 0xf5, 0xff, 0xd7,
		0x5d, 0xc3 };
	static const uint64_t bad[] = { 0, 1, 7, 0xfff, 0x1000,
		0x4141414141414141, 0xffffffff81000000, 0x00007fffffffeff8,
		~UINT64_C(0) };
	uint8_t *code = mmap(NULL, 4096, PROT_READ | PROT_WRITE | PROT_EXEC,
	    MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	unsigned i;

	memcpy(code, framed, sizeof framed);
	memcpy(code + 64, wild, sizeof wild);
	jit_caller((jit_fn *)(uintptr_t)code);
	verdict("code without tables, with frame pointer", false);
	if (flags != STACK_GUESSED) {
		printf("frame pointer: WRONG: flags %u\n", flags);
		failed++;
	}
	for (i = 0; i < sizeof bad / sizeof bad[0]; i++) {
		((void (*)(void (*)(void), uint64_t))(uintptr_t)(code + 64))(
		    jit_callee, bad[i]);
		verdict("code without tables, wild frame pointer", false);
		if (flags != STACK_CUT_UNWIND) {
			printf("wild frame pointer: WRONG: flags %u\n", flags);
			failed++;
		}
	}
	munmap(code, 4096);
#endif
}

static NOINLINE void
limits(void)
{
	for (limit = 1; limit <= 3; limit++) {
		middle(8);
		if (limit < 3)
			wanted = 0;
		verdict("limit", true);
		if (n != limit || !(flags & STACK_CUT_DEPTH)) {
			printf("limit: WRONG: %u frames\n", n);
			failed++;
		}
	}
	limit = 1024;
	deep(2000);
	verdict("2,000 frames", true);
	if (n != 1024 || flags != STACK_CUT_DEPTH) {
		printf("2,000 frames: WRONG: %u, flags %u\n", n, flags);
		failed++;
	}
}

int
main(void)
{
	size_t size = 65536;
	stack_t alt = { .ss_size = size };
	void *mapped = mmap(NULL, size, PROT_READ | PROT_WRITE,
	    MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	void *block = NULL;
	int status;

	middle(100);
	verdict("first thread", true);
	deep(180);
	verdict("first thread, 180 KB deep", true);
	aligned(100);
	verdict("realigned frame", true);
	thread("thread", 0, NULL, in_thread);
	thread("small thread", (size_t)sysconf(_SC_THREAD_STACK_MIN), NULL,
	    in_thread);
	thread("thread on a mapping of its own", size, mapped, in_thread);
	if (posix_memalign(&block, 4096, size) != 0)
		return 2;
	thread("thread on a malloc'd stack", size, block, in_thread);
	thread("", 0, NULL, forks_in_thread);
	coroutine("coroutine on a mapping", mapped, size);
	coroutine("coroutine on a malloc'd stack", block, size);
	signals("signal", 0);
	alt.ss_sp = mapped;
	sigaltstack(&alt, NULL);
	signals("signal on its own stack", SA_ONSTACK);
	alt.ss_sp = block;
	sigaltstack(&alt, NULL);
	signals("signal on a malloc'd stack", SA_ONSTACK);
	alt.ss_flags = SS_DISABLE;
	sigaltstack(&alt, NULL);
	wanted = 0;
	if (clone(vm_child, (char *)block + size,
		CLONE_VM | CLONE_VFORK | SIGCHLD, NULL) > 0)
		wait(&status);
	verdict("child that shares memory", true);
	jit();
	limits();
	return failed != 0;
}
