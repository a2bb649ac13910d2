/* needs: prof/span.c prof/strict.c prof/heap.c prof/purge.c prof/pagemap.c prof/sizeclass.c prof/meta.c prof/lock.c prof/os.c prof/extents.c */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include <sys/mman.h>

#include "prof/conf.h"
#include "prof/extents.h"
#include "prof/os.h"
#include "prof/pagemap.h"
#include "prof/span.h"

struct conf conf = { .read = true, .dirty_decay_ms = 1000 };

static uint64_t
now_ms(void)
{
	return os_now_coarse() / 1000000;
}

static struct span *
large(size_t pages)
{
	struct span *s = span_new(pages, PAGE_BYTES, 0, false);
	assert_non_null(s);
	assert_true(s->pages >= pages);
	return s;
}

static void
fill(struct span *s)
{
	memset((void *)s->start, 0xaa, span_bytes(s));
}

static bool
is_zero(const struct span *s)
{
	const unsigned char *p = (const void *)s->start;
	for (size_t i = 0; i < span_bytes(s); i++)
		if (p[i] != 0)
			return false;
	return true;
}

static void
fresh_pages_are_zero(void **state)
{
	(void)state;
	struct span *s = large(10);
	assert_true(s->zero);
	assert_true(is_zero(s));
	fill(s);
	uintptr_t start = s->start;
	span_free(s);
	/* The same pages come back, and are known not to be zero. */
	s = large(10);
	assert_int_equal(s->start, start);
	assert_false(s->zero);
	span_free(s);
	assert_true(span_purge_all());
	assert_false(span_purge_all());
	s = large(10);
	assert_true(s->zero);
	assert_true(is_zero(s));
	span_free(s);
}

static void
entries(void **state)
{
	(void)state;
	struct span *s = large(5);
	uint64_t e = pagemap_get(s->start);
	assert_int_equal(pagemap_code(e), PAGE_LARGE);
	assert_ptr_equal(pagemap_span(e), s);
	uintptr_t start = s->start;
	span_free(s);
	assert_int_equal(pagemap_code(pagemap_get(start)), PAGE_UNUSED);
	s = span_new(2, PAGE_BYTES, 9, false);
	for (unsigned i = 0; i < 2; i++)
		assert_int_equal(
		    pagemap_code(pagemap_get(s->start + i * PAGE_BYTES)), 9);
	span_free(s);
	s = span_new(2, PAGE_BYTES, 9, true);
	assert_int_equal(pagemap_code(pagemap_get(s->start)), PAGE_SAMPLED);
	span_free(s);
}

static void
neighbours_are_joined(void **state)
{
	(void)state;
	span_purge_all();
	struct span *a = large(30);
	uintptr_t start = a->start;
	/* What follows directly. */
	struct span *b = large(30), *c = large(30);
	assert_int_equal(b->start, start + 30 * PAGE_BYTES);
	assert_int_equal(c->start, start + 60 * PAGE_BYTES);
	span_free(a);
	span_free(c);
	span_free(b);
	struct span *all = large(90);
	assert_int_equal(all->start, start);
	span_free(all);
}

static void
resized_in_place(void **state)
{
	(void)state;
	span_purge_all();
	struct span *a = large(40), *b = large(40);
	assert_int_equal(b->start, a->start + 40 * PAGE_BYTES);
	assert_false(span_resize(a, 41));
	assert_true(span_resize(a, 10));
	assert_int_equal(a->pages, 10);
	assert_true(span_resize(a, 40));
	assert_int_equal(a->pages, 40);
	span_free(b);
	assert_true(span_resize(a, 60));
	assert_int_equal(
	    pagemap_code(pagemap_get(a->start + 59 * PAGE_BYTES)), PAGE_LARGE);
	fill(a);
	struct span_stats st;
	span_stats(&st);
	assert_int_equal(st.large_bytes, 60 * PAGE_BYTES);
	assert_int_equal(st.large_count, 1);
	span_free(a);
}

static void
aligned(void **state)
{
	(void)state;
	for (size_t align = PAGE_BYTES; align <= (128u << 20); align *= 2) {
		struct span *s = span_new(3, align, 0, false);
		assert_non_null(s);
		assert_int_equal(s->start % align, 0);
		fill(s);
		span_free(s);
	}
}

/* Over 64 MiB a block has a mapping of its own, which goes at once. */
static void
huge(void **state)
{
	const size_t pages = (65u << 20) / PAGE_BYTES;
	struct span_stats before, after;
	(void)state;
	span_stats(&before);
	struct span *s = large(pages);
	assert_true(s->zero);
	char *p = (char *)s->start;
	p[0] = 1;
	p[pages * PAGE_BYTES - 1] = 2;
	assert_true(span_move(s, 2 * pages));
	p = (char *)s->start;
	assert_int_equal(p[0], 1);
	assert_int_equal(p[pages * PAGE_BYTES - 1], 2);
	assert_int_equal(p[2 * pages * PAGE_BYTES - 1], 0);
	assert_ptr_equal(pagemap_span(pagemap_get(s->start)), s);
	span_free(s);
	assert_int_equal(pagemap_get((uintptr_t)p), 0);
	span_stats(&after);
	assert_int_equal(after.mapped, before.mapped);
	assert_null(span_new(SIZE_MAX >> PAGE_SHIFT, PAGE_BYTES, 0, false));
}

static void
decays(void **state)
{
	struct span_stats st;
	(void)state;
	span_purge_all();
	uint64_t t = now_ms();
	span_decay(t);
	span_free(large(20));
	assert_true(span_decay(t + 500) > 0);
	span_stats(&st);
	assert_int_equal(st.dirty, 20 * PAGE_BYTES);
	assert_int_equal(span_decay(t + 2000), 0);
	span_stats(&st);
	assert_int_equal(st.dirty, 0);

	conf.dirty_decay_ms = -1;
	span_free(large(20));
	assert_int_equal(span_decay(t + 1000000), 0);
	span_stats(&st);
	assert_int_equal(st.dirty, 20 * PAGE_BYTES);

	conf.dirty_decay_ms = 0;
	span_free(large(40));
	span_stats(&st);
	assert_true(st.dirty <= 20 * PAGE_BYTES);
	conf.dirty_decay_ms = 1000;
}

static void
assert_told(const struct span *s)
{
	const struct table_extents *x = &extents[EXTENTS_HEAP];
	struct span_stats st;
	uint64_t sum = 0;
	bool inside = false;

	span_stats(&st);
	for (uint32_t i = 0; i < x->count; i++) {
		sum += x->at[i].bytes;
		inside |= s->start >= x->at[i].start &&
		    s->start + span_bytes(s) <= x->at[i].start + x->at[i].bytes;
	}
	assert_int_equal(sum, st.mapped);
	assert_int_equal(x->missed, 0);
	assert_true(inside);
}

/* Whatever is mapped, moved and unmapped is told as it is; after all the
 * tests before this one, too. */
static void
extents_are_what_is_mapped(void **state)
{
	struct span *small = large(30), *huge = large(10000), *moved;

	(void)state;
	assert_told(small);
	assert_told(huge);
	assert_true(span_resize(huge, 9000));
	assert_told(huge);
	assert_true(span_move(huge, 20000));
	assert_told(huge);
	moved = large(200);
	assert_true(span_move(moved, 400));
	assert_told(moved);
	span_free(huge);
	assert_told(small);
	span_free(small);
	span_free(moved);
}

/* A part of a block, which the program may tell the kernel of, is a mapping of
 * its own: such a block is left where it is. */
static void
several_mappings_are_not_moved(void **state)
{
	struct span *s = large(200), *after;
	uintptr_t start = s->start;
	(void)state;
	fill(s);
	assert_int_equal(
	    madvise((char *)start + 10 * PAGE_BYTES, PAGE_BYTES, MADV_DONTFORK),
	    0);
	assert_false(span_move(s, 400));
	assert_int_equal(s->start, start);
	assert_int_equal(s->pages, 200);
	for (size_t i = 0; i < span_bytes(s); i++)
		assert_int_equal(((unsigned char *)start)[i], 0xaa);
	assert_int_equal(
	    madvise((char *)start + 10 * PAGE_BYTES, PAGE_BYTES, MADV_DOFORK),
	    0);
	assert_true(span_move(s, 400));
	after = pagemap_span(pagemap_get(s->start));
	assert_ptr_equal(after, s);
	for (size_t i = 0; i < 200 * PAGE_BYTES; i++)
		assert_int_equal(((unsigned char *)s->start)[i], 0xaa);
	span_free(s);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(fresh_pages_are_zero),
		cmocka_unit_test(entries),
		cmocka_unit_test(neighbours_are_joined),
		cmocka_unit_test(resized_in_place),
		cmocka_unit_test(aligned),
		cmocka_unit_test(huge),
		cmocka_unit_test(decays),
		cmocka_unit_test(extents_are_what_is_mapped),
		cmocka_unit_test(several_mappings_are_not_moved),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
