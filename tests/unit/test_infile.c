/* needs: src/io/infile.c src/io/progress.c src/base/mem.c src/base/err.c src/base/buf.c */
/* libs: -lz */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>

#include "base/buf.h"
#include "base/err.h"
#include "io/infile.h"

static char path[] = "/tmp/test-infile.XXXXXX";

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
	return unlink(path);
}

static void
put(const char *data, size_t len)
{
	int fd = open(path, O_WRONLY | O_TRUNC);

	assert_int_equal(write(fd, data, len), len);
	close(fd);
}

static void
put_gz(const char *data, size_t len)
{
	gzFile gz = gzopen(path, "wb");

	assert_int_equal(gzwrite(gz, data, (unsigned)len), len);
	gzclose(gz);
}

static void
check_lines(void)
{
	struct infile *f = infile_open(path, NULL);
	const char *line;
	size_t len;

	assert_int_equal(infile_line(f, &line, &len, NULL), 1);
	assert_string_equal(line, "one");
	assert_true(infile_line_whole(f));
	assert_int_equal(infile_line(f, &line, &len, NULL), 1);
	assert_string_equal(line, ""); /* an empty one, with CR */
	assert_int_equal(infile_line(f, &line, &len, NULL), 1);
	assert_int_equal(len, 3);
	assert_memory_equal(line, "a\0b", 4);
	assert_int_equal(infile_line(f, &line, &len, NULL), 1);
	assert_string_equal(line, "cut\r");
	assert_false(infile_line_whole(f));
	assert_int_equal(infile_line_number(f), 4);
	assert_int_equal(infile_line(f, &line, &len, NULL), 0);
	infile_close(f);
}

static void
test_lines(void **state)
{
	static const char text[] = "one\r\n\r\na\0b\ncut\r";

	(void)state;
	put(text, sizeof text - 1);
	check_lines();
	put_gz(text, sizeof text - 1);
	check_lines();
}

/* Lines of 0 to 99 bytes over several pieces of what is read at once: some
 * lie in one, some across two. */
static void
test_many_lines(void **state)
{
	struct buf b = BUF_INIT;
	struct infile *f;
	const char *line;
	size_t len;

	(void)state;
	for (size_t i = 0; i < 9000; i++) {
		buf_pad(&b, (char)('a' + i % 26), i % 100);
		buf_puts(&b, i % 7 ? "\n" : "\r\n");
	}
	put(b.data, b.len);
	f = infile_open(path, NULL);
	assert_non_null(f);
	for (size_t i = 0; i < 9000; i++) {
		assert_int_equal(infile_line(f, &line, &len, NULL), 1);
		assert_int_equal(len, i % 100);
		assert_int_equal(strlen(line), len);
		assert_int_equal(
		    strspn(line, (char[]){ (char)('a' + i % 26), 0 }), len);
		assert_int_equal(infile_line_number(f), i + 1);
	}
	assert_int_equal(infile_line(f, &line, &len, NULL), 0);
	infile_close(f);
	buf_fini(&b);
}

static void
test_long_line(void **state)
{
	size_t n = 3 * (size_t)INFILE_LINE_MAX, len;
	char *text = malloc(n + 6);
	struct infile *f;
	const char *line;

	(void)state;
	memset(text, 'x', n);
	memcpy(text + n, "\nnext\n", 6);
	put(text, n + 6);
	free(text);
	f = infile_open(path, NULL);
	assert_int_equal(infile_line(f, &line, &len, NULL), 1);
	assert_int_equal(len, INFILE_LINE_MAX);
	assert_true(infile_line_whole(f));
	assert_int_equal(infile_line(f, &line, &len, NULL), 1);
	assert_string_equal(line, "next");
	assert_int_equal(infile_line_number(f), 2);
	infile_close(f);
}

/* 200 MiB of nothing take no room; they are not read to their end. */
static void
test_endless_line(void **state)
{
	struct infile *f;
	const char *line;
	struct err e;
	size_t len;

	(void)state;
	put("first\n", 6);
	assert_int_equal(truncate(path, 200 << 20), 0);
	f = infile_open(path, NULL);
	assert_int_equal(infile_line(f, &line, &len, NULL), 1);
	assert_string_equal(line, "first");
	assert_int_equal(infile_line(f, &line, &len, &e), -1);
	assert_non_null(strstr(e.msg, "without an end of the line"));
	infile_close(f);
}

static void
test_damaged(void **state)
{
	char text[100000], c;
	struct stat st;
	struct err e;
	struct infile *f;
	long n;

	(void)state;
	srand(1);
	for (size_t i = 0; i < sizeof text; i++)
		text[i] = (char)rand();
	put_gz(text, sizeof text);
	assert_int_equal(stat(path, &st), 0);
	assert_int_equal(truncate(path, st.st_size / 2), 0);
	f = infile_open(path, NULL);
	while ((n = infile_read(f, &c, 1, &e)) == 1)
		;
	assert_int_equal(n, -1);
	assert_non_null(strstr(e.msg, "is cut"));
	infile_close(f);
	assert_null(infile_open("/nonexistent/x", &e));
	assert_non_null(strstr(e.msg, "/nonexistent/x"));
	assert_null(infile_open("/tmp", &e));
	assert_non_null(strstr(e.msg, "directory"));
}

static enum file_kind
kind(const char *text)
{
	put(text, strlen(text));
	return infile_kind(path);
}

static void
test_kinds(void **state)
{
	static const char proto[] = "\x0a\x04\x08\x01\x10\x02";

	(void)state;
	assert_int_equal(kind("heap_v2/1\n"), FILE_HEAP_V2);
	assert_int_equal(kind("\xef\xbb\xbfheap_v2/1\n"), FILE_HEAP_V2);
	assert_int_equal(kind("%warn x\nheap_v2/1\n"), FILE_HEAP_V2);
	assert_int_equal(kind("said\nheap_v2/1\n"), FILE_HEAP_V2);
	assert_int_equal(kind("#!/bin/sh\nheap_v2/1\n"), FILE_OTHER);
	assert_int_equal(kind("heap profile: 1: 2\n"), FILE_GPERF);
	assert_int_equal(kind("--- symbol\n"), FILE_SYMBOLIZED);
	assert_int_equal(kind("Total: 4.0 MB\n"), FILE_REPORT);
	assert_int_equal(kind("Total (t0): 4.0 MB\n"), FILE_REPORT);
	assert_int_equal(
	    kind("Using local file a.\nTotal: 1 B\n"), FILE_REPORT);
	assert_int_equal(
	    kind("     0.4   0.3%   0.3%      0.4   0.3% f\n"), FILE_REPORT);
	assert_int_equal(kind("  1 2 3 4 5 6\n"), FILE_OTHER);
	assert_int_equal(kind("Total: eclipse\n"), FILE_OTHER);
	assert_int_equal(kind("\177ELF\2\1\1"), FILE_OTHER);
	assert_int_equal(kind(""), FILE_OTHER);
	assert_int_equal(kind(proto), FILE_PPROF);
	put_gz("heap_v2/1\n", 10);
	assert_int_equal(infile_kind(path), FILE_HEAP_V2);
	assert_int_equal(infile_kind("/nonexistent"), FILE_OTHER);
	assert_int_equal(infile_kind("/tmp"), FILE_OTHER);
}

/* A byte that is looked at stays, for lines as for bytes. */
static void
test_peek(void **state)
{
	struct infile *f;
	struct err e;
	const char *line;
	size_t len;
	char c;

	(void)state;
	put("ab\nc", 4);
	f = infile_open(path, &e);
	assert_int_equal(infile_peek(f, &e), 'a');
	assert_int_equal(infile_line(f, &line, &len, &e), 1);
	assert_string_equal(line, "ab");
	assert_int_equal(infile_peek(f, &e), 'c');
	assert_int_equal(infile_read(f, &c, 1, &e), 1);
	assert_int_equal(c, 'c');
	assert_int_equal(infile_peek(f, &e), 256);
	infile_close(f);
}

/* Nobody writes to it: a reader would wait for ever. */
static void
test_fifo(void **state)
{
	char fifo[sizeof path + 2];

	(void)state;
	snprintf(fifo, sizeof fifo, "%s.f", path);
	assert_int_equal(mkfifo(fifo, 0600), 0);
	assert_int_equal(infile_kind(fifo), FILE_OTHER);
	unlink(fifo);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_lines),
		cmocka_unit_test(test_many_lines),
		cmocka_unit_test(test_long_line),
		cmocka_unit_test(test_endless_line),
		cmocka_unit_test(test_damaged),
		cmocka_unit_test(test_kinds),
		cmocka_unit_test(test_peek),
		cmocka_unit_test(test_fifo),
	};

	return cmocka_run_group_tests(tests, set_up, tear_down);
}
