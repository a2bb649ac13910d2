/* needs: prof/central.c prof/cache.c prof/stats.c prof/thread.c prof/span.c prof/strict.c prof/heap.c prof/purge.c prof/pagemap.c prof/sizeclass.c prof/meta.c prof/lock.c prof/os.c */
/* needs: prof/extents.c */
/* libs: -lpthread */
#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "prof/cache.h"
#include "prof/central.h"
#include "prof/conf.h"
#include "prof/control.h"
#include "prof/entry.h"
#include "prof/init.h"
#include "prof/lock.h"
#include "prof/os.h"
#include "prof/pagemap.h"
#include "prof/pool.h"
#include "prof/record.h"
#include "prof/sample.h"
#include "prof/span.h"
#include "prof/stats.h"
#include "prof/tablewrite.h"
#include "prof/thread.h"

struct conf conf = { .read = true, .dirty_decay_ms = -1 };

static void *invalid;
static const struct bin *looked_at; /* when something invalid was told of */
static bool still_there;

void
entry_invalid_free(void *p, bool now)
{
	(void)now;
	invalid = p;
	for (unsigned i = 0; looked_at && i < looked_at->count; i++)
		still_there |= looked_at->slots[i] == p;
}

void
sample_thread_start(struct thread *t)
{
	t->countdown = t->drawn = INT64_MAX / 2;
}

struct lock *
table_fork_lock(void)
{
	static struct lock lock;

	return &lock;
}

struct lock *
pool_lock(void)
{
	static struct lock lock;

	return &lock;
}

void
sample_thread_end(struct thread *t)
{
	(void)t;
}

uint32_t
init_own_tid(void)
{
	return os_gettid();
}

bool
control_is_silent(void)
{
	return false;
}

void
init_early(void)
{
}

static void
objects_are_distinct(void **state)
{
	void *p[600];
	unsigned class = sc_class(48);
	(void)state;
	unsigned got = 0;
	while (got < 600)
		got += central_get(class, p + got, 600 - got);
	for (unsigned i = 0; i < 600; i++)
		memset(p[i], (int)(i & 0xff), 48);
	for (unsigned i = 0; i < 600; i++)
		for (unsigned k = 0; k < 48; k++)
			assert_int_equal(((unsigned char *)p[i])[k], i & 0xff);
	struct central_stats st;
	central_stats(class, &st);
	assert_int_equal(st.out, 600);
	for (unsigned i = 0; i < 600; i += 50)
		central_put(class, p + i, 50);
	central_tidy();
	central_stats(class, &st);
	assert_int_equal(st.out, 0);
	assert_int_equal(st.shelved, 0);
	/* One empty slab is kept. */
	assert_int_equal(st.idle, sc_info[class].objects);
	assert_null(invalid);
}

static void
wrong_pointers_are_told(void **state)
{
	unsigned class = sc_class(100);
	void *p[3];
	(void)state;
	assert_int_equal(central_get(class, p, 3), 3);
	void *twice[2] = { p[0], p[0] };
	central_put(class, twice, 2);
	assert_null(invalid); /* on the shelf nobody looks */
	central_tidy();
	assert_ptr_equal(invalid, p[0]);
	invalid = NULL;
	void *inside = (char *)p[1] + 16;
	central_put(class, &inside, 1);
	central_tidy();
	assert_ptr_equal(invalid, inside);
	invalid = NULL;
	central_put(class, p + 1, 2);
	central_tidy();
	assert_null(invalid);
	struct central_stats st;
	central_stats(class, &st);
	assert_int_equal(st.out, 0);
}

static uint64_t
entry_of(void *p)
{
	return pagemap_get((uintptr_t)p);
}

static void
count_cells(struct span *s, struct record *r, uint32_t count, void *arg)
{
	(void)s;
	for (uint32_t i = 0; i < count; i++)
		*(unsigned *)arg += r[i].cell != 0;
}

static unsigned
cells(void)
{
	unsigned n = 0;
	central_sampled_foreach(count_cells, &n);
	return n;
}

static void
count_span(struct span *sp, struct record *r, uint32_t n, void *arg)
{
	(void)sp;
	(void)r;
	(void)n;
	++*(unsigned *)arg;
}

static unsigned
spans(void)
{
	unsigned n = 0;
	central_sampled_foreach(count_span, &n);
	return n;
}

static void
sampled_objects(void **state)
{
	enum {
		MANY = 1000
	};
	static struct sampled s[MANY];
	(void)state;
	for (unsigned i = 0; i < MANY; i++) {
		assert_true(central_sampled_new(80, 16, true, &s[i]));
		assert_int_equal(s[i].usable, 80);
		assert_int_equal(
		    pagemap_code(entry_of(s[i].ptr)), PAGE_SAMPLED);
		assert_int_equal(s[i].record->cell, 0);
		assert_int_equal(*(char *)s[i].ptr, 0);
		memset(s[i].ptr, 0xee, 80);
		s[i].record->cell = i + 1;
	}
	assert_int_equal(cells(), MANY);
	for (unsigned i = 0; i < MANY; i++) {
		struct sampled f =
		    central_sampled_find(s[i].ptr, entry_of(s[i].ptr));
		assert_ptr_equal(f.record, s[i].record);
		assert_int_equal(f.record->cell, i + 1);
		f = central_sampled_find(
		    (char *)s[i].ptr + 8, entry_of(s[i].ptr));
		assert_null(f.record);
	}
	unsigned before = spans();
	for (unsigned i = 0; i < MANY; i++) {
		s[i].record->cell = 0;
		central_sampled_release(&s[i]);
		struct sampled f =
		    central_sampled_find(s[i].ptr, entry_of(s[i].ptr));
		if (pagemap_code(entry_of(s[i].ptr)) == PAGE_SAMPLED)
			assert_null(f.record);
	}
	/* 8192 / 80 = 102 objects a span: ten spans, of which one is kept;
	 * this thread has no state, so it keeps no slots. */
	assert_int_equal(before - spans(), 9);
	assert_null(invalid);
}

static void
sampled_large(void **state)
{
	struct sampled s, f;
	(void)state;
	assert_true(central_sampled_new(300000, 1 << 16, true, &s));
	assert_int_equal((uintptr_t)s.ptr % (1 << 16), 0);
	/* 36.6 pages of 8 KiB */
	assert_int_equal(s.usable, 37 * PAGE_BYTES);
	s.record->cell = 5;
	assert_int_equal(cells(), 1);
	f = central_sampled_find(s.ptr, entry_of(s.ptr));
	assert_int_equal(f.record->cell, 5);
	f.record->cell = 0;
	unsigned before = spans();
	central_sampled_release(&f);
	assert_int_equal(before - spans(), 1);
	assert_int_equal(cells(), 0);
}

/* A thread's cache: what it holds is not live, and nothing stays behind. */
static void *
use_cache(void *arg)
{
	enum {
		MANY = 3000
	};
	static void *p[MANY];
	struct alloc_stats a, b, *out = arg;
	struct thread *t = thread_get();
	alloc_stats(&a);
	for (unsigned i = 0; i < MANY; i++) {
		unsigned class = 1 + i % SC_COUNT / 2;
		struct bin *bin = &t->cache.bin[class];
		p[i] = bin->count > 0 ? bin->slots[--bin->count]
				      : cache_refill(&t->cache, class);
		assert_non_null(p[i]);
	}
	alloc_stats(&b);
	assert_int_equal(b.live_objects - a.live_objects, MANY);
	for (unsigned i = 0; i < MANY; i++) {
		unsigned class = 1 + i % SC_COUNT / 2;
		struct bin *bin = &t->cache.bin[class];
		if (bin->count < bin->room)
			bin->slots[bin->count++] = p[i];
		else
			cache_spill(&t->cache, class, p[i]);
	}
	alloc_stats(&b);
	assert_int_equal(b.live_objects, a.live_objects);
	assert_true(t->cache.room <= CACHE_MOST);
	*out = a;
	return NULL;
}

static void
caches(void **state)
{
	struct alloc_stats in, after;
	pthread_t t;
	(void)state;
	assert_int_equal(pthread_create(&t, NULL, use_cache, &in), 0);
	pthread_join(t, NULL);
	central_tidy();
	alloc_stats(&after);
	assert_int_equal(after.live_objects, in.live_objects);
	assert_int_equal(after.live_bytes, in.live_bytes);
	for (unsigned i = 1; i <= SC_COUNT; i++) {
		struct central_stats st;
		central_stats(i, &st);
		assert_int_equal(st.out, 0);
	}
}

/* What is given back has left its bin when the lock is free again, as it is
 * when an invalid pointer is told of: a fork may come then, whose child would
 * give it back once more. */
static void
leaves_its_bin_in_time(void **state)
{
	unsigned class = sc_class(40960); /* nothing is kept on its shelf */
	struct cache c = { .room = 0 };
	void *p[4], *wrong;
	(void)state;
	cache_init(&c);
	looked_at = &c.bin[class];
	assert_int_equal(sc_info[class].shelf, 0);
	for (unsigned i = 0; i < 4; i++)
		assert_int_equal(central_get(class, &p[i], 1), 1);
	wrong = (char *)p[0] + 16;
	cache_spill(&c, class, wrong);
	for (unsigned i = 0; i < 4; i++)
		cache_spill(&c, class, p[i]);
	assert_ptr_equal(invalid, wrong);
	assert_false(still_there);
	invalid = NULL;
	c.bin[class].slots[0] = wrong; /* what was there is lost */
	cache_drain(&c);
	assert_non_null(invalid);
	assert_false(still_there);
	assert_int_equal(c.bin[class].count, 0);
	looked_at = invalid = NULL;
}

static void
late_state_is_given_back(void **state)
{
	(void)state;
	thread_dying = true;
	assert_non_null(thread_get());
	thread_done();
	assert_null(thread_self());
	thread_dying = false;
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(objects_are_distinct),
		cmocka_unit_test(wrong_pointers_are_told),
		cmocka_unit_test(sampled_objects),
		cmocka_unit_test(sampled_large),
		cmocka_unit_test(caches),
		cmocka_unit_test(leaves_its_bin_in_time),
		cmocka_unit_test(late_state_is_given_back),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
