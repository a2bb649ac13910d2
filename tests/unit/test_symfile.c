/* needs: src/io/symfile.c src/io/domain.c src/io/heapfile.c src/io/heapkeys.c
 * src/io/gperffile.c src/io/heapread.c src/io/heapdata.c src/io/heapfigures.c
 * src/io/heapsymbols.c src/io/heapwords.c src/io/heapnotes.c src/io/heapmaps.c
 * src/io/heapfit.c src/io/heapmapline.c src/io/heapname.c src/io/infile.c
 * src/io/progress.c src/io/elfpeek.c src/io/ranges.c src/io/symcand.c
 * src/model/profile.c src/model/births.c src/model/frames.c src/model/modules.c
 * src/model/stacks.c src/model/history.c src/model/history_log.c
 * src/model/plumbing.c src/model/name.c src/base/arena.c src/base/buf.c
 * src/base/err.c src/base/map.c src/base/mem.c src/base/strtab.c
 * src/base/utf8.c */
/* libs: -lz */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "io/symfile.h"
#include "reader_fixture.h"

#define SYMBOLS                                                    \
	"--- symbol\nbinary=./a\n"                                 \
	"0x0000000000000010 outer(int)<0000000000001234>--inner\n" \
	"0x0000000000001fff X::operator--(int)--g\n"               \
	"0x0000000000002fff 0x0000000000002fff\n---\n"
#define HEAP                                          \
	"--- heap\nheap_v2/1\n  t*: 1: 1000 [0: 0]\n" \
	"@ 0x10 0x2000 0x3000\n  t*: 1: 1000 [0: 0]\n"

/* What jeprof 5.3.0 says of it: 3372352 bytes, see basic.bytes.txt. */
static void
test_real(void **state)
{
	struct profile *p =
	    reader_file(symfile_read, "tests/data/symbolized.heap");
	int found = 0;

	(void)state;
	assert_true(reader_near(reader_snapshot(p)->live_bytes, 3372352));
	for (stack_id s = 1; s <= stacks_count(profile_stacks(p)); s++)
		found += !strcmp(reader_name(p, s, 0, 0), "leak_big");
	assert_int_equal(found, 1);
	profile_free(p);
}

static void
test_names(void **state)
{
	struct profile *p = reader_text(symfile_read, SYMBOLS HEAP);
	const struct frames *f = profile_frames_const(p);

	(void)state;
	/* such a dump has no mappings, and is whole all the same */
	assert_int_equal(reader_result, 0);
	assert_true(reader_near(reader_snapshot(p)->live_bytes, 1000));
	assert_string_equal(reader_name(p, 1, 0, 0), "inner");
	assert_string_equal(reader_name(p, 1, 0, 1), "outer(int)");
	assert_string_equal(reader_name(p, 1, 1, 0), "g");
	assert_string_equal(reader_name(p, 1, 1, 1), "X::operator--(int)");
	/* this one is left to whoever can name it */
	assert_string_equal(reader_name(p, 1, 2, 0), "0x2fff");
	assert_int_equal(
	    frames_state(f, stacks_at(profile_stacks(p), 1)->frames[2]),
	    FRAME_UNKNOWN);
	profile_free(p);
}

/* Without mappings a place is its name, wherever the process had it. */
static void
test_identity(void **state)
{
	static const char *const texts[] = {
		"--- symbol\n0x10 f\n0x1fff g\n---\n--- heap\nheap_v2/1\n"
		"  t*: 1: 10 [0: 0]\n@ 0x10 0x2000\n  t*: 1: 10 [0: 0]\n",
		"--- symbol\n0x30 f\n0x5fff g\n---\n--- heap\nheap_v2/1\n"
		"  t*: 1: 10 [0: 0]\n@ 0x30 0x6000\n  t*: 1: 10 [0: 0]\n",
	};
	uint64_t identity[2];

	(void)state;
	for (int i = 0; i < 2; i++) {
		struct profile *p = reader_text(symfile_read, texts[i]);

		reader_snapshot(p);
		identity[i] = stacks_at(profile_stacks(p), 1)->identity;
		profile_free(p);
	}
	assert_true(identity[0] == identity[1]);
}

/* The first address of gperftools is a return address; its name may be that
 * of either. */
static void
test_gperf(void **state)
{
	struct profile *p = reader_text(symfile_read,
	    SYMBOLS "--- growth\nheap profile: 1: 10 [1: 10] @ growth\n"
		    "1: 10 [1: 10] @ 0x10 0x2000\n");

	(void)state;
	assert_int_equal(reader_result, 0);
	assert_string_equal(reader_name(p, 1, 0, 0), "inner");
	assert_string_equal(reader_name(p, 1, 1, 0), "g");
	profile_free(p);
}

static struct profile *
read_words(const uint64_t *words, size_t count, size_t cut)
{
	struct buf b = BUF_INIT;
	struct profile *p;

	buf_puts(&b, SYMBOLS "--- profile\n");
	buf_put(&b, words, count * sizeof *words - cut);
	p = reader_bytes(symfile_read, b.data, b.len);
	buf_fini(&b);
	return p;
}

/* As google-pprof writes it: addresses of calls, values in bytes. */
static void
test_words(void **state)
{
	static const uint64_t words[] = { 0, 3, 0, 1, 0, /* head */
		500, 2, 0x10, 0x1fff, 70, 1, 0x10 };
	struct profile *p = read_words(words, 12, 0);

	(void)state;
	assert_int_equal(reader_result, 0);
	assert_true(reader_near(reader_snapshot(p)->live_bytes, 570));
	assert_string_equal(reader_name(p, 1, 1, 0), "g");
	profile_free(p);
	p = read_words(words, 12, 4);
	assert_int_equal(reader_result, 1);
	assert_true(reader_near(reader_snapshot(p)->live_bytes, 500));
	assert_non_null(strstr(buf_str(&reader_notes), "it is cut"));
	profile_free(p);
	assert_null(read_words(words, 3, 0));
}

static void
test_damaged(void **state)
{
	reader_fn *fn = symfile_read;

	(void)state;
	reader_refuses(fn, "--- symbol\n0x10 f\n", "does not end");
	reader_refuses(fn, SYMBOLS, "no dump behind them");
	reader_refuses(fn, SYMBOLS "--- heap\n", "no dump behind them");
	reader_refuses(fn, SYMBOLS "--- heap\nrubbish\n", "no heap dump");
	reader_refuses(
	    fn, SYMBOLS "--- heap\nheap_v2/0\n", "line 8: the sampling rate");
	reader_loses(fn, "--- symbol\nrubbish\n---\n" HEAP, 1000, "line 2");
	reader_loses(fn, SYMBOLS HEAP "@ 0x1", 1000, "cut here");
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_real),
		cmocka_unit_test(test_names),
		cmocka_unit_test(test_identity),
		cmocka_unit_test(test_gperf),
		cmocka_unit_test(test_words),
		cmocka_unit_test(test_damaged),
	};

	return cmocka_run_group_tests(tests, reader_set_up, reader_tear_down);
}
