#include "io/ring.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"

void
ring_init(struct ring *r, size_t cap)
{
	assert(cap > 0);
	r->data = xmalloc(cap);
	r->cap = cap;
	r->start = r->end = 0;
}

void
ring_fini(struct ring *r)
{
	free(r->data);
	memset(r, 0, sizeof *r);
}

void
ring_put(struct ring *r, const void *data, size_t len)
{
	const char *from = data;

	if (len > r->cap) {
		from += len - r->cap;
		r->end += len - r->cap;
		len = r->cap;
	}
	while (len > 0) {
		size_t at = (size_t)(r->end % r->cap);
		size_t n = r->cap - at < len ? r->cap - at : len;

		memcpy(r->data + at, from, n);
		from += n;
		r->end += n;
		len -= n;
	}
	if (r->end - r->start > r->cap)
		r->start = r->end - r->cap;
}

void
ring_skip(struct ring *r, uint64_t offset)
{
	assert(offset >= r->end);
	if (offset > r->end)
		r->start = r->end = offset;
}

const char *
ring_at(const struct ring *r, uint64_t offset, size_t *len)
{
	size_t at = (size_t)(offset % r->cap);
	uint64_t left = r->end - offset;

	*len = 0;
	if (offset < r->start || offset >= r->end)
		return NULL;
	*len = left < r->cap - at ? (size_t)left : r->cap - at;
	return r->data + at;
}

size_t
ring_copy(const struct ring *r, uint64_t offset, void *to, size_t size)
{
	size_t got = 0, len;

	while (got < size) {
		const char *from = ring_at(r, offset + got, &len);

		if (from == NULL)
			break;
		if (len > size - got)
			len = size - got;
		memcpy((char *)to + got, from, len);
		got += len;
	}
	return got;
}
