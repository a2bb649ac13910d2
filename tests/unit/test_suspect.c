/* needs: src/base/ src/model/ prof/weigh.c prof/maths.c */
/* libs: -lm */
#include "model/suspect.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/buf.h"
#include "heap_fixture.h"
#include "model/report.h"
#include "model/trend.h"
#include "profile_fixture.h"

static void
put(struct profile *p, uint32_t stack, double live, double alloc)
{
	struct cell_values v = { .live_bytes = live,
		.live_objects = 1,
		.alloc_bytes = alloc,
		.alloc_objects = 1 };

	assert_int_equal(profile_put_cell(p, stack, 1, &v, NULL), 0);
}

/* As the screen asks: of stacks, since the start. */
static struct report *
ask(const struct profile *p, enum metric m)
{
	struct query q;

	query_init(&q);
	q.grouping = GROUP_STACKS;
	q.metric = m;
	q.since_start = true;
	q.freed = true;
	q.order = ORDER_CHANGE;
	return report_build(&p, 1, &q);
}

/* The suspects' names, with blanks behind. */
static void
named(const struct profile *p, enum metric m, bool timed, char *names)
{
	struct report *r = ask(p, m);
	struct trends *t = trends_begin(r, timed, NULL);
	size_t n;
	uint32_t *rows = suspects_find(t, r, &n);

	*names = '\0';
	for (size_t i = 0; i < n; i++) {
		strcat(names, r->rows[rows[i]].name);
		strcat(names, " ");
	}
	free(rows);
	trends_free(t);
	report_free(r);
}

static void
assert_named(const struct profile *p, const char *expected)
{
	char names[256];

	named(p, METRIC_LIVE_BYTES, true, names);
	assert_string_equal(names, expected);
}

/* Why a row is one, or is none. */
static void
assert_reason(const struct profile *p, const char *name, bool timed, bool brief,
    const char *expected)
{
	struct report *r = ask(p, METRIC_LIVE_BYTES);
	struct trends *t = trends_new(r, timed);
	struct buf b = BUF_INIT;

	for (uint32_t i = 0; i < r->row_count; i++) {
		const struct trend *row = trends_at(t, i);

		if (strcmp(r->rows[i].name, name) != 0)
			continue;
		if (suspect_is(t, r, row))
			suspect_why(t, r, row, "since A", brief, true, &b);
		else
			suspect_why_not(t, r, row, &b);
	}
	assert_string_equal(buf_str(&b), expected);
	buf_fini(&b);
	trends_free(t);
	report_free(r);
}

/* Exact figures over 11 s: decode grows by 100 a second; index is full at 5 s;
 * grow comes all at once at 8 s. */
static struct profile *
three(void)
{
	struct profile *p = fixture_empty();

	for (unsigned i = 0; i <= 10; i++) {
		double full = i < 5 ? 200.0 * i : 1000;

		put(p, 1, 100.0 * i + 1, 200.0 * i + 1);
		put(p, 2, full + 1, full + 100 * i + 1);
		put(p, 3, i < 8 ? 1 : 5001, i < 8 ? 1 : 5001);
		fixture_commit(p, 5 + i);
	}
	return p;
}

static void
says_why(void **state)
{
	struct profile *p = three();

	(void)state;
	assert_named(p, "decode ");
	/* since the start 1001 of 2001 */
	assert_reason(p, "decode", true, false,
	    "grew in 10 of 10, +100 B/s, 50% of what it allocated since A is "
	    "still there");
	assert_reason(
	    p, "decode", true, true, "grew in 10 of 10, +100 B/s, kept 50%");
	assert_reason(p, "decode", false, true,
	    "grew in 10 of 10, +100 B each time, kept 50%");
	assert_reason(p, "index", true, false, "it grew, but has levelled off");
	assert_reason(p, "grow", true, false, "it grew all at once");
	profile_free(p);
	/* there before the first snapshot */
	p = fixture_empty();
	for (unsigned i = 0; i < 3; i++) {
		put(p, 1, 1000, 1000);
		fixture_commit(p, 5 + i);
	}
	assert_reason(p, "decode", true, false, "it does not grow any more");
	profile_free(p);
}

/* What was allocated in all grows anyway; nothing grows in one moment. */
static void
suspects_nobody(void **state)
{
	struct profile *p = three(), *one = fixture_profile();
	char names[256];

	(void)state;
	named(p, METRIC_ALLOC_BYTES, true, names);
	assert_string_equal(names, "");
	named(one, METRIC_LIVE_BYTES, true, names);
	assert_string_equal(names, "");
	profile_free(p);
	profile_free(one);
}

/* Two moments: it is said what they cannot tell. */
static void
two_moments(void **state)
{
	struct profile *p = fixture_empty();

	(void)state;
	put(p, 1, 100, 100);
	put(p, 2, 700, 700);
	fixture_commit(p, 5);
	put(p, 1, 600, 600);
	put(p, 2, 600, 700);
	fixture_commit(p, 15);
	assert_named(p, "decode ");
	assert_reason(p, "decode", true, false,
	    "grew by more than its error, +50 B/s, 100% of what it allocated "
	    "since A is still there; whether it goes on two moments cannot "
	    "tell");
	profile_free(p);
}

/* Without a series (another program's dump is the base) what grew by more than
 * its error is suspected, the largest first. */
static void
without_a_series(void **state)
{
	struct profile *p = fixture_profile();
	struct report *r = ask(p, METRIC_LIVE_BYTES);
	size_t n;
	uint32_t *rows = suspects_find(NULL, r, &n);

	(void)state;
	assert_int_equal(n, 3);
	assert_string_equal(r->rows[rows[0]].name, "decode");
	assert_string_equal(r->rows[rows[2]].name, "grow");
	free(rows);
	report_free(r);
	profile_free(p);
}

/* ---- heaps that are sampled ---------------------------------------------------- */

#define SEEDS 20

/* A leak of one in ten of 500 requests a second, or none. */
static void
requests(struct heap *h, bool leaks)
{
	unsigned n = heap_poisson(h, 500);

	for (unsigned i = 0; i < n; i++)
		heap_alloc(h, 1024 + heap_random(h) % 3073,
		    leaks && heap_random(h) % 10 == 0 ? HEAP_FOREVER : 1);
}

/* 200 pages a second; a page is dropped 20 s after it came, so there is no
 * growth from then on. */
static void
pages(struct heap *h)
{
	for (int i = 0; i < 200; i++)
		heap_alloc(h, 2048 + heap_random(h) % 4096, 20);
}

/* Who is named after so many seconds: decode leaks among churn, index is a
 * cache, grow is churn. */
static void
names_after(uint64_t seed, const unsigned *seconds, size_t n, char (*names)[64])
{
	struct profile *p = fixture_empty();
	struct heap *h[3];
	size_t at = 0;

	for (uint32_t i = 0; i < 3; i++) {
		h[i] = heap_new(seed * 3 + i, 16);
		h[i]->stack = i + 1;
	}
	for (unsigned s = 1; at < n; s++) {
		for (uint32_t i = 0; i < 3; i++)
			heap_second(h[i]);
		requests(h[0], true);
		pages(h[1]);
		requests(h[2], false);
		for (uint32_t i = 0; i < 3; i++)
			heap_put(h[i], p);
		fixture_commit(p, s);
		if (s == seconds[at])
			named(p, METRIC_LIVE_BYTES, true, names[at++]);
	}
	for (uint32_t i = 0; i < 3; i++)
		free(h[i]);
	profile_free(p);
}

/* The leak adds 125 KiB a second, two samples.  After four minutes their
 * variance is 480 * (64 KiB)^2 and the bound of the rate's standard deviation
 * in the latter two 2.12 * 1402 KiB / 120 s = 24.8 KiB a second, a fifth of it:
 * that is certain.  The cache is named while it fills and not when it has been
 * full for a while, the churn never. */
static void
tells_leaks_from_caches(void **state)
{
	static const unsigned seconds[] = { 12, 60, 120, 240 };
	int filling = 0;

	(void)state;
	for (uint64_t seed = 1; seed <= SEEDS; seed++) {
		char names[4][64];

		names_after(seed, seconds, 4, names);
		filling += strstr(names[0], "index") != NULL;
		for (int i = 1; i < 4; i++) {
			assert_null(strstr(names[i], "index"));
			assert_null(strstr(names[i], "grow"));
		}
		assert_string_equal(names[3], "decode ");
	}
	assert_true(filling >= SEEDS / 2);
}

/* Objects come slowly. */
static void
writes_rates(void **state)
{
	struct profile *p = three();
	struct report *r = ask(p, METRIC_LIVE_OBJECTS);
	struct trends t = { .timed = true };

	(void)state;
	assert_string_equal(suspect_rate(&t, r, 0.02, 0).s, "+1/min");
	assert_string_equal(suspect_rate(&t, r, -70, 0).s, "-70/s");
	t.timed = false;
	assert_string_equal(suspect_rate(&t, r, 12, 0).s, "+12");
	report_free(r);
	profile_free(p);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(says_why),
		cmocka_unit_test(suspects_nobody),
		cmocka_unit_test(two_moments),
		cmocka_unit_test(without_a_series),
		cmocka_unit_test(tells_leaks_from_caches),
		cmocka_unit_test(writes_rates),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
