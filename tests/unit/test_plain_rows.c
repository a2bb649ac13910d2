/* needs: src/base/ src/model/ tests/unit/ingestd.c src/screen_plain_rows.c
 * ui/-term.c */
/* What is told of the invented run of tests/data/ingestd.py without a screen:
 * the figures are those of its mock-ups. */
#include "screen_plain_rows.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/buf.h"
#include "ingestd.h"
#include "model/report.h"
#include "ui/app.h"
#include "ui/command.h"
#include "ui/view.h"

static void
assert_told(const struct buf *b, const char *text)
{
	if (!strstr(buf_str(b), text))
		fail_msg("\"%s\" is not in\n%s", text, buf_str(b));
}

static void
command(struct ingestd *r, const char *text)
{
	struct request q = { .kind = REQUEST_NONE };

	app_command(&r->app, text, &q);
	ingestd_keys(r, "F24"); /* a report, if one is wanted */
}

static void
rows_are_sentences(void **state)
{
	struct buf b = BUF_INIT;
	struct ingestd r;

	(void)state;
	ingestd_open(&r, 160, 60, true);
	plain_head(&r.app, &b);
	assert_told(&b,
	    "Top: live bytes by stack, now, 12:41, changes since A at 8:02. "
	    "412.6 MiB live in all.\n");
	assert_int_equal(plain_rows(&r.app, 0, 2, &b), 2);
	assert_told(&b,
	    "1. decode_batch: 118.4 MiB, 28.7 percent, up 21.5 MiB, 312k "
	    "objects; called by ingest_loop, worker_main, start_thread, "
	    "clone3.\n"
	    "2. http::Session::read_body: 86.1 MiB, 20.9 percent, up 1.0 MiB");
	buf_clear(&b);
	plain_rows(&r.app, 3, 1, &b);
	assert_told(&b, "down 3.2 MiB");
	/* behind the last there is none */
	buf_clear(&b);
	assert_int_equal(
	    plain_rows(&r.app, 100000, 10, &b), plain_row_count(&r.app));
	assert_int_equal(b.len, 0);
	buf_fini(&b);
	ingestd_close(&r);
}

static void
a_row_is_told_with_its_stack(void **state)
{
	struct buf b = BUF_INIT;
	struct ingestd r;

	(void)state;
	ingestd_open(&r, 160, 60, true);
	plain_row(&r.app, 0, &b);
	assert_told(&b,
	    "It rests on 231 samples and is right, +/-6.6%.\n"
	    "First seen at 0:04.\n"
	    "Frame 0: decode_batch, src/decode.c line 214, in ingestd.\n"
	    "Frame 1: ingest_loop, src/ingest.c line 88, in ingestd.\n");
	assert_told(&b, "Frame 3: start_thread, in libc.so.6.\n");
	buf_fini(&b);
	ingestd_close(&r);
}

static void
a_filter_is_told(void **state)
{
	struct buf b = BUF_INIT;
	struct ingestd r;

	(void)state;
	ingestd_open(&r, 160, 60, true);
	command(&r, "filter intern");
	plain_head(&r.app, &b);
	assert_told(&b, "; only what matches /intern: 24.2 MiB.\n");
	assert_int_equal(plain_row_count(&r.app), 2);
	buf_fini(&b);
	ingestd_close(&r);
}

static void
moments_are_told(void **state)
{
	struct buf b = BUF_INIT;
	struct ingestd r;

	(void)state;
	ingestd_open(&r, 160, 60, true);
	command(&r, "snapshots");
	if (r.app.view == CONTEXT_SNAPSHOTS) {
		assert_int_equal(plain_row_count(&r.app), r.app.point_count);
		plain_rows(&r.app, 0, r.app.point_count, &b);
		assert_told(&b, "1. At 0:0");
		assert_told(&b, ", mark A.\n");
	}
	buf_clear(&b);
	command(&r, "top");
	command(&r, "at 8:02");
	plain_head(&r.app, &b);
	assert_told(&b, "Top: live bytes by stack, at 8:02");
	buf_fini(&b);
	ingestd_close(&r);
}

/* Each view that there is says something, and of nothing too. */
static void
every_view_is_told(void **state)
{
	struct ingestd r;

	(void)state;
	ingestd_open(&r, 160, 60, true);
	for (int c = CONTEXT_TOP; c <= CONTEXT_MEMORY; c++) {
		struct buf b = BUF_INIT;

		if (!view_at((enum context)c))
			continue;
		app_show_view(&r.app, (enum context)c);
		ingestd_keys(&r, "F24");
		plain_head(&r.app, &b);
		assert_told(&b, view_at((enum context)c)->label);
		if (c == CONTEXT_TREE || c == CONTEXT_FLAME) {
			assert_told(&b, "Level 0, all: 412.6 MiB, 100.0 p");
			assert_told(&b, "decode_batch: 118.4 MiB, 28.7 p");
		}
		if (c == CONTEXT_MEMORY)
			assert_told(&b, "live objects: ");
		plain_rows(&r.app, 0, 10, &b);
		buf_fini(&b);
	}
	ingestd_close(&r);
}

static void
the_state_is_told(void **state)
{
	struct buf b = BUF_INIT;
	struct ingestd r;

	(void)state;
	ingestd_open(&r, 160, 60, true);
	plain_status(&r.app, &b);
	assert_told(&b, "ingestd, process 41237: live. 412.6 MiB live");
	assert_told(&b, "sampled 1/512 KiB, 0 lost.\n");
	/* the figures are those of the moment that is looked at */
	buf_clear(&b);
	command(&r, "at 9:15");
	plain_status(&r.app, &b);
	assert_told(
	    &b, "ingestd, process 41237: live, looking at 9:15. 438.1 MiB");
	buf_clear(&b);
	command(&r, "at live");
	r.app.status.connection = APP_KILLED;
	snprintf(r.app.status.what, sizeof r.app.status.what, "SIGSEGV");
	snprintf(r.app.status.sentence, sizeof r.app.status.sentence,
	    "ingestd was killed by SIGSEGV");
	r.app.status.ns = r.app.target.start_ns + UINT64_C(761000000000);
	plain_status(&r.app, &b);
	assert_told(&b,
	    "ingestd, process 41237: ingestd was killed by SIGSEGV, at "
	    "12:41");
	buf_fini(&b);
	ingestd_close(&r);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(rows_are_sentences),
		cmocka_unit_test(a_row_is_told_with_its_stack),
		cmocka_unit_test(a_filter_is_told),
		cmocka_unit_test(moments_are_told),
		cmocka_unit_test(every_view_is_told),
		cmocka_unit_test(the_state_is_told),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
