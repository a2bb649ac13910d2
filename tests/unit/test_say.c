/* needs: prof/say.c prof/os.c */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <errno.h>
#include <string.h>
#include <unistd.h>

#include "prof/say.h"

static int saved, in;

/* From here on descriptor 2 is a pipe. */
static void
catch_stderr(void)
{
	int p[2];

	assert_int_equal(pipe(p), 0);
	saved = dup(2);
	dup2(p[1], 2);
	close(p[1]);
	in = p[0];
}

/* Not any more; what came, in one read(): it was one write(). */
static size_t
caught(char *buf, size_t cap)
{
	ssize_t n;

	dup2(saved, 2);
	close(saved);
	n = read(in, buf, cap - 1);
	close(in);
	buf[n > 0 ? n : 0] = '\0';
	return n > 0 ? (size_t)n : 0;
}

static void
one_line_with_the_prefix(void **state)
{
	struct say_number num;
	char buf[1000];

	(void)state;
	catch_stderr();
	errno = 123;
	say("there are ", say_number(&num, 42), " of them", NULL);
	assert_int_equal(errno, 123);
	caught(buf, sizeof buf);
	assert_string_equal(buf, "heaptop: there are 42 of them\n");
}

static void
long_ones_are_cut(void **state)
{
	char text[2000], buf[3000];
	size_t n;

	(void)state;
	memset(text, 'x', sizeof text - 1);
	text[sizeof text - 1] = '\0';
	catch_stderr();
	say("a ", text, text, "b", NULL);
	n = caught(buf, sizeof buf);
	assert_int_equal(n, 500);
	assert_int_equal(buf[n - 1], '\n');
	assert_memory_equal(buf, "heaptop: a xxx", 14);
}

/* Where there is no descriptor 2 nothing happens. */
static void
nobody_listens(void **state)
{
	int keep = dup(2);

	(void)state;
	close(2);
	errno = 7;
	say("nobody hears this", NULL);
	assert_int_equal(errno, 7);
	dup2(keep, 2);
	close(keep);
}

static void
numbers(void **state)
{
	struct say_number b;

	(void)state;
	assert_string_equal(say_number(&b, 0), "0");
	assert_string_equal(say_number(&b, 7), "7");
	assert_string_equal(say_number(&b, 1000), "1000");
	assert_string_equal(say_number(&b, UINT64_MAX), "18446744073709551615");
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(one_line_with_the_prefix),
		cmocka_unit_test(long_ones_are_cut),
		cmocka_unit_test(nobody_listens),
		cmocka_unit_test(numbers),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
