/* needs: src/base/err.c src/base/mem.c src/base/buf.c src/base/utf8.c
 * ui/grid.c ui/style.c ui/glyph.c ui/key.c ui/layout.c ui/popup.c */
#include "ui/popup.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

#include "base/buf.h"

static const struct popup_line lines[] = {
	{ "t", "text" },
	{ "o", "dot" },
	{ NULL, NULL },
	{ NULL, "live bytes" },
};

static const struct popup menu = { "Export", lines, 4, -1, 0, 0 };

static void
assert_grid(const struct grid *g, const char *expected)
{
	struct buf b = BUF_INIT;

	grid_text(g, &b);
	assert_string_equal(buf_str(&b), expected);
	buf_fini(&b);
}

static void
draws_a_box_over_the_screen(void **state)
{
	struct grid g;

	(void)state;
	grid_init(&g, 22, 10);
	grid_fill(&g, (struct rect){ 0, 0, 22, 10 }, ROLE_TEXT, ".");
	popup_draw(&menu, &g);
	/* 16 wide (10 and 6), 8 high: at (3, 1) */
	assert_grid(&g,
	    "......................\n"
	    "...┌─ Export ─────┐...\n"
	    "...│              │...\n"
	    "...│  t   text    │...\n"
	    "...│  o   dot     │...\n"
	    "...│              │...\n"
	    "...│  live bytes  │...\n"
	    "...│              │...\n"
	    "...└──────────────┘...\n"
	    "......................\n");
	assert_int_equal(grid_at(&g, 6, 3)->role, ROLE_KEY);
	assert_int_equal(grid_at(&g, 6, 1)->role, ROLE_TITLE);
	grid_fini(&g);
}

static void
draws_it_in_ascii(void **state)
{
	struct popup p = menu;
	struct grid g;

	(void)state;
	grid_init(&g, 18, 6);
	g.ascii = true;
	p.count = 2;
	p.width = 18;
	p.selected = 1;
	popup_draw(&p, &g);
	assert_grid(&g,
	    "+- Export -------+\n"
	    "|                |\n"
	    "|  t   text      |\n"
	    "|> o   dot       |\n"
	    "|                |\n"
	    "+----------------+\n");
	assert_int_equal(grid_at(&g, 10, 3)->role, ROLE_SELECT);
	assert_int_equal(g.cursor_y, 3);
	grid_fini(&g);
}

static void
shows_a_part_where_there_is_no_room(void **state)
{
	struct popup p = menu;
	struct grid g;

	(void)state;
	grid_init(&g, 12, 6);
	p.first = 99;
	/* rather a line than a blank one above it */
	assert_int_equal(popup_page(&g, 5), 4);
	popup_draw(&p, &g);
	assert_grid(&g,
	    "┌─ Export ─┐\n"
	    "│  t   te… │\n"
	    "│  o   dot │\n"
	    "│          │\n"
	    "│  live b… │\n"
	    "└──────────┘\n");
	grid_resize(&g, 12, 4);
	p.selected = 1; /* in sight */
	p.first = 0;
	p.lines = menu.lines;
	popup_draw(&p, &g);
	assert_int_equal(g.cursor_y, 2);
	for (int w = 0; w < 12; w++) {
		for (int h = 0; h < 8; h++) {
			grid_resize(&g, w, h);
			popup_draw(&p, &g);
		}
	}
	grid_fini(&g);
}

static void
keys_choose_lines(void **state)
{
	(void)state;
	assert_int_equal(popup_choice(&menu, (struct key){ .code = 'o' }), 1);
	assert_int_equal(popup_choice(&menu, (struct key){ .code = 'x' }), -1);
	assert_int_equal(popup_choice(&menu,
			     (struct key){ .code = 'o', .mods = KEY_MOD_CTRL }),
	    -1);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(draws_a_box_over_the_screen),
		cmocka_unit_test(draws_it_in_ascii),
		cmocka_unit_test(shows_a_part_where_there_is_no_room),
		cmocka_unit_test(keys_choose_lines),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
