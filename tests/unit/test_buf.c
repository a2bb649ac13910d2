/* needs: src/base/buf.c src/base/mem.c src/base/err.c */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <string.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/err.h"

static void
empty_is_a_string(void **state)
{
	struct buf b = BUF_INIT;

	(void)state;
	assert_string_equal(buf_str(&b), "");
	buf_clear(&b);
	buf_put(&b, "", 0);
	assert_string_equal(b.data, "");
	buf_fini(&b);
	assert_string_equal(buf_str(&b), "");
}

static void
everything_is_appended(void **state)
{
	struct buf b = BUF_INIT;

	(void)state;
	buf_puts(&b, "ab");
	buf_putc(&b, 'c');
	buf_pad(&b, '.', 3);
	buf_printf(&b, "%d|%s", 42, "x");
	assert_string_equal(buf_str(&b), "abc...42|x");
	assert_int_equal(b.len, 10);
	buf_clear(&b);
	for (int i = 0; i < 1000; i++)
		buf_printf(&b, "%04d", i);
	assert_int_equal(b.len, 4000);
	assert_memory_equal(b.data + 3996, "0999", 5);
	buf_fini(&b);
}

static void
writes_all_or_says_why(void **state)
{
	struct buf b = BUF_INIT;
	struct err e;
	int fd[2];
	char got[8] = "";

	(void)state;
	buf_puts(&b, "hello");
	assert_int_equal(pipe(fd), 0);
	assert_int_equal(buf_write(&b, fd[1], "pipe", &e), 0);
	assert_int_equal(read(fd[0], got, sizeof got), 5);
	assert_string_equal(got, "hello");
	close(fd[0]);
	close(fd[1]);
	assert_int_equal(buf_write(&b, -1, "report", &e), -1);
	assert_string_equal(e.msg, "cannot write report: Bad file descriptor");
	buf_fini(&b);
}

static void
an_end_is_cut_off(void **state)
{
	struct buf b = BUF_INIT;

	(void)state;
	buf_cut(&b, 0);
	assert_string_equal(buf_str(&b), "");
	buf_puts(&b, "kept and not");
	buf_cut(&b, 4);
	assert_string_equal(buf_str(&b), "kept");
	buf_puts(&b, "!");
	assert_string_equal(buf_str(&b), "kept!");
	buf_fini(&b);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(empty_is_a_string),
		cmocka_unit_test(everything_is_appended),
		cmocka_unit_test(an_end_is_cut_off),
		cmocka_unit_test(writes_all_or_says_why),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
