/* needs: src/base/ src/model/ tests/unit/ingestd.c ui/-term.c */
#include "ui/export_menu.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "ingestd_shows.h"
#include "ui/app.h"

static void
tells_exists(struct ingestd *r, const struct request *q)
{
	struct app_event e = { .kind = APP_EXISTS, .request = q };

	app_event(&r->app, &e);
}

static void
a_name_is_asked_for(void **state)
{
	struct ingestd r;
	struct request q;

	(void)state;
	ingestd_open(&r, 80, 24, true);
	ingestd_keys(&r, "e");
	assert_shows(&r, "┌─ Export what is shown ─");
	assert_shows(&r, "  f   collapsed   stacks, folded");
	assert_shows(&r, "live bytes · by stack");
	ingestd_keys(&r, "f");
	assert_shows(&r, " write to heaptop-41237-1241.folded");
	q = ingestd_keys(&r, "C-u h . t Enter");
	assert_int_equal(q.kind, REQUEST_EXPORT);
	assert_string_equal(q.file, "h.t");
	assert_string_equal(r.app.formats[q.format].name, "collapsed");
	assert_false(q.overwrite);
	assert_int_equal(r.app.over, OVER_NONE);
	ingestd_close(&r);
}

static void
an_old_file_is_asked_about(void **state)
{
	struct ingestd r;
	struct request q, again;

	(void)state;
	ingestd_open(&r, 80, 24, true);
	q = ingestd_keys(&r, "e t C-u x Enter");
	tells_exists(&r, &q);
	assert_shows(&r, " x exists   o overwrite   ↵ other name   esc cancel");
	/* nothing but an answer is one */
	assert_int_equal(ingestd_keys(&r, "j Down space x 5").kind, 0);
	assert_int_equal(r.app.over, OVER_EXISTS);
	again = ingestd_keys(&r, "o");
	assert_int_equal(again.kind, REQUEST_EXPORT);
	assert_true(again.overwrite);
	assert_string_equal(again.file, "x");
	assert_int_equal(again.format, q.format);
	assert_int_equal(r.app.over, OVER_NONE);

	tells_exists(&r, &q);
	ingestd_keys(&r, "Enter");
	assert_shows(&r, " write to x");
	again = ingestd_keys(&r, "y Enter");
	assert_string_equal(again.file, "xy");
	assert_false(again.overwrite);

	tells_exists(&r, &q);
	assert_int_equal(ingestd_keys(&r, "Esc").kind, REQUEST_NONE);
	assert_int_equal(r.app.over, OVER_NONE);
	ingestd_close(&r);
}

static void
recordings_and_output_are_asked_about_too(void **state)
{
	struct ingestd r;
	struct request q;

	(void)state;
	ingestd_open(&r, 80, 24, true);
	q = ingestd_keys(&r, "w C-u z Enter");
	assert_int_equal(q.kind, REQUEST_RECORD);
	tells_exists(&r, &q);
	ingestd_keys(&r, "Enter");
	assert_shows(&r, " record to z");
	q = ingestd_keys(&r, "Enter");
	assert_int_equal(q.kind, REQUEST_RECORD);
	q = (struct request){ .kind = REQUEST_SAVE_OUTPUT, .file = "z.out" };
	tells_exists(&r, &q);
	ingestd_keys(&r, "Enter");
	assert_shows(&r, " save to z.out");
	ingestd_close(&r);
}

static void
only_what_can_be_written_is_offered(void **state)
{
	struct ingestd r;

	(void)state;
	ingestd_open(&r, 80, 24, true);
	ingestd_keys(&r, "e");
	assert_shows(&r, "growth");
	assert_shows(&r, "recording");
	r.app.status.connection = APP_FILE;
	assert_hides(&r, "recording");
	r.app.point_count = 1;
	assert_hides(&r, " u   growth");
	assert_int_equal(ingestd_keys(&r, "u").kind, REQUEST_NONE);
	ingestd_close(&r);
}

/* At every size the marked line is in sight, and what is below is told. */
static void
scrolls_where_it_is_low(void **state)
{
	struct ingestd r;

	(void)state;
	ingestd_open(&r, 60, 10, true);
	ingestd_keys(&r, "e");
	assert_shows(&r, "▌ t   top");
	assert_shows(&r, "↓ 1 more");
	ingestd_keys(&r, "G");
	assert_shows(&r, "▌ w   recording");
	assert_hides(&r, " more");
	ingestd_keys(&r, "Down");
	assert_shows(&r, "▌ t   top");
	ingestd_close(&r);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_name_is_asked_for),
		cmocka_unit_test(an_old_file_is_asked_about),
		cmocka_unit_test(recordings_and_output_are_asked_about_too),
		cmocka_unit_test(only_what_can_be_written_is_offered),
		cmocka_unit_test(scrolls_where_it_is_low),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
