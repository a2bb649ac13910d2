/* needs: src/io/pproffile.c src/io/pprofdata.c src/io/heapread.c
 * src/io/heapdata.c src/io/heapfigures.c src/io/heapsymbols.c
 * src/io/heapwords.c src/io/heapnotes.c src/io/heapmaps.c src/io/heapfit.c
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

#include <zlib.h>

#include "io/pproffile.h"
#include "reader_fixture.h"

/* ---- a writer of protocol buffers ---- */

static void
varint(struct buf *b, uint64_t v)
{
	for (; v >= 0x80; v >>= 7)
		buf_putc(b, (char)(0x80 | (v & 0x7f)));
	buf_putc(b, (char)v);
}

static void
number(struct buf *b, unsigned field, uint64_t v)
{
	varint(b, field << 3);
	varint(b, v);
}

static void
bytes(struct buf *b, unsigned field, const void *p, size_t len)
{
	varint(b, field << 3 | 2);
	varint(b, len);
	buf_put(b, p, len);
}

/* A message of numbers, field by field until one is 0. */
static void
message(struct buf *b, unsigned field, const uint64_t *pairs)
{
	struct buf m = BUF_INIT;

	for (; pairs[0]; pairs += 2)
		number(&m, (unsigned)pairs[0], pairs[1]);
	bytes(b, field, buf_str(&m), m.len);
	buf_fini(&m);
}
#define MESSAGE(b, field, ...) \
	message(b, field, (const uint64_t[]){ __VA_ARGS__, 0, 0 })

static void
strings(struct buf *b, const char *const *list)
{
	for (; *list; list++)
		bytes(b, 6, *list, strlen(*list));
}

static void
location(struct buf *b, uint64_t id, uint64_t mapping, uint64_t address,
    uint64_t inner, uint64_t outer)
{
	struct buf m = BUF_INIT;

	number(&m, 1, id);
	number(&m, 2, mapping);
	number(&m, 3, address);
	if (inner)
		MESSAGE(&m, 4, 1, inner, 2, 10 + inner);
	if (outer)
		MESSAGE(&m, 4, 1, outer, 2, 10 + outer);
	bytes(b, 4, buf_str(&m), m.len);
	buf_fini(&m);
}

/*
 * alloc and inuse, objects and space; a stack 1 (packed), 2 (not packed) with
 * 4 objects of 4000 bytes in use, and the same once more with half of it.
 */
static void
profile_of(struct buf *b, uint64_t period)
{
	static const char *const names[] = { "", "alloc_objects", "count",
		"alloc_space", "bytes", "inuse_objects", "inuse_space",
		"/nonexistent/prog", "aabbccdd", "inner", "outer", "a.c",
		"space", NULL };
	static const char packed[] = { 1, 2 };
	static const char values[] = { 8, 0x40, 2, 0x20 }; /* 8 64 2 32 */
	struct buf m = BUF_INIT;

	MESSAGE(b, 1, 1, 1, 2, 2);
	MESSAGE(b, 1, 1, 3, 2, 4);
	MESSAGE(b, 1, 1, 5, 2, 2);
	MESSAGE(b, 1, 1, 6, 2, 4);
	MESSAGE(b, 2, 1, 1, 1, 2, 2, 4, 2, 4000, 2, 4, 2, 4000);
	bytes(&m, 1, packed, 2);
	bytes(&m, 2, values, 4);
	bytes(b, 2, m.data, m.len);
	buf_fini(&m);
	MESSAGE(b, 3, 1, 1, 2, 0x1000, 3, 0x2000, 4, 0x1000, 5, 7, 6, 8);
	location(b, 1, 1, 0x1234, 1, 2);
	location(b, 2, 1, 0x1300, 0, 0);
	MESSAGE(b, 5, 1, 1, 2, 9, 4, 11);
	MESSAGE(b, 5, 1, 2, 2, 10, 4, 11);
	strings(b, names);
	number(b, 9, 1600000000000000000u);
	MESSAGE(b, 11, 1, 12, 2, 4);
	number(b, 12, period);
}

static struct profile *
read_buf(struct buf *b, size_t len)
{
	return reader_bytes(pproffile_read, buf_str(b), len);
}

static void
test_figures(void **state)
{
	struct buf b = BUF_INIT;
	struct profile *p;
	const struct profile_cell *c;
	struct frame_name name;
	size_t n;

	(void)state;
	profile_of(&b, 0);
	p = read_buf(&b, b.len);
	assert_int_equal(reader_result, 0);
	assert_true(reader_snapshot(p)->live_bytes == 4032);
	assert_true(reader_snapshot(p)->live_objects == 6);
	assert_true(reader_snapshot(p)->alloc_bytes == 4064);
	assert_true(reader_snapshot(p)->alloc_objects == 12);
	assert_int_equal(stacks_count(profile_stacks(p)), 1);
	c = profile_cells(p, &n);
	assert_int_equal(n, 1);
	assert_true(c[0].v.live_var_bytes == 0);
	assert_int_equal(profile_facts(p)->wall_ns, 1600000000000000000u);
	assert_string_equal(reader_name(p, 1, 0, 0), "inner");
	assert_string_equal(reader_name(p, 1, 0, 1), "outer");
	name = frames_name(
	    profile_frames(p), stacks_at(profile_stacks(p), 1)->frames[0], 0);
	assert_string_equal(name.file, "a.c");
	assert_int_equal(name.line, 11);
	/* the mapping begins at 0x1000, which is 0x1000 in the file */
	assert_string_equal(reader_name(p, 1, 1, 0), "prog+0x1300");
	profile_free(p);
	buf_fini(&b);
}

/* x = 4032 / 6 = 672, R = 1000: w = 1 / (1 - exp(-.672)) = 2.043678; variance
 * 6 (w - 1) = 6.2621 objects^2, 6 / w = 2.9 samples. */
static void
test_error(void **state)
{
	struct buf b = BUF_INIT;
	struct profile *p;
	const struct profile_cell *c;
	size_t n;

	(void)state;
	profile_of(&b, 1000);
	p = read_buf(&b, b.len);
	c = profile_cells(p, &n);
	assert_true(fabs(c[0].v.live_var_objects - 6.2621) < .001);
	assert_int_equal(c[0].v.live_samples, 3);
	assert_int_equal(profile_totals(p)->lg_sample, 10);
	profile_free(p);
	buf_fini(&b);
}

static void
test_gzip(void **state)
{
	struct buf b = BUF_INIT;
	struct profile *p;
	gzFile gz;

	(void)state;
	profile_of(&b, 0);
	gz = gzopen(reader_path, "wb");
	gzwrite(gz, b.data, (unsigned)b.len);
	gzclose(gz);
	p = reader_file(pproffile_read, reader_path);
	assert_true(reader_snapshot(p)->live_bytes == 4032);
	profile_free(p);
	buf_fini(&b);
}

/* Cut anywhere it gives what is whole, or says why not. */
static void
test_cut(void **state)
{
	struct buf b = BUF_INIT;
	unsigned used = 0;

	(void)state;
	profile_of(&b, 0);
	for (size_t n = 1; n < b.len; n++) {
		struct profile *p = read_buf(&b, n);

		used += p != NULL;
		if (p == NULL)
			assert_non_null(strstr(reader_error.msg, reader_path));
		profile_free(p);
	}
	assert_true(used > 10);
	buf_fini(&b);
}

static void
test_damaged(void **state)
{
	static const char *const cpu[] = { "", "samples", "count", "cpu",
		"nanoseconds", NULL };
	struct buf b = BUF_INIT;

	(void)state;
	MESSAGE(&b, 1, 1, 1, 2, 2);
	MESSAGE(&b, 1, 1, 3, 2, 4);
	strings(&b, cpu);
	assert_null(read_buf(&b, b.len));
	assert_non_null(strstr(reader_error.msg, "measures samples"));
	buf_clear(&b);
	profile_of(&b, 0);
	MESSAGE(&b, 2, 1, 77, 2, 1); /* of a place that is not there */
	bytes(&b, 2, "\xff", 1);
	{
		struct profile *p = read_buf(&b, b.len);

		assert_int_equal(reader_result, 1);
		assert_true(reader_snapshot(p)->live_bytes == 4032);
		assert_non_null(
		    strstr(buf_str(&reader_notes), "1 stacks are of places"));
		profile_free(p);
	}
	buf_fini(&b);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_figures),
		cmocka_unit_test(test_error),
		cmocka_unit_test(test_gzip),
		cmocka_unit_test(test_cut),
		cmocka_unit_test(test_damaged),
	};

	return cmocka_run_group_tests(tests, reader_set_up, reader_tear_down);
}
