/* needs: src/io/dumpread.c src/io/domain.c src/model/profile.c
 * src/model/births.c
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
#include "model/births.h"
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

/* A dump of a cell and of objects: a whole one with two, then one dies and one
 * comes under its number. */
static void
test_births(void **state)
{
	struct profile *p = profile_new();
	struct dumpread *d = dumpread_new(p, "x");
	struct buf b = BUF_INIT;
	const struct birth *all;
	size_t n;

	(void)state;
	stream_dump(&b, 9000, 300);
	stream_hello(&b, FRAME_HELLO, FORMAT_VERSION);
	stream_cell(&b, 1, 3, 300);
	stream_ages(&b, AGES_WHOLE);
	stream_birth(&b, 1, 10, 100);
	stream_birth(&b, 7, 12, 200);
	stream_totals(&b, 9500, 300);
	stream_end_births(&b, 1, 2);
	stream_hello(&b, FRAME_HELLO, FORMAT_VERSION);
	stream_ages(&b, 0);
	stream_death(&b, 7);
	stream_birth(&b, 1, 20, 150);
	stream_totals(&b, 9600, 300);
	stream_end_births(&b, 0, 2);
	assert_int_equal(drip(d, &b, NULL), 0);
	all = births_all(profile_births(p), &n);
	assert_int_equal(n, 3);
	assert_int_equal(births_start_ns(profile_births(p)), 5000);
	for (size_t i = 0; i < n; i++) {
		assert_int_equal(all[i].cell, 0);
		assert_int_equal(
		    birth_size(&all[i]), i == 2 ? 150 : 100 + 100 * i);
		assert_int_equal(birth_lives(&all[i], 1), 0);
		assert_int_equal(birth_lives(&all[i], 2), i < 2);
		assert_int_equal(birth_lives(&all[i], 3), i == 2);
	}
	dumpread_free(d);
	profile_free(p);
	buf_fini(&b);
}

static void
wrong_birth(const char *what, const struct birth_frame *f, uint32_t count,
    unsigned kind, size_t size)
{
	struct profile *p = profile_new();
	struct dumpread *d = dumpread_new(p, "x");
	struct buf b = BUF_INIT;
	struct err e;

	stream_dump(&b, 9000, 300);
	stream_hello(&b, FRAME_HELLO, FORMAT_VERSION);
	if (kind != FRAME_AGES && size % 4 == 0)
		stream_ages(&b, 0);
	stream_frame(&b, kind, f, size);
	stream_totals(&b, 9500, 300);
	stream_end_births(&b, 0, count);
	assert_int_equal(drip(d, &b, &e), -1);
	if (!strstr(e.msg, what))
		fail_msg("%s", e.msg);
	assert_int_equal(dumpread_snapshots(d), 1);
	dumpread_free(d);
	profile_free(p);
	buf_fini(&b);
}

static void
test_wrong_births(void **state)
{
	struct birth_frame f = { 1, 1, 100, 10, 3, 0, 0 };
	const size_t size = sizeof f;

	(void)state;
	wrong_birth(
	    "frames of the dump are missing", &f, 2, FRAME_BIRTHS, size);
	wrong_birth("births of a wrong size", &f, 1, FRAME_BIRTHS, size - 4);
	wrong_birth("births of a wrong size", &f, 1, FRAME_BIRTHS, 0);
	wrong_birth("deaths of a wrong size", &f, 1, FRAME_DEATHS, 3);
	wrong_birth("ages of a wrong size", &f, 1, FRAME_AGES, size);
	f.number = BIRTHS_NUMBERS;
	wrong_birth("not a possible object", &f, 1, FRAME_BIRTHS, size);
	wrong_birth("not a possible object", &f, 6, FRAME_DEATHS, 4);
	f.number = 1;
	f.stack = 2;
	wrong_birth("not a possible object", &f, 1, FRAME_BIRTHS, size);
	f.stack = 1;
	f.slot = 4;
	wrong_birth("not a possible object", &f, 1, FRAME_BIRTHS, size);
	f.slot = 3;
	f.size = 0;
	wrong_birth("not a possible object", &f, 1, FRAME_BIRTHS, size);
	f.size = 8;
	f.lg_sample = 64;
	wrong_birth("not a possible object", &f, 1, FRAME_BIRTHS, size);
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
		cmocka_unit_test(test_births),
		cmocka_unit_test(test_wrong_births),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
