/*
 * jemalloc's functions beside malloc's, found at run time: extended
 *
 * Every alignment and many sizes through mallocx and its kin, under both
 * spellings; ends with "fine", or says what is not.
 */
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../../prof/heaptop.h"

#pragma weak mallocx
#pragma weak rallocx
#pragma weak xallocx
#pragma weak sallocx
#pragma weak dallocx
#pragma weak sdallocx
#pragma weak nallocx
#pragma weak malloc_stats_print
#pragma weak je_mallocx
#pragma weak je_dallocx
#pragma weak je_malloc
#pragma weak je_realloc
#pragma weak je_memalign
#pragma weak je_malloc_usable_size
#pragma weak je_free

static void
check(bool good, const char *what, size_t size, int lg)
{
	if (good)
		return;
	printf("%s: %zu bytes, alignment 2^%d\n", what, size, lg);
	exit(1);
}

static bool
aligned(const void *p, int lg)
{
	return p && ((uintptr_t)p & (((size_t)1 << lg) - 1)) == 0;
}

static bool
zero(const char *p, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (p[i])
			return false;
	return true;
}

static void
one(size_t size, int lg)
{
	int flags = MALLOCX_LG_ALIGN(lg) | MALLOCX_ZERO | MALLOCX_TCACHE_NONE;
	char *p = mallocx(size, flags), *q;
	size_t got;

	check(aligned(p, lg), "mallocx", size, lg);
	check(zero(p, size), "mallocx, zeroed", size, lg);
	got = sallocx(p, 0);
	check(got >= size && got == nallocx(size, flags), "nallocx", size, lg);
	memset(p, 1, got);
	got = xallocx(p, 2 * size, 100, MALLOCX_ZERO);
	check(got == sallocx(p, 0), "xallocx", size, lg);
	q = rallocx(p, 2 * size + 5, flags);
	check(aligned(q, lg), "rallocx", size, lg);
	check(q[0] == 1 && q[size - 1] == 1, "rallocx, kept", size, lg);
	sdallocx(q, 2 * size + 5, flags);
}

/* What is looked for in what is printed, and whether it was. */
struct look {
	const char *text;
	bool seen;
};

static void
note(void *arg, const char *text)
{
	struct look *l = arg;

	l->seen |= strstr(text, l->text) != NULL;
}

int
main(void)
{
	struct look line = { "Allocated: ", false };
	struct look json = { "\"allocated\":", false };
	char *p;

	for (int lg = 0; lg < 22; lg++)
		for (size_t size = 1; size < 3000000; size = size * 3 + 1)
			one(size, lg);
	check(!mallocx(SIZE_MAX / 2 + 1, 0), "mallocx", SIZE_MAX / 2 + 1, 0);
	check(nallocx(SIZE_MAX, 0) == 0, "nallocx", SIZE_MAX, 0);
	p = je_realloc(je_malloc(100), 1000);
	check(je_malloc_usable_size(p) >= 1000, "je_realloc", 1000, 0);
	je_free(p);
	je_free(je_memalign(4096, 10));
	je_dallocx(je_mallocx(10, MALLOCX_ALIGN(64)), 0);
	dallocx(mallocx(10, 0), 0);
	malloc_stats_print(note, &line, "gbl");
	check(line.seen, "malloc_stats_print", 0, 0);
	malloc_stats_print(note, &json, "J");
	check(json.seen, "malloc_stats_print, J", 0, 0);
	puts("fine");
	return 0;
}
