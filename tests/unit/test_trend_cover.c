/* needs: src/base/ src/model/ prof/weigh.c prof/maths.c */
/* libs: -lm */
/*
 * How often the 95 % interval of a slope covers the slope, where that is
 * known: 200 programs of heap_fixture.h, 40 of each kind.
 */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

#include "heap_fixture.h"
#include "model/report.h"
#include "model/trend.h"
#include "profile_fixture.h"

#define RUNS 40
#define WARM 60 /* seconds before the first snapshot: the churn is level */

/* Bytes that a second of each kind adds on average, and how it is made. */
enum kind {
	LEAK,    /* 400 sessions of 2560 bytes a second, for good */
	CHURN,   /* of 500 headers a second two in a hundred stay */
	CACHE,   /* 400 pages a second, each for 5 s; nothing is added */
	EXACT,   /* not sampled: as the headers, living for seconds */
	THINNED, /* 20 minutes of which history keeps a part, and 512 KiB */
	KINDS
};

static const struct {
	const char *name;
	unsigned lg, seconds;
} kinds[KINDS] = {
	[LEAK] = { "leak", 16, 60 },
	[CHURN] = { "leak among churn", 16, 60 },
	[CACHE] = { "bounded cache", 16, 60 },
	[EXACT] = { "exact", 0, 60 },
	[THINNED] = { "thinned", 19, 1200 },
};

/* About as often as not the objects of a second are more or fewer. */
static void
headers(struct heap *h, double many, double stay, double life)
{
	unsigned n = heap_poisson(h, many);

	for (unsigned i = 0; i < n; i++) {
		uint64_t size = 1024 + heap_random(h) % 3073;
		double lives = -life * log(heap_uniform(h));
		unsigned seconds = 1 + (unsigned)fmin(lives, 1000);

		/* mean size: 1024 + 1536 */
		heap_alloc(
		    h, size, heap_uniform(h) < stay ? HEAP_FOREVER : seconds);
	}
}

static double
a_second(struct heap *h, enum kind kind)
{
	switch (kind) {
	case LEAK:
		for (int i = 0; i < 400; i++)
			heap_alloc(h, 2560, HEAP_FOREVER);
		return 400 * 2560;
	case CACHE:
		for (int i = 0; i < 400; i++)
			heap_alloc(h, 2048 + heap_random(h) % 4096, 5);
		return 0;
	case CHURN: headers(h, 500, 0.02, 0.5); return 500 * 0.02 * 2560;
	case EXACT: headers(h, 500, 0.02, 3); return 500 * 0.02 * 2560;
	case THINNED: headers(h, 200, 0.05, 20); return 200 * 0.05 * 2560;
	case KINDS: break;
	}
	return 0;
}

struct outcome {
	double slope, truth, error;
};

static struct outcome
run(enum kind kind, uint64_t seed)
{
	struct heap *h = heap_new(seed, kinds[kind].lg);
	struct profile *p = fixture_empty();
	const struct profile *list[1] = { p };
	struct outcome o = { 0 };
	struct query q;
	struct report *r;
	struct trends *t;

	for (unsigned s = 0; s < WARM + kinds[kind].seconds; s++) {
		heap_second(h);
		o.truth = a_second(h, kind);
		if (s < WARM)
			continue;
		heap_put(h, p);
		fixture_commit(p, s);
	}
	query_init(&q);
	q.freed = true;
	r = report_build(list, 1, &q);
	t = trends_new(r, true);
	o.slope = t->all.rate;
	o.error = t->all.rate_error;
	trends_free(t);
	report_free(r);
	profile_free(p);
	free(h);
	return o;
}

static int
cover(enum kind kind)
{
	int covered = 0;
	double square = 0, width = 0;

	for (uint64_t seed = 1; seed <= RUNS; seed++) {
		struct outcome o = run(kind, seed * 31 + kind);
		double off = o.slope - o.truth;

		covered += fabs(off) <= o.error;
		square += off * off;
		width += o.error;
	}
	/* how much wider than it need be */
	print_message("%s: %d of %d, %.1f times as wide as 1.96 sd\n",
	    kinds[kind].name, covered, RUNS,
	    width / RUNS / (1.96 * sqrt(square / RUNS)));
	return covered;
}

static void
covers_the_truth(void **state)
{
	int covered = 0;

	(void)state;
	for (int k = 0; k < KINDS; k++)
		covered += cover((enum kind)k);
	print_message("%d of %d\n", covered, KINDS * RUNS);
	assert_true(covered >= 0.93 * KINDS * RUNS);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(covers_the_truth),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
