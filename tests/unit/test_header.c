/* needs: src/base/ src/model/ tests/unit/ingestd.c ui/-term.c */
#include "ui/header.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "ingestd_shows.h"
#include "model/profile.h"
#include "model/report.h"
#include "ui/app.h"

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
	/* which file comes before when that was */
	ingestd_keys(&r, "[");
	assert_string_equal(
	    header_state(&r.app, true).text, "> run.htd.gz  at 12:40");
	ingestd_status(&r, APP_LIVE, 0, "", "", "");
	assert_string_equal(
	    header_state(&r.app, true).text, "@ at 12:40  1s back");
	ingestd_close(&r);
}

/* A tenth of the bar is ten of a hundred; 37 of 99 are 29.9 eighths. */
static void
shows_how_much_is_read(void **state)
{
	struct ingestd r;

	(void)state;
	ingestd_open(&r, 100, 30, true);
	ingestd_status(&r, APP_FILE, 0, "three.heap", "", "");
	r.app.status.read = 10;
	r.app.status.to_read = 100;
	assert_shows(&r, " ▸ reading 10 of 100  █░░░░░░░░░\n");
	r.app.status.read = 37;
	r.app.status.to_read = 99;
	assert_string_equal(
	    header_state(&r.app, false).text, "▸ reading 37 of 99  ███▋░░░░░░");
	assert_string_equal(
	    header_state(&r.app, true).text, "> reading 37 of 99  ####......");
	r.app.status.read = 99;
	assert_string_equal(
	    header_state(&r.app, true).text, "> reading 99 of 99  ##########");
	/* where there is no room the bar goes first */
	r.app.status.read = 37;
	ingestd_resize(&r, 60, 15);
	assert_shows(&r, "  ▸ reading 37 of 99\n");
	ingestd_close(&r);
}

/* The third of 80 snapshots, of no known time.  The run has one every 10 s
 * from 0:10 to 12:40, 76 of them, and 0:04, 8:02, 9:15, 9:16 and 12:41: 81;
 * history may have thinned them. */
static void
counts_moments_without_a_time(void **state)
{
	struct ingestd r;
	char text[64];

	(void)state;
	ingestd_open(&r, 100, 30, true);
	r.app.target.untimed = true;
	ingestd_status(&r, APP_FILE, 0, "redis.6455.3.i3.heap", "", "");
	r.app.at = r.app.points[2].id;
	r.app.at_ns = r.app.points[2].ns;
	app_query_changed(&r.app);
	snprintf(text, sizeof text, "▸ redis.6455.3.i3.heap  3 of %zu",
	    r.app.point_count);
	assert_string_equal(header_state(&r.app, false).text, text);
	ingestd_send(&r, &(struct app_event){ .kind = APP_DATA });
	assert_hides(&r, "  up ");
	assert_hides(&r, "/s ");
	assert_hides(&r, "first seen");
	assert_hides(&r, "last 1");
	/* no room: the moment goes first, then the name's beginning */
	ingestd_resize(&r, 36, 24);
	assert_shows(&r, "  ▸ ….6455.3.i3.heap\n");
	ingestd_close(&r);
}

static void
send_points(struct ingestd *r, const struct app_point *p, size_t n)
{
	app_event(&r->app,
	    &(struct app_event){ .kind = APP_REPORT,
		.report = r->report,
		.points = p,
		.point_count = n });
}

/* 1 MiB in 1.9 s is no rate yet, in 2 s it is 512 KiB/s; 20 bytes in a
 * minute are none. */
static void
rates_are_worth_a_number(void **state)
{
	struct app_point p[2] = { { .id = 1, .ns = INGESTD_AT(12, 30) },
		{ .id = 2,
		    .ns = INGESTD_AT(12, 30) + UINT64_C(1900000000),
		    .live_bytes = 1048576 } };
	struct ingestd r;

	(void)state;
	ingestd_open(&r, 80, 24, false);
	send_points(&r, p, 2);
	assert_hides(&r, "B/s  ");
	p[1].ns = INGESTD_AT(12, 32);
	send_points(&r, p, 2);
	assert_shows(&r, "  +512.0 KiB/s  ");
	p[1].ns = INGESTD_AT(12, 41);
	p[1].live_bytes = 5;
	send_points(&r, p, 2);
	assert_hides(&r, "B/s  ");
	ingestd_close(&r);
}

static void
one_object_is_singular(void **state)
{
	struct profile_totals t;
	struct ingestd r;

	(void)state;
	ingestd_open(&r, 80, 24, true);
	t = *profile_totals(r.profile);
	t.live_objects = 1;
	profile_put_totals(r.profile, &t);
	profile_commit(r.profile);
	ingestd_send(&r, &(struct app_event){ .kind = APP_DATA });
	assert_shows(&r, "  1 object  ");
	ingestd_resize(&r, 100, 30);
	assert_shows(&r, "   1 object   ");
	ingestd_close(&r);
}

/* Nothing will come, and there is nobody to ask. */
static void
a_file_without_samples_is_no_waiting(void **state)
{
	struct ingestd r;

	(void)state;
	ingestd_open_waiting(&r, 80, 24);
	ingestd_status(&r, APP_FILE, 0, "p.1.0.f.heap", "", "");
	assert_shows(&r, "\n no sample   rss 2.1 MiB ");
	assert_shows(&r, "   There is nothing to show.\n");
	assert_shows(&r, "   There is no sample in this file.\n");
	assert_shows(&r, "\n ? help  q quit\n");
	assert_hides(&r, "running");
	ingestd_keys(&r, "d");
	assert_shows(&r, "\n there is no process to ask\n");
	ingestd_keys(&r, "w");
	assert_shows(&r, "\n there is no process to record\n");
	ingestd_keys(&r, "?");
	assert_hides(&r, "snapshot now");
	assert_hides(&r, "the target printed");
	ingestd_close(&r);
}

/* Killed a second after the last snapshot, of 12:41. */
static void
a_life_ends_with_the_program(void **state)
{
	struct ingestd r;

	(void)state;
	ingestd_open(&r, 80, 24, true);
	ingestd_status(&r, APP_KILLED, INGESTD_AT(12, 42), "SIGSEGV", "", "");
	assert_shows(&r, " up 12m42s   ✕ SIGSEGV at 12:42\n");
	assert_shows(&r, "\n last snapshot 412.6 MiB at 12:41, 1.0 s before");
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
	assert_shows(&r, "live bytes · by stack\n");
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
shows_the_tabs_that_fit(void **state)
{
	struct ingestd r;

	(void)state;
	ingestd_open(&r, 80, 24, true);
	assert_line(&r, 4,
	    "[1 Top] 2 Growth  3 Tree  4 Flame  5 Snaps  6 Threads       "
	    "live bytes by stack");
	for (int i = 2; i <= 7; i++) {
		char key[2] = { (char)('0' + i), '\0' };

		ingestd_keys(&r, key);
		assert_int_equal(r.app.view, CONTEXT_TOP + i - 1);
	}
	assert_line(&r, 4,
	    " 2 Growth  3 Tree  4 Flame  5 Snaps  6 Threads [7 Memory] "
	    "parts of rss at 12:41");
	ingestd_keys(&r, "1");
	ingestd_keys(&r, "Enter");
	assert_line(&r, 4,
	    "[1 Top] 2 Growth  3 Tree  4 Flame  5 Snaps  6 Threads   "
	    "         stack 1 of 317");
	ingestd_close(&r);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(says_the_state),
		cmocka_unit_test(shows_how_much_is_read),
		cmocka_unit_test(counts_moments_without_a_time),
		cmocka_unit_test(rates_are_worth_a_number),
		cmocka_unit_test(one_object_is_singular),
		cmocka_unit_test(a_file_without_samples_is_no_waiting),
		cmocka_unit_test(a_life_ends_with_the_program),
		cmocka_unit_test(fits_the_title),
		cmocka_unit_test(says_which_process),
		cmocka_unit_test(rates_are_those_of_the_interval),
		cmocka_unit_test(shows_losses_and_what_is_off),
		cmocka_unit_test(shows_the_tabs_that_fit),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
