/* needs: src/io/recordfile.c src/io/domain.c src/io/infile.c src/io/progress.c
 * src/io/dumpread.c src/model/profile.c src/model/births.c src/model/frames.c
 * src/model/modules.c
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

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/err.h"
#include "io/infile.h"
#include "io/recordfile.h"
#include "model/history.h"
#include "model/profile.h"
#include "stream.h"

static char path[] = "/tmp/test-recordfile.XXXXXX";

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
record(void)
{
	struct recordfile *r = recordfile_create(path, NULL);
	struct buf b = BUF_INIT;

	assert_non_null(r);
	stream_dump(&b, 9000, 300);
	assert_int_equal(recordfile_put(r, b.data, b.len, NULL), 0);
	buf_clear(&b);
	stream_change(&b, 10000, 200);
	assert_int_equal(recordfile_put(r, b.data, b.len, NULL), 0);
	assert_int_equal(recordfile_close(r, NULL), 0);
	buf_fini(&b);
}

static void
test_replay(void **state)
{
	struct profile *p = profile_new();
	struct buf notes = BUF_INIT;
	struct stat st;

	(void)state;
	record();
	assert_int_equal(stat(path, &st), 0);
	assert_int_equal(infile_kind(path), FILE_STREAM);
	assert_int_equal(recordfile_read(path, p, &notes, NULL), 0);
	assert_int_equal(notes.len, 0);
	assert_int_equal(history_count(profile_history(p)), 2);
	profile_free(p);
}

/* A writer that died: what was flushed is there. */
static void
test_cut(void **state)
{
	struct profile *p = profile_new();
	struct buf notes = BUF_INIT;
	struct stat st;
	struct err e;

	(void)state;
	record();
	assert_int_equal(stat(path, &st), 0);
	/* gzip's end is 8 bytes, and the last flush some more before */
	assert_int_equal(truncate(path, st.st_size - 40), 0);
	assert_int_equal(recordfile_read(path, p, &notes, &e), 1);
	assert_non_null(strstr(buf_str(&notes), "1 dump before that is used"));
	profile_free(p);
	buf_clear(&notes);

	p = profile_new();
	assert_int_equal(truncate(path, 20), 0);
	assert_int_equal(recordfile_read(path, p, &notes, &e), -1);
	assert_non_null(strstr(e.msg, path));
	profile_free(p);
	buf_fini(&notes);
}

static void
test_errors(void **state)
{
	struct err e;

	(void)state;
	assert_null(recordfile_create("/nonexistent/x", &e));
	assert_non_null(strstr(e.msg, "/nonexistent/x"));
	assert_int_equal(recordfile_read("/nonexistent/x", NULL, NULL, &e), -1);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_replay),
		cmocka_unit_test(test_cut),
		cmocka_unit_test(test_errors),
	};

	return cmocka_run_group_tests(tests, set_up, tear_down);
}
