/*
 * A heap of known truth: sixteen functions allocate, each with sizes of its
 * own kind, from any number of threads; a part is freed again, half of that
 * by another thread.  What then lives is printed, a line for each function:
 *
 *	site_NN BYTES OBJECTS
 *
 * in usable bytes, as malloc_usable_size() tells.  Every thread calls every
 * function from one place, so each function is one stack.
 *
 *	truth THREADS BYTES SEED    bytes that are to live at each site
 */
/* libs: -lpthread */
#include <malloc.h>
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#define SITES 16

/* A chain of blocks; the links are the blocks' first words. */
struct block {
	struct block *next;
};

struct work {
	pthread_t thread;
	uint64_t rng;
	uint64_t goal; /* bytes to live at each site, this thread's share */
	struct block *live[SITES];
	struct block *to_free[SITES]; /* by the next thread */
	uint64_t bytes[SITES], objects[SITES];
};

static struct work *works;
static int threads;

static uint64_t
next_random(uint64_t *s)
{
	uint64_t x = *s += 0x9e3779b97f4a7c15u;

	x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9u;
	x = (x ^ x >> 27) * 0x94d049bb133111ebu;
	return x ^ x >> 31;
}

#define SITE(n, expression)                                             \
	__attribute__((noinline)) static void *site_##n(uint64_t r)     \
	{                                                               \
		void *p = malloc(expression);                           \
                                                                        \
		__asm__ volatile("" : "+r"(p));                         \
		return p;                                               \
	}

SITE(00, 16)
SITE(01, 64)
SITE(02, 200)
SITE(03, 1000)
SITE(04, 4096)
SITE(05, 30000)
SITE(06, 16 + r % 240)
SITE(07, 16 + r % 4000)
SITE(08, r % 100 ? 32 : 20000)
SITE(09, (size_t)16 << r % 10)
SITE(10, 48)
SITE(11, 500 + r % 24)
SITE(12, 8000 + r % 8000)
SITE(13, r % 1000 ? 128 : 300000)
SITE(14, 24 + r % 40)
SITE(15, 2048)

static void *(*const sites[SITES])(uint64_t) = { site_00, site_01, site_02,
	site_03, site_04, site_05, site_06, site_07, site_08, site_09, site_10,
	site_11, site_12, site_13, site_14, site_15 };

static void
fill(struct work *w, int i)
{
	while (w->bytes[i] < w->goal) {
		uint64_t r = next_random(&w->rng);
		struct block *b = sites[i](r >> 8);
		unsigned fate = r & 7;

		if (!b)
			abort();
		if (fate == 0) {
			free(b);
		} else if (fate == 1) {
			b->next = w->to_free[i];
			w->to_free[i] = b;
		} else {
			b->next = w->live[i];
			w->live[i] = b;
			w->bytes[i] += malloc_usable_size(b);
			w->objects[i]++;
		}
	}
}

static void *
allocate(void *arg)
{
	struct work *w = arg;

	for (int i = 0; i < SITES; i++)
		fill(w, i);
	return NULL;
}

static void *
release(void *arg)
{
	struct work *w = arg;
	struct work *other = &works[(w - works + 1) % threads];

	for (int i = 0; i < SITES; i++)
		for (struct block *b = other->to_free[i]; b;) {
			struct block *next = b->next;

			free(b);
			b = next;
		}
	return NULL;
}

static void
in_threads(void *(*fn)(void *))
{
	for (int i = 0; i < threads; i++)
		if (pthread_create(&works[i].thread, NULL, fn, &works[i]))
			abort();
	for (int i = 0; i < threads; i++)
		pthread_join(works[i].thread, NULL);
}

int
main(int argc, char **argv)
{
	uint64_t bytes = argc > 2 ? strtoull(argv[2], NULL, 0) : 1 << 20;
	uint64_t seed = argc > 3 ? strtoull(argv[3], NULL, 0) : 1;

	threads = argc > 1 ? atoi(argv[1]) : 1;
	if (threads < 1 || threads > 1000)
		return 2;
	works = calloc((size_t)threads, sizeof *works);
	for (int i = 0; i < threads; i++) {
		works[i].rng = seed * 1000 + (uint64_t)i;
		works[i].goal = bytes / (uint64_t)threads;
	}
	in_threads(allocate);
	in_threads(release);
	for (int i = 0; i < SITES; i++) {
		uint64_t b = 0, o = 0;

		for (int t = 0; t < threads; t++) {
			b += works[t].bytes[i];
			o += works[t].objects[i];
		}
		printf("site_%02d %llu %llu\n", i, (unsigned long long)b,
		    (unsigned long long)o);
	}
	return 0;
}
