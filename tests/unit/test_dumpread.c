/* needs: src/io/dumpread.c src/io/domain.c src/model/profile.c
 * src/model/frames.c src/model/modules.c src/model/stacks.c
 * src/model/history.c src/model/history_log.c src/model/plumbing.c
 * src/model/name.c src/base/arena.c src/base/buf.c src/base/err.c
 * src/base/map.c src/base/mem.c src/base/strtab.c src/base/utf8.c */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <string.h>

#include "base/err.h"
#include "io/dumpread.h"
#include "model/frames.h"
#include "model/history.h"
#include "model/profile.h"
#include "model/stacks.h"
#include "stream.h"

static double
live(const struct profile *p)
{
	const struct history *h = profile_history(p);

	return history_at(h, history_count(h) - 1)->live_bytes;
}

/* All the bytes, one at a time: every state is passed through. */
static int
drip(struct dumpread *d, const struct buf *b, struct err *e)
{
	for (size_t i = 0; i < b->len; i++)
		if (dumpread_feed(d, b->data + i, 1, e) < 0)
			return -1;
	return 0;
}

static void
test_whole(void **state)
{
	struct profile *p = profile_new();
	struct dumpread *d = dumpread_new(p, "process 77");
	struct buf b = BUF_INIT;
	const struct profile_facts *f;
	const struct stack *s;

	(void)state;
	stream_dump(&b, 9000, 300);
	assert_int_equal(drip(d, &b, NULL), 0);
	assert_int_equal(dumpread_finish(d, NULL), 0);
	assert_int_equal(dumpread_snapshots(d), 1);
	f = profile_facts(p);
	assert_int_equal(f->pid, 77);
	assert_string_equal(f->image, "/bin/x");
	assert_string_equal(f->command, "x -y");
	assert_int_equal(f->build_id_len, 2);
	assert_true(live(p) == 300);
	assert_int_equal(profile_totals(p)->now_ns, 9000);
	assert_string_equal(profile_thread_name(p, 3), "main");
	assert_int_equal(stacks_count(profile_stacks(p)), 1);
	s = stacks_at(profile_stacks(p), 1);
	assert_int_equal(s->count, 2);
	assert_int_equal(frames_module(profile_frames(p), s->frames[1]), 1);
	assert_int_equal(frames_offset(profile_frames(p), s->frames[1]), 0x20);

	buf_clear(&b);
	stream_change(&b, 10000, 200);
	assert_int_equal(drip(d, &b, NULL), 0);
	assert_int_equal(dumpread_snapshots(d), 2);
	assert_true(live(p) == 200);
	buf_fini(&b);
	dumpread_free(d);
	profile_free(p);
}

/* Feed a stream and expect its defect in the sentence. */
static void
refuse(const struct buf *b, const char *what)
{
	struct profile *p = profile_new();
	struct dumpread *d = dumpread_new(p, "process 77");
	struct err e, again;
	int r = dumpread_feed(d, b->data, b->len, &e);

	if (r == 0)
		r = dumpread_finish(d, &e);
	assert_int_equal(r, -1);
	if (strstr(e.msg, what) == NULL)
		fail_msg("'%s' does not say '%s'", e.msg, what);
	assert_non_null(strstr(e.msg, "process 77"));
	/* and it stays so */
	assert_int_equal(dumpread_finish(d, &again), -1);
	assert_string_equal(e.msg, again.msg);
	assert_null(profile_totals(p));
	dumpread_free(d);
	profile_free(p);
}

static void
test_defects(void **state)
{
	struct buf b = BUF_INIT;
	struct frame_head h = { FRAME_MAX + 1, FRAME_CELLS, 0 };
	size_t hello;

	(void)state;
	refuse(&b, "holds no dump");
	stream_hello(&b, FRAME_HELLO, FORMAT_VERSION + 1);
	refuse(&b, "version 2");
	buf_clear(&b);
	stream_cell(&b, 1, 0, 1);
	refuse(&b, "byte 0: a dump without its beginning");

	buf_clear(&b);
	stream_hello(&b, FRAME_HELLO, FORMAT_VERSION);
	hello = b.len;
	refuse(&b, "ends inside a dump");
	stream_hello(&b, FRAME_HELLO, FORMAT_VERSION);
	refuse(&b, "begins inside another");
	b.len = hello;
	buf_put(&b, &h, sizeof h);
	refuse(&b, "no frame begins here");
	b.len = hello;
	stream_stack(&b, 1, 4);
	refuse(&b, "module 4");
	b.len = hello;
	stream_cell(&b, 5, 0, 1);
	refuse(&b, "byte 68"); /* 8 + 48 + 12 of the hello */
	b.len = hello;
	stream_cell(&b, 5, 1024, 1);
	refuse(&b, "slot");
	b.len = hello;
	stream_totals(&b, 1, 1);
	stream_end(&b, 0, 0, 1, 0);
	refuse(&b, "frames of the dump are missing");
	b.len = hello;
	stream_end(&b, 0, 0, 0, 0);
	refuse(&b, "without totals");
	b.len = hello;
	stream_frame(&b, FRAME_TOTALS, "abc", 3);
	refuse(&b, "totals of a wrong size");
	buf_fini(&b);
}

/* Frames of kinds that are not known are for later versions. */
static void
test_unknown_kind(void **state)
{
	struct profile *p = profile_new();
	struct dumpread *d = dumpread_new(p, "x");
	struct buf b = BUF_INIT;

	(void)state;
	stream_hello(&b, FRAME_HELLO, FORMAT_VERSION);
	stream_frame(&b, 999, "abc", 3);
	stream_frame(&b, 998, "", 0);
	stream_totals(&b, 1, 1);
	stream_end(&b, 0, 0, 0, 0);
	assert_int_equal(drip(d, &b, NULL), 0);
	assert_int_equal(dumpread_snapshots(d), 1);
	buf_fini(&b);
	dumpread_free(d);
	profile_free(p);
}

/* After damage the last whole snapshot stands, and a new connection to the
 * same image goes on. */
static void
test_restart(void **state)
{
	struct profile *p = profile_new();
	struct dumpread *d = dumpread_new(p, "x");
	struct buf b = BUF_INIT;
	struct err e;

	(void)state;
	stream_dump(&b, 9000, 300);
	stream_change(&b, 10000, 200);
	assert_int_equal(dumpread_feed(d, b.data, b.len - 1, NULL), 0);
	assert_true(dumpread_busy(d));
	assert_int_equal(dumpread_finish(d, &e), -1);
	assert_true(live(p) == 300);
	dumpread_restart(d);
	assert_false(dumpread_busy(d));
	buf_clear(&b);
	stream_dump(&b, 11000, 250);
	assert_int_equal(dumpread_feed(d, b.data, b.len, &e), 0);
	assert_true(live(p) == 250);
	/* another process is another profile */
	buf_clear(&b);
	stream_dump(&b, 12000, 1);
	b.data[8 + offsetof(struct hello, image_ns)]++;
	assert_int_equal(dumpread_feed(d, b.data, b.len, &e), -1);
	assert_non_null(strstr(e.msg, "another process"));
	buf_fini(&b);
	dumpread_free(d);
	profile_free(p);
}

static void
keep(void *arg, const void *data, size_t len)
{
	buf_put(arg, data, len);
}

static void
test_tap(void **state)
{
	struct profile *p = profile_new();
	struct dumpread *d = dumpread_new(p, "x");
	struct buf b = BUF_INIT, got = BUF_INIT;
	size_t whole;

	(void)state;
	dumpread_tap(d, keep, &got);
	stream_dump(&b, 9000, 300);
	whole = b.len;
	stream_change(&b, 10000, 200);
	assert_int_equal(dumpread_feed(d, b.data, b.len - 1, NULL), 0);
	assert_int_equal(got.len, whole); /* the cut one is not in it */
	assert_memory_equal(got.data, b.data, whole);
	buf_fini(&b);
	buf_fini(&got);
	dumpread_free(d);
	profile_free(p);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_whole),
		cmocka_unit_test(test_defects),
		cmocka_unit_test(test_unknown_kind),
		cmocka_unit_test(test_restart),
		cmocka_unit_test(test_tap),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
