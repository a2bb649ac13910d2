/* needs: src/series.c src/base/mem.c */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "series.h"

/* Picks among the given; bit i of the result is `last` of dump i. */
static unsigned
pick(struct series_dump *d, size_t n)
{
	unsigned bits = 0;
	size_t count = series_order(d, n, NULL), set = 0;

	for (size_t i = 0; i < n; i++) {
		bits |= (unsigned)d[i].last << i;
		set += d[i].last;
	}
	assert_int_equal(count, set);
	return bits;
}

#define PICK(...)                                           \
	pick((struct series_dump[]){ __VA_ARGS__ },         \
	    sizeof((struct series_dump[]){ __VA_ARGS__ }) / \
		sizeof(struct series_dump))

static void
test_names(void **state)
{
	(void)state;
	/* a shell sorts 10 before 2 */
	assert_int_equal(
	    PICK({ .path = "d/p.77.10.i10.heap" },
		{ .path = "d/p.77.2.i2.heap" }, { .path = "d/p.77.9.f.heap" }),
	    1 << 0);
	/* PROGRAM.PID.SECONDS.TYPE */
	assert_int_equal(PICK({ .path = "server.5.1700000001.u0.heap" },
			     { .path = "server.5.1700000003.f2.heap" },
			     { .path = "server.5.1700000002.u1.heap" }),
	    1 << 1);
	/* two signals in one second */
	assert_int_equal(PICK({ .path = "server.5.1700000001.u1.heap" },
			     { .path = "server.5.1700000001.u0.heap" }),
	    1 << 0);
	/* a signal and the end in one second: the clock tells */
	assert_int_equal(
	    PICK({ .path = "server.5.1700000001.f.heap", .now_ns = 90 },
		{ .path = "server.5.1700000001.m1.heap", .now_ns = 80 }),
	    1 << 0);
	/* two processes, one dump gzipped */
	assert_int_equal(
	    PICK({ .path = "p.5.0.i0.heap" }, { .path = "p.6.0.i0.heap" },
		{ .path = "p.5.1.f.heap.gz" }),
	    1 << 1 | 1 << 2);
	/* a prefix that looks like the end of a name; kept by logrotate */
	assert_int_equal(
	    PICK({ .path = "app.heap.5.10.i9.heap", .now_ns = 50 },
		{ .path = "app.heap.5.9.i8.heap", .now_ns = 100 },
		{ .path = "app.heap.5.8.i7.heap.1", .now_ns = 100 }),
	    1 << 0);
}

static void
test_no_names(void **state)
{
	(void)state;
	/* nothing known: a series in the order given */
	assert_int_equal(PICK({ .path = "before.heap" },
			     { .path = "after.heap" }, { .path = "x.y" }),
	    1 << 2);
	/* not numbers where they ought to be */
	assert_int_equal(PICK({ .path = "a.1b.2.f.heap" },
			     { .path = ".2.f.heap" }, { .path = "2.f.heap" },
			     { .path = "f.heap" }, { .path = ".heap" },
			     { .path = "1.99999999999999999999.f.heap" }),
	    1 << 5);
}

static void
test_contents(void **state)
{
	(void)state;
	/* the pid in the dump counts more than the name's */
	assert_int_equal(PICK({ .path = "p.5.0.i0.heap", .pid = 9 },
			     { .path = "copy", .pid = 9 }),
	    1 << 1);
	/* numbers count more than the clock, the clock more than order */
	assert_int_equal(PICK({ .path = "p.5.1.i1.heap", .now_ns = 100 },
			     { .path = "p.5.2.f.heap", .now_ns = 50 }),
	    1 << 1);
	assert_int_equal(PICK({ .path = "after", .now_ns = 100 },
			     { .path = "before", .now_ns = 50 }),
	    1 << 0);
	/* a pid that came round again */
	assert_int_equal(PICK({ .path = "a", .pid = 9, .start = 1 },
			     { .path = "b", .pid = 9, .start = 2 }),
	    1 << 0 | 1 << 1);
	assert_int_equal(series_order(NULL, 0, NULL), 0);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_names),
		cmocka_unit_test(test_no_names),
		cmocka_unit_test(test_contents),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
