/* needs: src/base/err.c src/base/mem.c src/base/buf.c src/base/utf8.c
 * src/model/scroll.c */
#include "model/scroll.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/buf.h"
#include "base/utf8.h"

static void
put(struct scroll *s, const char *text)
{
	scroll_put(s, text, strlen(text));
}

/* What a terminal would show of it; lines end in '\n' here. */
static const struct {
	const char *bytes, *lines;
} cases[] = {
	{ "", "" }, { "one\ntwo\n", "one\ntwo\n" },
	{ "one\r\ntwo", "one\ntwo\n" }, { "\n\nx", "\n\nx\n" },
	{ " 10%\r 50%\r100%\n", "100%\n" },
	{ "longer\rab", "abnger\n" }, /* CR alone erases nothing */
	{ "longer\r\033[Kab", "ab\n" }, { "longer\033[3D\033[K", "lon\n" },
	{ "longer\033[2Kx", "      x\n" },
	{ "longer\033[3D\033[1Kx", "   xer\n" }, { "ab\bc", "ac\n" },
	{ "\b\bx", "x\n" }, { "ab\tc\td", "ab      c       d\n" },
	{ "\033[1;31mred\033[0m\n", "red\n" },
	{ "\033[38;5;196;1;2;3;4;5;6mred\n", "red\n" },
	{ "a\033]0;title\007b\033]2;t\033\\c\n", "abc\n" },
	{ "a\033P1$r0m\033\\b\033_x\033\\c\033^y\033\\d\033Xz\033\\e\n",
	    "abcde\n" },
	{ "a\033]0;no end\nb\n", "a\nb\n" },
	{ "a\033(Bb\033=c\033>d\033%Ge\033#8f\n", "abcdef\n" },
	{ "a\033[?25lb\033[?25hc\033[>4;1md\n", "abcd\n" },
	{ "a\033[5Cb\033[3Gc", "a c   b\n" },
	{ "a\033[99999999999Cb", NULL }, /* see below */
	{ "old\033[2J\033[Hnew\n", "old\nnew\n" },
	{ "old\033cnew\n", "old\nnew\n" }, { "a\033[1Ab\n", "ab\n" },
	{ "abcdef\033[4D\033[2Px\n", "abxf\n" },
	{ "abcdef\033[4D\033[2@x\n", "abx cdef\n" },
	{ "abcdef\033[4D\033[2X\n", "ab  ef\n" },
	{ "a\001b\002\177c\000\a\n", "a?b?c\n" },
	{ "\xc3\xa4\xe2\x82\xac\xf0\x9f\x98\x80\n",
	    "\xc3\xa4\xe2\x82\xac\xf0\x9f\x98\x80\n" },
	{ "a\xffz\xc3z\xe2\x82z\xed\xa0\x80z\xc0\xafz\n",
	    "a\xef\xbf\xbdz\xef\xbf\xbdz\xef\xbf\xbdz\xef\xbf\xbdz"
	    "\xef\xbf\xbd\xef\xbf\xbdz\n" },
	{ "\xc2\x9bx\n", "?x\n" },          /* CSI as one character */
	{ "e\xcc\x81x\n", "e\xcc\x81x\n" }, /* a mark on the e */
	{ "\xcc\x81x\n", "x\n" },           /* on nothing */
	{ "\xe6\xbc\xa2x\rab\n", "abx\n" }, /* two columns over one wide */
	{ "\xe6\xbc\xa2x\ra\n", "a x\n" },  /* half of it */
	{ "a\xe6\xbc\xa2\033[2D\033[P\n", "a \n" }, /* a half stays blank */
};

static char *
lines_of(const struct scroll *s)
{
	struct buf b = BUF_INIT;

	for (size_t i = 0; i < scroll_count(s); i++)
		buf_printf(&b, "%s\n", scroll_line(s, i));
	buf_puts(&b, "");
	return b.data;
}

static void
makes_lines(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		struct scroll whole = { 0 }, parts = { 0 };
		char *a, *b;

		put(&whole, cases[i].bytes);
		/* the borders of chunks mean nothing */
		for (const char *s = cases[i].bytes; *s; s++)
			scroll_put(&parts, s, 1);
		a = lines_of(&whole);
		b = lines_of(&parts);
		if (cases[i].lines)
			assert_string_equal(a, cases[i].lines);
		assert_string_equal(a, b);
		free(a);
		free(b);
		scroll_fini(&whole);
		scroll_fini(&parts);
	}
}

/* The cursor stops at the last column, what comes there goes on below. */
static void
breaks_long_lines(void **state)
{
	struct scroll s = { 0 };

	(void)state;
	for (int i = 0; i < SCROLL_COLS + 3; i++)
		put(&s, "x");
	assert_int_equal(scroll_count(&s), 2);
	assert_int_equal(strlen(scroll_line(&s, 0)), SCROLL_COLS);
	assert_string_equal(scroll_line(&s, 1), "xxx");
	put(&s, "\n\033[99999999999Cy");
	assert_string_equal(scroll_line(&s, 2), "");
	assert_string_equal(scroll_line(&s, 3), "y");
	scroll_fini(&s);
}

static void
says_what_is_missing(void **state)
{
	struct scroll s = { 0 };
	struct buf b = BUF_INIT;

	(void)state;
	put(&s, "one\nhal\xc3");
	scroll_gap(&s);
	scroll_gap(&s); /* one is enough */
	put(&s,
	    "\xa4"
	    "f\n");
	assert_true(s.lost);
	assert_int_equal(scroll_count(&s), 4);
	assert_false(scroll_is_gap(&s, 1));
	assert_true(scroll_is_gap(&s, 2));
	assert_string_equal(scroll_line(&s, 2), "");
	scroll_text(&s, &b);
	assert_string_equal(buf_str(&b),
	    "one\nhal\n[some of the output is missing]\n\xef\xbf\xbd"
	    "f\n");
	buf_fini(&b);
	scroll_fini(&s);
	assert_int_equal(scroll_count(&s), 0);
	assert_string_equal(scroll_line(&s, 0), "");
}

static void
forgets_the_oldest(void **state)
{
	struct scroll s = { 0 };
	char line[1001];

	(void)state;
	for (int i = 0; i < SCROLL_LINES + 5; i++) {
		snprintf(line, sizeof line, "%d\n", i);
		put(&s, line);
	}
	assert_int_equal(scroll_count(&s), SCROLL_LINES);
	assert_int_equal(s.gone, 5);
	assert_string_equal(scroll_line(&s, 0), "5");
	snprintf(line, sizeof line, "%d", SCROLL_LINES + 4);
	assert_string_equal(scroll_line(&s, SCROLL_LINES - 1), line);
	scroll_fini(&s);

	/* Lines of 999 bytes and what they cost: no more than 8 MiB. */
	memset(line, 'x', 999);
	line[999] = '\n';
	for (int i = 0; i < 10000; i++)
		scroll_put(&s, line, 1000);
	assert_true(s.bytes <= SCROLL_BYTES);
	assert_true(scroll_count(&s) > 8000 && scroll_count(&s) < 8400);
	assert_int_equal(s.gone + scroll_count(&s), 10000);
	scroll_fini(&s);
}

/* Bytes that are likely to mean something. */
static char
nasty(uint32_t *seed)
{
	static const char signs[] = "\033\033\033[[]];;?PX@KJGCDHmc"
				    "0129\t\b\r\n\\ax\xc3\xa4\xe6\xbc\xa2\xcc"
				    "\x81\xff\x9b";

	*seed = *seed * 1664525 + 1013904223;
	if (*seed >> 30 == 0)
		return (char)(*seed >> 20);
	return signs[(*seed >> 16) % (sizeof signs - 1)];
}

/* Lines stay what they are said to be, whatever comes. */
static void
takes_any_bytes(void **state)
{
	struct scroll s = { 0 };
	uint32_t seed = 3;
	char bytes[64];

	(void)state;
	for (int i = 0; i < 4000; i++) {
		size_t n = seed >> 26, last;

		for (size_t j = 0; j < n; j++)
			bytes[j] = nasty(&seed);
		seed = seed * 1664525 + 1013904223;
		scroll_put(&s, bytes, n);
		if (seed % 50 == 0)
			scroll_gap(&s);
		assert_true(s.used <= SCROLL_COLS && s.at <= SCROLL_COLS);
		last = scroll_count(&s);
		for (size_t j = last > 3 ? last - 3 : 0; j < last; j++) {
			const char *line = scroll_line(&s, j);
			size_t len = strlen(line), used;

			assert_true(utf8_width(line) <= SCROLL_COLS);
			for (size_t at = 0; at < len; at += used) {
				uint32_t cp =
				    utf8_decode(line + at, len - at, &used);

				assert_true(cp >= ' ' && cp != 0x7f);
				assert_true(cp != 0xfffd || used == 3);
			}
		}
	}
	scroll_fini(&s);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(makes_lines),
		cmocka_unit_test(breaks_long_lines),
		cmocka_unit_test(says_what_is_missing),
		cmocka_unit_test(forgets_the_oldest),
		cmocka_unit_test(takes_any_bytes),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
