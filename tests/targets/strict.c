/*
 * What the stricter options are about: strict WHAT...
 *
 *	fills NEW FREED   every way to get a block: is fresh memory NEW, and
 *	                  freed memory FREED?  -1: it does not matter
 *	twice SIZE        frees a block of that size twice
 *	inside SIZE       frees the middle of one
 *	nothing           reallocs a block to 0 bytes
 *	much WAY          asks for 2^60 bytes: malloc calloc realloc memalign
 *	                  posix_memalign mallocx
 *
 * Says what is not so, or "fine"; of `nothing` what came back.
 */
#include <malloc.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../../prof/heaptop.h"

#pragma weak mallocx
#pragma weak rallocx

#define OLD 7

static int fresh, freed;

/* The compiler is not to know what becomes of a pointer. */
static void *(*volatile get)(size_t) = malloc;
static void *(*volatile resize)(void *, size_t) = realloc;
static void (*volatile drop)(void *) = free;
static void *(*volatile get_many)(size_t, size_t) = calloc;

static void
is(const volatile unsigned char *p, size_t n, int byte, const char *what,
    size_t size)
{
	for (size_t i = 0; byte >= 0 && i < n; i++) {
		if (p[i] == byte)
			continue;
		printf("%s of %zu: byte %zu is %#x\n", what, size, i, p[i]);
		exit(1);
	}
}

static void
let_go(unsigned char *p, size_t size)
{
	size_t n = malloc_usable_size(p);

	memset(p, OLD, n);
	drop(p);
	is(p, n, freed, "freed", size);
}

static void
grown(unsigned char *p, size_t size)
{
	size_t n = malloc_usable_size(p);
	unsigned char *q;

	memset(p, OLD, n);
	q = resize(p, 2 * size);
	is(q, size, OLD, "kept", size);
	if (malloc_usable_size(q) > n)
		is(q + n, malloc_usable_size(q) - n, fresh, "grown", size);
	memset(q, OLD, malloc_usable_size(q));
	q = resize(q, size);
	is(q, size, OLD, "kept, shrunk", size);
	let_go(q, size);
}

static void
of_size(size_t size)
{
	unsigned char *p = get(size);

	is(p, malloc_usable_size(p), fresh, "malloc", size);
	grown(p, size);
	p = memalign(256, size);
	is(p, malloc_usable_size(p), fresh, "memalign", size);
	let_go(p, size);
	p = calloc(1, size);
	is(p, size, 0, "calloc", size);
	let_go(p, size);
	if (!mallocx)
		return;
	p = mallocx(size, MALLOCX_ZERO);
	is(p, size, 0, "mallocx", size);
	let_go(p, size);
	p = mallocx(size, 0);
	is(p, malloc_usable_size(p), fresh, "mallocx", size);
	let_go(p, size);
}

static int
fills(void)
{
	static const size_t sizes[] = { 1, 48, 100, 1000, 20000, 100000,
		3000000 };

	for (int round = 0; round < 3; round++)
		for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++)
			of_size(sizes[i]);
	puts("fine");
	return 0;
}

static void *
much(const char *way)
{
	size_t size = (size_t)1 << 60;
	void *p = NULL;

	if (strcmp(way, "malloc") == 0)
		return get(size);
	if (strcmp(way, "calloc") == 0)
		return get_many(size, 1 << 10);
	if (strcmp(way, "realloc") == 0)
		return resize(get(100), size);
	if (strcmp(way, "memalign") == 0)
		return memalign(64, size);
	if (strcmp(way, "mallocx") == 0)
		return mallocx ? mallocx(size, 0) : NULL;
	return posix_memalign(&p, 64, size) == 0 ? p : NULL;
}

int
main(int argc, char **argv)
{
	const char *what = argc > 2 ? argv[1] : "";

	setvbuf(stdout, NULL, _IOLBF, 0);
	if (strcmp(what, "fills") == 0 && argc > 3) {
		fresh = (int)strtol(argv[2], NULL, 0);
		freed = (int)strtol(argv[3], NULL, 0);
		return fills();
	}
	if (strcmp(what, "twice") == 0 || strcmp(what, "inside") == 0) {
		size_t size = strtoul(argv[2], NULL, 0);
		char *p = get(size);

		if (strcmp(what, "twice") == 0)
			drop(p);
		else
			p += 16;
		drop(p);
	} else if (strcmp(what, "much") == 0) {
		if (much(argv[2]))
			puts("a block");
	} else {
		puts(resize(get(30), 0) ? "a block" : "none");
	}
	puts("fine");
	return 0;
}
