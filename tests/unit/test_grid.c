/* needs: src/base/err.c src/base/mem.c src/base/buf.c src/base/utf8.c
 * ui/grid.c ui/style.c ui/glyph.c */
#include "ui/grid.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

#include "base/buf.h"

static void
assert_text(const struct grid *g, const char *expected)
{
	struct buf b = BUF_INIT;

	grid_text(g, &b);
	assert_string_equal(buf_str(&b), expected);
	buf_fini(&b);
}

static void
assert_roles(const struct grid *g, const char *expected)
{
	struct buf b = BUF_INIT;

	grid_roles(g, &b);
	assert_string_equal(buf_str(&b), expected);
	buf_fini(&b);
}

static void
puts_text_and_clips_it(void **state)
{
	struct grid g;
	struct rect old;

	(void)state;
	grid_init(&g, 6, 3);
	assert_int_equal(grid_put(&g, 1, 0, ROLE_TITLE, "abc"), 4);
	assert_int_equal(grid_put(&g, -1, 1, ROLE_DIM, "xyz"), 2);
	assert_int_equal(grid_put(&g, 4, 2, ROLE_KEY, "long"), 8);
	grid_put(&g, 0, 3, ROLE_KEY, "below");
	grid_put(&g, 0, -1, ROLE_KEY, "above");
	assert_text(&g, " abc\nyz\n    lo\n");
	assert_roles(&g, ".ttt\ndd\n....kk\n");

	old = grid_clip(&g, (struct rect){ 2, 0, 2, 9 });
	grid_put(&g, 0, 1, ROLE_BAR, "######");
	grid_fill(&g, (struct rect){ 0, 2, 9, 9 }, ROLE_BAR, "-");
	g.clip = old;
	assert_text(&g, " abc\nyz##\n  --lo\n");
	grid_fini(&g);
}

static void
wide_characters_take_two_cells(void **state)
{
	struct grid g;

	(void)state;
	grid_init(&g, 5, 2);
	assert_int_equal(grid_put(&g, 0, 0, ROLE_TEXT, "a漢b"), 4);
	assert_int_equal(grid_at(&g, 1, 0)->width, 2);
	assert_int_equal(grid_at(&g, 2, 0)->width, 0);
	assert_text(&g, "a漢b\n\n");
	/* Half of it is overwritten: the other half is a blank. */
	grid_put(&g, 2, 0, ROLE_TEXT, "x");
	assert_text(&g, "a xb\n\n");
	grid_put(&g, 1, 0, ROLE_TEXT, "漢");
	grid_put(&g, 1, 0, ROLE_TEXT, "y");
	assert_text(&g, "ay b\n\n");
	/* Cut by the edge. */
	grid_put(&g, 4, 1, ROLE_TEXT, "漢");
	grid_put(&g, -1, 1, ROLE_TEXT, "漢z");
	assert_text(&g, "ay b\n z\n");
	grid_fini(&g);
}

static void
odd_bytes_stay_harmless(void **state)
{
	struct grid g;

	(void)state;
	grid_init(&g, 12, 2);
	/* control, broken, right-to-left override, combining acute */
	grid_put(&g, 0, 0, ROLE_TEXT,
	    "\x1b[m\xff\xe2\x80\xae"
	    "e\xcc\x81.");
	assert_text(&g,
	    "?[m\xef\xbf\xbd"
	    "e\xcc\x81.\n\n");
	/* More marks than a cell has room for: the first ones stay. */
	grid_put(&g, 0, 1, ROLE_TEXT,
	    "a\xcc\x81\xcc\x81\xcc\x81\xcc\x81\xcc\x81\xcc\x81\xcc\x81\xcc\x81"
	    "b");
	assert_int_equal(strlen(grid_at(&g, 0, 1)->text), 13);
	assert_string_equal(grid_at(&g, 1, 1)->text, "b");
	grid_fini(&g);
}

static void
an_ascii_grid_holds_ascii(void **state)
{
	struct grid g;

	(void)state;
	grid_init(&g, 12, 1);
	g.ascii = true;
	grid_put(&g, 0, 0, ROLE_TEXT, "é漢e\xcc\x81.");
	assert_text(&g, "???e.\n");
	grid_fini(&g);
}

static void
aligns_and_cuts(void **state)
{
	struct grid g;

	(void)state;
	grid_init(&g, 8, 4);
	assert_int_equal(grid_put_right(&g, 7, 0, ROLE_TEXT, "118"), 4);
	grid_put_cut(&g, 1, 1, 5, ROLE_TEXT, "abcdef");
	grid_put_cut(&g, 1, 2, 5, ROLE_TEXT, "abcde");
	grid_put_cut(&g, 1, 3, 0, ROLE_TEXT, "abcde");
	grid_printf(&g, 0, 3, ROLE_TEXT, "%d of %d", 1, 317);
	assert_text(&g, "    118\n abcd…\n abcde\n1 of 317\n");
	grid_fini(&g);
}

static void
repaints_roles_only(void **state)
{
	struct grid g;

	(void)state;
	grid_init(&g, 5, 2);
	grid_put(&g, 0, 0, ROLE_TEXT, "row");
	grid_role(&g, (struct rect){ 0, 0, 99, 1 }, ROLE_SELECT);
	assert_text(&g, "row\n\n");
	assert_roles(&g, "SSSSS\n\n");
	grid_clear(&g);
	assert_roles(&g, "\n\n");
	grid_fini(&g);
}

static void
finds_the_cells_that_changed(void **state)
{
	struct grid a, b;
	int end;

	(void)state;
	grid_init(&a, 10, 2);
	grid_init(&b, 10, 2);
	grid_put(&a, 0, 0, ROLE_TEXT, "same old x");
	grid_put(&b, 0, 0, ROLE_TEXT, "same new x");
	assert_int_equal(grid_changed(&a, &b, 0, 0, &end), 5);
	assert_int_equal(end, 8);
	assert_int_equal(grid_changed(&a, &b, 0, end, &end), -1);
	assert_int_equal(grid_changed(&a, &b, 1, 0, &end), -1);

	/* Only a role; only the right half of a wide character. */
	grid_put(&b, 9, 1, ROLE_DIM, " ");
	assert_int_equal(grid_changed(&a, &b, 1, 0, &end), 9);
	grid_put(&a, 2, 1, ROLE_TEXT, "漢");
	grid_copy(&b, &a);
	grid_role(&b, (struct rect){ 3, 1, 1, 1 }, ROLE_DIM);
	assert_int_equal(grid_changed(&a, &b, 1, 0, &end), 2);
	assert_int_equal(end, 4);
	grid_fini(&a);
	grid_fini(&b);
}

static void
has_no_cells_without_a_size(void **state)
{
	struct grid g;

	(void)state;
	grid_init(&g, 0, 5);
	grid_put(&g, 0, 0, ROLE_TEXT, "nothing");
	grid_resize(&g, 3, -1);
	grid_fill(&g, (struct rect){ 0, 0, 3, 3 }, ROLE_TEXT, "x");
	assert_text(&g, "");
	grid_fini(&g);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(puts_text_and_clips_it),
		cmocka_unit_test(wide_characters_take_two_cells),
		cmocka_unit_test(odd_bytes_stay_harmless),
		cmocka_unit_test(an_ascii_grid_holds_ascii),
		cmocka_unit_test(aligns_and_cuts),
		cmocka_unit_test(repaints_roles_only),
		cmocka_unit_test(finds_the_cells_that_changed),
		cmocka_unit_test(has_no_cells_without_a_size),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
