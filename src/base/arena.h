/*
 * Memory that is given back all at once.  Blocks never move, so pointers stay
 * good until arena_fini.  All zeros is an empty arena.  Ends the program when
 * memory runs out; results are aligned for any type and not zeroed unless
 * said.
 */
#ifndef BASE_ARENA_H
#define BASE_ARENA_H

#include <stddef.h>

struct arena_block;

struct arena {
	struct arena_block *blocks; /* newest first */
	char *next;                 /* free bytes of the newest block */
	size_t left;
	size_t total; /* bytes taken from malloc */
};

void arena_fini(struct arena *a); /* empty and usable again */
void *arena_alloc(struct arena *a, size_t n);
/* Zeroed; overflow of n * size dies. */
void *arena_calloc(struct arena *a, size_t n, size_t size);
/* n bytes copied, a NUL byte added, no padding. */
char *arena_strndup(struct arena *a, const char *s, size_t n);

#endif
