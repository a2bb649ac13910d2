/* needs: src/base/ src/model/ src/export/label.c src/export/escape.c
 * src/export/stats_words.c src/export/stats.c */
/* libs: -lm */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <string.h>

#include "base/buf.h"
#include "export/export.h"
#include "export/stats_words.h"
#include "model/report.h"
#include "profile_fixture.h"

static void
expect(struct profile *p, const struct export_options *o, const char *want)
{
	const struct profile *list[1] = { p };
	struct buf b = BUF_INIT;
	struct query q;
	struct report *r;

	query_init(&q);
	r = report_build(list, 1, &q);
	export_stats(r, o, &b);
	assert_string_equal(buf_str(&b), want);
	buf_fini(&b);
	report_free(r);
}

/* A file that tells little.  1.96 * sqrt(500) / 1000 = 4.4 %. */
static void
little(void **state)
{
	struct profile *p = fixture_profile();
	struct export_options o;

	(void)state;
	export_options_init(&o);
	expect(p, &o,
	    "pid 41237  app --fast\n"
	    "running for                     4s\n"
	    "live                       1.0 KiB  an estimate, ±4.4%\n"
	    "in this report             1.0 KiB  live bytes, ±4.4%\n"
	    "sampling                   1/4 KiB  mean distance of samples, in "
	    "allocated bytes\n"
	    "sampling off                 never  as far as the profile says\n"
	    "samples                          0  taken since the start\n"
	    "live samples                     0  of them, whose object is not "
	    "freed\n"
	    "stacks                           3  different ones; 3 in this "
	    "report\n"
	    "depth                            5  frames in the deepest stack\n"
	    "lost samples                     0\n"
	    "truncated stacks                 0\n"
	    "mapped                   not known\n"
	    "rss                      not known\n"
	    "sampled 1/4 KiB\n"
	    "only 10 samples: figures are rough; lg_prof_sample:0 (--exact) "
	    "counts everything\n");
	profile_free(p);
}

/* A process that tells everything. */
static void
much(void **state)
{
	struct profile *p = fixture_profile();
	struct export_options o;
	struct profile_totals t = {
		.now_ns = UINT64_C(61000000000),
		.exact_ns = 1,
		.live_bytes = 1024,
		.live_objects = 11,
		.alloc_bytes = 4096,
		.mapped_bytes = 65536,
		.cached_bytes = 512,
		.dirty_bytes = 8192,
		.meta_bytes = 2048,
		.samples = 13,
		.samples_live = 10,
		.inactive_ns = UINT64_C(3000000000),
		.lg_sample = 0,
		.rate_changes = 2,
		.active = 1,
		.lost = { [LOSS_NESTED] = 2, [LOSS_CUT_DEPTH] = 5 },
	};

	(void)state;
	profile_put_totals(p, &t);
	profile_put_process(p, 131072, 1048576, 0, 7);
	profile_commit(p);
	export_options_init(&o);
	o.ascii = true;
	o.show_bytes = true;
	expect(p, &o,
	    "pid 41237  app --fast\n"
	    "running for                  1m 0s\n"
	    "live                          1024  counted exactly\n"
	    "live objects                    11  counted exactly\n"
	    "allocated                     4096  counted exactly, since the "
	    "start\n"
	    "in this report                1000  live bytes, +/-4.4%\n"
	    "sampling                     exact  every allocation is recorded\n"
	    "changes of rate                  2  each sample has the weight of "
	    "its own rate\n"
	    "sampling off                    3s  what was allocated then is "
	    "not in the profile\n"
	    "samples                         13  taken since the start\n"
	    "live samples                    10  of them, whose object is not "
	    "freed\n"
	    "stacks                           3  different ones; 3 in this "
	    "report\n"
	    "depth                            5  frames in the deepest stack\n"
	    "lost samples                     2\n"
	    "truncated stacks                 5\n"
	    "lost: nested                     2  samples in signal handlers\n"
	    "cut: depth                       5  stacks; prof_max_depth sets "
	    "the limit\n"
	    "mapped                       65536  address space the allocator "
	    "holds\n"
	    "cached                         512  free objects in thread caches "
	    "and slabs\n"
	    "dirty                         8192  free pages not yet given "
	    "back\n"
	    /* 65536 - 1024 - 512 - 8192 */
	    "retained                     55808  the rest of what is mapped: "
	    "address space, no memory\n"
	    "meta                          2048  the allocator's and the "
	    "profiler's own\n"
	    "rss                         131072  resident memory of the whole "
	    "process\n"
	    "virtual                    1048576\n"
	    "swap                             0\n"
	    "major faults                     7\n"
	    "sampled at several rates; sampling was off for 3s; 2 samples "
	    "lost; 5 stacks cut short\n");
	profile_free(p);
}

static void
hint(const struct report *r, const char *want)
{
	struct buf b = BUF_INIT;

	stats_put_hint(&b, r);
	assert_string_equal(buf_str(&b), want);
	buf_fini(&b);
}

/* 1 MiB over 64 samples is 16 KiB: 2^14.  8 MiB: 2^17, of those that are
 * named 2^16.  At 1/16 KiB that is nothing new for 1 MiB. */
static void
hints(void **state)
{
	struct report r = { .have_totals = true };

	(void)state;
	r.totals.lg_sample = 19;
	hint(&r,
	    "nothing live was sampled at 1/512 KiB; a small program needs more: "
	    "lg_prof_sample:16 or 14, or -s 4K");
	r.totals.lg_sample = 14;
	r.query.metric = METRIC_ALLOC_BYTES;
	hint(&r,
	    "nothing allocated was sampled at 1/16 KiB; a small program needs "
	    "more: lg_prof_sample:0, or --exact");
	r.totals.lg_sample = 19;
	r.total.samples = 2;
	r.total.bytes = 1048576;
	hint(&r,
	    "only 2 samples: figures are rough; lg_prof_sample:14 (-s 16K) "
	    "would give 64 or more");
	r.total.samples = 1;
	r.total.bytes = 8388608;
	hint(&r,
	    "only 1 sample: figures are rough; lg_prof_sample:16 (-s 64K) "
	    "would give 64 or more");
	r.total.bytes = 8388608 * 1024.0;
	hint(&r,
	    "only 1 sample: figures are rough; lg_prof_sample:18 (-s 256K) "
	    "would give 64 or more");
	r.total.samples = 64;
	hint(&r, "");
	r.total.samples = 0;
	r.totals.lg_sample = 0;
	hint(&r, "");
}

/* What is left out is not in the report, and what its error is made of
 * neither: 1.96 * sqrt(100) / 300 = 6.5 %. */
static void
filtered(void **state)
{
	struct profile *p = fixture_profile();
	const struct profile *list[1] = { p };
	struct pattern *focus = pattern_new("index", NULL);
	struct export_options o;
	struct buf b = BUF_INIT;
	struct query q;
	struct report *r;

	(void)state;
	query_init(&q);
	q.focus = focus;
	r = report_build(list, 1, &q);
	export_options_init(&o);
	export_stats(r, &o, &b);
	assert_non_null(strstr(buf_str(&b),
	    "in this report               300 B  live bytes, ±6.5%\n"));
	assert_non_null(
	    strstr(buf_str(&b), "3  different ones; 1 in this report\n"));
	report_free(r);
	/* the process stays what it is */
	q.focus = NULL;
	q.min_size = 1000;
	r = report_build(list, 1, &q);
	buf_clear(&b);
	export_stats(r, &o, &b);
	assert_non_null(strstr(buf_str(&b),
	    "live                       1.0 KiB  an estimate, ±4.4%\n"));
	assert_non_null(strstr(
	    buf_str(&b), "in this report                 0 B  live bytes\n"));
	buf_fini(&b);
	report_free(r);
	pattern_free(focus);
	profile_free(p);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(little),
		cmocka_unit_test(much),
		cmocka_unit_test(hints),
		cmocka_unit_test(filtered),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
