/* needs: src/base/err.c src/base/mem.c src/base/buf.c src/base/utf8.c
 * ui/glyph.c */
#include "ui/glyph.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

#include "base/utf8.h"

/* Connectors of the tree are two columns, all else one. */
static int
columns_of(int g)
{
	return g == GLYPH_TREE_TEE || g == GLYPH_TREE_LAST ||
		g == GLYPH_TREE_PASS
	    ? 2
	    : 1;
}

static void
unicode_ones_have_their_width(void **state)
{
	(void)state;
	for (int g = 0; g < GLYPH_COUNT; g++)
		assert_int_equal(
		    utf8_width(glyph((enum glyph)g, false)), columns_of(g));
}

static void
ascii_ones_are_ascii(void **state)
{
	(void)state;
	for (int g = 0; g < GLYPH_COUNT; g++) {
		const char *s = glyph((enum glyph)g, true);

		assert_true(*s != '\0');
		for (; *s; s++)
			assert_in_range((unsigned char)*s, ' ', '~');
	}
}

/* These stand in a grid of fixed places. */
static void
ascii_pieces_are_as_wide(void **state)
{
	(void)state;
	for (int g = 0; g <= GLYPH_CUT; g++)
		assert_int_equal(
		    strlen(glyph((enum glyph)g, true)), columns_of(g));
	for (int g = GLYPH_STATE_LIVE; g <= GLYPH_BOX_LINE; g++)
		assert_int_equal(strlen(glyph((enum glyph)g, true)), 1);
}

static void
bars_grow(void **state)
{
	(void)state;
	assert_string_equal(glyph_bar(0, false), " ");
	assert_string_equal(glyph_bar(4, false), "▌");
	assert_string_equal(glyph_bar(8, false), "█");
	assert_string_equal(glyph_bar(3, true), ".");
	assert_string_equal(glyph_bar(4, true), "#");
	assert_string_equal(glyph_spark(1, false), "▁");
	assert_string_equal(glyph_spark(8, false), "█");
	assert_string_equal(glyph_spark(1, true), "_");
	assert_string_equal(glyph_spark(8, true), "@");
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(unicode_ones_have_their_width),
		cmocka_unit_test(ascii_ones_are_ascii),
		cmocka_unit_test(ascii_pieces_are_as_wide),
		cmocka_unit_test(bars_grow),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
