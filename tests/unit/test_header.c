/* needs: tests/unit/ingestd.c src/base/err.c src/base/mem.c src/base/buf.c
 * src/base/arena.c src/base/map.c src/base/strtab.c src/base/fmt.c
 * src/base/utf8.c src/model/modules.c src/model/frames.c src/model/plumbing.c
 * src/model/stacks.c src/model/history.c src/model/history_log.c src/model/profile.c
 * src/model/query.c src/model/figures.c src/model/name.c src/model/notes.c
 * src/model/rows.c src/model/tree.c src/model/report.c
 * src/model/report_shape.c src/model/report_knots.c src/model/scroll.c
 * ui/app.c ui/app_keys.c ui/app_query.c ui/app_over.c ui/chart.c ui/columns.c
 * ui/columns_name.c ui/command.c ui/console.c ui/detail.c ui/detail_full.c
 * ui/detail_parts.c ui/filter.c ui/frame.c ui/glyph.c ui/grid.c ui/header.c
 * ui/help.c ui/key.c ui/keymap.c ui/layout.c ui/list.c ui/listing.c
 * ui/notice.c ui/popup.c ui/prompt.c ui/rule.c ui/status.c ui/style.c
 * ui/timeline.c ui/view_top.c */
#include "ui/header.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "ingestd.h"
#include "model/report.h"
#include "ui/app.h"

static void
assert_line(const struct ingestd *r, int y, const char *expected)
{
	char *line = ingestd_line(r, y);

	assert_string_equal(line, expected);
	free(line);
}

static void
assert_shows(const struct ingestd *r, const char *text)
{
	char *screen = ingestd_screen(r);

	if (!strstr(screen, text))
		fail_msg("\"%s\" is not in\n%s", text, screen);
	free(screen);
}

static void
says_the_state(void **state)
{
	static const struct {
		enum app_connection connection;
		uint64_t ns;
		const char *what, *unicode, *ascii;
		enum role role;
	} cases[] = {
		{ APP_WAITING, 0, "", "○ waiting", "o waiting", ROLE_TEXT },
		{ APP_LIVE, 0, "", "● live  every 1s", "* live  every 1s",
		    ROLE_OK },
		{ APP_LATE, UINT64_C(6000000000), "", "◌ no answer 6s",
		    "? no answer 6s", ROLE_WARN },
		{ APP_ENDED, INGESTD_AT(12, 41), "exited 0",
		    "■ exited 0 at 12:41", "# exited 0 at 12:41", ROLE_TEXT },
		{ APP_ENDED, INGESTD_AT(0, 9), "exec", "■ exec at 0:09",
		    "# exec at 0:09", ROLE_TEXT },
		{ APP_KILLED, INGESTD_AT(12, 41), "SIGSEGV",
		    "✕ SIGSEGV at 12:41", "x SIGSEGV at 12:41", ROLE_ERROR },
		{ APP_FILE, 0, "run.htd.gz", "▸ run.htd.gz", "> run.htd.gz",
		    ROLE_TEXT },
	};
	struct ingestd r;

	(void)state;
	ingestd_open(&r, 80, 24, true);
	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		ingestd_status(&r, cases[i].connection, cases[i].ns,
		    cases[i].what, "", "");
		assert_string_equal(
		    header_state(&r.app, false).text, cases[i].unicode);
		assert_string_equal(
		    header_state(&r.app, true).text, cases[i].ascii);
		assert_int_equal(
		    header_state(&r.app, false).role, cases[i].role);
	}
	ingestd_keys(&r, "space");
	assert_string_equal(header_state(&r.app, false).text, "‖ paused 0:00");
	ingestd_keys(&r, "[");
	assert_string_equal(header_state(&r.app, true).text, "@ at 12:40");
	ingestd_close(&r);
}

/* Titles as in the drawings; long commands give way. */
static void
fits_the_title(void **state)
{
	struct ingestd r;

	(void)state;
	ingestd_open(&r, 80, 24, true);
	assert_line(&r, 0,
	    " ingestd --config prod.toml             pid 41237  up 12m41s   "
	    "● live  every 1s");
	snprintf(r.app.target.command, sizeof r.app.target.command,
	    "ingestd --config /etc/ingest/production/prod.toml --verbose");
	assert_line(&r, 0,
	    " ingestd --config /etc/ingest/product…  pid 41237  up 12m41s   "
	    "● live  every 1s");
	ingestd_resize(&r, 30, 8);
	assert_line(&r, 0, " ingestd          412.6 MiB ●");
	ingestd_close(&r);
}

static void
says_which_process(void **state)
{
	struct ingestd r;

	(void)state;
	ingestd_open(&r, 120, 30, true);
	r.app.target.shown = 2;
	assert_shows(&r, "prod.toml   ");
	r.app.target.processes = 5;
	assert_shows(&r, "  2 of 5 processes  pid 41237  up 12m41s  9 threads");
	ingestd_resize(&r, 80, 24);
	assert_line(&r, 0,
	    " ingestd --config prod.toml     2 of 5  pid 41237  up 12m41s   "
	    "● live  every 1s");
	ingestd_close(&r);
}

/* 51.7 MiB in 4m39s are 189.8 KiB/s; in the last minute, from 11:40 to
 * 12:41, it grew 60.2 * 61 / 204 = 18.0 MiB but 0.1 for the last second:
 * between 556 s and 760 s 60.2 MiB came, so at 700 s it was 394.5 MiB, and
 * 412.6 - 394.5 = 18.1 MiB in 61 s are 304 KiB/s. */
static void
rates_are_those_of_the_interval(void **state)
{
	struct ingestd r;

	(void)state;
	ingestd_open(&r, 100, 30, true);
	assert_shows(&r, "objects   +189.8 KiB/s ");
	ingestd_close(&r);
	ingestd_open(&r, 100, 30, false);
	assert_shows(&r, "objects   +30");
	assert_shows(&r, "live bytes · by stack · since start");
	ingestd_close(&r);
}

static void
shows_losses_and_what_is_off(void **state)
{
	struct ingestd r;

	(void)state;
	ingestd_open(&r, 80, 24, true);
	r.report->totals.lost[LOSS_TABLE_FULL] = 2;
	r.report->totals.lost[LOSS_NESTED] = 1;
	r.report->totals.lost[LOSS_GUESSED] = 100; /* not lost */
	assert_shows(&r, "1/512 KiB  3 lost\n");
	r.app.target.active = false;
	assert_shows(&r, "sampling off  3 lost\n");
	ingestd_close(&r);
}

static void
shows_one_tab(void **state)
{
	struct ingestd r;

	(void)state;
	ingestd_open(&r, 80, 24, true);
	assert_line(&r, 4,
	    "[1 Top]                                                     "
	    "live bytes by stack");
	ingestd_keys(&r, "2 3 4 5 6 7"); /* there are none */
	assert_int_equal(r.app.view, CONTEXT_TOP);
	ingestd_keys(&r, "Enter");
	assert_line(&r, 4,
	    "[1 Top]                                               "
	    "stack 1 of 317 · esc back");
	ingestd_close(&r);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(says_the_state),
		cmocka_unit_test(fits_the_title),
		cmocka_unit_test(says_which_process),
		cmocka_unit_test(rates_are_those_of_the_interval),
		cmocka_unit_test(shows_losses_and_what_is_off),
		cmocka_unit_test(shows_one_tab),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
