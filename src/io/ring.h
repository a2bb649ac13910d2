/*
 * The last bytes of an endless stream, found by their offset from its
 * beginning.
 *
 * Embedded in its owner.  Holds at most `cap` bytes: what comes later pushes
 * out what came first, so `start` is also how many bytes are not here any
 * more.  Offsets never go back.
 */
#ifndef IO_RING_H
#define IO_RING_H

#include <stddef.h>
#include <stdint.h>

struct ring {
	char *data;
	size_t cap;     /* bytes, above 0 */
	uint64_t start; /* offset of the first byte held */
	uint64_t end;   /* offset after the last; the next byte's */
};

void ring_init(struct ring *r, size_t cap);
void ring_fini(struct ring *r);

void ring_put(struct ring *r, const void *data, size_t len);

/* The stream goes on at `offset`, not before the end: what lies between never
 * came.  Nothing that came before a gap is kept. */
void ring_skip(struct ring *r, uint64_t offset);

/* Bytes that lie together from `offset` on, and how many; NULL and 0 if the
 * byte there is gone or has not come.  Until the next change. */
const char *ring_at(const struct ring *r, uint64_t offset, size_t *len);

/* Copy up to `size` bytes from `offset` on; how many there were. */
size_t ring_copy(const struct ring *r, uint64_t offset, void *to, size_t size);

#endif
