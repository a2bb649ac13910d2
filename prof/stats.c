#include "stats.h"

#include "central.h"
#include "meta.h"
#include "pagemap.h"
#include "sizeclass.h"
#include "span.h"
#include "thread.h"

struct sums {
	uint64_t cached[SC_COUNT + 1]; /* objects in threads' caches */
	uint64_t alloc_bytes;
};

static unsigned
count_of(const struct bin *b)
{
	return __atomic_load_n(&b->count, __ATOMIC_RELAXED);
}

static void
add_thread(struct thread *t, void *arg)
{
	struct sums *s = arg;
	const struct bin *sampled =
	    __atomic_load_n(&t->cache.sampled, __ATOMIC_ACQUIRE);
	for (unsigned i = 1; i <= SC_COUNT; i++) {
		s->cached[i] += count_of(&t->cache.bin[i]);
		if (sampled != NULL)
			s->cached[i] += count_of(&sampled[i]);
	}
	s->alloc_bytes +=
	    (uint64_t)(__atomic_load_n(&t->drawn, __ATOMIC_RELAXED) -
		__atomic_load_n(&t->countdown, __ATOMIC_RELAXED));
}

void
alloc_stats(struct alloc_stats *out)
{
	struct sums sums = { .alloc_bytes = 0 };
	struct span_stats spans;
	thread_foreach(add_thread, &sums);
	span_stats(&spans);
	*out = (struct alloc_stats){ .live_bytes = spans.large_bytes,
		.live_objects = spans.large_count,
		.alloc_bytes = sums.alloc_bytes + thread_past_bytes(),
		.mapped_bytes = spans.mapped,
		.dirty_bytes = spans.dirty,
		/* The page map has eight bytes for a page that is used. */
		.meta_bytes = meta_bytes() +
		    (spans.mapped >> PAGE_SHIFT) * sizeof(pagemap_slot) };
	for (unsigned i = 1; i <= SC_COUNT; i++) {
		struct central_stats c;
		central_stats(i, &c);
		uint64_t cached = sums.cached[i] + c.shelved;
		if (cached > c.out)
			cached = c.out; /* something moved meanwhile */
		out->live_objects += c.out - cached;
		out->live_bytes += (c.out - cached) * sc_info[i].size;
		out->cached_bytes += (cached + c.idle) * sc_info[i].size;
	}
}
