/*
 * The inside of realloc: where a block stays, where it moves, what counts.
 */
#include <string.h>

#include "central.h"
#include "entry.h"
#include "foreign.h"
#include "large.h"
#include "sample.h"
#include "span.h"
#include "strict.h"

static size_t
usable_by(void *p, uint64_t entry)
{
	unsigned code = pagemap_code(entry);
	if (code - 1 < SC_COUNT)
		return sc_info[code].size;
	if (code == 0)
		return foreign_usable(p);
	if (code == PAGE_UNUSED)
		return 0;
	struct span *s = pagemap_span(entry);
	return s->class != 0 ? sc_info[s->class].size : span_bytes(s);
}

size_t
alloc_usable(void *p)
{
	return usable_by(p, pagemap_get((uintptr_t)p));
}

/* A large block got a new size where it is, or its pages moved. */
static void
count_resized(struct span *s)
{
	struct thread *t = thread_get();
	size_t usable = span_bytes(s);
	if (t != NULL) {
		sample_resized(t, s, usable);
	} else {
		thread_count_stateless(usable);
		if (s->sampled)
			sample_free(s->records);
	}
	thread_done();
}

/* What it has grown by, of pages that read as zero or not. */
static void
fill_grown(struct span *s, size_t before, bool zero)
{
	size_t now = span_bytes(s);
	if (now > before)
		strict_new((char *)s->start + before, now - before, zero);
}

static bool
resize_large(struct span *s, size_t size)
{
	size_t before = span_bytes(s);
	if (!large_resize(s, size))
		return false;
	fill_grown(s, before, s->state == SPAN_HUGE);
	count_resized(s);
	return true;
}

size_t
alloc_resize_in_place(void *p, size_t size)
{
	uint64_t e = pagemap_get((uintptr_t)p);
	unsigned code = pagemap_code(e);
	size_t usable = usable_by(p, e);
	if (code != PAGE_LARGE && code != PAGE_SAMPLED)
		return usable;
	struct span *s = pagemap_span(e);
	if (s->class == 0 && sc_usable(size, 16) != usable &&
	    resize_large(s, size))
		return span_bytes(s);
	return usable;
}

/* Large blocks that grow once will grow again: some room ahead keeps a
 * sequence of small steps from copying each time. */
static size_t
ahead(size_t size, size_t usable)
{
	size_t more = usable + usable / 8;
	return usable > SC_MAX && size < more ? more : size;
}

static void *
resize_by_copy(void *p, size_t usable, size_t size, size_t align, bool zero)
{
	void *q = NULL;
	size_t room = size > usable ? ahead(size, usable) : size;
	if (room > size)
		q = alloc_new(room, align, zero);
	if (q == NULL)
		q = alloc_new(size, align, zero);
	if (q == NULL)
		return NULL;
	memcpy(q, p, usable < size ? usable : size);
	alloc_free(p);
	return q;
}

static void *
resize_span(struct span *s, size_t size, size_t usable)
{
	if (size <= usable && size > SC_MAX && size >= usable - usable / 8)
		return (void *)s->start;
	if (resize_large(s, size))
		return (void *)s->start;
	if (size <= usable)
		return NULL;
	void *p = large_move(s, ahead(size, usable));
	if (p != NULL) {
		fill_grown(s, usable, true);
		count_resized(s);
	}
	return p;
}

void *
alloc_resize(void *p, size_t size, size_t align, bool zero)
{
	uint64_t e = pagemap_get((uintptr_t)p);
	unsigned code = pagemap_code(e);
	if (code == 0)
		return foreign_realloc(p, size);
	size_t usable = usable_by(p, e);
	if (size > PTRDIFF_MAX)
		return NULL;
	bool aligned = ((uintptr_t)p & (align - 1)) == 0;
	/* A block of less than half the size is worth the copy. */
	if (code - 1 < SC_COUNT || pagemap_span(e) == NULL ||
	    pagemap_span(e)->class != 0) {
		if (aligned && size <= usable &&
		    (size >= usable / 2 || usable <= 32))
			return p;
	} else if (code != PAGE_UNUSED && aligned && align <= PAGE_BYTES) {
		char *q = resize_span(pagemap_span(e), size, usable);
		if (q != NULL && zero && size > usable)
			memset(q + usable, 0, size - usable);
		if (q != NULL)
			return q;
	}
	return resize_by_copy(p, usable, size, align, zero);
}
