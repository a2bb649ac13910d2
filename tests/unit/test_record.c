/* needs: src/record.c src/io/domain.c src/target.c src/io/recordfile.c
 * src/io/afterdeath.c src/io/channel.c src/io/procfs.c src/io/infile.c
 * src/io/progress.c src/io/dumpread.c src/io/loop.c prof/encode.c
 * prof/tableread.c
 * src/model/profile.c src/model/births.c src/model/frames.c src/model/modules.c
 * src/model/stacks.c src/model/history.c src/model/history_log.c
 * src/model/plumbing.c src/model/name.c src/base/arena.c src/base/buf.c
 * src/base/err.c src/base/map.c src/base/mem.c src/base/strtab.c
 * src/base/utf8.c src/base/fmt.c src/io/smaps.c src/io/smaps_kinds.c
 * src/io/smaps_look.c src/model/memory.c */
/* libs: -lz */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <fcntl.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/err.h"
#include "io/dumpread.h"
#include "io/recordfile.h"
#include "model/history.h"
#include "model/profile.h"
#include "model/stacks.h"
#include "record.h"
#include "stream.h"
#include "table_fixture.h"
#include "target.h"

static char dir[] = "/tmp/test-record.XXXXXX";
static char path[64];

static int
set_up(void **state)
{
	(void)state;
	if (!mkdtemp(dir) || chdir(dir) < 0)
		return -1;
	snprintf(path, sizeof path, "%s/x.htd.gz", dir);
	return 0;
}

static int
tear_down(void **state)
{
	(void)state;
	unlink(path);
	return rmdir(dir);
}

/* A process with a table, of which nothing was told yet. */
static struct target *
start(void)
{
	struct profile_facts f = { .pid = 77, .image_ns = 5000 };
	struct target *t = target_new(77, &f);
	struct table *table = make_table();
	struct table_head *h = (struct table_head *)(void *)table->chunk[0];

	struct table_module *m =
	    (struct table_module *)(void *)(table->chunk[1] + MODULES_AT);

	/* the module of stream.h has a build-id */
	m->build_id_len = 2;
	m->build_id[0] = 1;
	m->build_id[1] = 2;
	h->hello.image_ns = 5000;
	t->table = table_file(table, sizeof *table);
	free(table);
	return t;
}

static void
hear(struct target *t, const struct buf *b)
{
	struct err e;

	if (dumpread_feed(t->reader, b->data, b->len, &e) < 0)
		fail_msg("%s", e.msg);
}

/* What the recording has; NULL if it is none. */
static struct profile *
replay(int wanted)
{
	struct profile *p = profile_new();
	struct buf notes = BUF_INIT;
	struct err e;
	int got = recordfile_read(path, p, &notes, &e);

	assert_int_equal(got, wanted);
	buf_fini(&notes);
	return p;
}

static double
live(const struct profile *p, size_t i)
{
	return history_at(profile_history(p), i)->live_bytes;
}

/* From the first dump on: all of it, and nothing of the table. */
static void
test_from_start(void **state)
{
	struct target *t = start();
	struct record *r = record_start(t, path, NULL);
	struct buf b = BUF_INIT;
	struct profile *p;

	(void)state;
	assert_non_null(r);
	assert_int_equal(record_dumps(r), 0);
	stream_dump(&b, 9000, 300);
	stream_change(&b, 10000, 200);
	hear(t, &b);
	assert_int_equal(record_dumps(r), 2);
	assert_int_equal(record_bytes(r), b.len);
	assert_string_equal(record_path(r), path);
	assert_false(record_failed(r, NULL));
	assert_int_equal(record_stop(r, NULL), 0);
	p = replay(0);
	assert_int_equal(history_count(profile_history(p)), 2);
	assert_true(live(p, 1) == 200);
	profile_free(p);
	/* what comes later is not in it */
	hear(t, &b);
	p = replay(0);
	assert_int_equal(history_count(profile_history(p)), 2);
	profile_free(p);
	buf_fini(&b);
	target_free(t);
}

/* From the middle: the table, then what changes.  The table has 2000 live
 * bytes in slot 1 (table_fixture.h); the stream's cell is in slot 3. */
static void
test_from_middle(void **state)
{
	struct target *t = start();
	struct record *r;
	struct buf b = BUF_INIT;
	struct profile *p;

	(void)state;
	stream_dump(&b, 9000, 300);
	hear(t, &b);
	r = record_start(t, path, NULL);
	assert_non_null(r);
	assert_int_equal(record_dumps(r), 1);
	/* the profile on the screen does not notice */
	assert_int_equal(history_count(profile_history(t->profile)), 1);
	buf_clear(&b);
	stream_change(&b, 10000, 200);
	hear(t, &b);
	assert_int_equal(record_stop(r, NULL), 0);
	p = replay(0);
	assert_int_equal(history_count(profile_history(p)), 2);
	assert_true(live(p, 0) == 2000);
	assert_true(live(p, 1) == 2200);
	assert_int_equal(profile_facts(p)->image_ns, 5000);
	assert_string_equal(profile_facts(p)->image, "/bin/x");
	profile_free(p);
	buf_fini(&b);
	target_free(t);
}

/* Begun while a dump is being read: its second half is no dump, unless the
 * frame it begins with is not all here yet. */
static void
test_inside_dump(void **state)
{
	(void)state;
	for (size_t cut = 1;; cut += 13) {
		struct target *t = start();
		struct record *r;
		struct buf b = BUF_INIT;
		struct profile *p;
		struct buf part = BUF_INIT;
		size_t size, dumps, hello;

		stream_hello(&b, FRAME_HELLO, FORMAT_VERSION);
		hello = b.len;
		buf_clear(&b);
		stream_dump(&b, 9000, 300);
		size = b.len;
		dumps = cut < hello ? 2 : 1;
		if (cut >= size) {
			buf_fini(&b);
			target_free(t);
			return;
		}
		buf_put(&part, b.data, cut);
		hear(t, &part);
		r = record_start(t, path, NULL);
		assert_non_null(r);
		buf_clear(&part);
		buf_put(&part, b.data + cut, size - cut);
		hear(t, &part);
		assert_int_equal(record_dumps(r), dumps);
		buf_clear(&part);
		stream_change(&part, 10000, 200);
		hear(t, &part);
		assert_int_equal(record_stop(r, NULL), 0);
		p = replay(0);
		assert_int_equal(history_count(profile_history(p)), dumps + 1);
		assert_true(live(p, dumps) == 2200);
		profile_free(p);
		buf_fini(&part);
		buf_fini(&b);
		target_free(t);
	}
}

/* The last moment of a process that dies is in it; so is what a silent
 * helper's table says. */
static void
test_death(void **state)
{
	struct target *t = start();
	struct buf b = BUF_INIT;
	struct record *r;
	struct profile *p;
	struct err e;

	(void)state;
	stream_dump(&b, 9000, 300);
	hear(t, &b);
	r = record_start(t, path, NULL);
	assert_int_equal(target_read_table(t, NULL), 0);
	assert_int_equal(record_dumps(r), 2);
	target_end(t, "was killed by SIGKILL");
	assert_int_equal(record_dumps(r), 3);
	assert_int_equal(record_stop(r, NULL), 0);
	p = replay(0);
	assert_int_equal(history_count(profile_history(p)), 3);
	assert_true(live(p, 2) == 2000);
	profile_free(p);
	assert_null(record_start(t, path, &e));
	assert_non_null(strstr(e.msg, "77"));
	buf_fini(&b);
	target_free(t);
}

/* Scribbled over: the recording replays as the live profile was. */
static void
test_scribbled(void **state)
{
	struct target *t = start();
	uint32_t nowhere = 0xdeadbee8;
	struct record *r = record_start(t, path, NULL);
	struct profile *p;

	(void)state;
	assert_int_equal(pwrite(t->table, &nowhere, sizeof nowhere,
			     offsetof(struct table_head, module_dir)),
	    sizeof nowhere);
	target_end(t, "");
	assert_int_equal(record_stop(r, NULL), 0);
	p = replay(1);
	assert_int_equal(history_count(profile_history(p)), 1);
	assert_int_equal(stacks_count(profile_stacks(p)),
	    stacks_count(profile_stacks(t->profile)));
	profile_free(p);
	target_free(t);
}

static void
test_no_table(void **state)
{
	struct target *t = start();
	struct buf b = BUF_INIT;
	struct err e;

	(void)state;
	unlink(path);
	close(t->table);
	t->table = -1;
	stream_dump(&b, 9000, 300);
	hear(t, &b);
	assert_null(record_start(t, path, &e));
	assert_non_null(strstr(e.msg, "77"));
	assert_int_equal(access(path, F_OK), -1);
	/* an empty one is no better */
	t->table = open("/dev/null", O_RDONLY);
	assert_null(record_start(t, path, &e));
	assert_int_equal(access(path, F_OK), -1);
	buf_fini(&b);
	target_free(t);
}

static void
test_unwritable(void **state)
{
	struct target *t = start();
	struct rlimit limit = { 100, RLIM_INFINITY };
	struct record *r;
	struct buf b = BUF_INIT;
	struct err e;

	(void)state;
	assert_null(record_start(t, "/nonexistent/x", &e));
	assert_non_null(strstr(e.msg, "/nonexistent/x"));
	r = record_start(t, path, NULL);
	signal(SIGXFSZ, SIG_IGN);
	setrlimit(RLIMIT_FSIZE, &limit);
	stream_dump(&b, 9000, 300);
	hear(t, &b); /* more than 100 bytes, however compressed */
	assert_true(record_failed(r, &e));
	assert_non_null(strstr(e.msg, path));
	hear(t, &b);
	assert_int_equal(record_dumps(r), 0);
	assert_int_equal(record_stop(r, &e), -1);
	assert_non_null(strstr(e.msg, path));
	limit.rlim_cur = RLIM_INFINITY;
	setrlimit(RLIMIT_FSIZE, &limit);
	buf_fini(&b);
	target_free(t);
}

static void
test_name(void **state)
{
	char *name = record_name(77);

	(void)state;
	assert_string_equal(name, "heaptop-77.htd.gz");
	assert_int_equal(close(creat(name, 0600)), 0);
	free(name);
	name = record_name(77);
	assert_string_equal(name, "heaptop-77.2.htd.gz");
	free(name);
	unlink("heaptop-77.htd.gz");
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_from_start),
		cmocka_unit_test(test_from_middle),
		cmocka_unit_test(test_inside_dump),
		cmocka_unit_test(test_death),
		cmocka_unit_test(test_scribbled),
		cmocka_unit_test(test_no_table),
		cmocka_unit_test(test_unwritable),
		cmocka_unit_test(test_name),
	};

	return cmocka_run_group_tests(tests, set_up, tear_down);
}
