/* needs: src/io/gperffile.c src/io/heapread.c src/io/heapdata.c
 * src/io/heapfigures.c src/io/heapsymbols.c src/io/heapwords.c
 * src/io/heapnotes.c src/io/heapmaps.c src/io/heapfit.c
 * src/io/heapmapline.c src/io/heapname.c src/io/infile.c src/io/progress.c
 * src/io/elfpeek.c src/io/ranges.c src/io/symcand.c src/model/profile.c
 * src/model/births.c
 * src/model/frames.c src/model/modules.c src/model/stacks.c
 * src/model/history.c src/model/history_log.c src/model/plumbing.c
 * src/model/name.c src/base/arena.c src/base/buf.c src/base/err.c
 * src/base/map.c src/base/mem.c src/base/strtab.c src/base/utf8.c */
/* libs: -lz */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "io/gperffile.h"
#include "reader_fixture.h"

#define END "\nMAPPED_LIBRARIES:\n"

static double
live(const char *text)
{
	struct profile *p = reader_text(gperffile_read, text);
	double bytes = reader_snapshot(p)->live_bytes;

	assert_int_equal(reader_result, 0);
	profile_free(p);
	return bytes;
}

/* google-pprof 2.10 --show_bytes says 74954096 bytes of the first, which is
 * exact, and 56517066 (cut) of the second, sampled at 512 KiB. */
static void
test_real(void **state)
{
	struct profile *p =
	    reader_file(gperffile_read, "tests/data/gperf.hp.0005.heap");

	(void)state;
	assert_true(reader_snapshot(p)->live_bytes == 74954096);
	assert_true(reader_snapshot(p)->live_objects == 100151);
	assert_true(reader_snapshot(p)->alloc_bytes == 127145598);
	assert_int_equal(profile_totals(p)->lg_sample, 0);
	assert_string_equal(profile_facts(p)->image, "/tmp/hd/gperf/gp");
	profile_free(p);
	p = reader_file(gperffile_read, "tests/data/gperf.s19.sample.heap");
	assert_true(fabs(reader_snapshot(p)->live_bytes - 56517066) < 5);
	assert_int_equal(profile_totals(p)->lg_sample, 19);
	/* rows of one stack are one stack */
	assert_true(stacks_count(profile_stacks(p)) < 30);
	profile_free(p);
}

/*
 * Estimates stay what they are: 8 objects, 8000 bytes, x = 1000.  At R = 2000
 * w = 1 / (1 - exp(-.5)) = 2.541494, so they come of 8 / 2.54 = 3.15 samples;
 * their variance is 8 * 1.541494 = 12.331952 objects^2, 1000^2 times that in
 * bytes^2.
 */
static void
test_estimates(void **state)
{
	struct profile *p = reader_text(gperffile_read,
	    "heap profile: 8: 8000 [9: 9000] @ unsampled/2000\n"
	    "8: 8000 [9: 9000] @ 0x11 0x21\n" END);
	const struct profile_cell *c;
	size_t n;

	(void)state;
	c = profile_cells(p, &n);
	assert_int_equal(n, 1);
	assert_true(c->v.live_objects == 8);
	assert_true(c->v.live_bytes == 8000);
	assert_true(c->v.alloc_bytes == 9000);
	assert_int_equal(c->v.live_samples, 3);
	assert_true(reader_near(c->v.live_var_objects, 12.331952));
	assert_true(reader_near(c->v.live_var_bytes, 12331952));
	assert_int_equal(profile_totals(p)->lg_sample, 11);
	assert_string_equal(profile_facts(p)->rule,
	    "the file has estimates, which are taken as they are");
	profile_free(p);
}

/*
 * One row of 4 objects, 4000 bytes: x = 1000.
 * heap_v2/2000: w = 1 / (1 - exp(-.5)) = 2.541494, 10165.98 bytes.
 * heap/4000: R = 2000, chance .5, w = 2, 8000 bytes; heap/1000: R = 500, every
 * block is sampled.  Without a type, and all alike, R = 131072: chance
 * 1000 / 131072, 4000 * 131.072 = 524288.
 */
static void
test_rules(void **state)
{
	(void)state;
#define ROW(type)                                 \
	"heap profile: 4: 4000 [ 4: 4000] @" type \
	"\n  4:  4000 [  4:  4000] @ 0x11 0x21\n" END
	assert_true(reader_near(live(ROW(" heap_v2/2000")), 10165.98));
	assert_true(reader_near(live(ROW(" heapz_v2/2000")), 10165.98));
	assert_true(reader_near(live(ROW(" heap/4000")), 8000));
	assert_true(reader_near(live(ROW(" heap/1000")), 4000));
	assert_true(reader_near(live(ROW(" heapprofile")), 4000));
	assert_true(reader_near(live(ROW(" growth")), 4000));
	assert_true(reader_near(live(ROW(" growthz")), 4000));
	assert_true(reader_near(live(ROW(" fragmentationz")), 4000));
	assert_true(reader_near(live(ROW("")), 524288));
	assert_true(reader_near(live("heap profile: 4: 4000 [9: 9000] @\n"
				     "4: 4000 [9: 9000] @ 0x11\n" END),
	    4000));
#undef ROW
}

/* Each row is unsampled for itself: 1 of 1000 and 1 of 3000 bytes at R = 2000
 * are 2541.49 + 3861.65 (w = 1.287217), not twice one of 2000. */
static void
test_rows(void **state)
{
	struct profile *p = reader_text(gperffile_read,
	    "heap profile: 2: 4000 [2: 4000] @ heap_v2/2000\n"
	    "1: 1000 [1: 1000] @ 0x11 0x21\n"
	    "1: 3000 [1: 3000] @ 0x11 0x21\n" END);

	(void)state;
	assert_int_equal(stacks_count(profile_stacks(p)), 1);
	assert_true(reader_near(reader_snapshot(p)->live_bytes, 6403.14));
	/* all are return addresses; the first is written as it stands there,
	 * as jeprof does */
	assert_string_equal(reader_name(p, 1, 0, 0), "0x11");
	assert_string_equal(reader_name(p, 1, 1, 0), "0x20");
	assert_int_equal(frames_offset(profile_frames_const(p),
			     stacks_at(profile_stacks(p), 1)->frames[0]),
	    0x10);
	profile_free(p);
}

/* Sampling was off: that is what the file says, and no damage. */
static void
test_off(void **state)
{
	struct profile *p = reader_text(gperffile_read,
	    "%warn\n%warn It was\n%warn turned off.\n"
	    "heap profile:  0: 0 [  0: 0] @ heap_v2/0\n" END);

	(void)state;
	assert_true(reader_snapshot(p)->live_bytes == 0);
	assert_int_equal(reader_result, 0);
	assert_non_null(
	    strstr(buf_str(&reader_notes), "says: It was turned off."));
	profile_free(p);
}

/* "build=" and mappings as other tools write them. */
static void
test_cooked(void **state)
{
	struct profile *p = reader_text(gperffile_read,
	    "heap profile: 1: 10 [1: 10] @ heapprofile\n"
	    "1: 10 [1: 10] @ 0x1011\n"
	    "--- Memory map:\nbuild=/nonexistent\n"
	    "  1000-2000: $build/prog\n");

	(void)state;
	assert_int_equal(reader_result, 0);
	assert_string_equal(reader_name(p, 1, 0, 0), "prog+0x11");
	assert_string_equal(profile_facts(p)->image, "/nonexistent/prog");
	profile_free(p);
}

#define HEAD "heap profile: 1: 10 [1: 10] @ heapprofile\n"
#define GOOD "1: 10 [1: 10] @ 0x11\n"

static void
test_damaged(void **state)
{
	reader_fn *fn = gperffile_read;

	(void)state;
	reader_loses(fn, HEAD GOOD, 10, "without a list of mappings");
	reader_loses(fn, HEAD GOOD "1: 10 [", 10, "cut here");
	reader_loses(fn, HEAD "x\n" GOOD END, 10, "line 2: the figures");
	reader_loses(fn, HEAD GOOD "1: 10 [1: 10]\n" END, 10, "line 3");
	reader_loses(fn, HEAD GOOD "1: 10 [1: 10] @ 0xzz\n" END, 10,
	    "line 3: an address");
	reader_loses(fn,
	    HEAD GOOD "99999999999999999999: 10 [1: 10] @ 0x1\n" END, 10,
	    "2^64");
	reader_loses(fn, "heap profile: 1: 10 [1: 10] @ heap_v2/0\n" GOOD END,
	    10, "the sampling rate is 0");
	reader_refuses(fn, "", "no heap profile");
	reader_refuses(fn, "heap profile: x\n", "line 1: the totals");
	reader_refuses(fn, "heap profile: 1: 1 [1: 1] @ heap_v2/-1\n",
	    "line 1: the sampling rate");
	reader_refuses(
	    fn, "heap profile: 1: 1 [1: 1] @ heap/x\n", "the sampling rate");
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_real),
		cmocka_unit_test(test_rules),
		cmocka_unit_test(test_estimates),
		cmocka_unit_test(test_rows),
		cmocka_unit_test(test_off),
		cmocka_unit_test(test_cooked),
		cmocka_unit_test(test_damaged),
	};

	return cmocka_run_group_tests(tests, reader_set_up, reader_tear_down);
}
