/* flags: -O2 -pthread -fno-builtin */
/*
 * What a program seldom does, each in a mode of its own; run under the
 * library.
 *
 *	corners resize N    N times: a block grows or shrinks where it lies,
 *	                    and small() takes 32 bytes.  Says by how much
 *	                    thread.allocated rose for the bytes so resized, as
 *	                    a ratio, and waits for the end of its input
 *	corners forks N     N children of a process whose threads allocate and
 *	                    free; each child takes many blocks.  Prints how many
 *	                    found their blocks to be theirs alone
 *	corners inherit     a child opens its table while another thread frees
 *	                    what the parent took; then it frees the rest
 *	corners full        a child, of few bytes a file, has more stacks of its
 *	                    parent than fit into a table; it waits
 *	corners behind      a child that libc was not told of uses a pool, names
 *	                    its thread and dumps
 *	corners filter      a child of vfork() sets a filter; the parent dumps
 *	corners stacks N    N threads, one after the other, allocate on stacks of
 *	                    their own making
 *	corners closes N    N times: a library is opened and closed, and small()
 *	                    takes 32 bytes; then it waits
 *	corners users N     N children take on a user (their own), while a thread
 *	                    of their parent does so all the time
 *	corners special     a dump to what is no file is refused
 *
 * Dumps go to the file that CORNERS names.  Status 0 if all went as it should.
 */
#include <dlfcn.h>
#include <errno.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <ucontext.h>
#include <unistd.h>

#include "../../prof/heaptop.h"

int mallctl(const char *, void *, size_t *, void *, size_t)
    __attribute__((weak));
pid_t _Fork(void);

static void
hold(void)
{
	char c;

	fflush(stdout);
	while (read(0, &c, 1) > 0)
		;
}

static int
dump(void)
{
	const char *name = getenv("CORNERS");

	return mallctl("prof.dump", NULL, NULL, &name, sizeof name);
}

static int
status_of(pid_t child)
{
	int st = -1;

	if (child < 0 || waitpid(child, &st, 0) != child)
		return -1;
	return st;
}

/* ---- resize ---------------------------------------------------------------- */

static uint64_t
allocated(void)
{
	uint64_t n = 0;
	size_t len = sizeof n;

	mallctl("thread.allocated", &n, &len, NULL, 0);
	return n;
}

__attribute__((noinline)) static void
small(void)
{
	void *volatile p = malloc(32);

	(void)p;
}

static int
resize(int n)
{
	size_t size = 300u << 10;
	char *p = malloc(size), *q;
	uint64_t before, rose = 0, moved = 0;

	for (int i = 0; i < n; i++) {
		size = i % 2 ? 300u << 10 : 364u << 10;
		before = allocated();
		q = realloc(p, size);
		moved += q != p;
		rose += 1000 * (allocated() - before) / size;
		p = q;
		small();
	}
	printf("%d moved, %d of 1000\n", (int)moved, (int)(rose / (unsigned)n));
	hold();
	return p == NULL;
}

/* ---- forks ----------------------------------------------------------------- */

#define SIZES 5
#define TAKEN 8000

static const size_t size_of[SIZES] = { 64, 96, 160, 1024, 4096 };
static atomic_bool stop;

static void *
churn(void *arg)
{
	static _Thread_local void *p[3000];
	unsigned k = (unsigned)(uintptr_t)arg;

	while (!stop) {
		size_t size = size_of[k++ % SIZES];

		for (int i = 0; i < 3000; i++)
			p[i] = malloc(size);
		for (int i = 0; i < 3000; i++)
			free(p[i]);
	}
	return NULL;
}

static int
take_many(void)
{
	static uint32_t *p[SIZES][TAKEN];
	bool wrong = false;

	for (uint32_t k = 0; k < SIZES; k++)
		for (uint32_t i = 0; i < TAKEN; i++) {
			p[k][i] = malloc(size_of[k]);
			*p[k][i] = k * TAKEN + i;
		}
	for (uint32_t k = 0; k < SIZES; k++)
		for (uint32_t i = 0; i < TAKEN; i++)
			wrong |= *p[k][i] != k * TAKEN + i;
	return wrong;
}

static int
forks(int n)
{
	pthread_t t[6];
	int good = 0;

	for (uintptr_t i = 0; i < 6; i++)
		pthread_create(&t[i], NULL, churn, (void *)i);
	for (int i = 0; i < n; i++) {
		pid_t child = fork();

		if (child == 0)
			_exit(take_many());
		good += status_of(child) == 0;
	}
	stop = true;
	for (int i = 0; i < 6; i++)
		pthread_join(t[i], NULL);
	printf("%d of %d\n", good, n);
	return good != n;
}

/* ---- inherit --------------------------------------------------------------- */

#define OLD 400000

static void *old[OLD];
static atomic_int go;

__attribute__((noinline)) static void
old_ones(void)
{
	for (int i = 0; i < OLD; i++)
		old[i] = malloc(48);
}

static void *
free_half(void *arg)
{
	(void)arg;
	go = 1;
	while (go != 2)
		;
	for (int i = OLD / 2; i < OLD; i++)
		free(old[i]);
	return NULL;
}

static void *
nothing(void *arg)
{
	return arg;
}

/* The child's thread gets the stack, and the vector of TLS blocks, of one that
 * its parent had: so nothing is allocated for it. */
static int
inherit_child(void)
{
	pthread_t t;
	void *volatile first;

	pthread_create(&t, NULL, free_half, NULL);
	while (go != 1)
		;
	go = 2;
	first = malloc(10);
	pthread_join(t, NULL);
	for (int i = 0; i < OLD / 2; i++)
		free(old[i]);
	free(first);
	return dump();
}

static int
inherit(void)
{
	pthread_t t;
	pid_t child;

	pthread_create(&t, NULL, nothing, NULL);
	pthread_join(t, NULL);
	old_ones();
	child = fork();
	if (child == 0)
		_exit(inherit_child());
	return status_of(child) != 0;
}

/* ---- full ------------------------------------------------------------------ */

/* As many stacks as there are paths down a tree of calls. */
__attribute__((noinline)) static void left(unsigned depth, unsigned way);

__attribute__((noinline)) static void
right(unsigned depth, unsigned way)
{
	void *volatile p = malloc(16);

	(void)p;
	if (depth > 0 && way & 1)
		right(depth - 1, way >> 1);
	else if (depth > 0)
		left(depth - 1, way >> 1);
	__asm__ volatile("");
}

__attribute__((noinline)) static void
left(unsigned depth, unsigned way)
{
	void *volatile p = malloc(16);

	(void)p;
	if (depth > 0 && way & 1)
		right(depth - 1, way >> 1);
	else if (depth > 0)
		left(depth - 1, way >> 1);
	__asm__ volatile("");
}

static int
full(void)
{
	struct rlimit few = { 1u << 20, 1u << 20 };
	pid_t child;

	for (unsigned way = 0; way < 1u << 13; way++)
		left(13, way);
	child = fork();
	if (child == 0) {
		void *volatile p;

		setrlimit(RLIMIT_FSIZE, &few);
		p = malloc(10);
		printf("%d\n", (int)getpid());
		hold();
		_exit(p == NULL);
	}
	return status_of(child) != 0;
}

/* ---- behind, filter -------------------------------------------------------- */

static int
behind_child(void)
{
	static char pool[100][16];
	const char *name = "child";

	for (int i = 0; i < 100; i++)
		heaptop_pool_alloc("corners", pool[i], 16);
	for (int i = 0; i < 100; i++)
		heaptop_pool_free("corners", pool[i]);
	if (mallctl("thread.prof.name", NULL, NULL, &name, sizeof name) != 0)
		return 1;
	return dump();
}

static void *
busy_pool(void *arg)
{
	static char pool[512][16];

	for (unsigned i = 0; !stop; i++) {
		heaptop_pool_alloc("busy", pool[i % 512], 16);
		heaptop_pool_free("busy", pool[(i + 100) % 512]);
	}
	return arg;
}

static int
behind(void)
{
	bool good = true;
	pthread_t t;

	small();
	pthread_create(&t, NULL, busy_pool, NULL);
	for (int i = 0; good && i < 200; i++) {
		pid_t child = _Fork();

		if (child == 0) {
			alarm(20);
			_exit(behind_child());
		}
		good = status_of(child) == 0;
	}
	stop = true;
	pthread_join(t, NULL);
	return !good;
}

static int
filter(void)
{
	static struct sock_filter all[] = { { BPF_RET | BPF_K, 0, 0,
	    SECCOMP_RET_ALLOW } };
	static struct sock_fprog program = { 1, all };
	pid_t child;

	small();
	child = vfork();
	if (child == 0) {
		prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
		_exit(
		    prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program) != 0);
	}
	return status_of(child) != 0 || dump() != 0;
}

/* ---- stacks ---------------------------------------------------------------- */

static _Thread_local ucontext_t from, there;

/* Its frame is larger than the page that is known to be there. */
static void
away(void)
{
	volatile char large[8192];

	large[0] = 0;
	small();
	large[1] = large[0];
}

static void *
on_own_stack(void *stack)
{
	getcontext(&there);
	there.uc_stack.ss_sp = stack;
	there.uc_stack.ss_size = 64u << 10;
	there.uc_link = &from;
	makecontext(&there, away, 0);
	swapcontext(&from, &there);
	return NULL;
}

static uint64_t
own_bytes(void)
{
	uint64_t n = 0, epoch = 1;
	size_t len = sizeof n;

	mallctl("epoch", NULL, NULL, &epoch, sizeof epoch);
	mallctl("stats.metadata", &n, &len, NULL, 0);
	return n;
}

static int
stacks(int n)
{
	void *stack = mmap(NULL, 64u << 10, PROT_READ | PROT_WRITE,
	    MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	uint64_t before = 0;

	for (int i = 0; i < n; i++) {
		pthread_t t;

		if (i == n / 2)
			before = own_bytes();
		pthread_create(&t, NULL, on_own_stack, stack);
		pthread_join(t, NULL);
	}
	before = own_bytes() - before;
	printf("%d bytes for %d threads\n", (int)before, n - n / 2);
	return before > (uint64_t)n * 1024;
}

/* ---- closes ---------------------------------------------------------------- */

static int
closes(int n)
{
	for (int i = 0; i < n; i++) {
		void *lib = dlopen("libutil.so.1", RTLD_NOW);

		if (!lib)
			return 1;
		dlclose(lib);
		small();
	}
	printf("done\n");
	hold();
	return 0;
}

/* ---- users, special -------------------------------------------------------- */

static void *
change_user(void *arg)
{
	while (!stop)
		if (seteuid(geteuid()) != 0)
			abort();
	return arg;
}

static int
users(int n)
{
	bool good = true;
	pthread_t t;

	small();
	pthread_create(&t, NULL, change_user, NULL);
	for (int i = 0; good && i < n; i++) {
		pid_t child;

		usleep(20000);
		child = fork();
		if (child == 0) {
			alarm(20);
			small();
			_exit(setuid(getuid()) != 0);
		}
		good = status_of(child) == 0;
	}
	stop = true;
	pthread_join(t, NULL);
	return !good;
}

static int
special(void)
{
	small();
	return dump() != EFAULT;
}

int
main(int argc, char **argv)
{
	const char *mode = argc > 1 ? argv[1] : "";
	int n = argc > 2 ? atoi(argv[2]) : 1;

	if (!mallctl)
		return 2;
	if (strcmp(mode, "resize") == 0)
		return resize(n);
	if (strcmp(mode, "forks") == 0)
		return forks(n);
	if (strcmp(mode, "inherit") == 0)
		return inherit();
	if (strcmp(mode, "full") == 0)
		return full();
	if (strcmp(mode, "behind") == 0)
		return behind();
	if (strcmp(mode, "filter") == 0)
		return filter();
	if (strcmp(mode, "stacks") == 0)
		return stacks(n);
	if (strcmp(mode, "closes") == 0)
		return closes(n);
	if (strcmp(mode, "users") == 0)
		return users(n);
	if (strcmp(mode, "special") == 0)
		return special();
	return 2;
}
