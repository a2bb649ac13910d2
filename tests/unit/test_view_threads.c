/* needs: src/base/ src/model/ tests/unit/ingestd.c ui/-term.c */
#include "ui/view_threads.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "ingestd_shows.h"
#include "model/profile.h"
#include "model/report.h"
#include "ui/frame.h"
#include "ui/view.h"

/* Beside the main thread: one that has ended and left 100 MiB in stack 1, one
 * without a name that has 1 MiB, and one of which nothing lives. */
static void
open_threads(struct ingestd *r, int width, int height)
{
	struct cell_values left = { .live_bytes = 100 << 20,
		.live_objects = 1000,
		.alloc_bytes = 300 << 20,
		.alloc_objects = 3000,
		.live_samples = 200,
		.alloc_samples = 600 };
	struct cell_values some = { .live_bytes = 1 << 20,
		.live_objects = 10,
		.alloc_bytes = 5 << 20,
		.alloc_objects = 50,
		.live_samples = 2,
		.alloc_samples = 10 };
	struct cell_values none = {
		.alloc_bytes = 5 << 20, .alloc_objects = 50, .alloc_samples = 10
	};
	struct profile_totals t;
	struct app_event e = { .kind = APP_DATA };

	ingestd_open(r, width, height, false);
	profile_put_thread(r->profile, 2, 41240, 1, "worker/0");
	profile_put_thread(r->profile, 3, 41241, 0, "");
	profile_put_cell(r->profile, 1, 2, &left, NULL);
	profile_put_thread(r->profile, 4, 41242, 0, "idle");
	profile_put_cell(r->profile, 2, 3, &some, NULL);
	profile_put_cell(r->profile, 2, 4, &none, NULL);
	t = *profile_totals(r->profile);
	t.now_ns += 1000000000;
	profile_put_totals(r->profile, &t);
	profile_commit(r->profile);
	ingestd_send(r, &e);
	ingestd_keys(r, "6");
}

static void
all_of_them(void **state)
{
	struct ingestd r;

	(void)state;
	open_threads(&r, 100, 30);
	assert_int_equal(r.app.view, CONTEXT_THREADS);
	assert_int_equal(r.app.listed_count, 3);
	/* what the others share is as it was */
	assert_int_equal(r.app.query.grouping, GROUP_STACKS);
	assert_shows(&r, "ingestd  main");
	assert_shows(&r, "worker/0  ended");
	/* its identity is its tid where there is no name */
	assert_shows(&r, "thread 41241");
	/* allocated in all, and freed of that */
	ingestd_keys(&r, "j");
	assert_shows(&r, "300.0 MiB allocated, 200.0 MiB freed");
	assert_shows(&r, "worker/0  tid 41240, ended");
	assert_shows(&r, "it has ended; this is what it left");
	assert_hides(&r, "idle");
	ingestd_keys(&r, "m m"); /* allocated bytes: it has some */
	assert_shows(&r, "idle");
	assert_int_equal(r.app.listed_count, 4);
	ingestd_close(&r);
}

/* Enter filters all views by the thread, once more does not; Esc neither. */
static void
one_alone(void **state)
{
	struct ingestd r;

	(void)state;
	open_threads(&r, 100, 30);
	ingestd_keys(&r, "j Enter");
	assert_int_equal(r.app.query.thread, 2);
	assert_line(&r, 29,
	    " all views show only what worker/0 allocated; esc shows all");
	assert_shows(&r, "worker/0  only this one");
	assert_int_equal(r.app.listed_count, 3);
	ingestd_keys(&r, "1");
	assert_shows(&r, "thread worker/0");
	assert_int_equal(r.app.listed_count, 1);
	ingestd_keys(&r, "6 Enter");
	assert_int_equal(r.app.query.thread, -1);
	assert_hides(&r, "only this one  ");
	ingestd_keys(&r, "Enter");
	assert_int_equal(r.app.query.thread, 2);
	ingestd_keys(&r, "Esc");
	assert_int_equal(r.app.query.thread, -1);
	ingestd_keys(&r, "1");
	assert_int_equal(r.app.report->group_count, 317);
	ingestd_close(&r);
}

static void
sorted_and_clicked(void **state)
{
	struct app_event click = { .kind = APP_KEY,
		.key = { .code = K_CLICK, .x = 60, .y = 5 } };
	struct ingestd r;

	(void)state;
	open_threads(&r, 100, 30);
	ingestd_keys(&r, "s"); /* by change */
	assert_int_equal(r.app.query.order, ORDER_CHANGE);
	ingestd_keys(&r, "S");
	assert_true(r.app.query.reverse);
	ingestd_send(&r, &click); /* the title of the names */
	assert_int_equal(r.app.query.order, ORDER_NAME);
	assert_false(r.app.query.reverse);
	click.key.y = 7; /* the second row */
	ingestd_send(&r, &click);
	assert_int_equal(r.app.threads.rows.cursor, 1);
	ingestd_send(&r, &click); /* and again: as Enter */
	assert_true(r.app.query.thread >= 0);
	ingestd_keys(&r, "g");
	assert_int_equal(r.app.query.grouping, GROUP_STACKS);
	ingestd_close(&r);
}

/* The selection is a thread, whatever its row. */
static void
stays_with_the_thread(void **state)
{
	struct ingestd r;
	struct app_seek seek;

	(void)state;
	open_threads(&r, 80, 24);
	ingestd_keys(&r, "j s S");
	assert_int_equal(view_threads.selected(&r.app)->key, 2);
	/* in the other views that is its heaviest stack */
	assert_true(view_threads.where(&r.app, &seek));
	assert_int_equal(seek.stack, 1);
	ingestd_close(&r);
}

/* Everything is given back: the sizes are those of the smallest screens, the
 * process goes, another view is looked at. */
static void
every_size(void **state)
{
	struct app_event other = { .kind = APP_OTHER };
	struct ingestd r;

	(void)state;
	open_threads(&r, 160, 45);
	for (int w = 1; w <= 160; w += 7)
		for (int h = 1; h <= 45; h += 4) {
			ingestd_resize(&r, w, h);
			free(ingestd_screen(&r));
		}
	ingestd_keys(&r, "1 6");
	app_event(&r.app, &other);
	assert_null(r.app.threads.facts);
	ingestd_close(&r);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(all_of_them),
		cmocka_unit_test(one_alone),
		cmocka_unit_test(sorted_and_clicked),
		cmocka_unit_test(stays_with_the_thread),
		cmocka_unit_test(every_size),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
