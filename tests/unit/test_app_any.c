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
/* The screen under any keys and events, in any order, at any size. */
#include "ui/app.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "ingestd.h"
#include "model/report.h"

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
	    app_screen(&r->app) == r->app.view)
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

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(takes_anything),
		cmocka_unit_test(survives_keys_without_a_report),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
