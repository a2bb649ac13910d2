/* needs: src/base/ src/model/ tests/unit/ingestd.c ui/-term.c */
#include "ui/detail.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/buf.h"
#include "ingestd_shows.h"
#include "model/report.h"
#include "ui/app.h"

static void
hides(const struct ingestd *r, const char *text)
{
	char *screen = ingestd_screen(r);

	if (strstr(screen, text))
		fail_msg("\"%s\" is in\n%s", text, screen);
	free(screen);
}

/* Facts at the left, the stack at the right; 21.5 MiB in 279 s are 78.9
 * KiB/s, and 21.5 / 51.7 is 42 %. */
static void
shows_facts_and_stack(void **state)
{
	struct ingestd r;

	(void)state;
	ingestd_open(&r, 100, 30, true);
	assert_line(&r, 25,
	    " +21.5 MiB since A, 78.9 KiB/s, 42% of growth #1 ingest_loop      "
	    "src/ingest.c:88        ingestd");
	ingestd_keys(&r, "j j"); /* lru_cache_grow did not change */
	assert_shows(&r, " no change since A ");
	ingestd_keys(&r, "j"); /* std::vector shrank: no share of growth */
	assert_shows(&r, " -3.2 MiB since A, -11.7 KiB/s  ");
	ingestd_keys(&r, "m");
	assert_shows(&r, " -4 objects since A");
	ingestd_close(&r);
	ingestd_open(&r, 100, 30, false);
	assert_shows(&r, " +118.4 MiB since 0:00, 159.3 KiB/s ");
	ingestd_close(&r);
}

static void
says_what_is_noise(void **state)
{
	const struct report_row *rows;
	struct report_row row;
	struct ingestd r;

	(void)state;
	/* 6.6 % of 86.1 and of 85.1 MiB: the error of the change is the root
	 * of their squares' difference, 0.066 * 13.1 = 0.86, below 1.0. */
	ingestd_open(&r, 100, 30, true);
	ingestd_keys(&r, "j");
	assert_shows(&r, " +1.0 MiB since A, 3.7 KiB/s");
	row = *app_selected(&r.app);
	rows = r.report->rows;
	row.f.change_var = 1e13;
	r.report->rows = &row; /* of the test alone */
	r.report->row_count = 1;
	r.app.listed[0] = 0;
	r.app.listed_count = 1;
	r.app.rows.cursor = 0;
	assert_shows(&r, " +1.0 MiB since A, within noise ");
	r.report->rows = rows;
	r.report->row_count = 317;
	ingestd_close(&r);
}

/* 22.5 MiB were allocated since A and 21.5 of them are there. */
static void
shows_churn_at_the_side(void **state)
{
	struct ingestd r;

	(void)state;
	ingestd_open(&r, 160, 45, true);
	assert_shows(
	    &r, "│ churn    22.5 MiB allocated, 1.0 MiB freed since A");
	assert_shows(&r, "│ #4 clone3                       libc.so.6");
	ingestd_close(&r);
}

static void
takes_the_keys_in_its_pane(void **state)
{
	struct ingestd r;

	(void)state;
	ingestd_open(&r, 100, 30, true);
	ingestd_keys(&r, "Tab j j j j j j");
	assert_int_equal(r.app.rows.cursor, 0);
	assert_int_equal(r.app.frame, 4);
	assert_shows(&r, "frame 4 of 5");
	ingestd_keys(&r, "Tab j");
	assert_int_equal(r.app.rows.cursor, 1);
	assert_int_equal(r.app.frame, 0);
	ingestd_close(&r);
}

/* As drawn: 118.4 MiB and 57 k objects in 279 s; the source below, with the
 * line that allocates. */
static void
shows_source_at_the_side(void **state)
{
	struct ingestd r;

	(void)state;
	ingestd_open(&r, 160, 45, true);
	assert_shows(
	    &r, "│ live     118.4 MiB ±6.6%    312k objects   398 B avg\n");
	assert_shows(
	    &r, "│ change   +21.5 MiB since A  +57.0k objects  78.9 KiB/s\n");
	/* 482 of 761 s of 54 columns: the 34th */
	assert_shows(
	    &r, "│ 0:00 ────────────────────────────A ━━━━━━━━━━━━━━━━━ B\n");
	assert_shows(&r, "│ SOURCE  src/decode.c\n");
	assert_shows(
	    &r, "│ 214 ▸        out[i] = malloc(sizeof(struct row) + len");
	assert_shows(&r, "│ 215          if (!out[i])\n");
	ingestd_keys(&r, "Tab j");
	assert_shows(&r, "│ SOURCE  src/ingest.c\n");
	assert_shows(
	    &r, "│ src/ingest.c is not here; set HEAPTOP_SOURCE_PATH\n");
	/* start_thread has no line, and another row no frame with one */
	ingestd_keys(&r, "j j");
	hides(&r, "SOURCE");
	ingestd_keys(&r, "Tab j j");
	assert_int_equal(r.app.rows.cursor, 2);
	ingestd_close(&r);
}

static void
shows_source_below_the_stack(void **state)
{
	struct ingestd r;

	(void)state;
	ingestd_open(&r, 100, 30, true);
	ingestd_keys(&r, "Enter");
	assert_line(&r, 14,
	    " #4 clone3                                                       "
	    "               libc.so.6");
	assert_line(&r, 17, " 208");
	assert_line(
	    &r, 18, " 209  /* Decode one batch; the caller owns every row. */");
	assert_line(&r, 23,
	    " 214 ▸        out[i] = malloc(sizeof(struct row) + len[i]);");
	assert_line(&r, 27, " 218      }");
	assert_shows(&r, "\n─ src/decode.c ─────");
	assert_shows(&r,
	    "\n ↑ ↓ frame  t show in tree  f show in flame  y print stack on exit  ");
	ingestd_keys(&r, "j");
	assert_line(
	    &r, 17, " src/ingest.c is not here; set HEAPTOP_SOURCE_PATH");
	ingestd_keys(&r, "j j"); /* no line is known of start_thread */
	assert_shows(&r, "\n─ Frame ─");
	ingestd_close(&r);
}

/* Asked for once, and again when the selection or the text moves away. */
static void
asks_for_source(void **state)
{
	struct app_event e = {
		.kind = APP_SOURCE, .text = "\tone\n", .first_line = 120
	};
	struct ingestd r;
	const char *file;
	uint32_t line;

	(void)state;
	ingestd_open(&r, 80, 24, true);
	assert_false(app_wants_source(&r.app, &file, &line)); /* no room */
	ingestd_resize(&r, 160, 45);
	assert_false(app_wants_source(&r.app, &file, &line)); /* answered */
	e.source_file = "src/decode.c";
	e.source_line = 164; /* 50 lines before the one that is shown */
	app_event(&r.app, &e);
	assert_false(app_wants_source(&r.app, &file, &line));
	e.source_line = 163;
	app_event(&r.app, &e);
	assert_true(app_wants_source(&r.app, &file, &line));
	assert_string_equal(file, "src/decode.c");
	assert_int_equal(line, 214);
	r.app.rows.cursor = 2; /* lru_cache_grow ... ingest_loop */
	assert_true(app_wants_source(&r.app, &file, &line));
	assert_string_equal(file, "src/ingest.c");
	ingestd_keys(&r, "o");
	assert_false(app_wants_source(&r.app, &file, &line));
	ingestd_close(&r);
}

/* 3 of the run's places have no name.  It is said below the rest, but what
 * was lost before source. */
static void
says_what_was_not_seen(void **state)
{
	struct profile_totals t;
	struct ingestd r;
	char *screen, text[96];

	(void)state;
	ingestd_open(&r, 100, 30, true);
	ingestd_keys(&r, "Enter");
	screen = ingestd_screen(&r);
	assert_null(strstr(screen, "sampled 1/512 KiB"));
	free(screen);
	ingestd_keys(&r, "j j j"); /* start_thread */
	snprintf(text, sizeof text, " sampled 1/512 KiB; 3 of %u places have",
	    r.app.names);
	screen = ingestd_line(&r, 28);
	assert_memory_equal(screen, text, strlen(text));
	free(screen);
	t = *profile_totals(r.profile);
	t.lost[LOSS_TABLE_FULL] = 2;
	profile_put_totals(r.profile, &t);
	profile_commit(r.profile);
	ingestd_send(&r, &(struct app_event){ .kind = APP_DATA });
	ingestd_keys(&r, "Home");
	assert_shows(&r, "\n─ src/decode.c ─");
	assert_line(&r, 27, "");
	assert_shows(&r, "\n sampled 1/512 KiB; 2 samples lost; 3 of");
	ingestd_close(&r);
}

static void
fills_the_screen(void **state)
{
	struct ingestd r;

	(void)state;
	ingestd_open(&r, 100, 30, true);
	ingestd_keys(&r, "Enter");
	assert_line(&r, 6,
	    " decode_batch                                                    "
	    "                231 samples  ±6.6%");
	assert_line(&r, 7,
	    " 118.4 MiB live   312k objects   398 B avg   +21.5 MiB since A   "
	    "78.9 KiB/s   first seen 0:04");
	assert_line(&r, 10,
	    "▌#0 decode_batch                        src/decode.c:214         "
	    "               ingestd");
	assert_line(&r, 13,
	    " #3 start_thread                                                 "
	    "               libc.so.6");
	ingestd_keys(&r, "j");
	assert_shows(&r, "\n▌#1 ingest_loop ");
	assert_shows(&r, "frame 1 of 5");
	ingestd_keys(&r, "Esc");
	assert_false(r.app.detail_full);
	ingestd_close(&r);
}

/* The whole name, which no list has room for. */
static void
shows_full_names(void **state)
{
	struct ingestd r;

	(void)state;
	ingestd_open(&r, 80, 24, true);
	ingestd_keys(&r, "j j j Enter");
	assert_shows(&r, "\n std::vector<std::shared_ptr<Posting>, ");
	assert_shows(&r, "_M_realloc_insert<std::");
	ingestd_close(&r);
}

static void
is_printed_as_text(void **state)
{
	struct ingestd r;
	struct buf b = BUF_INIT;

	(void)state;
	ingestd_open(&r, 80, 24, true);
	ingestd_keys(&r, "Enter");
	detail_text(&r.app, &b);
	assert_string_equal(buf_str(&b),
	    "118.4 MiB live, 312k objects, 398 B avg; +21.5 MiB since A\n"
	    "  #0 decode_batch  src/decode.c:214  (ingestd)\n"
	    "  #1 ingest_loop  src/ingest.c:88  (ingestd)\n"
	    "  #2 worker_main  src/worker.c:51  (ingestd)\n"
	    "  #3 start_thread  (libc.so.6)\n"
	    "  #4 clone3  (libc.so.6)\n");
	buf_fini(&b);
	ingestd_close(&r);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(shows_facts_and_stack),
		cmocka_unit_test(says_what_is_noise),
		cmocka_unit_test(shows_churn_at_the_side),
		cmocka_unit_test(takes_the_keys_in_its_pane),
		cmocka_unit_test(says_what_was_not_seen),
		cmocka_unit_test(fills_the_screen),
		cmocka_unit_test(shows_source_at_the_side),
		cmocka_unit_test(shows_source_below_the_stack),
		cmocka_unit_test(asks_for_source),
		cmocka_unit_test(shows_full_names),
		cmocka_unit_test(is_printed_as_text),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
