#include "base/mem.h"

#include <malloc.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define STATUS_FAILED 125

static void (*on_death)(void);

void
mem_on_death(void (*fn)(void))
{
	on_death = fn;
}

/* Without stdio, which may want memory itself. */
static _Noreturn void
die(void)
{
	static const char text[] = "heaptop: out of memory\n";
	void (*fn)(void) = on_death;

	on_death = NULL;
	if (fn)
		fn();
	if (write(STDERR_FILENO, text, sizeof text - 1) < 0)
		_exit(STATUS_FAILED);
	_exit(STATUS_FAILED);
}

void *
xmalloc(size_t n)
{
	void *p = malloc(n ? n : 1);

	if (!p)
		die();
	return p;
}

void *
xcalloc(size_t n, size_t size)
{
	void *p;

	if (n == 0 || size == 0)
		n = size = 1;
	p = calloc(n, size);
	if (!p)
		die();
	return p;
}

void *
xreallocarray(void *p, size_t n, size_t size)
{
	if (n == 0 || size == 0)
		n = size = 1;
	p = reallocarray(p, n, size);
	if (!p)
		die();
	return p;
}

char *
xstrdup(const char *s)
{
	return xstrndup(s, SIZE_MAX);
}

char *
xstrndup(const char *s, size_t n)
{
	size_t len = strnlen(s, n);
	char *copy = xmalloc(len + 1);

	memcpy(copy, s, len);
	copy[len] = '\0';
	return copy;
}

#define BLOCK_MAX (32 << 20) /* larger ones are mappings: mallopt's limit */
#define FREED_MAX (256 << 20)

void
mem_keep_freed(void)
{
	mallopt(M_MMAP_THRESHOLD, BLOCK_MAX);
	mallopt(M_TRIM_THRESHOLD, FREED_MAX);
}

#define MAPPED_MIN (128 << 10) /* malloc would raise it, unless it is told */

void
mem_be_small(void)
{
	mallopt(M_MMAP_THRESHOLD, MAPPED_MIN);
}
