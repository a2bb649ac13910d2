/*
 * Memory that is there or the program ends: heaptop (not the target) dies
 * with one sentence and status 125 when memory runs out, after mem_on_death
 * has put the terminal right.  Results are never NULL for sizes above 0 and
 * are given back with free().
 */
#ifndef BASE_MEM_H
#define BASE_MEM_H

#include <stddef.h>

void *xmalloc(size_t n);
void *xcalloc(size_t n, size_t size); /* zeroed; overflow dies */
void *xreallocarray(void *p, size_t n, size_t size);
char *xstrdup(const char *s);
char *xstrndup(const char *s, size_t n); /* at most n bytes, terminated */

/* Keep freed memory at hand: a report of many stacks takes megabytes and is
 * made anew several times a second, and to fetch fresh pages for it each time
 * takes a fifth of the work.  For who shows many. */
void mem_keep_freed(void);

/* Take as little as can be: large arrays grow where they are, and leave no
 * holes behind.  For who shows one. */
void mem_be_small(void);

/* Called once before dying of lack of memory; NULL for nothing. */
void mem_on_death(void (*fn)(void));

#endif
