/*
 * A pool of the program's own: pool COUNT [wait], pool busy
 *
 * Takes 8 MiB from malloc and cuts them into nodes of 1,000 bytes: COUNT from
 * make_node and half as many from make_leaf, of which each second is given
 * back; then a second pool, "words", of COUNT words of 100 bytes.  Runs
 * without the library, too.  "busy": four threads hand out and take back
 * objects of 32 bytes of the pool "busy", one of them forks now and then; ends
 * with how many bytes are out.
 */
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "../../prof/heaptop.h"

#define NODE 1000

static struct {
	char *at, *end;
} arena;

static void *volatile last;

static void *
cut(const char *pool, size_t size)
{
	char *p = arena.at;

	if ((size_t)(arena.end - p) < size)
		exit(1);
	arena.at += size;
	HEAPTOP_POOL_ALLOC(pool, p, size);
	return p;
}

__attribute__((noinline)) static void *
make_node(void)
{
	last = cut("nodes", NODE);
	return last;
}

__attribute__((noinline)) static void *
make_leaf(void)
{
	last = cut("nodes", NODE);
	return last;
}

__attribute__((noinline)) static void
make_word(void)
{
	last = cut("words", 100);
}

#define THREADS 4
#define OBJECTS 2000 /* of a thread */
#define SMALL   32

/* A child of fork has pools of its own, which hold nothing. */
static void
in_child(void)
{
	pid_t pid = fork();
	int status = 0;

	if (pid == 0) {
		for (int i = 0; i < OBJECTS; i++)
			HEAPTOP_POOL_ALLOC("busy", arena.at + i, SMALL);
		_exit(0);
	}
	if (waitpid(pid, &status, 0) != pid || status != 0)
		abort();
}

static void *
work(void *arg)
{
	uintptr_t id = (uintptr_t)arg, out = 0;
	unsigned random = (unsigned)id + 1;
	char held[OBJECTS] = "";

	for (int i = 0; i < 50000; i++) {
		unsigned k = (random = random * 1103515245 + 12345) >> 8;
		char *p;

		k %= OBJECTS;
		p = arena.at + (id * OBJECTS + k) * SMALL;
		if (held[k])
			HEAPTOP_POOL_FREE("busy", p);
		else
			HEAPTOP_POOL_ALLOC("busy", p, SMALL);
		held[k] = !held[k];
		if (id == 0 && i % 10000 == 0)
			in_child();
	}
	for (int k = 0; k < OBJECTS; k++)
		out += (uintptr_t)held[k];
	return (void *)out;
}

static int
busy(void)
{
	pthread_t threads[THREADS];
	uintptr_t sum = 0;

	for (uintptr_t i = 0; i < THREADS; i++)
		if (pthread_create(&threads[i], NULL, work, (void *)i) != 0)
			return 1;
	for (int i = 0; i < THREADS; i++) {
		void *out;

		pthread_join(threads[i], &out);
		sum += (uintptr_t)out;
	}
	printf("%lu\n", (unsigned long)sum * SMALL);
	return 0;
}

int
main(int argc, char **argv)
{
	int count = argc > 1 ? atoi(argv[1]) : 1000;
	size_t room = (size_t)8 << 20;

	arena.at = malloc(room);
	if (!arena.at)
		return 1;
	arena.end = arena.at + room;
	if (argc > 1 && strcmp(argv[1], "busy") == 0)
		return busy();
	for (int i = 0; i < count; i++) {
		make_node();
		if (i % 2 == 0) {
			void *leaf = make_leaf();

			if (i % 4 == 0)
				HEAPTOP_POOL_FREE("nodes", leaf);
		}
		make_word();
	}
	printf("pid %ld\n", (long)getpid());
	fflush(stdout);
	if (argc > 2)
		pause();
	return 0;
}
