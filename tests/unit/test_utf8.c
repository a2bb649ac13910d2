/* needs: src/base/utf8.c src/base/buf.c src/base/mem.c src/base/err.c */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <string.h>

#include "base/buf.h"
#include "base/utf8.h"

static void
decodes(void **state)
{
	static const struct {
		const char *s;
		uint32_t cp;
		size_t used;
	} t[] = {
		{ "a", 'a', 1 },
		{ "\xc2\xb7", 0xb7, 2 },
		{ "\xe2\x80\xa6", 0x2026, 3 },
		{ "\xf0\x9f\x98\x80", 0x1f600, 4 },
		/* not UTF-8: overlong, lone, surrogate, too large, cut */
		{ "\xc0\x80", 0xfffd, 1 },
		{ "\x80", 0xfffd, 1 },
		{ "\xed\xa0\x80", 0xfffd, 1 },
		{ "\xf4\x90\x80\x80", 0xfffd, 1 },
		{ "\xe2\x80", 0xfffd, 1 },
		{ "\xe0\x80\x80", 0xfffd, 1 },
	};

	(void)state;
	for (size_t i = 0; i < sizeof t / sizeof t[0]; i++) {
		size_t used;

		assert_int_equal(
		    utf8_decode(t[i].s, strlen(t[i].s), &used), t[i].cp);
		assert_int_equal(used, t[i].used);
	}
}

/* East_Asian_Width and general categories of the Unicode database. */
static void
measures(void **state)
{
	(void)state;
	assert_int_equal(utf8_width("abc"), 3);
	assert_int_equal(utf8_width("e\xcc\x81"), 1);    /* combining acute */
	assert_int_equal(utf8_width("\xe4\xb8\xad"), 2); /* U+4E2D, wide */
	assert_int_equal(utf8_width("±…·←"), 4);
	assert_int_equal(utf8_width("\xff"), 1);
	assert_int_equal(utf8_columns(0x1b), 0);
	assert_int_equal(utf8_columns(0x200b), 0);
	assert_int_equal(utf8_columns(0x1f600), 2);
}

static void
cut(const char *s, int cols, const char *right, const char *left)
{
	struct buf b = BUF_INIT;

	assert_int_equal(utf8_cut_right(&b, s, cols, "…"), utf8_width(right));
	assert_string_equal(buf_str(&b), right);
	buf_clear(&b);
	assert_int_equal(utf8_cut_left(&b, s, cols, "…"), utf8_width(left));
	assert_string_equal(buf_str(&b), left);
	buf_fini(&b);
}

static void
cuts_on_cell_borders(void **state)
{
	(void)state;
	cut("abcdef", 6, "abcdef", "abcdef");
	cut("abcdef", 4, "abc…", "…def");
	cut("abcdef", 1, "…", "…");
	cut("abcdef", 0, "", "");
	cut("e\xcc\x81z\xcc\x81yx", 3, "e\xcc\x81z\xcc\x81…", "…yx");
	/* half a wide sign does not fit */
	cut("\xe4\xb8\xad\xe4\xb8\xad\xe4\xb8\xad", 4, "\xe4\xb8\xad…",
	    "…\xe4\xb8\xad");
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(decodes),
		cmocka_unit_test(measures),
		cmocka_unit_test(cuts_on_cell_borders),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
