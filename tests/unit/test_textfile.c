/* needs: src/io/textfile.c src/io/heapread.c src/io/heapdata.c
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

#include "io/textfile.h"
#include "reader_fixture.h"

#define MB 1048576.0

/* What the stacks with this function in them, or at their leaf, hold. */
static double
sum(struct profile *p, const char *function, int leaf)
{
	const struct stacks *t = profile_stacks(p);
	size_t n;
	const struct profile_cell *c = profile_cells(p, &n);
	double out = 0;

	for (size_t i = 0; i < n; i++) {
		uint32_t depth = stacks_at(t, c[i].stack)->count;
		int in = 0;

		for (uint32_t k = 0; k < (leaf ? 1 : depth); k++)
			in |=
			    !strcmp(reader_name(p, c[i].stack, k, 0), function);
		if (in)
			out += c[i].v.live_bytes + c[i].v.live_objects;
	}
	return out;
}

static double
flat(struct profile *p, const char *function)
{
	return sum(p, function, 1);
}

static double
cum(struct profile *p, const char *function)
{
	return sum(p, function, 0);
}

/* jeprof's report of 3372352 bytes: the figures are those that it shows. */
static void
test_bytes(void **state)
{
	struct profile *p =
	    reader_file(textfile_read, "tests/data/basic.bytes.txt");

	(void)state;
	assert_int_equal(reader_result, 0);
	assert_true(reader_snapshot(p)->live_bytes == 3372352);
	assert_true(flat(p, "leak_big") == 3145728);
	assert_true(flat(p, "middle") == 0);
	assert_true(cum(p, "middle") == 3201728);
	assert_true(cum(p, "_start") == 3290432);
	assert_true(fabs(flat(p, "(what it called)")) < 1);
	profile_free(p);
}

/* The same by lines and in MB: shares tell more than one digit.  93.3% of
 * 3.2 MB are 2.9856 MB, which is shown as 3.0. */
static void
test_lines(void **state)
{
	struct profile *p =
	    reader_file(textfile_read, "tests/data/basic.lines.txt");
	const struct frames *f = profile_frames_const(p);
	struct frame_name name = { "", "", 0 };

	(void)state;
	assert_int_equal(reader_result, 0);
	assert_true(reader_near(reader_snapshot(p)->live_bytes, 3.2 * MB));
	assert_true(reader_near(flat(p, "leak_big"), 2.9856 * MB));
	for (frame_id id = 1; id <= frames_count(f); id++)
		if (!strcmp(frames_name(f, id, 0).function, "leak_big"))
			name = frames_name(f, id, 0);
	assert_string_equal(name.file, "/tmp/hd/basic/basic.c");
	assert_int_equal(name.line, 14);
	profile_free(p);
}

/* Of everything else that such a file may hold. */
static void
test_dialects(void **state)
{
	struct profile *p;

	(void)state;
	p = reader_text(textfile_read,
	    "Using local file ./a.\n"
	    "Total: 10 objects\n"
	    "       7  70.0%  70.0%        9  90.0% void* f<int> (inline)\n"
	    "      -1 -10.0%  60.0%       -1 -10.0% operator new[]\n"
	    "       4  40.0% 100.0%        4  40.0% (12 more)\n");
	assert_int_equal(reader_result, 0);
	assert_true(reader_snapshot(p)->live_objects == 10);
	assert_true(reader_snapshot(p)->live_bytes == 0);
	assert_true(cum(p, "void* f<int>") == 9);
	assert_true(flat(p, "operator new[]") == -1);
	assert_true(flat(p, "(rest of the total)") == 4);
	profile_free(p);
	/* by thread; of a focus, so that shares are not those of the total */
	p = reader_text(textfile_read,
	    "Total (t3): 50.0 MB\n"
	    "    20.0 100.0% 100.0%     20.0 100.0% f\r\n"
	    "\nTotal (t4): 1.0 MB\n"
	    "     0.5  50.0%  50.0%      0.5  50.0% f\n");
	assert_int_equal(reader_result, 0);
	assert_true(reader_near(flat(p, "f"), 20.5 * MB));
	assert_true(reader_near(reader_snapshot(p)->live_bytes, 51 * MB));
	profile_free(p);
	/* 36.4% of 176.0 MB is 64.0 to a tenth, or 64.064: a share of a total
	 * of 100 MB and more tells less than the figure */
	p = reader_text(textfile_read,
	    "Total: 176.0 MB\n"
	    "    64.0  36.4%  36.4%     64.0  36.4% f\n"
	    "   112.0  63.6% 100.0%    112.0  63.6% g\n");
	assert_int_equal(reader_result, 0);
	assert_true(flat(p, "f") == 64 * MB && flat(p, "g") == 112 * MB);
	assert_true(flat(p, "(rest of the total)") == 0);
	profile_free(p);
	/* differences that add up to nothing have no total */
	p = reader_text(textfile_read,
	    "     1.0    nan    nan      1.0    nan f\n"
	    "    -1.0   -inf   +inf     -1.0   -inf 0000000000001234 g a.c:7\n");
	assert_int_equal(reader_result, 0);
	assert_true(reader_near(flat(p, "f"), MB));
	assert_true(reader_near(flat(p, "g"), -MB));
	profile_free(p);
}

/* Equal names are the same place in every report. */
static void
test_identity(void **state)
{
	static const char text[] =
	    "Total: 5 B\n 5 100.0% 100.0% 5 100.0% f a.c:1\n";
	struct profile *p = reader_text(textfile_read, text);
	uint64_t one = stacks_at(profile_stacks(p), 1)->identity;

	(void)state;
	profile_free(p);
	p = reader_text(textfile_read, text);
	assert_true(one == stacks_at(profile_stacks(p), 1)->identity);
	profile_free(p);
}

#define GOOD "Total: 5 B\n 5 100.0% 100.0% 5 100.0% f\n"

static void
test_damaged(void **state)
{
	reader_fn *fn = textfile_read;

	(void)state;
	reader_loses(fn, GOOD "rubbish\n", 5, "line 3: this is no row");
	reader_loses(fn, GOOD " 5 100.0% 100", 5, "line 3: the file is cut");
	reader_loses(fn, GOOD " 1e99 1% 1% 1e99 1% g\n", 5, "line 3");
	reader_loses(fn, GOOD " nan 1% 1% nan 1% g\n", 5, "line 3");
	reader_refuses(fn, "Total: x\n", "line 1: the total");
	reader_refuses(fn, "Total: 5 apples\n", "line 1: the total");
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_bytes),
		cmocka_unit_test(test_lines),
		cmocka_unit_test(test_dialects),
		cmocka_unit_test(test_identity),
		cmocka_unit_test(test_damaged),
	};

	return cmocka_run_group_tests(tests, reader_set_up, reader_tear_down);
}
