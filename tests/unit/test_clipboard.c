/* needs: src/base/err.c src/base/mem.c src/base/buf.c ui/clipboard.c */
#include "ui/clipboard.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/buf.h"
#include "base/err.h"

static void
assert_sequence(const char *text, bool tmux, const char *expected)
{
	struct buf b = BUF_INIT;
	struct err e;

	assert_int_equal(clipboard_put(text, strlen(text), tmux, &b, &e), 0);
	assert_string_equal(buf_str(&b), expected);
	buf_fini(&b);
}

/* RFC 4648, section 10. */
static void
is_base64_in_an_osc(void **state)
{
	(void)state;
	assert_sequence("", false, "\033]52;c;\033\\");
	assert_sequence("f", false, "\033]52;c;Zg==\033\\");
	assert_sequence("fo", false, "\033]52;c;Zm8=\033\\");
	assert_sequence("foo", false, "\033]52;c;Zm9v\033\\");
	assert_sequence("foobar", false, "\033]52;c;Zm9vYmFy\033\\");
	/* 0xff 0xfe 0xfd: the digits 63 63 59 61 */
	assert_sequence("\xff\xfe\xfd", false, "\033]52;c;//79\033\\");
}

static void
is_passed_through_tmux_too(void **state)
{
	(void)state;
	assert_sequence("foo", true,
	    "\033]52;c;Zm9v\033\\"
	    "\033Ptmux;\033\033]52;c;Zm9v\033\033\\\033\\");
}

static void
too_much_is_refused(void **state)
{
	char *text = calloc(CLIPBOARD_MAX + 1, 1);
	struct buf b = BUF_INIT;
	struct err e;

	(void)state;
	assert_int_equal(clipboard_put(text, CLIPBOARD_MAX, false, &b, &e), 0);
	/* 7 bytes before and 2 behind 99,992 digits */
	assert_int_equal(b.len, 7 + 99992 + 2);
	buf_clear(&b);
	assert_int_equal(
	    clipboard_put(text, CLIPBOARD_MAX + 1, false, &b, &e), -1);
	assert_int_equal(b.len, 0);
	buf_fini(&b);
	free(text);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(is_base64_in_an_osc),
		cmocka_unit_test(is_passed_through_tmux_too),
		cmocka_unit_test(too_much_is_refused),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
