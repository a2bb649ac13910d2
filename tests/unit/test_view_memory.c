/* needs: src/base/ src/model/ src/io/smaps.c src/io/smaps_kinds.c
 * tests/unit/ingestd.c tests/unit/looks.c ui/-term.c */
#include "ui/view_memory.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "ingestd_shows.h"
#include "looks.h"
#include "model/profile.h"
#include "model/report.h"
#include "ui/frame.h"
#include "ui/memory_rows.h"

static void
look(struct ingestd *r)
{
	static char text[1 << 16];
	struct memory_seen seen;
	struct app_event e = { .kind = APP_MEMORY, .memory = &seen };
	FILE *f = fopen("tests/data/ingestd.smaps", "re");

	assert_non_null(f);
	text[fread(text, 1, sizeof text - 1, f)] = '\0';
	fclose(f);
	looks_read(text, &seen);
	seen.ns = INGESTD_AT(12, 41);
	seen.totals = *profile_totals(r->profile);
	ingestd_send(r, &e);
}

/* The rows' parts are what the process has. */
static void
parts_are_rss(void **state)
{
	struct memory_rows m;
	struct ingestd r;
	double sum = 0;

	(void)state;
	ingestd_open(&r, 100, 30, false);
	ingestd_keys(&r, "7");
	assert_true(app_wants_memory(&r.app));
	assert_shows(&r, "its mappings have not been read yet");
	look(&r);
	memory_rows_make(&m, &r.app);
	for (size_t i = 0; i < m.parts.count; i++)
		sum += m.parts.part[i].bytes;
	assert_true(sum == (double)r.app.memory.seen.rss);
	assert_true(sum == 543948.0 * 1024);
	assert_shows(&r, " 531.2 MiB 100.0 ");
	assert_shows(&r, "page heap, 2 ranges");
	ingestd_close(&r);
}

/* What is no thing is passed by. */
static void
moves_over_things(void **state)
{
	struct memory_rows m;
	struct ingestd r;

	(void)state;
	ingestd_open(&r, 100, 30, false);
	ingestd_keys(&r, "7");
	look(&r);
	for (int i = 0; i < 60; i++) {
		memory_rows_make(&m, &r.app);
		assert_true(memory_row_is_thing(&m, r.app.memory.rows.cursor));
		ingestd_keys(&r, i < 30 ? "j" : "k");
	}
	ingestd_keys(&r, "End");
	memory_rows_make(&m, &r.app);
	assert_int_equal(
	    m.row[r.app.memory.rows.cursor].sort, MEMORY_ROW_MAPPING);
	assert_shows(&r, "the kernel's, 2 ranges");
	/* its titles stand at the top as long as no part is seen */
	ingestd_keys(&r, "Home");
	assert_shows(&r, "live objects");
	ingestd_close(&r);
}

/* The selection goes with the mapping when another look finds it elsewhere,
 * and a look that comes while the screen is paused is none. */
static void
stays_and_pauses(void **state)
{
	struct ingestd r;
	uint64_t key;

	(void)state;
	ingestd_open(&r, 160, 45, false);
	ingestd_keys(&r, "7");
	look(&r);
	ingestd_keys(&r, "End k k");
	key = r.app.memory.rows.key;
	look(&r);
	assert_int_equal(r.app.memory.rows.key, key);
	ingestd_keys(&r, "space");
	assert_false(app_wants_memory(&r.app));
	r.app.memory.seen.rss = 1;
	look(&r);
	assert_int_equal(r.app.memory.seen.rss, 1);
	ingestd_close(&r);
}

/* Looking back, parts are what the snapshot tells; the mappings are still
 * those of the look, and say so. */
static void
of_the_past(void **state)
{
	struct ingestd r;

	(void)state;
	ingestd_open(&r, 100, 30, false);
	ingestd_keys(&r, "7");
	look(&r);
	ingestd_keys(&r, "[ [");
	assert_false(app_wants_memory(&r.app));
	assert_hides(&r, "thread stacks ");
	assert_shows(&r, "MAPPING at 12:41");
	ingestd_keys(&r, "F");
	assert_true(app_wants_memory(&r.app));
	assert_shows(&r, "thread stacks ");
	ingestd_close(&r);
}

/* It went on for a minute after the look, and ended. */
static void
of_one_that_ended_later(void **state)
{
	struct app_event e = { .kind = APP_DATA };
	struct profile_totals t;
	struct ingestd r;

	(void)state;
	ingestd_open(&r, 100, 30, false);
	ingestd_keys(&r, "7");
	look(&r);
	ingestd_status(&r, APP_ENDED, INGESTD_AT(12, 41), "exited 0",
	    "ingestd exited 0", "");
	assert_shows(&r, "thread stacks ");
	t = *profile_totals(r.profile);
	t.now_ns += UINT64_C(60000000000);
	profile_put_totals(r.profile, &t);
	profile_commit(r.profile);
	ingestd_send(&r, &e);
	assert_hides(&r, "thread stacks ");
	assert_shows(&r, "MAPPING at 12:41");
	ingestd_close(&r);
}

static void
of_a_file(void **state)
{
	struct ingestd r;

	(void)state;
	ingestd_open(&r, 100, 30, false);
	ingestd_status(&r, APP_FILE, 0, "run.htd.gz", "", "");
	ingestd_keys(&r, "7");
	assert_false(app_wants_memory(&r.app));
	assert_shows(&r, "a file does not tell which mappings there were");
	ingestd_close(&r);
}

static void
every_size(void **state)
{
	struct app_event other = { .kind = APP_OTHER };
	struct ingestd r;

	(void)state;
	ingestd_open(&r, 160, 45, false);
	ingestd_keys(&r, "7");
	for (int looked = 0; looked < 2; looked++) {
		for (int w = 1; w <= 160; w += 7)
			for (int h = 1; h <= 45; h += 4) {
				ingestd_resize(&r, w, h);
				free(ingestd_screen(&r));
			}
		look(&r);
		ingestd_keys(&r, "End");
	}
	app_event(&r.app, &other);
	assert_int_equal(r.app.memory.seen.ns, 0);
	ingestd_close(&r);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(parts_are_rss),
		cmocka_unit_test(moves_over_things),
		cmocka_unit_test(stays_and_pauses),
		cmocka_unit_test(of_the_past),
		cmocka_unit_test(of_one_that_ended_later),
		cmocka_unit_test(of_a_file),
		cmocka_unit_test(every_size),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
