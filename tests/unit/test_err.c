/* needs: src/base/err.c */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <errno.h>
#include <string.h>

#include "base/err.h"

static void
set_fills_and_returns(void **state)
{
	struct err e;

	(void)state;
	assert_int_equal(err_set(&e, "no %s in %d", "x", 3), -1);
	assert_string_equal(e.msg, "no x in 3");
	assert_int_equal(err_set(NULL, "nobody asks"), -1);
}

static void
sys_appends_errno_and_keeps_it(void **state)
{
	struct err e;

	(void)state;
	errno = ENOENT;
	assert_int_equal(err_sys(&e, "cannot open %s", "f"), -1);
	assert_string_equal(e.msg, "cannot open f: No such file or directory");
	assert_int_equal(errno, ENOENT);
}

static void
long_sentences_are_cut(void **state)
{
	struct err e;
	char text[2000];

	(void)state;
	memset(text, 'a', sizeof text - 1);
	text[sizeof text - 1] = '\0';
	errno = EIO;
	err_sys(&e, "%s", text);
	assert_int_equal(strlen(e.msg), sizeof e.msg - 1);
	/* the middle goes, the reason stays */
	assert_non_null(strstr(e.msg, "aaa...aaa"));
	assert_non_null(strstr(e.msg, "aaa: Input/output error"));
}

/* 300 letters of two bytes; none may be halved. */
static void
letters_stay_whole(void **state)
{
	struct err e;
	char text[602] = "x";
	size_t bytes = 0;

	(void)state;
	for (size_t i = 1; i + 2 < sizeof text; i += 2)
		memcpy(text + i, "\303\251", 2);
	text[sizeof text - 1] = '\0';
	err_set(&e, "%s", text);
	for (const char *s = e.msg; *s; s++)
		bytes += (unsigned char)*s == 0xc3 ? 1 : 0;
	assert_int_equal(strlen(e.msg), 1 + 2 * bytes + 3);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(set_fills_and_returns),
		cmocka_unit_test(sys_appends_errno_and_keeps_it),
		cmocka_unit_test(long_sentences_are_cut),
		cmocka_unit_test(letters_stay_whole),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
