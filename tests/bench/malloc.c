/*
 * What a malloc costs: nanoseconds of CPU for one allocation and its free,
 * by pattern.
 *
 *	malloc [-s SCALE] [-d DEPTH] [PATTERN ...]
 *
 * Prints "pattern ns" a line and at the end "peak_kib n".  The patterns run
 * DEPTH (20) calls deep, so that a profiler that captures stacks finds some.
 * Compare allocators by running them in turn under LD_PRELOAD and taking the
 * median of the ratios; a single figure says little on a busy machine.
 */
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <time.h>
#include <unistd.h>

/* A pattern does n operations; how long they took is measured outside. */
typedef void pattern_fn(size_t n);

static void
use(void *p)
{
	*(volatile char *)p = 1;
}

/* xorshift64*: Vigna 2016. */
static uint64_t
next(uint64_t *s)
{
	*s ^= *s >> 12;
	*s ^= *s << 25;
	*s ^= *s >> 27;
	return *s * UINT64_C(2685821657736338717);
}

static void
same(size_t n, size_t size)
{
	for (size_t i = 0; i < n; i++) {
		void *p = malloc(size);
		use(p);
		free(p);
	}
}

static void
pair_48(size_t n)
{
	same(n, 48);
}

static void
pair_20k(size_t n)
{
	same(n, 20000);
}

static void
pair_3m(size_t n)
{
	same(n, 3u << 20);
}

/* Take and give back a stack of objects. */
static void
stack_of(size_t n, size_t size)
{
	enum {
		HIGH = 250
	};
	void *v[HIGH];
	for (size_t i = 0; i < n; i += HIGH) {
		for (unsigned k = 0; k < HIGH; k++) {
			v[k] = malloc(size);
			use(v[k]);
		}
		for (unsigned k = HIGH; k-- > 0;)
			free(v[k]);
	}
}

static void
stack_96(size_t n)
{
	stack_of(n, 96);
}

/* First in, first out. */
static void
queue_of(size_t n, size_t size, size_t length)
{
	void **v = calloc(length, sizeof *v);
	for (size_t i = 0; i < n; i++) {
		free(v[i % length]);
		v[i % length] = malloc(size);
		use(v[i % length]);
	}
	for (size_t i = 0; i < length; i++)
		free(v[i]);
	free(v);
}

static void
queue_200(size_t n)
{
	queue_of(n, 200, 5000);
}

static void
queue_2m(size_t n)
{
	queue_of(n, 2u << 20, 12);
}

/* Replace one of `live` objects at random, sizes from a skewed range. */
static void
replace(size_t n, size_t live, size_t most)
{
	void **v = calloc(live, sizeof *v);
	uint64_t s = 88172645463325252u;
	for (size_t i = 0; i < n; i++) {
		uint64_t r = next(&s);
		size_t k = (r >> 32) % live, size = 8 + r % most;
		/* two draws: small sizes are commoner */
		size = size * (next(&s) >> 48) >> 16;
		free(v[k]);
		v[k] = malloc(size);
		use(v[k]);
	}
	for (size_t i = 0; i < live; i++)
		free(v[i]);
	free(v);
}

static void
mixed_small(size_t n)
{
	replace(n, 20000, 800);
}

static void
mixed_many(size_t n)
{
	replace(n, 800000, 200);
}

static void
mixed_medium(size_t n)
{
	replace(n, 1500, 90000);
}

/* Blocks of 4 to 24 MiB, a few at a time, all of it touched now and then. */
static void
mixed_large(size_t n)
{
	void *v[6] = { NULL };
	uint64_t s = 3;
	for (size_t i = 0; i < n; i++) {
		size_t size = (size_t)(4 + next(&s) % 20) << 20;
		size_t k = next(&s) % 6;
		free(v[k]);
		v[k] = malloc(size);
		memset(v[k], 1, size / 64);
	}
	for (size_t k = 0; k < 6; k++)
		free(v[k]);
}

static void
grow(size_t n)
{
	for (size_t i = 0; i < n;) {
		char *p = NULL;
		for (size_t size = 24; size < 200000; size += size / 3, i++) {
			p = realloc(p, size);
			p[size - 1] = 1;
		}
		free(p);
	}
}

static void
grow_large(size_t n)
{
	char *p = NULL;
	for (size_t i = 0; i < n; i++) {
		p = realloc(p, (i % 2000 + 1) * 5000);
		use(p);
	}
	free(p);
}

static void
zeroed_400(size_t n)
{
	for (size_t i = 0; i < n; i++) {
		void *p = calloc(4, 100);
		use(p);
		free(p);
	}
}

static void
zeroed_100k(size_t n)
{
	for (size_t i = 0; i < n; i++) {
		void *p = calloc(1, 100000);
		use(p);
		free(p);
	}
}

static void
aligned_128(size_t n)
{
	for (size_t i = 0; i < n; i++) {
		void *p = NULL;
		if (posix_memalign(&p, 128, 300) != 0)
			abort();
		use(p);
		free(p);
	}
}

/* One thread allocates, the other frees: a ring of batches. */
#define RING  32
#define BATCH 200
static struct {
	void *v[RING][BATCH];
	_Atomic size_t made, freed;
	size_t batches;
} pipe_of;

static void *
drain(void *arg)
{
	for (size_t i = 0; i < pipe_of.batches; i++) {
		while (atomic_load(&pipe_of.made) <= i)
			sched_yield();
		for (unsigned k = 0; k < BATCH; k++)
			free(pipe_of.v[i % RING][k]);
		atomic_store(&pipe_of.freed, i + 1);
	}
	return arg;
}

static void
handed_over(size_t n)
{
	uint64_t s = 7;
	pthread_t t;
	pipe_of.batches = n / BATCH;
	pipe_of.made = pipe_of.freed = 0;
	pthread_create(&t, NULL, drain, NULL);
	for (size_t i = 0; i < pipe_of.batches; i++) {
		while (i - atomic_load(&pipe_of.freed) >= RING)
			sched_yield();
		for (unsigned k = 0; k < BATCH; k++) {
			void *p = malloc(32 + next(&s) % 300);
			use(p);
			pipe_of.v[i % RING][k] = p;
		}
		atomic_store(&pipe_of.made, i + 1);
	}
	pthread_join(t, NULL);
}

static void *
half(void *arg)
{
	mixed_small(*(size_t *)arg / 2);
	return NULL;
}

static void
two_threads(size_t n)
{
	pthread_t a, b;
	pthread_create(&a, NULL, half, &n);
	pthread_create(&b, NULL, half, &n);
	pthread_join(a, NULL);
	pthread_join(b, NULL);
}

static void *
one_object(void *arg)
{
	void *p = malloc(500);
	use(p);
	free(p);
	return arg;
}

static void
short_threads(size_t n)
{
	for (size_t i = 0; i < n; i++) {
		pthread_t t;
		pthread_create(&t, NULL, one_object, NULL);
		pthread_join(t, NULL);
	}
}

static const struct {
	const char *name;
	pattern_fn *run;
	size_t n;
} patterns[] = {
	{ "pair_48", pair_48, 6000000 },
	{ "pair_20k", pair_20k, 3000000 },
	{ "pair_3m", pair_3m, 200000 },
	{ "stack_96", stack_96, 6000000 },
	{ "queue_200", queue_200, 4000000 },
	{ "queue_2m", queue_2m, 200000 },
	{ "mixed_small", mixed_small, 3000000 },
	{ "mixed_many", mixed_many, 2000000 },
	{ "mixed_medium", mixed_medium, 1000000 },
	{ "mixed_large", mixed_large, 3000 },
	{ "grow", grow, 400000 },
	{ "grow_large", grow_large, 20000 },
	{ "zeroed_400", zeroed_400, 3000000 },
	{ "zeroed_100k", zeroed_100k, 60000 },
	{ "aligned_128", aligned_128, 3000000 },
	{ "handed_over", handed_over, 2000000 },
	{ "two_threads", two_threads, 3000000 },
	{ "short_threads", short_threads, 4000 },
};

static double
cpu_ns(void)
{
	struct timespec t;
	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
	return (double)t.tv_sec * 1e9 + (double)t.tv_nsec;
}

__attribute__((noinline)) static void
deep(unsigned depth, pattern_fn *run, size_t n)
{
	if (depth > 0)
		deep(depth - 1, run, n);
	else
		run(n);
	/* So that the call is no jump. */
	__asm__ volatile("" ::: "memory");
}

static int
wanted(const char *name, int argc, char **argv)
{
	for (int i = optind; i < argc; i++)
		if (strcmp(argv[i], name) == 0)
			return 1;
	return optind == argc;
}

int
main(int argc, char **argv)
{
	double scale = 1;
	unsigned depth = 20;
	int o;
	while ((o = getopt(argc, argv, "s:d:")) != -1) {
		if (o == 's')
			scale = atof(optarg);
		else if (o == 'd')
			depth = (unsigned)atoi(optarg);
		else
			return 2;
	}
	for (unsigned i = 0; i < sizeof patterns / sizeof *patterns; i++) {
		if (!wanted(patterns[i].name, argc, argv))
			continue;
		size_t n = (size_t)((double)patterns[i].n * scale);
		double t = cpu_ns();
		deep(depth, patterns[i].run, n);
		printf(
		    "%s %.2f\n", patterns[i].name, (cpu_ns() - t) / (double)n);
		fflush(stdout);
	}
	struct rusage ru;
	getrusage(RUSAGE_SELF, &ru);
	printf("peak_kib %ld\n", ru.ru_maxrss);
	return 0;
}
