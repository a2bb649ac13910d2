/* needs: src/base/ src/model/ src/export/label.c src/export/escape.c
 * src/export/stats_words.c src/export/growth.c */
/* libs: -lm */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/buf.h"
#include "export/export.h"
#include "export/growth.h"
#include "model/report.h"
#include "model/trend.h"
#include "profile_fixture.h"

static void
expect(struct profile *p, const struct query *q, const struct export_options *o,
    const char *want)
{
	const struct profile *list[1] = { p };
	struct report *r = report_build(list, 1, q);
	struct buf b = BUF_INIT;

	export_growth(r, o, &b);
	assert_string_equal(buf_str(&b), want);
	buf_fini(&b);
	report_free(r);
}

/*
 * Every allocation known.  KiB at 5, 15, 25 s:
 *	decode 1 2 4: never fell; slope (4 - 1) / 20 = 0.15 KiB/s; mean 7/3,
 *	  Syy 14/3, Sxy 30, Sxx 200; scatter (14/3 - 4.5) / 1 = 1/6; error
 *	  12.706 * sqrt(1/6/200) = 0.367: the rate is within it
 *	index 4 2 6: up and down; (6 - 4) / 20 KiB/s = 102.4 B/s
 *	grow 8 8 8: the same
 * Spark lines: 1 2 4 are levels 0, 7/3, 7; 4 2 6 are 3.5, 0, 7.
 * KEPT: decode 3 of 30 KiB allocated, index 2 of 30.  decode is a suspect, with
 * the 2 KiB in the last 10 s; index has fallen.
 */
static struct profile *
three(void)
{
	static const double kib[3][3] = { { 1, 4, 8 }, { 2, 2, 8 },
		{ 4, 6, 8 } };
	struct profile *p = fixture_empty();

	for (unsigned i = 0; i < 3; i++) {
		for (uint32_t s = 0; s < 3; s++)
			fixture_cell(p, s + 1, 1, kib[i][s] * 1024, 1,
			    (20 + 15 * i) * 1024, 1, 0);
		fixture_commit(p, 5 + 10 * i);
	}
	return p;
}

static void
ask(struct query *q, struct export_options *o)
{
	query_init(q);
	q->freed = true;
	export_options_init(o);
}

static void
series(void **state)
{
	struct profile *p = three();
	struct export_options o;
	struct query q;

	(void)state;
	ask(&q, &o);
	expect(p, &q, &o,
	    "growth of live bytes by function, 3 snapshots over 20s: "
	    "18.0 KiB, +5.0 KiB (+38.5%); it grew, but fell at times\n"
	    "sampled 1/4 KiB\n"
	    "only 3 samples: figures are rough; lg_prof_sample:0 (--exact) "
	    "counts everything\n"
	    "suspects:\n"
	    "  1. decode ← loop ← work ← start\n"
	    "     grew in 2 of 2, lately +205 B/s, 10% of what it allocated "
	    "since then is still there\n"
	    "     FIRST       LAST       CHANGE       ±          RATE   GREW IN"
	    "   KEPT       SITE ← CALLERS\n"
	    "grew and never fell:\n"
	    "   1.0 KiB    4.0 KiB     +3.0 KiB             ~+154 B/s    2 of 2"
	    "    10%  ▁▃█  decode ← loop ← work ← start\n"
	    "grew, but fell at times:\n"
	    "   4.0 KiB    6.0 KiB     +2.0 KiB             ~+102 B/s    1 of 2"
	    "     7%  ▅▁█  index ← loop ← work ← start\n"
	    "changed by no more than the error:\n"
	    "   8.0 KiB    8.0 KiB         +0 B                          0 of 2"
	    "         ▄▄▄  grow ← again ← again ← tiny ← main\n"
	    "a step counts as growth if it is larger than its 95% error; "
	    "~ is an uneven rate; KEPT: what grew of what was allocated\n");
	o.untimed = true;
	o.ascii = true;
	o.width = 80;
	o.top = 1;
	o.show_bytes = true;
	expect(p, &q, &o,
	    "growth of live bytes by function, 3 snapshots: 18432, "
	    "5120 (+38.5%); it grew, but fell at times\n"
	    "when the dumps were made is not known: no rates\n"
	    "sampled 1/4 KiB\n"
	    "only 3 samples: figures are rough; lg_prof_sample:0 (--exact) "
	    "counts everything\n"
	    "suspects:\n"
	    "  1. decode < loop < work < start\n"
	    "     grew in 2 of 2, lately +2.0 KiB each time, 10% of what it "
	    "allocated since then is still there\n"
	    "         FIRST           LAST           CHANGE     +/-   GREW IN"
	    "       SITE < CALLERS\n"
	    "grew and never fell:\n"
	    "          1024           4096             3072            2 of 2"
	    "  _-@  decode < loop < wor~\n"
	    ".. 2 more functions, together 2048\n"
	    "a step counts as growth if it is larger than its 95% error\n");
	profile_free(p);
}

/* One dump has no growth, whatever is asked of it. */
static void
alone(void **state)
{
	struct profile *p = fixture_profile();
	struct export_options o;
	struct query q;

	(void)state;
	ask(&q, &o);
	expect(p, &q, &o,
	    "growth needs two or more dumps of one process, or a recording\n"
	    "sampled 1/4 KiB\n"
	    "only 10 samples: figures are rough; lg_prof_sample:0 (--exact) "
	    "counts everything\n");
	profile_free(p);
}

/* 0.02 objects a second are 1.2 a minute; below the noise there is none. */
static void
rates(void **state)
{
	struct profile *p = three();
	const struct profile *list[1] = { p };
	struct trends t = { .timed = true };
	struct trend row = { .rate = 0.02, .rate_error = 0.01 };
	struct query q;
	struct report *r;

	(void)state;
	query_init(&q);
	q.metric = METRIC_LIVE_OBJECTS;
	r = report_build(list, 1, &q);
	assert_string_equal(growth_rate(r, &t, &row, false).s, "+1/min");
	row.rate_error = 0.02;
	assert_string_equal(growth_rate(r, &t, &row, false).s, "~+1/min");
	row.rate_error = 0;
	row.kind = TREND_NOISE;
	assert_string_equal(growth_rate(r, &t, &row, false).s, "");
	row.kind = TREND_SHRANK;
	row.rate = -70;
	assert_string_equal(growth_rate(r, &t, &row, false).s, "-70/s");
	report_free(r);
	profile_free(p);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(series),
		cmocka_unit_test(alone),
		cmocka_unit_test(rates),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
