/* needs: src/io/ring.c src/base/mem.c */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <string.h>

#include "io/ring.h"

/* All that it holds, as a string. */
static const char *
held(const struct ring *r)
{
	static char text[64];

	text[ring_copy(r, r->start, text, sizeof text - 1)] = 0;
	return text;
}

static void
test_put(void **state)
{
	/* a ring of 8: what it holds after each, and from where */
	static const struct {
		const char *put, *held;
		uint64_t start, end;
	} t[] = {
		{ "", "", 0, 0 },
		{ "abc", "abc", 0, 3 },
		{ "defgh", "abcdefgh", 0, 8 },
		{ "i", "bcdefghi", 1, 9 },
		{ "jklmnop", "ijklmnop", 8, 16 },
		{ "0123456789", "23456789", 18, 26 },
	};
	struct ring r;

	(void)state;
	ring_init(&r, 8);
	for (size_t i = 0; i < sizeof t / sizeof *t; i++) {
		ring_put(&r, t[i].put, strlen(t[i].put));
		assert_string_equal(held(&r), t[i].held);
		assert_int_equal(r.start, t[i].start);
		assert_int_equal(r.end, t[i].end);
	}
	ring_fini(&r);
}

static void
test_at(void **state)
{
	struct ring r;
	const char *p;
	size_t len;

	(void)state;
	ring_init(&r, 4);
	ring_put(&r, "abcdef", 6); /* c d e f, from offset 2 */
	assert_null(ring_at(&r, 1, &len));
	assert_int_equal(len, 0);
	assert_null(ring_at(&r, 6, &len));
	assert_null(ring_at(&r, UINT64_MAX, &len));
	p = ring_at(&r, 5, &len);
	assert_int_equal(len, 1);
	assert_int_equal(*p, 'f');
	/* a walk over the parts meets every byte once */
	for (uint64_t at = r.start; (p = ring_at(&r, at, &len)) != NULL;
	     at += len)
		for (size_t i = 0; i < len; i++)
			assert_int_equal(p[i], "abcdef"[at + i]);
	ring_fini(&r);
}

static void
test_skip(void **state)
{
	struct ring r;

	(void)state;
	ring_init(&r, 8);
	ring_put(&r, "abc", 3);
	ring_skip(&r, 3); /* no gap */
	assert_string_equal(held(&r), "abc");
	ring_skip(&r, 1000);
	assert_string_equal(held(&r), "");
	assert_int_equal(r.start, 1000);
	ring_put(&r, "xyz", 3);
	assert_string_equal(held(&r), "xyz");
	assert_int_equal(r.end, 1003);
	ring_fini(&r);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_put),
		cmocka_unit_test(test_at),
		cmocka_unit_test(test_skip),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
