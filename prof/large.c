#include "large.h"

#include <stdint.h>
#include <string.h>

#include "sizeclass.h"
#include "span.h"

static size_t
pages_of(size_t size)
{
	size_t n = (size + PAGE_BYTES - 1) >> PAGE_SHIFT;
	return n > 0 ? n : 1;
}

void *
large_new(size_t size, size_t align, bool zero)
{
	if (size > PTRDIFF_MAX)
		return NULL;
	struct span *s = span_new(pages_of(size), align, 0, false);
	if (s == NULL)
		return NULL;
	void *p = (void *)s->start;
	if (zero && !s->zero)
		memset(p, 0, size);
	return p;
}

bool
large_resize(struct span *s, size_t size)
{
	if (size > PTRDIFF_MAX || size <= SC_MAX)
		return false;
	return span_resize(s, pages_of(size));
}

void *
large_move(struct span *s, size_t size)
{
	if (size > PTRDIFF_MAX || !span_move(s, pages_of(size)))
		return NULL;
	return (void *)s->start;
}
