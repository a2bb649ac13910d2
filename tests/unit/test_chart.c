/* needs: src/base/err.c src/base/mem.c src/base/buf.c src/base/utf8.c
 * ui/grid.c ui/style.c ui/glyph.c ui/chart.c */
/* libs: -lm */
#include "ui/chart.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

#include "base/buf.h"

static void
assert_grid(struct grid *g, const char *expected)
{
	struct buf b = BUF_INIT;

	grid_text(g, &b);
	assert_string_equal(buf_str(&b), expected);
	buf_fini(&b);
	grid_clear(g);
}

/* The bars of the mock-ups; largest 118.4. */
static void
bars_are_in_eighths(void **state)
{
	static const struct {
		double value;
		const char *ten, *six, *ascii;
	} t[] = {
		{ 118.4, "██████████\n", "██████\n", "######\n" },
		{ 86.1, "███████▎\n", "████▍\n", "####\n" },
		{ 64.0, "█████▍\n", "███▎\n", "###\n" },
		{ 41.7, "███▌\n", "██▏\n", "##\n" },
		{ 33.9, "██▉\n", "█▊\n", "##\n" },
		{ 18.2, "█▌\n", "▉\n", "#\n" },
		{ 9.4, "▊\n", "▌\n", ".\n" },
		{ 7.8, "▋\n", "▍\n", ".\n" },
		{ 0.6, "▏\n", "▏\n", ".\n" },
		{ 0, "\n", "\n", "\n" },
		{ -5, "\n", "\n", "\n" },
		{ 500, "██████████\n", "██████\n", "######\n" },
		{ (double)NAN, "\n", "\n", "\n" },
	};
	struct grid g;

	(void)state;
	grid_init(&g, 12, 1);
	for (size_t i = 0; i < sizeof t / sizeof t[0]; i++) {
		g.ascii = false;
		chart_bar(&g, 0, 0, 10, ROLE_BAR, t[i].value, 118.4);
		assert_grid(&g, t[i].ten);
		chart_bar(&g, 0, 0, 6, ROLE_BAR, t[i].value, 118.4);
		assert_grid(&g, t[i].six);
		g.ascii = true;
		chart_bar(&g, 0, 0, 6, ROLE_BAR, t[i].value, 118.4);
		assert_grid(&g, t[i].ascii);
	}
	chart_bar(&g, 0, 0, 10, ROLE_BAR, 1, 0);
	chart_bar(&g, 0, 0, 0, ROLE_BAR, 1, 1);
	assert_grid(&g, "\n");
	grid_fini(&g);
}

/* Growth of the mock-ups; largest 21.5. */
static void
changes_go_both_ways(void **state)
{
	static const struct {
		double value;
		int half;
		const char *expected;
	} t[] = {
		{ 21.5, 8, "        │████████\n" },
		{ 14.6, 8, "        │█████▍\n" },
		{ 9.8, 8, "        │███▋\n" },
		{ 1.0, 8, "        │▍\n" },
		{ 0.5, 8, "        │▏\n" },
		{ -3.2, 8, "       █│\n" },
		{ 0, 8, "        │\n" },
		{ -3.2, 6, "     █│\n" },
		/* 6.0 / 21.5 of 6 cells are 1.67: 3 halves */
		{ -6.0, 6, "    ▐█│\n" },
		{ -0.1, 6, "     ▐│\n" },
	};
	struct grid g;

	(void)state;
	grid_init(&g, 20, 1);
	for (size_t i = 0; i < sizeof t / sizeof t[0]; i++) {
		chart_diverging(&g, 0, 0, t[i].half, t[i].value, 21.5);
		assert_grid(&g, t[i].expected);
	}
	g.ascii = true;
	chart_diverging(&g, 0, 0, 6, -9, 21.5);
	assert_grid(&g, "   ###|\n");
	grid_fini(&g);
}

static void
trends_are_scaled_to_themselves(void **state)
{
	static const double rising[] = { 100, 101, 102, 103, 104, 105, 106,
		107 };
	static const double flat[] = { 5, 5, (double)NAN, 5 };
	struct grid g;

	(void)state;
	grid_init(&g, 10, 1);
	chart_trend(&g, 1, 0, ROLE_BAR, rising, 8);
	assert_grid(&g, " ▁▂▃▄▅▆▇█\n");
	chart_trend(&g, 0, 0, ROLE_BAR, flat, 4);
	assert_grid(&g, "▁▁ ▁\n");
	g.ascii = true;
	chart_trend(&g, 0, 0, ROLE_BAR, rising, 8);
	assert_grid(&g, "_.-=+*#@\n");
	grid_fini(&g);
}

static void
areas_stand_on_zero(void **state)
{
	/* of 16: a sixteenth is half an eighth of two rows, and shows */
	static const double v[] = { 0, 1, 4, 8, 9, 12, 16, (double)NAN, 99 };
	struct grid g;

	(void)state;
	grid_init(&g, 9, 3);
	chart_area(&g, (struct rect){ 0, 1, 9, 2 }, ROLE_BAR, v, 16);
	assert_grid(&g, "\n    ▁▄█ █\n ▁▄████ █\n");
	/* 1/16 of 8 eighths is a half, at least one shows; 9/16: 4.5 */
	chart_area(&g, (struct rect){ 0, 0, 9, 1 }, ROLE_BAR, v, 16);
	assert_grid(&g, " ▁▂▄▄▆█ █\n\n\n");
	grid_fini(&g);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(bars_are_in_eighths),
		cmocka_unit_test(changes_go_both_ways),
		cmocka_unit_test(trends_are_scaled_to_themselves),
		cmocka_unit_test(areas_stand_on_zero),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
