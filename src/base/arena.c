#include "base/arena.h"

#include <stdalign.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"

struct arena_block {
	struct arena_block *older;
	max_align_t data[];
};

#define BLOCK_MIN ((size_t)16 << 10)
#define BLOCK_MAX ((size_t)1 << 20)

void
arena_fini(struct arena *a)
{
	while (a->blocks) {
		struct arena_block *older = a->blocks->older;

		free(a->blocks);
		a->blocks = older;
	}
	*a = (struct arena){ 0 };
}

static struct arena_block *
block(struct arena *a, size_t n)
{
	struct arena_block *b;

	if (n > SIZE_MAX - sizeof *b)
		n = SIZE_MAX - sizeof *b; /* let the allocation die */
	b = xmalloc(sizeof *b + n);
	a->total += sizeof *b + n;
	return b;
}

/* Blocks double from 16 KiB to 1 MiB, so that small arenas stay small. */
static void *
refill(struct arena *a, size_t n)
{
	size_t size = BLOCK_MIN;
	struct arena_block *b;

	while (size < BLOCK_MAX && size < a->total)
		size *= 2;
	if (n > size / 4) {
		/* A block of its own, behind the one being filled. */
		b = block(a, n);
		if (a->blocks) {
			b->older = a->blocks->older;
			a->blocks->older = b;
		} else {
			b->older = NULL;
			a->blocks = b;
		}
		return b->data;
	}
	b = block(a, size);
	b->older = a->blocks;
	a->blocks = b;
	a->next = (char *)b->data + n;
	a->left = size - n;
	return b->data;
}

static void *
take(struct arena *a, size_t n)
{
	void *p;

	if (n > a->left || !a->next)
		return refill(a, n);
	p = a->next;
	a->next += n;
	a->left -= n;
	return p;
}

void *
arena_alloc(struct arena *a, size_t n)
{
	size_t align = alignof(max_align_t);
	size_t skip = -(uintptr_t)a->next & (align - 1);

	if (skip > a->left)
		skip = a->left;
	if (skip)
		a->next += skip;
	a->left -= skip;
	if (n > SIZE_MAX - align)
		n = SIZE_MAX - align;
	return take(a, n);
}

void *
arena_calloc(struct arena *a, size_t n, size_t size)
{
	void *p;

	if (size && n > SIZE_MAX / size)
		return arena_alloc(a, SIZE_MAX);
	p = arena_alloc(a, n * size);
	memset(p, 0, n * size);
	return p;
}

char *
arena_strndup(struct arena *a, const char *s, size_t n)
{
	char *copy = take(a, n + 1);

	memcpy(copy, s, n);
	copy[n] = '\0';
	return copy;
}
