/* needs: src/base/ src/model/ tests/unit/ingestd.c ui/-term.c */
#include "ui/console.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "ingestd_shows.h"
#include "ui/app.h"
#include "ui/frame.h"

/* At 80x24 there are 17 rows of output, from row 6 on. */
#define FIRST 6
#define ROWS  17

/* "line 1" to "line n". */
static void
print_lines(struct ingestd *r, int from, int to)
{
	char text[32];

	for (int i = from; i <= to; i++) {
		snprintf(text, sizeof text, "line %d\n", i);
		ingestd_prints(r, text);
	}
}

static void
open_output(struct ingestd *r)
{
	ingestd_open(r, 80, 24, true);
	print_lines(r, 1, 100);
	ingestd_keys(r, "o");
}

static void
follows_the_end_until_scrolled(void **state)
{
	struct ingestd r;

	(void)state;
	open_output(&r);
	assert_line(&r, 4,
	    "[1 Top] 2 Growth  3 Tree  4 Flame  5 Snaps  6 Threads  "
	    "target output · esc back");
	assert_line(&r, 5, " output of ingestd   100 lines");
	assert_line(&r, FIRST, " line 84");
	assert_line(&r, FIRST + ROWS - 1, " line 100");
	assert_shows(&r, "  84–100 of 100\n");
	print_lines(&r, 101, 101);
	assert_line(&r, FIRST, " line 85");
	ingestd_keys(&r, "k k");
	print_lines(&r, 102, 110);
	assert_line(&r, FIRST, " line 83"); /* stays */
	ingestd_keys(&r, "PgUp");
	assert_line(&r, FIRST, " line 67"); /* one row is kept in sight */
	ingestd_keys(&r, "Home");
	assert_line(&r, FIRST, " line 1");
	ingestd_send(
	    &r, &(struct app_event){ .key = { .code = K_WHEEL_DOWN } });
	assert_line(&r, FIRST, " line 4");
	ingestd_close(&r);
}

static void
follows_again(void **state)
{
	static const char *const keys[] = { "k End", "k F", "k j", "Home End",
		"k o o" };
	struct ingestd r;

	(void)state;
	for (size_t i = 0; i < sizeof keys / sizeof keys[0]; i++) {
		open_output(&r);
		ingestd_keys(&r, keys[i]);
		print_lines(&r, 101, 105);
		assert_line(&r, FIRST + ROWS - 1, " line 105");
		ingestd_close(&r);
	}
}

static void
scrolls_sideways(void **state)
{
	struct ingestd r;

	(void)state;
	ingestd_open(&r, 80, 24, true);
	ingestd_prints(&r,
	    "0123456789012345678901234567890123456789"
	    "0123456789012345678901234567890123456789AB\nshort\n");
	ingestd_keys(&r, "o");
	assert_line(&r, FIRST,
	    " 0123456789012345678901234567890123456789"
	    "0123456789012345678901234567890123456…");
	ingestd_keys(&r, "Right");
	assert_line(&r, FIRST,
	    " …9012345678901234567890123456789012345678"
	    "9012345678901234567890123456789AB");
	assert_line(&r, FIRST + 1, "");
	ingestd_keys(&r, "h h");
	assert_line(&r, FIRST + 1, " short");
	ingestd_close(&r);
}

/* In either case, from what is seen on and around; small letters mean both. */
static void
finds_text(void **state)
{
	struct ingestd r;
	struct grid g;

	(void)state;
	open_output(&r);
	ingestd_keys(&r, "Home /");
	ingestd_type(&r, "LINE 5");
	assert_shows(&r, "\n / LINE 5");
	ingestd_keys(&r, "Enter");
	assert_shows(&r, "\n no line has LINE 5\n");
	ingestd_keys(&r, "/");
	ingestd_type(&r, "ine 5");
	ingestd_keys(&r, "Enter");
	assert_line(&r, FIRST + 4, "▌line 5");
	grid_init(&g, 80, 24);
	ui_render(&r.app, &g);
	assert_int_equal(grid_at(&g, 1, FIRST + 4)->role, ROLE_TEXT);
	assert_int_equal(grid_at(&g, 2, FIRST + 4)->role, ROLE_MATCH);
	assert_int_equal(grid_at(&g, 6, FIRST + 4)->role, ROLE_MATCH);
	assert_int_equal(grid_at(&g, 7, FIRST + 4)->role, ROLE_TEXT);
	assert_int_equal(g.cursor_y, FIRST + 4);
	grid_fini(&g);
	ingestd_keys(&r, "n");
	assert_shows(&r, "\n▌line 50\n");
	ingestd_keys(&r, "N N");
	assert_shows(&r, "\n▌line 59\n"); /* around the beginning */
	ingestd_keys(&r, "/ Esc");
	assert_string_equal(r.app.searched, "");
	assert_shows(&r, "\n line 59\n");
	ingestd_keys(&r, "n");
	assert_shows(&r, "\n nothing was looked for: / begins\n");
	ingestd_close(&r);
}

static void
is_saved(void **state)
{
	struct ingestd r;
	struct request q;

	(void)state;
	open_output(&r);
	q = ingestd_keys(&r, "s Enter");
	assert_int_equal(q.kind, REQUEST_SAVE_OUTPUT);
	assert_string_equal(q.file, "heaptop-41237.out");
	assert_int_equal(ingestd_keys(&r, "s Esc").kind, REQUEST_NONE);
	ingestd_close(&r);
	ingestd_open(&r, 80, 24, true);
	ingestd_keys(&r, "o s");
	assert_shows(&r, "\n there is nothing to save\n");
	ingestd_close(&r);
}

static void
gives_the_keyboard_away(void **state)
{
	struct ingestd r;
	struct request q;
	struct grid g;

	(void)state;
	open_output(&r);
	ingestd_prints(&r, "\nname? ");
	ingestd_keys(&r, "k Enter");
	assert_shows(&r, "\n keys go to ingestd   C-] back\n");
	assert_line(&r, FIRST + ROWS - 1, " name?");
	grid_init(&g, 80, 24);
	ui_render(&r.app, &g);
	assert_int_equal(g.cursor_x, 1 + 6);
	assert_int_equal(g.cursor_y, FIRST + ROWS - 1);
	assert_true(g.cursor_shown);
	/* C-c, q, o and ? are the program's too */
	q = ingestd_keys(&r, "C-c");
	assert_int_equal(q.kind, REQUEST_TYPE);
	assert_int_equal(q.byte_count, 1);
	assert_int_equal(q.bytes[0], 3);
	q = ingestd_keys(&r, "? o q");
	assert_int_equal(q.kind, REQUEST_TYPE);
	assert_memory_equal(q.bytes, "q", 1);
	q = ingestd_send(&r, &(struct app_event){ .key = { .code = K_CLICK } });
	assert_int_equal(q.kind, REQUEST_NONE);
	q = ingestd_keys(&r, "Up");
	assert_memory_equal(q.bytes, "\033[A", 3);
	/* the next line has a row of its own before it is written to */
	ingestd_prints(&r, "Ann\n");
	ui_render(&r.app, &g);
	assert_int_equal(g.cursor_x, 1);
	assert_line(&r, FIRST + ROWS - 2, " name? Ann");
	assert_int_equal(ingestd_keys(&r, "C-]").kind, REQUEST_NONE);
	assert_false(r.app.typing);
	assert_line(&r, FIRST + ROWS - 1, " name? Ann");
	/* the end takes it back */
	ingestd_keys(&r, "i");
	assert_true(r.app.typing);
	ingestd_status(&r, APP_ENDED, INGESTD_AT(12, 42), "exited 0", "", "");
	assert_false(r.app.typing);
	ingestd_keys(&r, "i");
	assert_shows(&r, "\n ingestd has ended\n");
	grid_fini(&g);
	ingestd_close(&r);
}

static void
says_why_there_is_nothing(void **state)
{
	struct ingestd r;

	(void)state;
	ingestd_open(&r, 80, 24, true);
	ingestd_keys(&r, "o");
	assert_shows(&r, "\n   ingestd has printed nothing yet.\n");
	r.app.target.has_terminal = r.app.target.takes_input = false;
	assert_shows(&r,
	    "\n   ingestd prints to its own files or pipes, and not here; "
	    "--target-output=FILE\n   keeps a copy.\n");
	ingestd_keys(&r, "Enter");
	assert_shows(&r, "\n ingestd does not read from a terminal of ours\n");
	snprintf(
	    r.app.target.output_file, sizeof r.app.target.output_file, "x.log");
	assert_shows(&r, "\n   What ingestd prints is in x.log.\n");
	r.app.target.output_file[0] = '\0';
	r.app.target.ours = false;
	assert_shows(&r, "\n   ingestd was not started by heaptop: ");
	ingestd_status(&r, APP_FILE, 0, "run.htd.gz", "", "");
	assert_shows(
	    &r, "\n   What the program printed is not in such a file.\n");
	ingestd_close(&r);
}

static void
says_what_is_gone(void **state)
{
	struct app_event e = {
		.kind = APP_OUTPUT, .data = "late\n", .len = 5, .lost = true
	};
	struct ingestd r;

	(void)state;
	ingestd_open(&r, 80, 24, true);
	ingestd_prints(&r, "early\n");
	ingestd_send(&r, &e);
	ingestd_keys(&r, "o");
	assert_line(&r, 5, " output of ingestd   3 lines   some is missing");
	assert_line(&r, FIRST, " early");
	assert_shows(&r, "── some of the output is missing here ──");
	assert_line(&r, FIRST + 2, " late");
	for (int i = 0; i < SCROLL_LINES; i++)
		scroll_put(&r.app.output, "x\n", 2);
	assert_shows(&r, "\n output of ingestd   100000 lines   3 older gone ");
	ingestd_close(&r);
}

/* Held lines stay while older ones go, and when another process is shown. */
static void
outlives_its_oldest_lines(void **state)
{
	struct ingestd r;

	(void)state;
	open_output(&r);
	ingestd_keys(&r, "Home j j");
	assert_line(&r, FIRST, " line 3");
	print_lines(&r, 101, SCROLL_LINES + 1);
	assert_line(&r, FIRST, " line 3");
	print_lines(&r, SCROLL_LINES + 2, SCROLL_LINES + 50);
	assert_line(&r, FIRST, " line 51");
	ingestd_send(&r, &(struct app_event){ .kind = APP_OTHER });
	assert_true(r.app.output_shown);
	assert_line(&r, FIRST, " line 51");
	ingestd_close(&r);
}

static void
leads_back(void **state)
{
	static const char *const keys[] = { "o", "Esc", "1" };
	struct ingestd r;

	(void)state;
	for (size_t i = 0; i < 3; i++) {
		ingestd_open(&r, 80, 24, true);
		ingestd_keys(&r, "j j o");
		ingestd_keys(&r, keys[i]);
		assert_false(r.app.output_shown);
		assert_int_equal(r.app.rows.cursor, 2);
		assert_shows(&r, "\n▌ 64.0 MiB ");
		ingestd_close(&r);
	}
	/* out of the detail, and back into it */
	ingestd_open(&r, 80, 24, true);
	ingestd_keys(&r, "Enter o ? Esc Esc");
	assert_true(r.app.detail_full);
	assert_shows(&r, "frame 0 of 5");
	/* and before there is anything else to see */
	ingestd_close(&r);
	ingestd_open_waiting(&r, 80, 24);
	ingestd_prints(&r, "hello\n");
	ingestd_keys(&r, "o");
	assert_line(&r, FIRST, " hello");
	ingestd_close(&r);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(follows_the_end_until_scrolled),
		cmocka_unit_test(follows_again),
		cmocka_unit_test(scrolls_sideways),
		cmocka_unit_test(finds_text),
		cmocka_unit_test(is_saved),
		cmocka_unit_test(gives_the_keyboard_away),
		cmocka_unit_test(says_why_there_is_nothing),
		cmocka_unit_test(says_what_is_gone),
		cmocka_unit_test(outlives_its_oldest_lines),
		cmocka_unit_test(leads_back),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
