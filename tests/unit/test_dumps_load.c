/* needs: src/dumps_load.c src/dumps_stage.c src/io/domain.c src/dumpfile.c
 * src/merge.c
 * src/series.c src/io/heapfile.c src/io/heapkeys.c src/io/heapdata.c
 * src/io/heapmaps.c src/io/heapname.c src/io/infile.c src/io/elfpeek.c
 * src/io/ranges.c src/io/symcand.c src/io/recordfile.c src/io/dumpread.c
 * src/io/launch.c src/io/preloadenv.c src/io/loop.c src/model/profile.c
 * src/model/births.c
 * src/model/frames.c src/model/modules.c src/model/stacks.c
 * src/model/history.c src/model/history_log.c src/model/plumbing.c
 * src/model/name.c src/base/arena.c src/base/buf.c src/base/err.c
 * src/base/map.c src/base/mem.c src/base/strtab.c src/base/utf8.c
 * src/io/gperffile.c src/io/symfile.c src/io/pproffile.c src/io/pprofdata.c
 * src/io/textfile.c src/io/heapread.c src/io/heapfigures.c
 * src/io/heapsymbols.c src/io/heapwords.c src/io/heapnotes.c src/io/heapfit.c
 * src/io/heapmapline.c src/io/progress.c */
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
#include <sys/stat.h>
#include <unistd.h>

#include "base/err.h"
#include "dumps.h"
#include "io/recordfile.h"
#include "model/frames.h"
#include "model/history.h"
#include "model/profile.h"
#include "model/stacks.h"
#include "options.h"
#include "stream.h"

#define FILES_MAX 1200

static char dir[] = "/tmp/test-dumps-load.XXXXXX";

static int
set_up(void **state)
{
	(void)state;
	return mkdtemp(dir) == NULL || chdir(dir) < 0;
}

static int
tear_down(void **state)
{
	char command[64];

	(void)state;
	snprintf(command, sizeof command, "rm -rf %s", dir);
	return chdir("/") < 0 || system(command) != 0;
}

static void
set_time(const char *path, unsigned second)
{
	const struct timespec times[2] = { { second, 0 }, { second, 0 } };

	assert_int_equal(utimensat(AT_FDCWD, path, times, 0), 0);
}

static void
write_file(const char *path, const char *text, unsigned second)
{
	FILE *f = fopen(path, "w");

	assert_non_null(f);
	assert_int_equal(fputs(text, f) < 0, 0);
	assert_int_equal(fclose(f), 0);
	set_time(path, second);
}

/*
 * An exact dump (R = 1) of a file that is not there, loaded at `base`: `one`
 * bytes from base + 0x100, called from base + 0x501, and `two` from
 * base + 0x200.  0 bytes: no such stack.
 */
static void
dump(const char *path, unsigned long base, unsigned one, unsigned two,
    unsigned second)
{
	char text[1024];
	int n = snprintf(
	    text, sizeof text, "heap_v2/1\n  t*: 2: %u [0: 0]\n", one + two);

	for (int i = 0; i < 2; i++) {
		unsigned bytes = i == 0 ? one : two;

		if (bytes)
			n += snprintf(text + n, sizeof text - (size_t)n,
			    "@ 0x%lx 0x%lx\n  t*: 1: %u [0: 0]\n"
			    "  t0: 1: %u [0: 0]\n",
			    base + (i == 0 ? 0x100 : 0x200), base + 0x501,
			    bytes, bytes);
	}
	snprintf(text + n, sizeof text - (size_t)n,
	    "\nMAPPED_LIBRARIES:\n%lx-%lx r-xp 00000000 08:01 1 "
	    "/nonexistent/bin/prog\n",
	    base, base + 0x1000);
	write_file(path, text, second);
}

static void
recording(const char *path, uint32_t dumps)
{
	struct recordfile *r = recordfile_create(path, NULL);
	struct buf b = BUF_INIT;

	assert_non_null(r);
	for (uint32_t i = 0; i < dumps; i++) {
		buf_clear(&b);
		if (i == 0)
			stream_dump(&b, 9000, 300);
		else
			stream_change(&b, 9000 + i, 300 + i);
		assert_int_equal(recordfile_put(r, b.data, b.len, NULL), 0);
	}
	assert_int_equal(recordfile_close(r, NULL), 0);
	buf_fini(&b);
}

static int
load_list(struct loaded *out, const char *const *files, size_t n, struct err *e)
{
	struct options o = { .mode = MODE_DUMPS,
		.dumps = (char **)(uintptr_t)files };

	o.dump_count = n;
	return dumps_load(&o, out, e);
}

#define LOAD(out, e, ...)                               \
	load_list(out, (const char *[]){ __VA_ARGS__ }, \
	    sizeof((const char *[]){ __VA_ARGS__ }) / sizeof(char *), e)

static double
live(const struct loaded *l, size_t i)
{
	return history_at(profile_history(l->profile), i)->live_bytes;
}

/* The formula has w > 1 at R = 1 too, by less than 1e-8 from 20 bytes on. */
static bool
near(double a, double b)
{
	return fabs(a - b) < 0.001;
}

static bool
says(const struct loaded *l, const char *what)
{
	return strstr(buf_str(&l->notes), what) != NULL;
}

/* Given in any order, loaded anywhere: one series by number. */
static void
test_series(void **state)
{
	const struct history *h;
	struct loaded l;

	(void)state;
	dump("p.7.2.i2.heap", 0x400000, 100, 20, 2000);
	dump("p.7.9.i9.heap", 0x7f0000, 110, 0, 2010);
	dump("p.7.10.f.heap", 0x300000, 120, 30, 2020);
	assert_int_equal(
	    LOAD(&l, NULL, "p.7.10.f.heap", "./p.7.2.i2.heap", "p.7.9.i9.heap"),
	    0);
	assert_false(l.failed);
	assert_false(l.recording);
	assert_int_equal(l.notes.len, 0);
	assert_string_equal(l.name, "3 dumps");
	assert_string_equal(loaded_file(&l, 1), "p.7.2.i2.heap");
	assert_string_equal(loaded_file(&l, 3), "p.7.10.f.heap");
	assert_string_equal(loaded_file(&l, 0), "");
	assert_string_equal(loaded_file(&l, 4), "");
	h = profile_history(l.profile);
	assert_int_equal(history_count(h), 3);
	assert_true(near(live(&l, 0), 120));
	assert_true(near(live(&l, 1), 110));
	assert_true(near(live(&l, 2), 150));
	assert_int_equal(stacks_count(profile_stacks(l.profile)), 2);
	assert_int_equal(history_cell(h, 1, 1).live_bytes, 20);
	assert_int_equal(history_cell(h, 1, 2).live_bytes, 0);
	assert_int_equal(history_cell(h, 1, 3).live_bytes, 30);
	assert_int_equal(profile_facts(l.profile)->pid, 7);
	assert_string_equal(
	    profile_facts(l.profile)->image, "/nonexistent/bin/prog");
	assert_true(history_at(h, 2)->totals.now_ns ==
	    profile_facts(l.profile)->image_ns + UINT64_C(20000000000));
	loaded_free(&l);
}

/* Names without numbers: by the time of the file. */
static void
test_times(void **state)
{
	struct loaded l;

	(void)state;
	dump("old.heap", 0x400000, 100, 0, 2000);
	dump("new.heap", 0x400000, 300, 0, 3000);
	assert_int_equal(LOAD(&l, NULL, "new.heap", "old.heap"), 0);
	assert_true(near(live(&l, 0), 100));
	assert_true(near(live(&l, 1), 300));
	loaded_free(&l);
	/* names that hold the second, and copies made later */
	dump("p.7.1700000000.u0.heap", 0x400000, 100, 0, 1900000000);
	dump("p.7.1700000060.u1.heap", 0x400000, 200, 0, 1900000000);
	assert_int_equal(
	    LOAD(&l, NULL, "p.7.1700000060.u1.heap", "p.7.1700000000.u0.heap"),
	    0);
	assert_true(near(live(&l, 1), 200));
	assert_true(
	    profile_totals(l.profile)->now_ns == UINT64_C(1700000060000000000));
	loaded_free(&l);
}

/* Given twice, by whatever name, it is one. */
static void
test_twice(void **state)
{
	struct loaded l;

	(void)state;
	dump("a.heap", 0x400000, 100, 0, 2000);
	dump("b.heap", 0x400000, 200, 0, 2001);
	assert_int_equal(symlink("a.heap", "also-a.heap"), 0);
	assert_int_equal(
	    LOAD(&l, NULL, "a.heap", "also-a.heap", "b.heap", "./b.heap"), 0);
	assert_int_equal(l.count, 2);
	assert_true(says(&l, "also-a.heap is given more than once"));
	assert_true(says(&l, "./b.heap is given more than once"));
	loaded_free(&l);
}

static void
test_processes(void **state)
{
	struct loaded l;

	(void)state;
	dump("p.7.0.i0.heap", 0x400000, 100, 0, 2000);
	dump("p.7.1.f.heap", 0x400000, 200, 0, 2001);
	dump("p.8.0.f.heap", 0x400000, 400, 0, 2002);
	assert_int_equal(
	    LOAD(&l, NULL, "p.7.0.i0.heap", "p.8.0.f.heap", "p.7.1.f.heap"), 0);
	assert_int_equal(l.count, 2);
	assert_true(near(live(&l, 1), 200));
	assert_true(says(&l, "2 processes; the 2 of process 7 are shown"));
	assert_false(l.failed);
	loaded_free(&l);
	/* as many of each: the last one */
	assert_int_equal(LOAD(&l, NULL, "p.8.0.f.heap", "p.7.1.f.heap"), 0);
	assert_int_equal(l.count, 1);
	assert_string_equal(l.name, "p.8.0.f.heap");
	loaded_free(&l);
	/* the most cannot be read: the others, then */
	write_file("p.9.0.i0.heap", "heap_v2/x\n", 2000);
	write_file("p.9.1.i1.heap", "heap_v2/x\n", 2000);
	assert_int_equal(
	    LOAD(&l, NULL, "p.9.0.i0.heap", "p.8.0.f.heap", "p.9.1.i1.heap"),
	    0);
	assert_int_equal(l.count, 1);
	assert_true(near(live(&l, 0), 400));
	assert_true(l.failed);
	loaded_free(&l);
}

static void
test_recordings(void **state)
{
	struct loaded l;

	(void)state;
	recording("run.htd.gz", 3);
	assert_int_equal(LOAD(&l, NULL, "run.htd.gz"), 0);
	assert_true(l.recording);
	assert_int_equal(l.count, 0);
	assert_string_equal(l.name, "run.htd.gz");
	assert_string_equal(loaded_file(&l, 1), "");
	assert_int_equal(history_count(profile_history(l.profile)), 3);
	assert_int_equal(profile_facts(l.profile)->image_ns, 5000);
	loaded_free(&l);
	/* with a dump of the same process (77): its last moment */
	dump("p.77.0.f.heap", 0x400000, 100, 0, 2000);
	set_time("run.htd.gz", 1000);
	assert_int_equal(LOAD(&l, NULL, "p.77.0.f.heap", "run.htd.gz"), 0);
	assert_false(l.recording);
	assert_int_equal(l.count, 2);
	assert_true(says(&l, "its last moment"));
	assert_true(near(live(&l, 0), 302));
	assert_true(near(live(&l, 1), 100));
	loaded_free(&l);
	/* of another one: left out */
	assert_int_equal(
	    LOAD(&l, NULL, "p.7.0.i0.heap", "p.7.1.f.heap", "run.htd.gz"), 0);
	assert_int_equal(l.count, 2);
	assert_true(says(&l, "2 processes"));
	loaded_free(&l);
}

static void
test_bad(void **state)
{
	struct loaded l;
	struct err e;

	(void)state;
	dump("good.heap", 0x400000, 100, 0, 2000);
	write_file("bad.heap", "heap_v2/x\n", 2001);
	write_file("none.heap", "hello\n", 2001);
	assert_int_equal(mkdir("dir.heap", 0700), 0);
	assert_int_equal(LOAD(&l, &e, "none.heap", "bad.heap", "good.heap",
			     "dir.heap", "missing.heap"),
	    0);
	assert_true(l.failed);
	assert_int_equal(l.count, 1);
	assert_string_equal(l.name, "good.heap");
	assert_true(says(&l, "bad.heap"));
	assert_true(says(&l, "none.heap"));
	assert_true(says(&l, "dir.heap is a directory"));
	assert_true(says(&l, "missing.heap"));
	loaded_free(&l);
	assert_int_equal(LOAD(&l, &e, "bad.heap", "none.heap"), -1);
	assert_non_null(strstr(e.msg, "none.heap")); /* read first */
	assert_null(l.profile);
}

/* A series of which each file is cut anywhere and some are another's: what
 * is whole is shown, and in order. */
static void
test_random(void **state)
{
	const char *files[40];
	char names[40][32];

	(void)state;
	srand(3);
	for (int round = 0; round < 30; round++) {
		struct loaded l;
		struct err e;
		size_t n = 2 + (size_t)rand() % 38;
		uint64_t before = 0;

		for (size_t i = 0; i < n; i++) {
			struct stat st;

			snprintf(names[i], sizeof names[i], "r.%d.%d.i%d.heap",
			    5 + rand() % 2, rand() % 30, rand() % 3);
			files[i] = names[i];
			dump(names[i], 0x400000 + (unsigned)rand() % 9 * 4096u,
			    (unsigned)rand() % 3 * 100,
			    (unsigned)rand() % 3 * 100,
			    1000 + (unsigned)rand() % 5);
			assert_int_equal(stat(names[i], &st), 0);
			if (rand() % 3 == 0)
				assert_int_equal(
				    truncate(names[i], rand() % st.st_size), 0);
		}
		if (load_list(&l, files, n, &e) < 0) {
			assert_true(e.msg[0] != 0);
			continue;
		}
		assert_int_equal(
		    history_count(profile_history(l.profile)), l.count);
		assert_true(stacks_count(profile_stacks(l.profile)) <= 2 * n);
		for (size_t i = 0; i < l.count; i++) {
			const struct snapshot *s =
			    history_at(profile_history(l.profile), i);

			assert_true(s->totals.now_ns > before);
			before = s->totals.now_ns;
			assert_true(live(&l, i) <= 400);
		}
		loaded_free(&l);
	}
}

/* Many: each one can be gone to. */
static void
test_many(void **state)
{
	static const char *files[FILES_MAX];
	static char names[FILES_MAX][32];
	struct loaded l;

	(void)state;
	for (unsigned i = 0; i < FILES_MAX; i++) {
		snprintf(names[i], sizeof names[i], "m.5.%u.i%u.heap", i, i);
		files[(i * 7) % FILES_MAX] = names[i];
		dump(names[i], 0x400000, 100 + i, i % 2 * 50, 1000 + i);
	}
	/* 7 and FILES_MAX have no common factor but 1 */
	assert_int_equal(load_list(&l, files, FILES_MAX, NULL), 0);
	assert_int_equal(l.count, FILES_MAX);
	assert_string_equal(l.name, "1200 dumps");
	for (unsigned i = 0; i < FILES_MAX; i++)
		assert_true(near(live(&l, i), 100 + i + i % 2 * 50));
	loaded_free(&l);
}

/* ---- bit by bit --------------------------------------------------------- */

static int
begin_list(struct loaded *out, struct loading **more, const char *const *files,
    size_t n, struct err *e)
{
	struct options o = { .mode = MODE_DUMPS,
		.dumps = (char **)(uintptr_t)files };

	o.dump_count = n;
	return dumps_begin(&o, out, more, e);
}

/* The next stage, to its end; false: it was the last. */
static bool
read_stage(struct loading *l, struct loaded *out)
{
	struct loaded old;
	bool goes_on;

	while (dumps_read_on(l))
		assert_int_equal(
		    out->count, history_count(profile_snapshots(out->profile)));
	goes_on = dumps_take(l, &old);
	assert_non_null(old.profile);
	loaded_free(&old);
	return goes_on;
}

static uint64_t
at(const struct loaded *l, size_t i)
{
	return history_at(profile_history(l->profile), i)->totals.now_ns;
}

/* 100 dumps: first the two ends, then 16 from end to end, then all; moments
 * stay what they are, and so do stacks. */
static void
test_stages(void **state)
{
	static const char *files[100];
	static char names[100][32];
	struct loaded l;
	struct loading *more;
	uint64_t ends[2];
	size_t of;

	(void)state;
	for (unsigned i = 0; i < 100; i++) {
		snprintf(names[i], sizeof names[i], "g.5.%u.i%u.heap", i, i);
		files[99 - i] = names[i];
		/* the second stack is not at the ends */
		dump(names[i], 0x400000, 100 + i, i % 99 ? 50 : 0, 1000 + i);
	}
	assert_int_equal(begin_list(&l, &more, files, 100, NULL), 0);
	assert_non_null(more);
	assert_int_equal(l.count, 2);
	assert_string_equal(l.name, "100 dumps");
	assert_string_equal(loaded_file(&l, 1), "g.5.0.i0.heap");
	assert_string_equal(loaded_file(&l, 2), "g.5.99.i99.heap");
	assert_true(near(live(&l, 0), 100));
	assert_true(near(live(&l, 1), 199));
	assert_int_equal(dumps_progress(more, &of), 2);
	assert_int_equal(of, 100);
	ends[0] = at(&l, 0);
	ends[1] = at(&l, 1);
	assert_true(read_stage(more, &l));
	assert_int_equal(l.count, 16);
	assert_int_equal(dumps_progress(more, &of), 16);
	assert_true(at(&l, 0) == ends[0] && at(&l, 15) == ends[1]);
	/* 99 k / 15 */
	assert_string_equal(loaded_file(&l, 2), "g.5.6.i6.heap");
	assert_false(read_stage(more, &l));
	assert_int_equal(l.count, 100);
	assert_int_equal(dumps_progress(more, &of), 100);
	for (unsigned i = 0; i < 100; i++)
		assert_true(near(live(&l, i), 100 + i + (i % 99 ? 50 : 0)));
	assert_true(at(&l, 0) == ends[0] && at(&l, 99) == ends[1]);
	assert_int_equal(stacks_count(profile_stacks(l.profile)), 2);
	assert_false(l.failed);
	dumps_end(more);
	loaded_free(&l);
	/* or not to the end */
	assert_int_equal(begin_list(&l, &more, files, 100, NULL), 0);
	for (int i = 0; i < 5; i++)
		assert_true(dumps_read_on(more));
	dumps_end(more);
	loaded_free(&l);
}

/* Bad ones at both ends and between: each is said once, and counted. */
static void
test_stages_of_bad_ones(void **state)
{
	static const char *const files[] = { "h.1.0.i0.heap", "h.1.1.i1.heap",
		"h.1.2.i2.heap", "h.1.3.i3.heap", "h.1.4.i4.heap",
		"h.1.5.i5.heap" };
	struct loaded l;
	struct loading *more;
	const char *said;
	struct err e;

	(void)state;
	for (unsigned i = 0; i < 6; i++) {
		if (i == 0 || i == 3 || i == 5)
			write_file(files[i], "heap_v2/x\n", 1000 + i);
		else
			dump(files[i], 0x400000, 100 + i, 0, 1000 + i);
	}
	assert_int_equal(begin_list(&l, &more, files, 6, NULL), 0);
	assert_int_equal(l.count, 2);
	assert_int_equal(l.unread, 2);
	assert_string_equal(loaded_file(&l, 1), "h.1.1.i1.heap");
	assert_string_equal(loaded_file(&l, 2), "h.1.4.i4.heap");
	assert_false(read_stage(more, &l));
	assert_int_equal(l.count, 3);
	assert_int_equal(l.unread, 3);
	assert_string_equal(l.name, "3 dumps");
	assert_true(l.failed);
	assert_true(near(live(&l, 1), 102));
	said = strstr(buf_str(&l.notes), "h.1.0.i0.heap");
	assert_non_null(said);
	assert_null(strstr(said + 1, "h.1.0.i0.heap"));
	assert_true(says(&l, "h.1.3.i3.heap"));
	dumps_end(more);
	loaded_free(&l);
	/* two: there is no more */
	assert_int_equal(begin_list(&l, &more, files + 1, 2, NULL), 0);
	assert_null(more);
	assert_int_equal(l.count, 2);
	loaded_free(&l);
	/* nothing */
	assert_int_equal(begin_list(&l, &more, files, 1, &e), -1);
	assert_null(more);
}

/* Other formats are snapshots as well, and names that come with them stay. */
static void
test_formats(void **state)
{
	static const char *const files[] = { "a.txt", "b.txt", "c.heap" };
	struct loaded l;
	const struct frames *f;
	unsigned named = 0;

	(void)state;
	write_file("a.txt", "Total: 5 B\n 5 100.0% 100.0% 5 100.0% text\n", 10);
	write_file("b.txt", "Total: 7 B\n 7 100.0% 100.0% 7 100.0% text\n", 20);
	write_file("c.heap",
	    "--- symbol\n0x10 outer--inner\n---\n--- heap\nheap_v2/1\n"
	    "  t*: 1: 9000 [0: 0]\n@ 0x10\n  t*: 1: 9000 [0: 0]\n",
	    30);
	assert_int_equal(load_list(&l, files, 3, NULL), 0);
	assert_int_equal(l.count, 3);
	assert_true(near(live(&l, 0), 5));
	assert_true(near(live(&l, 1), 7));
	assert_true(near(live(&l, 2), 9000));
	f = profile_frames_const(l.profile);
	for (frame_id id = 1; id <= frames_count(f); id++) {
		const char *name = frames_name(f, id, 0).function;

		named += !strcmp(name, "text") || !strcmp(name, "inner");
		if (!strcmp(name, "inner"))
			assert_string_equal(
			    frames_name(f, id, 1).function, "outer");
	}
	assert_int_equal(named, 2);
	loaded_free(&l);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_series),
		cmocka_unit_test(test_times),
		cmocka_unit_test(test_twice),
		cmocka_unit_test(test_processes),
		cmocka_unit_test(test_recordings),
		cmocka_unit_test(test_bad),
		cmocka_unit_test(test_random),
		cmocka_unit_test(test_many),
		cmocka_unit_test(test_stages),
		cmocka_unit_test(test_stages_of_bad_ones),
		cmocka_unit_test(test_formats),
	};

	return cmocka_run_group_tests(tests, set_up, tear_down);
}
