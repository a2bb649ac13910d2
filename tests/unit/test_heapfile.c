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

#include <fcntl.h>
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/err.h"
#include "io/heapfile.h"
#include "io/heapread.h"
#include "model/frames.h"
#include "model/history.h"
#include "model/modules.h"
#include "model/profile.h"
#include "model/stacks.h"

static char path[] = "/tmp/test-heapfile.XXXXXX";
static struct buf notes;
static int result; /* of the last read: 1 if something was left out */
static struct err error;

static int
set_up(void **state)
{
	(void)state;
	return close(mkstemp(path));
}

static int
tear_down(void **state)
{
	(void)state;
	buf_fini(&notes);
	return unlink(path);
}

/* NULL if it is refused. */
static struct profile *
read_path(const char *file)
{
	struct profile *p = profile_new();

	struct heapread_from from = { .path = file, .notes = &notes };

	buf_clear(&notes);
	result = heapfile_read(&from, p, &error);
	if (result >= 0)
		return p;
	profile_free(p);
	return NULL;
}

static struct profile *
read_text(const char *text)
{
	int fd = open(path, O_WRONLY | O_TRUNC);

	assert_int_equal(write(fd, text, strlen(text)), strlen(text));
	close(fd);
	return read_path(path);
}

static const struct snapshot *
snapshot(const struct profile *p)
{
	assert_non_null(p);
	assert_int_equal(history_count(profile_history(p)), 1);
	return history_at(profile_history(p), 0);
}

static bool
near(double a, double b)
{
	return fabs(a - b) <= 1; /* kept are whole numbers, cell by cell */
}

/*
 * R = 524288; w = 1 / (1 - exp(-x / R)).
 * 10 objects, 1000 bytes: x = 100, w = 5243.380019, 52433.8 and 5243380.0
 * 4, 4194304: x = 1048576 = 2 R, w = 1.156518, 4.626 and 4850787.5
 * 2, 40000: x = 20000, w = 26.717585, 53.435 and 1068703.4
 * together 52491.86 objects and 11162870 bytes; jeprof says 11162869.
 */
static void
test_unsampling(void **state)
{
	struct profile *p = read_path("tests/data/three-stacks.heap");
	const struct snapshot *s = snapshot(p);
	const struct profile_totals *t = profile_totals(p);
	struct frames *f = profile_frames(p);
	const struct stack *k;

	(void)state;
	assert_int_equal(notes.len, 0);
	assert_true(near(s->live_bytes, 11162870));
	assert_true(near(s->live_objects, 52492));
	assert_true(s->alloc_bytes == 0);
	assert_int_equal(t->lg_sample, 19);
	assert_int_equal(t->samples_live, 16);
	assert_int_equal(t->exact_ns, 0);
	assert_int_equal(stacks_count(profile_stacks(p)), 3);
	assert_string_equal(profile_facts(p)->image, "/nonexistent/bin/prog");
	/* the first address as it is, return addresses less one */
	k = stacks_at(profile_stacks(p), 2);
	assert_int_equal(k->count, 3);
	assert_string_equal(
	    frames_name(f, k->frames[0], 0).function, "prog+0x1010");
	assert_string_equal(
	    frames_name(f, k->frames[1], 0).function, "libz.so.1+0xfff");
	assert_string_equal(
	    frames_name(f, k->frames[2], 0).function, "prog+0x2fff");
	profile_free(p);
}

/*
 * A real one of jemalloc 5.3.0.  jeprof --show_bytes says 4186429 bytes.
 * Its stacks begin with four frames inside libjemalloc.
 */
static void
test_jemalloc(void **state)
{
	struct profile *p = read_path("tests/data/mt.6930.2.f.heap");
	const struct stack *k;
	const struct module *m;

	(void)state;
	assert_true(fabs(snapshot(p)->live_bytes - 4186429) < 10);
	assert_int_equal(profile_facts(p)->pid, 6930);
	assert_string_equal(profile_facts(p)->image, "/tmp/hd/mt/mt");
	assert_string_equal(profile_thread_name(p, 4), "consumer thr");
	k = stacks_at(profile_stacks(p), 1);
	assert_int_equal(k->count, 10); /* of 14 */
	m = modules_find(
	    profile_modules(p), frames_module(profile_frames(p), k->frames[0]));
	assert_string_equal(m->path, "/usr/lib/x86_64-linux-gnu/libc.so.6");
	profile_free(p);
}

static double
thread_bytes(const struct profile *p, uint16_t slot)
{
	double sum = 0;
	size_t n;
	const struct profile_cell *c = profile_cells(p, &n);

	for (size_t i = 0; i < n; i++)
		if (c[i].slot == slot)
			sum += c[i].v.live_bytes;
	return sum;
}

/* The row t* gives the figures; its threads share them in proportion, twice
 * the same thread is one, and without threads nobody has them. */
static void
test_threads(void **state)
{
	struct profile *p = read_text("heap_v2/1\n"
				      "  t*: 40: 4000 [0: 0]\n"
				      "  t0: 0: 0 [0: 0]\n"
				      "  t7: 0: 0 [0: 0] a name \n"
				      "@ 0x10 0x20\n"
				      "  t*: 30: 3000 [0: 0]\n"
				      "  t7: 5: 500 [0: 0]\n"
				      "  t0: 5: 500 [0: 0]\n"
				      "  t7: 5: 500 [0: 0]\n"
				      "@ 0x30\n"
				      "  t*: 10: 1000 [0: 0]\n"
				      "\nMAPPED_LIBRARIES:\n");

	(void)state;
	assert_true(near(snapshot(p)->live_bytes, 4000));
	assert_true(near(thread_bytes(p, 7), 2000));
	assert_true(near(thread_bytes(p, 0), 1000));
	assert_true(near(thread_bytes(p, 65535), 1000));
	assert_string_equal(profile_thread_name(p, 7), "a name ");
	assert_string_equal(profile_thread_name(p, 0), "thread 0");
	profile_free(p);
}

/* Our own extras; and slot 0 is what heaptop calls it. */
static void
test_extras(void **state)
{
	struct profile *p = read_text("heap_v2/65536\n"
				      "# heaptop leaf=call\n"
				      "# heaptop live_bytes=123\n"
				      "# heaptop live_objects=4\n"
				      "# heaptop alloc_bytes=999\n"
				      "# heaptop lost_nested=5\n"
				      "# heaptop cut_depth=6\n"
				      "# heaptop of_tomorrow=1\n"
				      "  t*: 0: 0 [0: 0]\n"
				      "  t0: 0: 0 [0: 0]\n"
				      "\nMAPPED_LIBRARIES:\n");
	const struct profile_totals *t = profile_totals(p);

	(void)state;
	assert_int_equal(notes.len, 0);
	assert_int_equal(t->live_bytes, 123);
	assert_int_equal(t->live_objects, 4);
	assert_int_equal(t->alloc_bytes, 999);
	assert_true(t->exact_ns > 0);
	assert_int_equal(t->lost[LOSS_NESTED], 5);
	assert_int_equal(t->lost[LOSS_CUT_DEPTH], 6);
	assert_int_equal(t->lg_sample, 16);
	assert_string_equal(profile_thread_name(p, 0), "");
	profile_free(p);
}

/* Who it was and when, from the dump itself. */
static void
test_who(void **state)
{
	struct profile *p =
	    read_text("heap_v2/65536\n"
		      "# heaptop pid=77\n"
		      "# heaptop program=/nonexistent/two\n"
		      "# heaptop start_ns=1700000000000000000\n"
		      "# heaptop image_ns=1000\n"
		      "# heaptop now_ns=5000\n"
		      "# heaptop inactive_ns=30\n"
		      "# heaptop active=0\n"
		      "# heaptop lg_sample=12\n"
		      "# heaptop rate_changes=1\n"
		      "# heaptop dumps_failed=2\n"
		      "  t*: 0: 0 [0: 0]\n"
		      "\nMAPPED_LIBRARIES:\n"
		      "1000-2000 r-xp 0 00:00 1 /nonexistent/one\n"
		      "3000-4000 r-xp 0 00:00 1 /nonexistent/two\n");
	const struct profile_totals *t = profile_totals(p);
	const struct profile_facts *f = profile_facts(p);

	(void)state;
	assert_int_equal(result, 0);
	assert_int_equal(f->pid, 77);
	assert_string_equal(f->image, "/nonexistent/two");
	assert_int_equal(f->wall_ns, 1700000000000000000);
	assert_int_equal(f->image_ns, 1000);
	assert_int_equal(t->now_ns, 5000);
	assert_int_equal(t->inactive_ns, 30);
	assert_int_equal(t->active, 0);
	assert_int_equal(t->lg_sample, 12);
	assert_int_equal(t->rate_changes, 1);
	assert_non_null(strstr(buf_str(&notes), "2 earlier dumps"));
	assert_non_null(strstr(f->rule, "unsampled once"));
	profile_free(p);
}

/* The same stack twice is one, each row unsampled for itself: 1 object of 1000
 * and 1 of 3000 bytes at R = 2000 are 2541.49 + 3861.65 bytes. */
static void
test_twice(void **state)
{
	struct profile *p = read_text("heap_v2/2000\n  t*: 2: 4000 [0: 0]\n"
				      "@ 0x10 0x20\n  t*: 1: 1000 [0: 0]\n"
				      "@ 0x30\n  t*: 0: 0 [0: 0]\n"
				      "@ 0x10 0x20\n  t*: 1: 3000 [0: 0]\n"
				      "\nMAPPED_LIBRARIES:\n");

	(void)state;
	assert_int_equal(stacks_count(profile_stacks(p)), 2);
	assert_true(near(snapshot(p)->live_bytes, 6403.14));
	profile_free(p);
}

#define HEAD "heap_v2/1\n  t*: 3: 30 [0: 0]\n"
#define GOOD "@ 0x10\n  t*: 1: 10 [0: 0]\n"
#define END  "\nMAPPED_LIBRARIES:\n"

/* What can be read of it is used; the sentence names file and line. */
static void
check_note(const char *text, double bytes, unsigned line, const char *what)
{
	struct profile *p = read_text(text);
	char place[80];

	assert_true(near(snapshot(p)->live_bytes, bytes));
	/* two of them lose nothing */
	assert_int_equal(
	    result, !strstr(what, "negative") && !strstr(what, "begins only"));
	snprintf(place, sizeof place, "%s, line %u: ", path, line);
	if (strstr(buf_str(&notes), place) == NULL ||
	    strstr(buf_str(&notes), what) == NULL)
		fail_msg("'%s' is not '%s...%s'", buf_str(&notes), place, what);
	profile_free(p);
}

static void
test_damaged(void **state)
{
	(void)state;
	check_note(HEAD GOOD "@ 0x20 0x", 10, 5, "cut");
	check_note(HEAD GOOD "@ 0x20\n  t*: 1: 1", 10, 6, "cut");
	check_note(HEAD GOOD "@", 10, 5, "cut");
	check_note(HEAD GOOD END "00400000-004", 10, 7, "cut");
	check_note(HEAD GOOD, 10, 4, "without a list of mappings");
	check_note(HEAD GOOD "@ 0x20\n@ 0x30\n  t*: 1: 10 [0: 0]\n" END, 20, 5,
	    "no figures");
	check_note(
	    HEAD GOOD "@ zz\n  t*: 1: 10 [0: 0]\n" GOOD END, 20, 5, "address");
	check_note(HEAD "@ 0x123456789abcdef01\n  t*: 1: 9 [0: 0]\n" GOOD END,
	    10, 3, "address");
	check_note(HEAD GOOD "@ 0x20\n  t*: 18446744073709551616: 10 [0: 0]\n"
			     "  t0: 1: 10 [0: 0]\n" END,
	    10, 6, "2^64");
	check_note(HEAD GOOD "@ 0x20\n  t*: 0: 10 [0: 0]\n" END, 10, 6,
	    "without objects");
	check_note(
	    HEAD GOOD "@ 0x20\n  t*: -2: -20 [0: 0]\n" END, -10, 6, "negative");
	check_note(HEAD "rubbish\n" GOOD END, 10, 3, "no line of a heap dump");
	check_note("some text\n" HEAD GOOD END, 10, 2, "begins only here");
	check_note(HEAD GOOD END "rubbish\n", 10, 7, "mappings");
}

static void
test_refused(void **state)
{
	(void)state;
	assert_null(read_text("once upon a time\n"));
	assert_non_null(strstr(error.msg, "is not a heap dump"));
	assert_non_null(strstr(error.msg, path));
	assert_null(read_text(""));
	assert_null(read_text("heap_v2/\n"));
	assert_non_null(strstr(error.msg, "line 1: the sampling rate"));
	assert_null(read_text("heap_v2/0\n"));
	assert_null(read_text("heap_v2/99999999999999999999999\n"));
	assert_null(read_path("/nonexistent/x.heap"));
	assert_non_null(strstr(error.msg, "/nonexistent/x.heap"));
}

/* Ends of lines and blanks as other systems leave them. */
static void
test_dialects(void **state)
{
	struct profile *p;

	(void)state;
	p = read_text("heap_v2/1\r\n\tt*: 1: 10 [0: 0]\r\n@\t0x10  0xAB\r\n"
		      "\tt*:1:10[0:0]\r\nMAPPED_LIBRARIES:\r\n"
		      "00000000-00001000 r-xp 00000000 08:01 1 /a b\\012c\r\n");
	assert_true(near(snapshot(p)->live_bytes, 10));
	assert_int_equal(notes.len, 0);
	assert_string_equal(
	    modules_find(profile_modules(p), 1)->path, "/a b\nc");
	profile_free(p);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_unsampling),
		cmocka_unit_test(test_jemalloc),
		cmocka_unit_test(test_threads),
		cmocka_unit_test(test_extras),
		cmocka_unit_test(test_who),
		cmocka_unit_test(test_twice),
		cmocka_unit_test(test_damaged),
		cmocka_unit_test(test_refused),
		cmocka_unit_test(test_dialects),
	};

	return cmocka_run_group_tests(tests, set_up, tear_down);
}
