/* needs: src/base/ src/model/ tests/unit/ingestd.c ui/-term.c */
#include "ui/app.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "ingestd_shows.h"
#include "model/history.h"
#include "model/profile.h"
#include "model/report.h"
#include "ui/frame.h"

/* The request that keys make in a fresh run of 12:41, mark A at 8:02. */
static void
requests_follow_keys(void **state)
{
	static const struct {
		const char *keys;
		enum request_kind kind;
		const char *file;
	} cases[] = {
		{ "j", REQUEST_NONE, "" },
		{ "C-l", REQUEST_REDRAW, "" },
		{ "C-z", REQUEST_SUSPEND, "" },
		{ "? C-l", REQUEST_REDRAW, "" },
		{ "d", REQUEST_PULL, "" },
		{ "y", REQUEST_NONE, "" }, /* only in the detail */
		{ "Enter y", REQUEST_PRINT, "" },
		/* quitting asks, as heaptop started the program */
		{ "q", REQUEST_NONE, "" },
		{ "q Esc", REQUEST_NONE, "" },
		{ "q x", REQUEST_NONE, "" },
		{ "q t", REQUEST_TERMINATE, "" },
		{ "q Enter", REQUEST_QUIT, "" },
		{ "C-c C-c", REQUEST_QUIT, "" },
		{ "? q Enter", REQUEST_QUIT, "" },
		{ ": q Enter Enter", REQUEST_QUIT, "" },
		/* what is exported is named after pid and time */
		{ "e", REQUEST_NONE, "" },
		{ "e Esc", REQUEST_NONE, "" },
		{ "e t", REQUEST_NONE, "" },
		{ "e t Enter", REQUEST_EXPORT, "heaptop-41237-1241.txt" },
		{ "e o Enter", REQUEST_EXPORT, "heaptop-41237-1241.dot" },
		{ "e f C-u y Enter", REQUEST_EXPORT, "y" },
		{ "e f C-u Enter", REQUEST_NONE, "" },
		{ "e f Esc", REQUEST_NONE, "" },
		{ "e Down Down Enter Enter", REQUEST_EXPORT,
		    "heaptop-41237-1241.tree" },
		{ "e Up Enter Enter", REQUEST_RECORD, "heaptop-41237.htd.gz" },
		{ "w Enter", REQUEST_RECORD, "heaptop-41237.htd.gz" },
		{ "w C-u x Enter", REQUEST_RECORD, "x" },
		{ "w C-u Enter", REQUEST_NONE, "" },
		{ "w Esc", REQUEST_NONE, "" },
	};

	(void)state;
	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		struct ingestd r;
		struct request q;

		ingestd_open(&r, 80, 24, true);
		q = ingestd_keys(&r, cases[i].keys);
		if (q.kind != cases[i].kind ||
		    strcmp(q.file, cases[i].file) != 0)
			fail_msg("%s: request %d, file \"%s\"", cases[i].keys,
			    (int)q.kind, q.file);
		ingestd_close(&r);
	}
}

static void
set_running(struct ingestd *r, bool running, const char *launched)
{
	struct app_target t = r->app.target;

	t.running = running;
	snprintf(t.launched, sizeof t.launched, "%s", launched);
	ingestd_send(
	    r, &(struct app_event){ .kind = APP_TARGET, .target = &t });
}

/* Nothing to ask: it is not ours, it has ended, nobody could read it. */
static void
quits_without_asking(void **state)
{
	struct ingestd r;

	(void)state;
	ingestd_open(&r, 80, 24, false);
	r.app.target.running = false;
	assert_int_equal(ingestd_keys(&r, "q").kind, REQUEST_QUIT);
	r.app.target.running = true;
	ingestd_resize(&r, 19, 3);
	assert_int_equal(ingestd_keys(&r, "q").kind, REQUEST_QUIT);
	ingestd_resize(&r, 80, 24);
	ingestd_keys(&r, "q");
	assert_int_equal(r.app.over, OVER_QUIT);
	set_running(&r, false, "");
	assert_int_equal(r.app.over, OVER_NONE); /* nothing to ask any more */
	assert_int_equal(ingestd_keys(&r, "q").kind, REQUEST_QUIT);
	ingestd_close(&r);
}

/* g++ waits for another child; the one that is shown has ended. */
static void
asks_for_what_it_started(void **state)
{
	struct ingestd r;

	(void)state;
	ingestd_open(&r, 80, 24, false);
	set_running(&r, true, "g++");
	ingestd_status(&r, APP_ENDED, INGESTD_AT(12, 42), "exited 0", "", "");
	assert_int_equal(ingestd_keys(&r, "q").kind, REQUEST_NONE);
	assert_shows(&r, "\n g++ is still running.   t terminate ");
	/* another process comes: the question is the same */
	ingestd_send(&r, &(struct app_event){ .kind = APP_OTHER });
	assert_int_equal(ingestd_keys(&r, "t").kind, REQUEST_TERMINATE);
	ingestd_keys(&r, "q");
	set_running(&r, false, "g++");
	assert_int_equal(ingestd_keys(&r, "t").kind, REQUEST_NONE);
	ingestd_close(&r);
}

static void
commands_become_requests(void **state)
{
	struct ingestd r;
	struct request q;

	(void)state;
	ingestd_open(&r, 80, 24, false);
	ingestd_keys(&r, ":");
	ingestd_type(&r, "sample 4K");
	q = ingestd_keys(&r, "Enter");
	assert_int_equal(q.kind, REQUEST_RATE);
	assert_int_equal(q.lg_sample, 12);
	ingestd_keys(&r, ":");
	ingestd_type(&r, "active off");
	q = ingestd_keys(&r, "Enter");
	assert_int_equal(q.kind, REQUEST_ACTIVE);
	assert_false(q.on);
	ingestd_keys(&r, ":");
	ingestd_type(&r, "nonsense");
	q = ingestd_keys(&r, "Enter");
	assert_int_equal(q.kind, REQUEST_NONE);
	assert_shows(&r, "nonsense: no such command");
	ingestd_keys(&r, "j");
	assert_string_equal(r.app.message, "");
	ingestd_close(&r);
}

/* What the query becomes; the rest stays as it was. */
static void
queries_follow_keys(void **state)
{
	static const struct {
		const char *keys;
		enum metric metric;
		enum grouping grouping;
		enum order order;
		bool reverse;
		enum cut cut;
	} cases[] = {
		{ "j", METRIC_LIVE_BYTES, GROUP_STACKS, ORDER_FLAT, false,
		    CUT_WRAPPERS },
		{ "m", METRIC_LIVE_OBJECTS, GROUP_STACKS, ORDER_FLAT, false,
		    CUT_WRAPPERS },
		{ "m m m m", METRIC_LIVE_BYTES, GROUP_STACKS, ORDER_FLAT, false,
		    CUT_WRAPPERS },
		{ "g", METRIC_LIVE_BYTES, GROUP_FUNCTIONS, ORDER_FLAT, false,
		    CUT_WRAPPERS },
		{ "g g g g g", METRIC_LIVE_BYTES, GROUP_THREADS, ORDER_FLAT,
		    false, CUT_WRAPPERS },
		{ "g g g g g g", METRIC_LIVE_BYTES, GROUP_STACKS, ORDER_FLAT,
		    false, CUT_WRAPPERS },
		/* at 80 columns: LIVE, CHANGE, SITE */
		{ "s", METRIC_LIVE_BYTES, GROUP_STACKS, ORDER_CHANGE, false,
		    CUT_WRAPPERS },
		{ "s s", METRIC_LIVE_BYTES, GROUP_STACKS, ORDER_NAME, false,
		    CUT_WRAPPERS },
		{ "s s s", METRIC_LIVE_BYTES, GROUP_STACKS, ORDER_FLAT, false,
		    CUT_WRAPPERS },
		{ "S", METRIC_LIVE_BYTES, GROUP_STACKS, ORDER_FLAT, true,
		    CUT_WRAPPERS },
		{ "S s", METRIC_LIVE_BYTES, GROUP_STACKS, ORDER_CHANGE, false,
		    CUT_WRAPPERS },
		{ "p", METRIC_LIVE_BYTES, GROUP_STACKS, ORDER_FLAT, false,
		    CUT_NOTHING },
		{ "p p", METRIC_LIVE_BYTES, GROUP_STACKS, ORDER_FLAT, false,
		    CUT_WRAPPERS },
	};

	(void)state;
	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		struct ingestd r;
		const struct query *q = &r.app.query;

		ingestd_open(&r, 80, 24, false);
		ingestd_keys(&r, cases[i].keys);
		assert_int_equal(q->metric, cases[i].metric);
		assert_int_equal(q->grouping, cases[i].grouping);
		assert_int_equal(q->order, cases[i].order);
		assert_int_equal(q->reverse, cases[i].reverse);
		assert_int_equal(q->cut, cases[i].cut);
		assert_true(q->since_start);
		assert_int_equal(q->at, 0);
		ingestd_close(&r);
	}
}

static void
dirtiness_has_levels(void **state)
{
	static const struct {
		const char *key;
		unsigned dirty;
	} cases[] = {
		{ "j", APP_DIRTY_VIEW },
		{ "?", APP_DIRTY_VIEW },
		{ "m", APP_DIRTY_VIEW | APP_DIRTY_QUERY },
		{ "a", APP_DIRTY_VIEW | APP_DIRTY_QUERY | APP_DIRTY_PINS },
		{ "space", APP_DIRTY_VIEW | APP_DIRTY_QUERY | APP_DIRTY_PINS },
	};
	struct ingestd r;

	(void)state;
	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		struct app_event e = { .kind = APP_KEY };

		ingestd_open(&r, 80, 24, false);
		assert_true(key_parse(cases[i].key, &e.key));
		r.app.dirty = 0;
		app_event(&r.app, &e);
		assert_int_equal(r.app.dirty, cases[i].dirty);
		ingestd_close(&r);
	}
	ingestd_open(&r, 80, 24, false);
	r.app.dirty = 0;
	app_event(&r.app, &(struct app_event){ .kind = APP_DATA });
	assert_int_equal(r.app.dirty, APP_DIRTY_DATA);
	assert_true(app_wants_report(&r.app));
	r.app.dirty = 0;
	app_event(&r.app,
	    &(struct app_event){
		.kind = APP_RESIZE, .width = 90, .height = 9 });
	assert_int_equal(r.app.dirty, APP_DIRTY_SIZE | APP_DIRTY_VIEW);
	assert_false(app_wants_report(&r.app));
	/* a key that does nothing new, and the end of a message */
	r.app.dirty = 0;
	app_event(&r.app,
	    &(struct app_event){ .kind = APP_KEY, .key = { K_NONE, 0, 0, 0 } });
	assert_int_equal(r.app.dirty, 0);
	ingestd_close(&r);
}

/* The fourth stack, std::vector…: by name it is the last. */
static void
selection_follows_the_row(void **state)
{
	struct ingestd r;
	uint64_t key;

	(void)state;
	ingestd_open(&r, 80, 24, true);
	ingestd_keys(&r, "j j j");
	key = app_selected(&r.app)->key;
	assert_int_equal(r.app.rows.cursor, 3);
	ingestd_keys(&r, "S"); /* it is the fourth from the end now */
	assert_int_equal(app_selected(&r.app)->key, key);
	assert_int_equal(r.app.rows.cursor, 317 - 4);
	ingestd_keys(&r, "S");
	assert_int_equal(r.app.rows.cursor, 3);
	ingestd_resize(&r, 60, 11); /* six rows are seen */
	assert_int_equal(app_selected(&r.app)->key, key);
	/* When it is gone the cursor stays in its place. */
	ingestd_keys(&r, "/");
	ingestd_type(&r, "_");
	assert_int_equal(app_selected(&r.app)->key, key);
	ingestd_keys(&r, "C-u");
	ingestd_type(&r, "~");
	assert_null(app_selected(&r.app));
	ingestd_keys(&r, "Esc");
	assert_int_equal(app_selected(&r.app)->key, key);
	assert_int_equal(r.app.rows.cursor, 3);
	ingestd_keys(&r, "!");
	assert_int_not_equal(app_selected(&r.app)->key, key);
	assert_int_equal(r.app.rows.cursor, 3);
	ingestd_close(&r);
}

static void
filters_pass_or_are_kept(void **state)
{
	struct ingestd r;

	(void)state;
	ingestd_open(&r, 100, 30, true);
	ingestd_keys(&r, "/");
	ingestd_type(&r, "intern");
	assert_int_equal(r.report->group_count, 2);
	ingestd_keys(&r, "Enter");
	assert_shows(&r, " by stack  /intern\n");
	ingestd_keys(&r, "Esc");
	assert_int_equal(r.report->group_count, 317);
	/* kept: Esc does not end it */
	ingestd_keys(&r, "\\");
	ingestd_type(&r, "!intern");
	assert_int_equal(r.report->group_count, 317); /* not while typing */
	ingestd_keys(&r, "Enter Esc");
	assert_int_equal(r.report->group_count, 315);
	ingestd_keys(&r, "\\");
	ingestd_type(&r, "decode");
	ingestd_keys(&r, "Enter");
	/* decode_batch and the arena below it; the two of intern are hidden */
	assert_int_equal(r.report->group_count, 2);
	assert_shows(&r, "\\decode \\!intern\n");
	ingestd_keys(&r, "\\ C-u Enter");
	assert_int_equal(r.report->group_count, 317);
	ingestd_keys(&r, "/ x Esc"); /* given up */
	assert_null(r.app.query.focus);
	ingestd_close(&r);
}

/* Two stacks go through intern_key. */
static void
filters_are_turned_round(void **state)
{
	struct ingestd r;

	(void)state;
	ingestd_open(&r, 100, 30, true);
	ingestd_keys(&r, "/");
	ingestd_type(&r, "!");
	assert_int_equal(r.report->group_count, 317);
	ingestd_type(&r, "intern");
	assert_int_equal(r.report->group_count, 315);
	assert_shows(&r, "… 2 stacks not matching");
	ingestd_keys(&r, "Enter");
	assert_shows(&r, "  /!intern\n");
	/* four go through decode_batch, two of them through intern_key */
	ingestd_keys(&r, "\\");
	ingestd_type(&r, "decode");
	ingestd_keys(&r, "Enter");
	assert_int_equal(r.report->group_count, 2);
	assert_shows(&r, "/!intern \\decode\n");
	ingestd_keys(&r, "Esc");
	assert_int_equal(r.report->group_count, 4);
	ingestd_close(&r);
}

/* 611k objects are the most, of xstrdup, the sixth by bytes. */
static void
the_first_row_is_selected_until_one_moves(void **state)
{
	struct ingestd r;

	(void)state;
	ingestd_open(&r, 80, 24, true);
	ingestd_keys(&r, "m");
	assert_int_equal(r.app.rows.cursor, 0);
	assert_string_equal(app_selected(&r.app)->name, "xstrdup");
	ingestd_keys(&r, "m m m S");
	assert_int_equal(r.app.rows.cursor, 0);
	assert_int_equal(r.app.rows.top, 0);
	ingestd_keys(&r, "S j k"); /* back at the first, on purpose */
	ingestd_keys(&r, "m");
	assert_string_equal(app_selected(&r.app)->name, "decode_batch");
	/* decode_batch has 312k objects, the second most */
	assert_int_equal(r.app.rows.cursor, 1);
	ingestd_close(&r);
}

/* Rows move below the detail; it stays with its own. */
static void
the_detail_keeps_its_row(void **state)
{
	struct ingestd r;

	(void)state;
	ingestd_open(&r, 80, 24, true);
	ingestd_keys(&r, "Enter");
	r.app.query.reverse = true;
	app_query_changed(&r.app);
	ingestd_send(&r, &(struct app_event){ .kind = APP_DATA });
	assert_string_equal(app_selected(&r.app)->name, "decode_batch");
	assert_shows(&r, "\n decode_batch ");
	ingestd_keys(&r, "Esc");
	assert_int_equal(r.app.rows.cursor, 316);
	assert_int_equal(r.app.rows.top, 316 - 11); /* in sight */
	ingestd_close(&r);
}

static void
rows_are_kept_or_hidden(void **state)
{
	struct ingestd r;

	(void)state;
	ingestd_open(&r, 100, 30, true);
	ingestd_keys(&r, "!"); /* decode_batch is in four stacks */
	assert_int_equal(r.report->group_count, 313);
	assert_string_equal(r.app.hidden, "^decode_batch$");
	ingestd_keys(&r, "!"); /* http::Session::read_body, in two */
	assert_int_equal(r.report->group_count, 311);
	ingestd_keys(&r, "\\ C-u Enter j j *");
	assert_int_equal(r.report->group_count, 1); /* lru_cache_grow */
	assert_string_equal(r.app.only, "^lru_cache_grow$");
	ingestd_keys(&r, "\\ C-u Enter g g g g g *");
	assert_int_equal(r.app.query.thread, 1); /* a thread alone */
	ingestd_keys(&r, "Esc");
	assert_int_equal(r.app.query.thread, -1);
	ingestd_close(&r);
}

static void
next_finds_rows(void **state)
{
	struct ingestd r;

	(void)state;
	ingestd_open(&r, 100, 30, true);
	ingestd_keys(&r, "n");
	assert_shows(&r, "nothing was looked for");
	ingestd_keys(&r, "/");
	ingestd_type(&r, "intern");
	ingestd_keys(&r, "Enter Esc Home n");
	assert_int_equal(r.app.rows.cursor, 5); /* xstrdup ← intern_key */
	ingestd_keys(&r, "n");
	assert_int_equal(r.app.rows.cursor, 8); /* hashtab_resize */
	ingestd_keys(&r, "N N");
	assert_int_equal(r.app.rows.cursor, 8); /* round */
	ingestd_close(&r);
}

static struct request
click(struct ingestd *r, uint32_t code, int x, int y)
{
	return ingestd_send(r,
	    &(struct app_event){ .kind = APP_KEY,
		.key = { .code = code, .x = (int16_t)x, .y = (int16_t)y } });
}

static void
mouse_does_what_keys_do(void **state)
{
	struct ingestd r;

	(void)state;
	ingestd_open(&r, 100, 30, true);
	click(&r, K_CLICK, 50, 8); /* the third row */
	assert_int_equal(r.app.rows.cursor, 2);
	assert_false(r.app.detail_full);
	click(&r, K_CLICK, 50, 8);
	assert_true(r.app.detail_full);
	ingestd_keys(&r, "Esc");
	click(&r, K_CLICK, 33, 5); /* CHANGE */
	assert_int_equal(r.app.query.order, ORDER_CHANGE);
	click(&r, K_CLICK, 33, 5);
	assert_true(r.app.query.reverse);
	ingestd_keys(&r, "Home");
	click(&r, K_WHEEL_DOWN, 50, 8);
	assert_int_equal(r.app.rows.top, 3);
	click(&r, K_CLICK, 1, 2); /* the first moment there is, at 0:04 */
	assert_int_equal(r.app.query.at, 1);
	click(&r, K_CLICK, 98, 2);
	assert_int_equal(r.app.query.at, 0);
	/* the tab of the view leads back to it; beside it is none */
	ingestd_keys(&r, "o");
	click(&r, K_CLICK, 70, 4);
	assert_true(r.app.output_shown);
	click(&r, K_CLICK, 6, 4); /* "[1 Top]" */
	assert_false(r.app.output_shown);
	ingestd_keys(&r, "? ");
	r.app.height = 12;
	app_lay_out(&r.app);
	click(&r, K_WHEEL_DOWN, 50, 8);
	assert_int_equal(r.app.over_first, 1);
	ingestd_close(&r);
}

/* The marks, the moment and the selection belong to the one before; what is
 * asked stays. */
static void
another_process_begins_anew(void **state)
{
	struct app_event other = { .kind = APP_OTHER };
	struct ingestd r;
	snap_id pins[3];

	(void)state;
	ingestd_open(&r, 100, 30, true);
	assert_int_equal(ingestd_keys(&r, "P").kind, REQUEST_NONE);
	assert_shows(&r, "there is no other process");
	r.app.target.processes = 2;
	assert_int_equal(ingestd_keys(&r, "P").kind, REQUEST_PROCESS);
	ingestd_keys(&r, "m j j [ b space \\ i n Enter Enter j :");
	app_event(&r.app, &other);
	assert_null(r.app.report);
	assert_true(app_wants_report(&r.app));
	assert_true(r.app.dirty & APP_DIRTY_PINS);
	app_pins(&r.app, pins);
	assert_int_equal(pins[0] + pins[1] + pins[2], 0);
	assert_int_equal(r.app.query.at, 0);
	assert_int_equal(r.app.query.base, 0);
	assert_true(r.app.query.since_start);
	assert_int_equal(r.app.point_count, 0);
	assert_false(r.app.detail_full);
	assert_int_equal(r.app.rows.cursor, 0);
	assert_int_equal(r.app.query.metric, METRIC_LIVE_OBJECTS);
	assert_string_equal(r.app.only, "in");
	assert_int_equal(r.app.over, OVER_PROMPT); /* one may type on */
	free(ingestd_screen(&r));
	ingestd_send(&r, &(struct app_event){ .kind = APP_DATA });
	assert_non_null(r.app.report);
	ingestd_close(&r);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(requests_follow_keys),
		cmocka_unit_test(quits_without_asking),
		cmocka_unit_test(asks_for_what_it_started),
		cmocka_unit_test(commands_become_requests),
		cmocka_unit_test(queries_follow_keys),
		cmocka_unit_test(dirtiness_has_levels),
		cmocka_unit_test(selection_follows_the_row),
		cmocka_unit_test(filters_pass_or_are_kept),
		cmocka_unit_test(filters_are_turned_round),
		cmocka_unit_test(the_first_row_is_selected_until_one_moves),
		cmocka_unit_test(the_detail_keeps_its_row),
		cmocka_unit_test(rows_are_kept_or_hidden),
		cmocka_unit_test(next_finds_rows),
		cmocka_unit_test(mouse_does_what_keys_do),
		cmocka_unit_test(another_process_begins_anew),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
