/* flags: -O2 -pthread -fno-builtin */
/*
 * A program that leans on every part of a malloc and checks what it gets.
 *
 *	alloc_stress [-s SECONDS] [-n THREADS] [PART ...]
 *
 * Parts: entry sizes realloc cross churn fork late; all of them by default,
 * one after the other, SECONDS each (1).  Every block is filled with a
 * pattern that depends on its address and checked before it goes.  The last
 * line is "OK"; on the first thing that is wrong a line says what, and the
 * program aborts.
 */
#include <errno.h>
#include <malloc.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define DIE(...)                     \
	do {                         \
		printf(__VA_ARGS__); \
		putchar('\n');       \
		fflush(stdout);      \
		abort();             \
	} while (0)

static double seconds = 1;
static unsigned threads = 4;
static _Atomic bool stop;

/* xorshift64*: Vigna 2016. */
static uint64_t
next(uint64_t *s)
{
	*s ^= *s >> 12;
	*s ^= *s << 25;
	*s ^= *s >> 27;
	return *s * UINT64_C(2685821657736338717);
}

static double
now(void)
{
	struct timespec t;
	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

/* Mostly small, sometimes large, seldom huge. */
static size_t
any_size(uint64_t *s)
{
	uint64_t r = next(s);
	uint64_t kind = r % 1000;
	r >>= 16;
	if (kind < 800)
		return r % 1024;
	if (kind < 950)
		return r % 40000;
	if (kind < 995)
		return r % 600000;
	return r % 6000000;
}

static unsigned char
mark(const void *p)
{
	return (unsigned char)((uintptr_t)p >> 4 ^ (uintptr_t)p >> 12 ^ 0x5a);
}

/* Both ends and a few bytes between. */
static void
fill(unsigned char *p, size_t n)
{
	unsigned char m = mark(p);
	if (n <= 256) {
		memset(p, m, n);
		return;
	}
	memset(p, m, 64);
	memset(p + n - 64, m, 64);
	for (size_t i = 64; i < n; i += 4096)
		p[i] = m;
}

static void
check_as(const unsigned char *p, size_t n, unsigned char m)
{
	for (size_t i = 0; i < n && i < 64; i++)
		if (p[i] != m)
			DIE("block %p of %zu: byte %zu is %02x, not %02x",
			    (const void *)p, n, i, p[i], m);
	for (size_t i = n > 64 ? n - 64 : 0; i < n; i++)
		if (p[i] != m)
			DIE("block %p of %zu: byte %zu is %02x, not %02x",
			    (const void *)p, n, i, p[i], m);
}

static void
check(const unsigned char *p, size_t n)
{
	check_as(p, n, mark(p));
}

struct block {
	unsigned char *p;
	size_t n;
};

static void
all_zero(const unsigned char *p, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (p[i] != 0)
			DIE("calloc of %zu: byte %zu is %02x", n, i, p[i]);
}

static void
aligned(const void *p, size_t align)
{
	if ((uintptr_t)p % align != 0)
		DIE("%p is not aligned to %zu", p, align);
}

/* A block by one of the entry points. */
static struct block
block_new(uint64_t *s)
{
	struct block b = { NULL, any_size(s) };
	size_t align = (size_t)16 << next(s) % 14;
	void *p = NULL;
	switch (next(s) % 8) {
	case 0:
		b.p = calloc(1, b.n);
		if (b.p != NULL)
			all_zero(b.p, b.n);
		break;
	case 1:
		if (posix_memalign(&p, align, b.n) != 0)
			DIE("posix_memalign(%zu, %zu) failed", align, b.n);
		b.p = p;
		aligned(p, align);
		break;
	case 2:
		b.p = aligned_alloc(align, b.n);
		aligned(b.p, align);
		break;
	case 3:
		b.p = memalign(align, b.n);
		aligned(b.p, align);
		break;
	case 4: b.p = next(s) % 64 ? malloc(b.n) : valloc(b.n); break;
	default: b.p = malloc(b.n);
	}
	if (b.p == NULL)
		DIE("no block of %zu bytes", b.n);
	aligned(b.p, 16);
	if (malloc_usable_size(b.p) < b.n)
		DIE("block of %zu is usable for %zu", b.n,
		    malloc_usable_size(b.p));
	if (next(s) % 4 == 0)
		b.n = malloc_usable_size(b.p);
	fill(b.p, b.n);
	return b;
}

static void
block_free(struct block *b)
{
	if (b->p != NULL)
		check(b->p, b->n);
	free(b->p);
	b->p = NULL;
}

static void
block_resize(struct block *b, uint64_t *s)
{
	size_t n = any_size(s);
	if (next(s) % 2)
		n = b->n + b->n / 4;
	if (n == 0)
		n = 1;
	unsigned char m = mark(b->p);
	size_t old = b->n;
	check(b->p, b->n);
	unsigned char *p = realloc(b->p, n);
	if (p == NULL)
		DIE("realloc from %zu to %zu failed", old, n);
	size_t kept = n < old ? n : old;
	check_as(p, kept < 64 ? kept : 64, m);
	if (n >= old)
		check_as(p, old, m);
	b->p = p;
	b->n = n;
	fill(p, n);
}

/* Threads that replace each other's blocks in one table. */
#define SHARED 4096
static struct {
	pthread_mutex_t lock;
	struct block block[SHARED];
} table[8];

static void
swap_shared(struct block *b, uint64_t *s)
{
	unsigned t = next(s) % 8, i = next(s) % SHARED;
	pthread_mutex_lock(&table[t].lock);
	struct block had = table[t].block[i];
	table[t].block[i] = *b;
	pthread_mutex_unlock(&table[t].lock);
	*b = had;
}

static void
clear_shared(void)
{
	for (unsigned t = 0; t < 8; t++)
		for (unsigned i = 0; i < SHARED; i++)
			block_free(&table[t].block[i]);
}

static void
step(struct block *own, unsigned count, uint64_t *s, unsigned swaps)
{
	struct block *b = &own[next(s) % count];
	if (b->p == NULL)
		*b = block_new(s);
	else if (next(s) % 4 == 0)
		block_resize(b, s);
	else if (next(s) % 16 < swaps)
		swap_shared(b, s);
	else
		block_free(b);
}

static void *
worker(void *arg)
{
	enum {
		OWN = 500
	};
	uint64_t s = (uintptr_t)arg * UINT64_C(0x9e3779b97f4a7c15) + 1;
	struct block *own = calloc(OWN, sizeof *own);
	while (!stop)
		step(own, OWN, &s, 8);
	for (unsigned i = 0; i < OWN; i++)
		block_free(&own[i]);
	free(own);
	return NULL;
}

static void
start(pthread_t *t, void *(*fn)(void *), uintptr_t arg)
{
	int e = pthread_create(t, NULL, fn, (void *)arg);
	if (e != 0)
		DIE("pthread_create: %s", strerror(e));
}

static void
part_cross(void)
{
	pthread_t t[64];
	stop = false;
	for (unsigned i = 0; i < threads; i++)
		start(&t[i], worker, i + 1);
	usleep((useconds_t)(seconds * 1e6));
	stop = true;
	for (unsigned i = 0; i < threads; i++)
		pthread_join(t[i], NULL);
	clear_shared();
}

/* Short threads that leave blocks behind for others. */
static void *
short_life(void *arg)
{
	uint64_t s = (uintptr_t)arg * UINT64_C(0x9e3779b97f4a7c15) + 1;
	struct block own[16] = { { NULL, 0 } };
	for (unsigned i = 0; i < 200; i++)
		step(own, 16, &s, 14);
	for (unsigned i = 0; i < 16; i++)
		block_free(&own[i]);
	return NULL;
}

static void
part_churn(void)
{
	double end = now() + seconds;
	for (uintptr_t n = 1; now() < end; n += threads) {
		pthread_t t[64];
		for (unsigned i = 0; i < threads; i++)
			start(&t[i], short_life, n + i);
		for (unsigned i = 0; i < threads; i++)
			pthread_join(t[i], NULL);
	}
	clear_shared();
}

/* Allocations in the destructors of keys, in every round there is. */
static pthread_key_t late_key;
static _Atomic unsigned late_frees;

static void
late_end(void *arg)
{
	unsigned *round = arg;
	unsigned left = *round;
	free(round);
	free(malloc(left * 30000 + 1));
	atomic_fetch_add(&late_frees, 1);
	if (left == 0)
		return;
	round = malloc(sizeof *round + left * 1000);
	*round = left - 1;
	pthread_setspecific(late_key, round);
}

static void *
late_thread(void *arg)
{
	unsigned *round = malloc(sizeof *round);
	*round = 3;
	pthread_setspecific(late_key, round);
	return arg;
}

static void
part_late(void)
{
	double end = now() + seconds;
	unsigned started = 0;
	if (pthread_key_create(&late_key, late_end) != 0)
		DIE("no key");
	for (; now() < end; started++) {
		pthread_t t;
		start(&t, late_thread, 0);
		pthread_join(t, NULL);
	}
	if (late_frees != 4 * started)
		DIE("%u destructors for %u threads", late_frees, started);
	pthread_key_delete(late_key);
}

static void
child(uint64_t s)
{
	struct block own[64] = { { NULL, 0 } };
	alarm(20);
	for (unsigned i = 0; i < 2000; i++)
		step(own, 64, &s, 4);
	pthread_t t;
	start(&t, short_life, 7);
	pthread_join(t, NULL);
	_exit(0);
}

static void
part_fork(void)
{
	pthread_t t[64];
	double end = now() + seconds;
	stop = false;
	for (unsigned i = 0; i < threads; i++)
		start(&t[i], worker, i + 100);
	for (uint64_t n = 1; now() < end; n++) {
		/* The table's mutexes must be free in the child. */
		for (unsigned i = 0; i < 8; i++)
			pthread_mutex_lock(&table[i].lock);
		pid_t pid = fork();
		for (unsigned i = 0; i < 8; i++)
			pthread_mutex_unlock(&table[i].lock);
		if (pid == 0)
			child(n * 977);
		int status;
		if (waitpid(pid, &status, 0) != pid || status != 0)
			DIE("child ended with status %x", status);
	}
	stop = true;
	for (unsigned i = 0; i < threads; i++)
		pthread_join(t[i], NULL);
	clear_shared();
}

static void
part_sizes(void)
{
	for (size_t n = 0; n < 600000; n += 1 + n / 50) {
		struct block b = { malloc(n), n };
		if (b.p == NULL)
			DIE("no block of %zu", n);
		aligned(b.p, 16);
		b.n = malloc_usable_size(b.p);
		if (b.n < n || (n > 128 && n <= 262144 && b.n > n + n / 8 + 16))
			DIE("block of %zu is usable for %zu", n, b.n);
		memset(b.p, mark(b.p), b.n);
		block_free(&b);
	}
	for (size_t align = 16; align <= (size_t)32 << 20; align *= 2)
		for (size_t n = 1; n < 300000; n = n * 3 + 1) {
			void *p = NULL;
			if (posix_memalign(&p, align, n) != 0)
				DIE("posix_memalign(%zu, %zu)", align, n);
			aligned(p, align);
			fill(p, n);
			check(p, n);
			free(p);
		}
}

static void
part_realloc(void)
{
	uint64_t s = 42;
	struct block b[32] = { { NULL, 0 } };
	double end = now() + seconds;
	while (now() < end)
		for (unsigned i = 0; i < 32; i++) {
			if (b[i].p == NULL)
				b[i] = block_new(&s);
			block_resize(&b[i], &s);
			if (b[i].n > (8u << 20))
				block_free(&b[i]);
		}
	for (unsigned i = 0; i < 32; i++)
		block_free(&b[i]);
	/* In small steps to a size that has a mapping of its own. */
	unsigned char *p = NULL;
	for (size_t n = 100000; n < (80u << 20); n += n / 7) {
		p = realloc(p, n);
		if (p == NULL)
			DIE("realloc to %zu", n);
		p[0] = 1;
		p[n - 1] = 2;
	}
	for (size_t n = 80u << 20; n > 0; n /= 3) {
		p = realloc(p, n);
		if (p == NULL || p[0] != 1)
			DIE("realloc down to %zu", n);
	}
	free(p);
}

static void
part_entry(void)
{
	volatile size_t most = PTRDIFF_MAX, zero = 0;
	void *p = malloc(zero), *q = NULL;
	if (p == NULL || realloc(p, zero) != NULL)
		DIE("size 0");
	errno = 0;
	if (malloc(most) != NULL || errno != ENOMEM)
		DIE("malloc of PTRDIFF_MAX");
	errno = 0;
	if (calloc(most, 4) != NULL || errno != ENOMEM)
		DIE("calloc that overflows");
	if (posix_memalign(&q, 24, 10) != EINVAL || q != NULL)
		DIE("posix_memalign(24)");
	p = malloc(1 << 20);
	errno = 7;
	free(p);
	if (errno != 7)
		DIE("free changed errno");
	errno = 0;
	for (unsigned i = 0; i < 100000; i++)
		free(malloc(i % 5000));
	if (errno != 0)
		DIE("malloc changed errno");
	p = malloc(5000);
	struct mallinfo2 m = mallinfo2();
	if (m.uordblks < 5000)
		DIE("mallinfo2 says that %zu bytes are in use", m.uordblks);
	free(p);
	malloc_trim(0);
}

static const struct part {
	const char *name;
	void (*run)(void);
} parts[] = {
	{ "entry", part_entry },
	{ "sizes", part_sizes },
	{ "realloc", part_realloc },
	{ "cross", part_cross },
	{ "churn", part_churn },
	{ "fork", part_fork },
	{ "late", part_late },
};

static bool
wanted(const char *name, int argc, char **argv)
{
	if (optind == argc)
		return true;
	for (int i = optind; i < argc; i++)
		if (strcmp(argv[i], name) == 0)
			return true;
	return false;
}

int
main(int argc, char **argv)
{
	int o;
	while ((o = getopt(argc, argv, "s:n:")) != -1) {
		if (o == 's')
			seconds = atof(optarg);
		else if (o == 'n')
			threads = (unsigned)atoi(optarg);
		else
			return 2;
	}
	if (threads < 1 || threads > 64)
		return 2;
	for (unsigned i = 0; i < 8; i++)
		pthread_mutex_init(&table[i].lock, NULL);
	for (unsigned i = 0; i < sizeof parts / sizeof *parts; i++)
		if (wanted(parts[i].name, argc, argv))
			parts[i].run();
	puts("OK");
	return 0;
}
