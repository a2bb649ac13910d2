/*
 * The options that make the allocator stricter, or slower, or both: zero,
 * junk, abort, xmalloc, zero_realloc, tcache, tcache_max.
 *
 * None costs the fast paths anything.  Where every block is to be seen,
 * threads' caches never get room (`uncached`), so each malloc and each free
 * takes the slow path down to its slab, which fills what it hands out and
 * what it takes back, and finds there at once what is no live block.
 *
 * Set once, by the constructor, from the options.
 */
#ifndef PROF_STRICT_H
#define PROF_STRICT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define STRICT_JUNK_NEW   0xa5
#define STRICT_JUNK_FREED 0x5a

struct strict {
	bool uncached;   /* no block stays in a cache or on a shelf */
	bool fill_new;   /* fresh memory gets new_byte */
	bool fill_freed; /* freed memory gets STRICT_JUNK_FREED */
	uint8_t new_byte;
	bool misuse; /* an invalid free ends the program */
	bool memory; /* so does an allocation that there is no memory for */
	size_t most; /* bytes of a block that caches keep */
};

extern struct strict strict __attribute__((visibility("hidden")));

/* After the options were read: what they want.  Takes back what the calling
 * thread has in its cache. */
void strict_start(void);

void strict_fill(void *p, uint8_t byte, size_t n);

/* Memory that is handed out; `zero`: it reads as zero.  Does it afterwards? */
static inline bool
strict_new(void *p, size_t n, bool zero)
{
	if (__builtin_expect(!strict.fill_new, 1))
		return zero;
	if (!zero || strict.new_byte != 0)
		strict_fill(p, strict.new_byte, n);
	return strict.new_byte == 0;
}

static inline void
strict_freed(void *p, size_t n)
{
	if (__builtin_expect(strict.fill_freed, 0))
		strict_fill(p, STRICT_JUNK_FREED, n);
}

/* There is no memory for what `who` was asked for: returns, unless the
 * program is to end. */
void strict_no_memory(const char *who);

/* realloc(p, 0): true if it is to give a small block; false if it is to free
 * p and give none.  May not return. */
bool strict_realloc_zero(void);

#endif
