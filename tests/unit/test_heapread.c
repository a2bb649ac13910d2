/* needs: src/io/heapfile.c src/io/domain.c src/io/heapread.c src/io/heapdata.c
 * src/io/heapfigures.c src/io/heapsymbols.c src/io/heapwords.c
 * src/io/heapnotes.c src/io/heapmaps.c src/io/heapfit.c src/io/heapmapline.c
 * src/io/heapname.c src/io/heapkeys.c src/io/infile.c src/io/progress.c
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

#include "io/heapfile.h"
#include "model/modules.h"
#include "reader_fixture.h"

/* A series: what one file leaves to the next.  R is 1, so that figures are
 * what they are: 1 / (1 - exp(-100)) is 1. */

#define MAPS(start, end)           \
	"\nMAPPED_LIBRARIES:\n"    \
	"0000" #start "-0000" #end \
	" r-xp 00000000 00:00 0 /nonexistent/prog\n"
#define HEAD "heap_v2/1\n  t*: 0: 0 [0: 0]\n  t0: 0: 0 [0: 0] main\n"

static const char first[] = HEAD
    "@ 0x1010 0x1021\n  t*: 2: 2000 [0: 0]\n  t0: 2: 2000 [0: 0]\n"
    "@ 0x1030\n  t*: 1: 500 [0: 0]\n  t0: 1: 500 [0: 0]\n" MAPS(1000, 2000);

/* The first stack grew, the second is gone, a third came; memory without a
 * file is elsewhere. */
static const char second[] =
    HEAD "@ 0x1010 0x1021\n  t*: 3: 3000 [0: 0]\n  t0: 3: 3000 [0: 0]\n"
	 "@ 0x1040 0x1021\n  t*: 1: 100 [0: 0]\n  t0: 1: 100 [0: 0]\n" MAPS(
	     1000, 2000) "00009000-0000a000 rw-p 00000000 00:00 0 [heap]\n";

static const char elsewhere[] =
    HEAD "@ 0x1010 0x8021\n  t*: 3: 3000 [0: 0]\n  t0: 3: 3000 [0: 0]\n" MAPS(
	8000, 9000);

static int
next(struct heapread_kept *k, const char *text)
{
	struct heapread_from from = {
		.path = reader_path, .notes = &reader_notes, .kept = k
	};
	int fd = open(reader_path, O_WRONLY | O_TRUNC);

	assert_int_equal(write(fd, text, strlen(text)), strlen(text));
	close(fd);
	buf_clear(&reader_notes);
	return heapfile_read(&from, NULL, &reader_error);
}

/* Live bytes of each cell. */
static void
holds(const struct heapread_kept *k, size_t count, const double bytes[])
{
	size_t n;
	const struct profile_cell *c = profile_cells(k->profile, &n);

	assert_int_equal(n, count);
	for (size_t i = 0; i < n; i++)
		assert_true(c[i].v.live_bytes == bytes[i]);
}

static void
the_next_goes_on(void **state)
{
	struct heapread_kept k = { .more = false };
	const struct profile *p;

	(void)state;
	assert_int_equal(next(&k, first), 0);
	assert_false(k.more);
	p = k.profile;
	holds(&k, 2, (double[]){ 2000, 500 });
	assert_int_equal(next(&k, second), 0);
	assert_true(k.more);
	assert_ptr_equal(k.profile, p);
	holds(&k, 3, (double[]){ 3000, 0, 100 });
	assert_string_equal(reader_name(k.profile, 3, 0, 0), "prog+0x40");
	assert_string_equal(profile_thread_name(p, 0), "main");
	assert_string_equal(profile_facts(p)->image, "/nonexistent/prog");
	assert_int_equal(next(&k, first), 0);
	assert_true(k.more);
	holds(&k, 3, (double[]){ 2000, 500, 0 });
	assert_int_equal(history_count(profile_snapshots(p)), 0);
	heapread_kept_fini(&k);
	assert_null(k.profile);
}

/* Other modules: everything begins anew, and is said once. */
static void
others_begin_anew(void **state)
{
	struct heapread_kept k = { .more = false };

	(void)state;
	assert_int_equal(next(&k, first), 0);
	assert_int_equal(next(&k, elsewhere), 0);
	assert_false(k.more);
	holds(&k, 1, (double[]){ 3000 });
	assert_string_equal(reader_name(k.profile, 1, 0, 0), "0x1010");
	assert_string_equal(reader_name(k.profile, 1, 1, 0), "prog+0x20");
	assert_int_equal(reader_notes.len, 0);
	assert_int_equal(next(&k, second), 0);
	assert_false(k.more);
	holds(&k, 2, (double[]){ 3000, 100 });
	heapread_kept_fini(&k);
}

/* A damaged one in between leaves no trace. */
static void
damage_is_of_its_file(void **state)
{
	static const char cut[] =
	    HEAD "@ 0x1010 0x1021\n  t*: 7: 7000 [0: 0]\n  t0: 7: 70";
	static const char odd[] =
	    HEAD "@ 0x1010 0x1021\n  t*: 7: 7000 [0: 0]\n"
		 "@ 0x1030 zebra\n  t*: 1: 500 [0: 0]\n" MAPS(1000, 2000);
	struct heapread_kept k = { .more = false };

	(void)state;
	assert_int_equal(next(&k, "nothing\n"), -1);
	assert_int_equal(next(&k, first), 0);
	assert_int_equal(next(&k, "heap_v2/0\n"), -1);
	assert_int_equal(next(&k, second), 0);
	assert_true(k.more);
	holds(&k, 3, (double[]){ 3000, 0, 100 });
	for (int i = 0; i < 2; i++) {
		assert_int_equal(next(&k, odd), 1);
		assert_non_null(strstr(buf_str(&reader_notes), "address"));
		assert_true(k.more);
	}
	holds(&k, 4, (double[]){ 0, 0, 0, 7000 });
	/* it has no mappings, so it is for itself */
	assert_int_equal(next(&k, cut), 1);
	assert_false(k.more);
	assert_string_equal(reader_name(k.profile, 1, 0, 0), "0x1010");
	assert_int_equal(next(&k, first), 0);
	holds(&k, 2, (double[]){ 2000, 500 });
	heapread_kept_fini(&k);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_next_goes_on),
		cmocka_unit_test(others_begin_anew),
		cmocka_unit_test(damage_is_of_its_file),
	};

	return cmocka_run_group_tests(tests, reader_set_up, reader_tear_down);
}
