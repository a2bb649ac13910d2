/* needs: src/base/ src/model/ tests/unit/ingestd.c ui/-term.c */
/* The screen under any keys and events, in any order, at any size. */
#include "ui/app.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "ingestd_shows.h"
#include "model/report.h"
#include "ui/frame.h"
#include "ui/grid.h"

static uint32_t
draw(uint32_t *seed, uint32_t below)
{
	*seed = *seed * 1664525 + 1013904223;
	return (uint32_t)((uint64_t)*seed * below >> 32);
}

/* Requests are complete, and the selection is a row. */
static void
check(const struct ingestd *r, struct request q)
{
	if (q.kind == REQUEST_EXPORT || q.kind == REQUEST_SAVE_OUTPUT)
		assert_true(*q.file);
	if (q.kind == REQUEST_TYPE)
		assert_true(q.byte_count > 0 && r->app.typing);
	if (r->app.report && r->app.report->row_count > 0 &&
	    app_screen(&r->app) == r->app.view &&
	    (r->app.view == CONTEXT_TOP || r->app.view == CONTEXT_THREADS))
		assert_non_null(app_selected(&r->app));
}

static void
any_key(struct ingestd *r, uint32_t *seed)
{
	static const char often[] = "jkhlnNgmsSoop/\\:*!abx[]{}FdewiPyq?123 t";
	struct app_event e = { .kind = APP_KEY };

	switch (draw(seed, 10)) {
	case 0: e.key.code = K_NONE + draw(seed, K_F24 - K_NONE + 1); break;
	case 1: e.key.code = ' ' + draw(seed, 0x3000); break;
	case 2:
		e.key.code = 'a' + draw(seed, 30);
		e.key.mods = (uint8_t)draw(seed, 8);
		break;
	case 3: e.key.code = draw(seed, 2) ? K_ESC : K_ENTER; break;
	case 4:
		e.key.code = ']';
		e.key.mods = KEY_MOD_CTRL;
		break;
	default:
		e.key.code = (unsigned char)often[draw(seed, sizeof often - 1)];
	}
	e.key.x = (int16_t)draw(seed, 200);
	e.key.y = (int16_t)draw(seed, 60);
	check(r, ingestd_send(r, &e));
}

static void
any_output(struct ingestd *r, uint32_t *seed)
{
	struct app_event e = { .kind = APP_OUTPUT };
	char bytes[300];

	e.len = draw(seed, sizeof bytes);
	e.lost = draw(seed, 10) == 0;
	for (size_t i = 0; i < e.len; i++)
		bytes[i] = draw(seed, 3) ? (char)('a' + draw(seed, 26))
					 : (char)draw(seed, 256);
	e.data = bytes;
	ingestd_send(r, &e);
}

/* Another size, another state, another process, no report. */
static void
any_event(struct ingestd *r, uint32_t *seed)
{
	struct app_event e = { .kind = APP_REPORT };

	switch (draw(seed, 9)) {
	case 0:
	case 1:
		ingestd_resize(r, 1 + (int)draw(seed, 200),
		    1 + (int)draw(seed, draw(seed, 2) ? 60 : 8));
		break;
	case 2:
		ingestd_status(r, (enum app_connection)draw(seed, APP_FILE + 1),
		    INGESTD_AT(draw(seed, 14), 0), "SIGSEGV",
		    draw(seed, 2) ? "It is so." : "", "last");
		break;
	case 3:
		app_event(&r->app, &e);
		report_free(r->report);
		r->report = NULL;
		break;
	case 4:
		ingestd_send(r, &(struct app_event){ .kind = APP_OTHER });
		break;
	case 5:
		app_event(&r->app, &(struct app_event){ .kind = APP_OTHER });
		report_free(r->report);
		r->report = NULL;
		break;
	case 6: r->app.target.processes = draw(seed, 3); break;
	case 7: r->app.target.takes_input = draw(seed, 2); break;
	case 8:
		ingestd_send(r,
		    &(struct app_event){ .kind = APP_DATA,
			.now_ns = INGESTD_AT(13, draw(seed, 60)) });
		break;
	}
}

static void
takes_anything(void **state)
{
	uint32_t seed = 7;
	struct ingestd r;

	(void)state;
	ingestd_open(&r, 80, 24, true);
	for (int i = 0; i < 20000; i++) {
		uint32_t what = draw(&seed, 100);

		if (what < 80)
			any_key(&r, &seed);
		else if (what < 90)
			any_output(&r, &seed);
		else
			any_event(&r, &seed);
		r.ascii = i % 7 == 0;
		if (i % 10 == 0)
			free(ingestd_screen(&r));
	}
	ingestd_close(&r);
}

/* Before the first report nothing can be done, and nothing breaks. */
static void
survives_keys_without_a_report(void **state)
{
	struct ingestd r;

	(void)state;
	ingestd_open_waiting(&r, 80, 24);
	for (uint32_t c = ' '; c < 127; c++) {
		struct app_event e = { .kind = APP_KEY, .key = { .code = c } };

		ingestd_send(&r, &e);
		free(ingestd_screen(&r));
		ingestd_keys(&r, "Down Enter Tab Esc Esc");
		free(ingestd_screen(&r));
	}
	ingestd_close(&r);
}

/* Below 20x4 there is a figure and nothing else; what was open comes back. */
static void
tiny_ones_can_be_left(void **state)
{
	static const char *const open[] = { "j", "o", "?", "/ x", "q", "e",
		": s", "Enter", "o i", "o / y" };
	static const struct {
		int w, h;
	} sizes[] = { { 19, 3 }, { 1, 1 }, { 100, 3 }, { 19, 30 } };

	(void)state;
	for (size_t i = 0; i < sizeof open / sizeof open[0]; i++) {
		for (size_t s = 0; s < sizeof sizes / sizeof sizes[0]; s++) {
			struct ingestd r;
			char *before, *line;

			ingestd_open(&r, 80, 24, true);
			ingestd_keys(&r, open[i]);
			before = ingestd_screen(&r);
			ingestd_resize(&r, sizes[s].w, sizes[s].h);
			line = ingestd_screen(&r);
			if (sizes[s].w > 1)
				assert_memory_equal(line, "412.6 MiB\n", 10);
			free(line);
			/* nothing that cannot be seen is answered */
			assert_int_equal(
			    ingestd_keys(&r, "t Enter x Esc").kind, 0);
			ingestd_resize(&r, 80, 24);
			line = ingestd_screen(&r);
			assert_string_equal(line, before);
			ingestd_resize(&r, sizes[s].w, sizes[s].h);
			assert_int_equal(
			    ingestd_keys(&r, "q").kind, REQUEST_QUIT);
			free(line);
			free(before);
			ingestd_close(&r);
		}
	}
}

/* From anywhere, with the keys that lead back. */
static void
small_ones_can_be_left(void **state)
{
	static const char *const open[] = { "j", "o", "?", "/ x", "q", "e",
		": s", "Enter", "o i", "o / y" };
	static const int sizes[][2] = { { 36, 8 }, { 20, 4 }, { 60, 15 },
		{ 20, 10 }, { 20, 16 } };

	(void)state;
	for (size_t i = 0; i < sizeof open / sizeof open[0]; i++) {
		for (size_t s = 0; s < sizeof sizes / sizeof sizes[0]; s++) {
			struct ingestd r;

			ingestd_open(&r, sizes[s][0], sizes[s][1], true);
			ingestd_keys(&r, open[i]);
			free(ingestd_screen(&r));
			ingestd_keys(&r, "C-] Esc q");
			assert_int_equal(r.app.over, OVER_QUIT);
			free(ingestd_screen(&r));
			assert_int_equal(
			    ingestd_keys(&r, "q").kind, REQUEST_QUIT);
			ingestd_close(&r);
		}
	}
}

/* As much as there is room for, the most important first. */
static void
small_ones_say_what_matters(void **state)
{
	struct ingestd r;

	(void)state;
	ingestd_open(&r, 36, 8, true);
	ingestd_keys(&r, "q");
	assert_line(&r, 7, " t terminate  ↵ leave  esc stay");
	ingestd_resize(&r, 20, 4);
	assert_line(&r, 3, " t end ↵ leave esc");
	ingestd_keys(&r, "Esc Enter");
	assert_line(&r, 1, " decode_batch");
	assert_line(&r, 2, "▌#0 decode_batch");
	assert_line(&r, 3, " #1 ingest_loop");
	ingestd_keys(&r, "End");
	assert_line(&r, 3, "▌#4 clone3");
	ingestd_keys(&r, "Esc ? j");
	assert_line(&r, 1, "│    1   top: w…   │");
	assert_line(&r, 2, "│       esc close  │");
	ingestd_keys(&r, "Esc e Up");
	assert_line(&r, 2, "│▌ w   recording … │");
	assert_line(&r, 3, "└──────────────────┘");
	ingestd_keys(&r, "Esc");
	ingestd_resize(&r, 20, 16);
	assert_line(&r, 1, " live 412.6 MiB");
	ingestd_close(&r);
}

/* A screen reader reads the row of the cursor. */
static void
the_cursor_is_where_one_is(void **state)
{
	static const struct {
		const char *keys;
		int x, y;
	} cases[] = {
		{ "j j", 0, 8 },      /* the third row; titles are row 5 */
		{ "Enter j", 0, 11 }, /* the second frame */
		{ "Tab", 46, 24 },    /* the first one in the pane */
		{ "o", 3, 7 },        /* the sentence */
		{ "o i", 1, 6 },      /* where the program writes */
		{ "? j", 7, 2 },      /* the first line of the help */
		{ "q", 29, 29 },      /* the first answer */
		{ "e j", 28, 12 },    /* the second line */
		{ "/ a b", 5, 29 },
	};

	(void)state;
	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		struct ingestd r;
		struct grid g;

		ingestd_open(&r, 100, 30, true);
		ingestd_keys(&r, cases[i].keys);
		grid_init(&g, 100, 30);
		ui_render(&r.app, &g);
		if (g.cursor_x != cases[i].x || g.cursor_y != cases[i].y)
			fail_msg(
			    "%s: %d,%d", cases[i].keys, g.cursor_x, g.cursor_y);
		grid_fini(&g);
		ingestd_close(&r);
	}
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(takes_anything),
		cmocka_unit_test(survives_keys_without_a_report),
		cmocka_unit_test(tiny_ones_can_be_left),
		cmocka_unit_test(small_ones_can_be_left),
		cmocka_unit_test(small_ones_say_what_matters),
		cmocka_unit_test(the_cursor_is_where_one_is),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
