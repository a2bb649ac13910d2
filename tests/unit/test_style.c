/* needs: src/base/err.c ui/style.c */
#include "ui/style.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

#include "base/err.h"

static void
letters_are_unique(void **state)
{
	(void)state;
	for (unsigned a = 0; a < ROLE_COUNT; a++) {
		for (unsigned b = 0; b < a; b++)
			assert_int_not_equal(role_letter(a), role_letter(b));
	}
	assert_int_equal(role_letter(ROLE_TEXT), '.');
	assert_int_equal(role_letter(ROLE_COUNT), '?');
}

/* One curses pair a role has to fit a terminal of 64. */
static void
fits_the_pairs_of_a_terminal(void **state)
{
	(void)state;
	assert_in_range(ROLE_COUNT, 1, 40);
}

static void
looks_as_designed(void **state)
{
	struct style s;

	(void)state;
	s = style_of(ROLE_SELECT, DEPTH_256, THEME_DARK);
	assert_int_equal(s.fg, 255);
	assert_int_equal(s.bg, 24);
	s = style_of(ROLE_SELECT, DEPTH_256, THEME_LIGHT);
	assert_int_equal(s.fg, 16);
	assert_int_equal(s.bg, 153);
	s = style_of(ROLE_SELECT, DEPTH_16, THEME_DARK);
	assert_int_equal(s.fg, STYLE_WHITE);
	assert_int_equal(s.bg, STYLE_BLUE);
	s = style_of(ROLE_ERROR, DEPTH_MONO, THEME_DARK);
	assert_int_equal(s.attrs, STYLE_BOLD | STYLE_REVERSE);
	assert_int_equal(s.fg, STYLE_NONE);
	s = style_of(ROLE_TEXT, DEPTH_256, THEME_DARK);
	assert_int_equal(s.fg, STYLE_NONE);
}

static void
mono_has_no_colours(void **state)
{
	(void)state;
	for (int r = 0; r < ROLE_COUNT; r++) {
		struct style s =
		    style_of((enum role)r, DEPTH_MONO, THEME_LIGHT);

		assert_int_equal(s.fg, STYLE_NONE);
		assert_int_equal(s.bg, STYLE_NONE);
	}
}

/* xterm's palette: 16 to 231 a cube of 6 levels, then 24 greys. */
static double
channel(int colour, int shift)
{
	static const int levels[] = { 0, 95, 135, 175, 215, 255 };
	double c;

	if (colour >= 232)
		c = 8 + 10 * (colour - 232);
	else
		c = levels[(colour - 16) / shift % 6];
	c /= 255;
	return c <= 0.03928 ? c / 12.92 : pow((c + 0.055) / 1.055, 2.4);
}

/* WCAG 2.1, relative luminance. */
static double
luminance(int c)
{
	return 0.2126 * channel(c, 36) + 0.7152 * channel(c, 6) +
	    0.0722 * channel(c, 1);
}

static double
contrast(int a, int b)
{
	double x = luminance(a), y = luminance(b);

	return x > y ? (x + 0.05) / (y + 0.05) : (y + 0.05) / (x + 0.05);
}

static void
can_be_read(void **state)
{
	static const int ground[] = { 234, 231 };

	(void)state;
	/* The reference: black on white is 21 to 1. */
	assert_true(fabs(contrast(16, 231) - 21) < 0.01);
	for (int t = 0; t < THEME_COUNT; t++) {
		for (int r = 0; r < ROLE_COUNT; r++) {
			struct style s =
			    style_of((enum role)r, DEPTH_256, (enum theme)t);

			if (s.fg < 0 || r == ROLE_HAIRLINE)
				continue;
			/* one decimal, as the design states them */
			assert_true(contrast(s.fg,
					s.bg < 0 ? ground[t] : s.bg) >= 4.45);
		}
	}
}

static void
chooses_the_depth(void **state)
{
	static const struct {
		const char *wanted, *no_color;
		int colours;
		enum depth expected;
	} t[] = {
		{ NULL, NULL, 256, DEPTH_256 },
		{ "auto", "", 256, DEPTH_256 },
		{ "auto", "1", 256, DEPTH_MONO },
		{ "256", "1", 256, DEPTH_256 },
		{ "256", NULL, 8, DEPTH_16 },
		{ "16", NULL, 256, DEPTH_16 },
		{ "16", NULL, 0, DEPTH_MONO },
		{ "never", NULL, 256, DEPTH_MONO },
		{ NULL, NULL, 16, DEPTH_16 },
		{ NULL, NULL, 8, DEPTH_16 },
		{ NULL, NULL, 2, DEPTH_MONO },
		{ NULL, NULL, 16777216, DEPTH_256 },
	};
	enum depth d;
	struct err e;

	(void)state;
	for (size_t i = 0; i < sizeof t / sizeof t[0]; i++) {
		assert_int_equal(style_depth(&d, t[i].wanted, t[i].no_color,
				     t[i].colours, &e),
		    0);
		assert_int_equal(d, t[i].expected);
	}
	assert_int_equal(style_depth(&d, "always", NULL, 256, &e), -1);
	assert_non_null(strstr(e.msg, "always"));
}

static void
chooses_the_theme(void **state)
{
	static const struct {
		const char *wanted, *colorfgbg;
		enum theme expected;
	} t[] = {
		{ NULL, NULL, THEME_DARK },
		{ "auto", "0;15", THEME_LIGHT },
		{ NULL, "0;default;15", THEME_LIGHT },
		{ NULL, "12;7", THEME_LIGHT },
		{ NULL, "15;0", THEME_DARK },
		{ NULL, "7;8", THEME_DARK },
		{ NULL, "15;default", THEME_DARK },
		{ NULL, "nonsense", THEME_DARK },
		{ "dark", "0;15", THEME_DARK },
		{ "light", "15;0", THEME_LIGHT },
	};
	enum theme theme;
	struct err e;

	(void)state;
	for (size_t i = 0; i < sizeof t / sizeof t[0]; i++) {
		assert_int_equal(
		    style_theme(&theme, t[i].wanted, t[i].colorfgbg, &e), 0);
		assert_int_equal(theme, t[i].expected);
	}
	assert_int_equal(style_theme(&theme, "pink", NULL, &e), -1);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(letters_are_unique),
		cmocka_unit_test(fits_the_pairs_of_a_terminal),
		cmocka_unit_test(looks_as_designed),
		cmocka_unit_test(mono_has_no_colours),
		cmocka_unit_test(can_be_read),
		cmocka_unit_test(chooses_the_depth),
		cmocka_unit_test(chooses_the_theme),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
