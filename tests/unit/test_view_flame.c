/* needs: src/base/ src/model/ tests/unit/ingestd.c ui/-term.c */
#include "ui/view_flame.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/buf.h"
#include "ingestd_shows.h"
#include "model/births.h"
#include "model/profile.h"
#include "model/report.h"
#include "model/tree.h"
#include "ui/flame_parts.h"
#include "ui/view.h"

/* ---- what is shown ----------------------------------------------------------- */

static void
assert_crumbs(const struct ingestd *r, const char *text)
{
	char *line = ingestd_line(r, r->app.layout.head.y);

	if (strncmp(line + 1, text, strlen(text)) != 0)
		fail_msg("\"%s\" does not begin\n%s", text, line);
	free(line);
}

static void
assert_position(const struct ingestd *r, const char *expected)
{
	struct buf b = BUF_INIT;

	view_flame.position(&r->app, false, &b);
	assert_string_equal(buf_str(&b), expected);
	buf_fini(&b);
}

static void
assert_selected(const struct ingestd *r, const char *name)
{
	struct buf b = BUF_INIT;

	assert_true(r->app.flame.bars.count > 0);
	flame_name(&r->app.flame, r->app.flame.at, false, &b);
	assert_string_equal(buf_str(&b), name);
	buf_fini(&b);
}

static void
open_flame(struct ingestd *r, int width, int height)
{
	ingestd_open(r, width, height, true);
	ingestd_keys(r, "4 Home");
}

/* New figures come: another report, another tree. */
static void
update(struct ingestd *r)
{
	ingestd_send(r, &(struct app_event){ .kind = APP_DATA });
}

/* ---- moving --------------------------------------------------------------------- */

/* Of 412.6 MiB clone3 has 204.5, in decode_batch 118.4 and read_body 86.1;
 * the next is worker_main with 64. */
static void
moves_over_bars(void **state)
{
	struct ingestd r;

	(void)state;
	open_flame(&r, 100, 30);
	assert_selected(&r, "all");
	ingestd_keys(&r, "Up Left Right");
	assert_selected(&r, "all");
	ingestd_keys(&r, "Down");
	assert_selected(&r, "clone3");
	assert_crumbs(&r, "all › clone3");
	assert_shows(&r, "49.6% of all");
	ingestd_keys(&r, "Right");
	assert_selected(&r, "worker_main");
	ingestd_keys(&r, "Left Down Down");
	assert_selected(&r, "worker_main");
	assert_crumbs(&r, "all › clone3 › start_thread › worker_main");
	ingestd_keys(&r, "Right");
	assert_selected(&r, "asio::io_context::run");
	ingestd_keys(&r, "Up Up");
	assert_selected(&r, "clone3");
	/* Down goes where one was, not to the widest. */
	ingestd_keys(&r, "Down Down");
	assert_selected(&r, "asio::io_context::run");
	ingestd_keys(&r, "End");
	assert_selected(&r, "http::Session::read_body");
	assert_position(&r, "6 levels");
	ingestd_keys(&r, "Home");
	assert_selected(&r, "all");
	ingestd_close(&r);
}

/* 36x8 has seven levels of rows; one that is selected is seen. */
static void
scrolls_to_what_is_selected(void **state)
{
	struct ingestd r;

	(void)state;
	open_flame(&r, 60, 6);
	assert_int_equal(r.app.layout.body.h, 5);
	ingestd_keys(&r, "End");
	assert_int_equal(r.app.flame.top, 1);
	assert_position(&r, "levels 2–6 of 6");
	ingestd_keys(&r, "Up Up");
	assert_int_equal(r.app.flame.top, 1);
	ingestd_keys(&r, "PgUp");
	assert_int_equal(r.app.flame.top, 0);
	assert_selected(&r, "all");
	ingestd_close(&r);
}

/* ---- roots ---------------------------------------------------------------------- */

static void
zooms_in_and_out(void **state)
{
	struct ingestd r;

	(void)state;
	open_flame(&r, 100, 30);
	ingestd_keys(&r, "Down Enter");
	assert_int_equal(r.app.flame.bars.bars[0].w, 98);
	assert_selected(&r, "clone3");
	assert_int_equal(r.app.flame.at, 0);
	assert_position(&r, "5 levels");
	ingestd_keys(&r, "Down Down Right");
	assert_selected(&r, "asio::io_context::run");
	/* 86.1 of 204.5 and of 412.6 MiB */
	assert_shows(&r, "42.1% of the top bar, 20.9% of all");
	ingestd_keys(&r, "z");
	assert_int_equal(r.app.flame.zoom_count, 2);
	ingestd_keys(&r, "Backspace");
	assert_selected(&r, "asio::io_context::run");
	assert_int_equal(r.app.flame.zoom_count, 1);
	/* the root again is the way back */
	ingestd_keys(&r, "Home Enter");
	assert_int_equal(r.app.flame.zoom_count, 0);
	assert_selected(&r, "clone3");
	ingestd_keys(&r, "Backspace");
	assert_shows(&r, "all of it is shown");
	ingestd_close(&r);
}

/* The 298 small functions of main have 9.2 MiB, 2.2 columns of 98. */
static void
enters_what_is_too_narrow(void **state)
{
	struct ingestd r;
	const struct flame_bar *b;

	(void)state;
	open_flame(&r, 100, 30);
	ingestd_keys(&r, "Down Right Right"); /* main */
	assert_selected(&r, "main");
	ingestd_keys(&r, "Enter Down");
	for (int i = 0; i < 20; i++)
		ingestd_keys(&r, "Right");
	b = &r.app.flame.bars.bars[r.app.flame.at];
	assert_true(b->count > 100);
	assert_shows(&r, " more ▒");
	ingestd_keys(&r, "Enter");
	assert_int_equal(r.app.flame.at, 0);
	assert_int_equal(r.app.flame.bars.bars[0].w, 98);
	assert_true(r.app.flame.bars.bars[0].children > 1);
	/* It is there again with other figures. */
	update(&r);
	assert_int_equal(r.app.flame.zoom_count, 2);
	assert_true(r.app.flame.bars.bars[0].count > 100);
	ingestd_keys(&r, "Down Enter Down Enter");
	assert_true(r.app.flame.zoom_count >= 3);
	ingestd_keys(&r, "Esc Esc Esc Esc");
	assert_int_equal(r.app.flame.zoom_count, 0);
	ingestd_close(&r);
}

/* ---- what outlives a report ------------------------------------------------------- */

static void
stays_with_new_figures(void **state)
{
	struct ingestd r;

	(void)state;
	open_flame(&r, 100, 30);
	ingestd_keys(&r, "Down Enter Down Down Right");
	for (int i = 0; i < 3; i++) {
		update(&r);
		assert_selected(&r, "asio::io_context::run");
		assert_int_equal(r.app.flame.zoom_count, 1);
	}
	/* at another size, metric, moment */
	ingestd_resize(&r, 60, 15);
	assert_selected(&r, "asio::io_context::run");
	ingestd_resize(&r, 3, 3);
	ingestd_resize(&r, 160, 45);
	assert_selected(&r, "asio::io_context::run");
	ingestd_keys(&r, "[ [");
	assert_selected(&r, "asio::io_context::run");
	ingestd_close(&r);
}

/* What is gone falls back to what is left of the way to it. */
static void
falls_back_to_what_is_left(void **state)
{
	struct ingestd r;

	(void)state;
	open_flame(&r, 100, 30);
	ingestd_keys(&r, "Down Down Down Enter Down Down");
	assert_selected(&r, "decode_batch");
	ingestd_keys(&r, "\\");
	ingestd_type(&r, "read_body");
	ingestd_keys(&r, "Enter");
	assert_selected(&r, "start_thread");
	assert_int_equal(r.app.flame.zoom_count, 0);
	ingestd_keys(&r, "\\");
	ingestd_keys(&r, "C-u");
	ingestd_type(&r, "nowhere");
	ingestd_keys(&r, "Enter");
	assert_int_equal(r.app.flame.bars.count, 0);
	assert_shows(&r, "no stack matches the filter");
	ingestd_keys(&r, "Down Up Left Right Enter z n i D t PgDn Esc");
	ingestd_close(&r);
}

/* From one view to the other the stack stays selected. */
static void
is_where_the_other_view_was(void **state)
{
	struct ingestd r;

	(void)state;
	ingestd_open(&r, 100, 30, true);
	ingestd_keys(&r, "Home Down Down f"); /* the third: 64 MiB */
	assert_int_equal(r.app.view, CONTEXT_FLAME);
	assert_selected(&r, "lru_cache_grow");
	assert_crumbs(&r,
	    "all › worker_main › ingest_loop › store_put › "
	    "lru_cache_put › lru_cache_grow");
	/* of a caller it is the heaviest stack through it */
	ingestd_keys(&r, "Up Up 1");
	assert_int_equal(r.app.rows.cursor, 2);
	/* and it is there again if that goes through it */
	ingestd_keys(&r, "4");
	assert_selected(&r, "store_put");
	ingestd_keys(&r, "1 f");
	assert_selected(&r, "lru_cache_grow");
	ingestd_keys(&r, "1");
	ingestd_keys(&r, "Down 4");
	assert_selected(&r,
	    "std::vector<std::shared_ptr<Posting>, "
	    "std::allocator<std::shared_ptr<Posting> > >"
	    "::_M_realloc_insert<std::shared_ptr<Posting> const&>"
	    "(std::shared_ptr<Posting> const&)");
	/* roots it is not below are left */
	ingestd_keys(&r, "Home Down Enter 1 Home Down Down f");
	assert_selected(&r, "lru_cache_grow");
	assert_int_equal(r.app.flame.zoom_count, 0);
	ingestd_close(&r);
}

/* Of 60 columns a stack of less than 6.9 MiB has none. */
static void
shows_what_would_be_too_narrow(void **state)
{
	struct ingestd r;
	const struct report_row *row;
	uint64_t stack;

	(void)state;
	ingestd_open(&r, 60, 15, true);
	ingestd_keys(&r, "End"); /* one of the 298 */
	row = app_selected(&r.app);
	assert_true(row->f.value < 1048576);
	stack = row->stack;
	ingestd_keys(&r, "f");
	assert_int_equal(r.app.view, CONTEXT_FLAME);
	row = app_selected(&r.app);
	assert_non_null(row);
	assert_int_equal(row->stack, stack);
	assert_int_equal(row->stacks, 1);
	assert_true(r.app.flame.zoom_count > 0);
	assert_shows(&r, "it was too narrow to be seen: zoomed in");
	/* The others need no zoom, and nothing is said. */
	ingestd_keys(&r, "1 Home f");
	assert_int_equal(r.app.flame.zoom_count, 0);
	ingestd_close(&r);
}

/* A chain of callers is one row there: of the stack, the same place or the
 * end of the chain. */
static void
goes_from_and_to_the_tree(void **state)
{
	struct ingestd r;
	const struct report_row *row;

	(void)state;
	ingestd_open(&r, 100, 30, true);
	ingestd_keys(&r, "Home Down Down f Home Down Down Down t");
	assert_int_equal(r.app.view, CONTEXT_TREE);
	row = app_selected(&r.app);
	assert_non_null(row);
	/* down to where one was: store_put, 64 MiB */
	assert_true(row->f.value == 64 * 1048576);
	ingestd_keys(&r, "f");
	assert_int_equal(r.app.view, CONTEXT_FLAME);
	assert_true(r.app.flame.row.f.value == 64 * 1048576);
	ingestd_close(&r);
}

static void
inverts(void **state)
{
	struct ingestd r;

	(void)state;
	ingestd_open(&r, 100, 30, true);
	ingestd_keys(&r, "Home Down Down f i");
	assert_selected(&r, "lru_cache_grow");
	assert_crumbs(&r, "all ← lru_cache_grow");
	assert_shows(&r, "live bytes · callees ↓ callers");
	ingestd_keys(&r, "Down Down");
	assert_crumbs(&r, "all ← lru_cache_grow ← lru_cache_put ← store_put");
	ingestd_keys(&r, "i");
	assert_selected(&r, "store_put");
	ingestd_close(&r);
}

/* ---- finding ---------------------------------------------------------------------- */

static void
finds_by_name(void **state)
{
	struct ingestd r;

	(void)state;
	open_flame(&r, 100, 30);
	ingestd_keys(&r, "/");
	ingestd_type(&r, "cache");
	/* lru_cache_put and _grow hold the same 64 MiB */
	assert_shows(&r, "2 bars  64.0 MiB  15.5%");
	ingestd_keys(&r, "Enter");
	assert_selected(&r, "lru_cache_put");
	assert_position(&r, "1 of 2 found   6 levels");
	ingestd_keys(&r, "n");
	assert_selected(&r, "lru_cache_grow");
	ingestd_keys(&r, "n N");
	assert_selected(&r, "lru_cache_grow");
	ingestd_keys(&r, "Home");
	assert_position(&r, "2 found   6 levels");
	ingestd_keys(&r, "Esc");
	assert_position(&r, "6 levels");
	ingestd_keys(&r, "n");
	assert_shows(&r, "nothing was looked for");
	ingestd_keys(&r, "/");
	ingestd_type(&r, "cache");
	ingestd_keys(&r, "Esc");
	assert_position(&r, "6 levels");
	ingestd_keys(&r, "/");
	ingestd_type(&r, "qqqq");
	ingestd_keys(&r, "Enter");
	assert_shows(&r, "no function matches qqqq");
	ingestd_close(&r);
}

/* A small function of main is one of 298 in a bar of two columns. */
static void
finds_what_is_hidden(void **state)
{
	struct ingestd r;

	(void)state;
	open_flame(&r, 100, 30);
	ingestd_keys(&r, "/");
	ingestd_type(&r, "minor_150");
	ingestd_keys(&r, "Enter");
	assert_selected(&r, "minor_150");
	assert_crumbs(&r, "all › main › minor_150");
	assert_shows(&r, "it was too narrow to be seen: zoomed in");
	assert_true(r.app.flame.zoom_count > 0);
	ingestd_close(&r);
}

/* ---- the detail ------------------------------------------------------------------- */

/* A bar is a node: the detail over the screen is that of its heaviest stack,
 * from the node to the root. */
static void
is_opened(void **state)
{
	struct ingestd r;
	const struct report_row *row;

	(void)state;
	open_flame(&r, 100, 30);
	assert_null(app_selected(&r.app)); /* all */
	ingestd_keys(&r, "Tab");
	assert_false(r.app.detail_full);
	ingestd_keys(&r, "Down Down");
	row = app_selected(&r.app);
	assert_non_null(row);
	/* clone3 and start_thread of decode_batch */
	assert_int_equal(row->count, 2);
	assert_int_equal(row->stacks, 2);
	ingestd_keys(&r, "Tab");
	assert_true(r.app.detail_full);
	assert_shows(&r, "heaviest of 2 · esc back");
	assert_shows(&r, "204.5 MiB live");
	ingestd_keys(&r, "Esc");
	assert_selected(&r, "start_thread");
	ingestd_close(&r);
}

/* ---- the mouse ------------------------------------------------------------------------ */

static void
click(struct ingestd *r, int x, int y)
{
	struct app_event e = { .kind = APP_KEY };

	e.key.code = K_CLICK;
	e.key.x = (int16_t)x;
	e.key.y = (int16_t)y;
	ingestd_send(r, &e);
}

static void
is_moved_by_the_mouse(void **state)
{
	struct ingestd r;
	int y;

	(void)state;
	open_flame(&r, 100, 30);
	y = r.app.layout.body.y;
	click(&r, 3, y + 1);
	assert_selected(&r, "clone3");
	assert_int_equal(r.app.flame.zoom_count, 0);
	click(&r, 3, y + 1);
	assert_int_equal(r.app.flame.zoom_count, 1);
	click(&r, 3, y); /* the root again */
	assert_int_equal(r.app.flame.zoom_count, 0);
	click(&r, 99, y + 1); /* nothing is there */
	click(&r, 3, y + 15);
	assert_selected(&r, "clone3");
	ingestd_keys(&r, "Home");
	ingestd_resize(&r, 60, 6);
	ingestd_send(&r,
	    &(struct app_event){ .kind = APP_KEY,
		.key = { .code = K_WHEEL_DOWN, .x = 3, .y = 3 } });
	/* five of six levels are seen: one more at the most */
	assert_int_equal(r.app.flame.top, 1);
	assert_selected(&r, "clone3");
	update(&r);
	assert_int_equal(r.app.flame.top, 1);
	ingestd_close(&r);
}

/* ---- colours -------------------------------------------------------------------------- */

static void
says_what_changed(void **state)
{
	struct ingestd r;

	(void)state;
	open_flame(&r, 100, 30);
	ingestd_keys(&r, "D");
	assert_shows(&r, "callers ↓ callees · change A→B");
	/* decode_batch +21.5 and read_body +1, which is within its noise */
	assert_shows(&r, "▏clone3 +22.5 MiB");
	ingestd_keys(&r, "D");
	assert_shows(&r, "▏clone3   ");
	ingestd_close(&r);
}

/* One object of each stack was born at a second. */
static void
put_birth(struct ingestd *r, uint32_t stack, unsigned s)
{
	struct births *b = profile_births(r->profile);
	struct birth_told t = { .number = stack,
		.cell = profile_find_cell(r->profile, stack, 1),
		.size = 1 << 20,
		.birth = s * 100,
		.lg_sample = 19 };

	assert_true(t.cell != UINT32_MAX);
	assert_true(births_put(b, &t));
}

/* At 12:41, 761 s: decode_batch, stack 1, is from 0:41 (12m old), read_body
 * from 12:40; half of that is 6m20s. */
static void
says_how_old(void **state)
{
	struct ingestd r;

	(void)state;
	open_flame(&r, 100, 30);
	ingestd_keys(&r, "D D");
	assert_int_equal(r.app.flame.colours, FLAME_BY_MODULE);
	births_begin(profile_births(r.profile), INGESTD_START, 0, false);
	put_birth(&r, 1, 41);
	put_birth(&r, 2, 760);
	profile_commit(r.profile);
	update(&r);
	ingestd_keys(&r, "D D");
	assert_int_equal(r.app.flame.colours, FLAME_BY_AGE);
	assert_shows(&r, "callers ↓ callees · median age");
	assert_shows(&r, "▏decode_batch 12m 0s ");
	ingestd_resize(&r, 160, 45);
	assert_shows(&r, "▏http::Session::run 1s ");
	/* nothing is known of these */
	assert_shows(&r, "▏lru_cache_put   ");
	ingestd_keys(&r, "D");
	assert_int_equal(r.app.flame.colours, FLAME_BY_MODULE);
	ingestd_close(&r);
}

/* ---- anything ---------------------------------------------------------------------------- */

static void
takes_any_keys(void **state)
{
	static const char *const keys[] = { "Up", "Down", "Left", "Right",
		"Enter", "z", "Backspace", "Esc", "PgDn", "PgUp", "Home", "End",
		"i", "D", "n", "m", "4", "1", "f", "Down", "Right", "Enter",
		"p", "[", "]", "Tab", "t", "3", "f", "2", "5", "6", "4" };
	struct ingestd r;
	uint64_t seed = 7;

	(void)state;
	open_flame(&r, 100, 30);
	ingestd_keys(&r, "/ e Enter");
	for (int i = 0; i < 1500; i++) {
		unsigned n;

		seed = seed * UINT64_C(6364136223846793005) + 1;
		n = (unsigned)(seed >> 33);
		if (n % 29 == 0)
			ingestd_resize(&r, 1 + (int)(n / 29 % 120),
			    1 + (int)(n / 3500 % 40));
		ingestd_keys(&r, keys[n % (sizeof keys / sizeof *keys)]);
		if (r.app.flame.bars.count > 0)
			assert_true(r.app.flame.at < r.app.flame.bars.count);
		if (i % 10 == 0)
			free(ingestd_screen(&r));
	}
	ingestd_close(&r);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(moves_over_bars),
		cmocka_unit_test(scrolls_to_what_is_selected),
		cmocka_unit_test(zooms_in_and_out),
		cmocka_unit_test(enters_what_is_too_narrow),
		cmocka_unit_test(stays_with_new_figures),
		cmocka_unit_test(falls_back_to_what_is_left),
		cmocka_unit_test(is_where_the_other_view_was),
		cmocka_unit_test(shows_what_would_be_too_narrow),
		cmocka_unit_test(goes_from_and_to_the_tree),
		cmocka_unit_test(inverts),
		cmocka_unit_test(finds_by_name),
		cmocka_unit_test(finds_what_is_hidden),
		cmocka_unit_test(is_opened),
		cmocka_unit_test(is_moved_by_the_mouse),
		cmocka_unit_test(says_what_changed),
		cmocka_unit_test(says_how_old),
		cmocka_unit_test(takes_any_keys),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
