/*
 * glibc's own extensions of malloc: answered from our figures.
 *
 * malloc_info() prints to a stream that the program hands us, by the
 * program's own stdio; that is not the guest's doing.
 */
#include <errno.h>
#include <limits.h>
#include <malloc.h>
#include <stdio.h>
#include <string.h>

#include "central.h"
#include "os.h"
#include "span.h"
#include "stats.h"
#include "thread.h"

#define EXPORT __attribute__((visibility("default")))

EXPORT int
malloc_trim(size_t pad)
{
	(void)pad;
	struct thread *t = thread_self();
	if (t != NULL)
		cache_drain(&t->cache);
	central_tidy();
	return span_purge_all();
}

EXPORT struct mallinfo2
mallinfo2(void)
{
	struct alloc_stats s;
	alloc_stats(&s);
	return (struct mallinfo2){ .arena = s.mapped_bytes,
		.ordblks = 1,
		.uordblks = s.live_bytes,
		.fordblks = s.mapped_bytes > s.live_bytes
		    ? s.mapped_bytes - s.live_bytes
		    : 0,
		.keepcost = s.dirty_bytes };
}

static int
as_int(size_t n)
{
	return n > INT_MAX ? INT_MAX : (int)n;
}

EXPORT struct mallinfo
mallinfo(void)
{
	struct mallinfo2 m = mallinfo2();
	return (struct mallinfo){ .arena = as_int(m.arena),
		.ordblks = as_int(m.ordblks),
		.uordblks = as_int(m.uordblks),
		.fordblks = as_int(m.fordblks),
		.keepcost = as_int(m.keepcost) };
}

static size_t
put_text(char *to, const char *text)
{
	size_t n = strlen(text);
	memcpy(to, text, n);
	return n;
}

static size_t
put_number(char *to, uint64_t v)
{
	char digits[20];
	size_t n = 0, len = 0;
	do
		digits[n++] = (char)('0' + v % 10);
	while ((v /= 10) > 0);
	while (n > 0)
		to[len++] = digits[--n];
	return len;
}

EXPORT void
malloc_stats(void)
{
	char out[256];
	size_t n = 0;
	struct alloc_stats s;
	alloc_stats(&s);
	n += put_text(out + n, "system bytes     = ");
	n += put_number(out + n, s.mapped_bytes);
	n += put_text(out + n, "\nin use bytes     = ");
	n += put_number(out + n, s.live_bytes);
	n += put_text(out + n, "\nin use objects   = ");
	n += put_number(out + n, s.live_objects);
	n += put_text(out + n, "\ncached bytes     = ");
	n += put_number(out + n, s.cached_bytes);
	n += put_text(out + n, "\ndirty bytes      = ");
	n += put_number(out + n, s.dirty_bytes);
	n += put_text(out + n, "\n");
	os_write(2, out, n);
}

EXPORT int
malloc_info(int options, FILE *to)
{
	if (options != 0)
		return EINVAL;
	struct alloc_stats s;
	alloc_stats(&s);
	fprintf(to,
	    "<malloc version=\"heaptop-1\">\n"
	    "<total type=\"live\" count=\"%llu\" size=\"%llu\"/>\n"
	    "<total type=\"cached\" size=\"%llu\"/>\n"
	    "<total type=\"dirty\" size=\"%llu\"/>\n"
	    "<system type=\"current\" size=\"%llu\"/>\n"
	    "</malloc>\n",
	    (unsigned long long)s.live_objects,
	    (unsigned long long)s.live_bytes,
	    (unsigned long long)s.cached_bytes,
	    (unsigned long long)s.dirty_bytes,
	    (unsigned long long)s.mapped_bytes);
	return 0;
}

/* Its knobs are of glibc's allocator; programs that turn them are told that
 * all went well, as jemalloc and others do. */
EXPORT int
mallopt(int param, int value)
{
	(void)param;
	(void)value;
	return 1;
}
