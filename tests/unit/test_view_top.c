/* needs: src/base/ src/model/ tests/unit/ingestd.c ui/-term.c */
#include "ui/view_top.h"

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

static void
assert_position(struct ingestd *r, const char *expected)
{
	struct buf b = BUF_INIT;

	view_top.position(&r->app, false, &b);
	assert_string_equal(buf_str(&b), expected);
	buf_fini(&b);
}

/* At 80x24 twelve rows and the remainder are seen, of 317. */
static void
scrolls_only_as_far_as_needed(void **state)
{
	struct ingestd r;

	(void)state;
	ingestd_open(&r, 80, 24, true);
	assert_position(&r, "1–12 of 317");
	ingestd_keys(&r, "PgDn"); /* to row 12, the last one seen */
	assert_position(&r, "1–12 of 317");
	ingestd_keys(&r, "j");
	assert_position(&r, "2–13 of 317");
	ingestd_keys(&r, "End");
	assert_int_equal(r.app.rows.cursor, 316);
	assert_position(&r, "306–317 of 317");
	ingestd_keys(&r, "Home");
	assert_position(&r, "1–12 of 317");
	ingestd_close(&r);
}

/* Rows seen and what they leave out are the whole: 412.6 MiB. */
static void
adds_up(void **state)
{
	struct ingestd r;
	double sum = 0;

	(void)state;
	ingestd_open(&r, 80, 24, true);
	for (size_t i = 0; i < r.report->row_count; i++)
		sum += r.report->rows[i].f.value;
	assert_true(sum > 412.59 * 1048576 && sum < 412.61 * 1048576);
	assert_shows(&r, "  15.4 MiB   3.7          +1.0 MiB  … 305 smaller");
	ingestd_close(&r);
}

static void
says_by_what_it_is_sorted(void **state)
{
	struct ingestd r;

	(void)state;
	ingestd_open(&r, 100, 30, true);
	ingestd_keys(&r, "s");
	assert_shows(&r, "      LIVE     %               CHANGE▼  OBJS  SITE");
	/* the largest growth; the one shrinking stack is the last */
	assert_shows(&r, "▌118.4 MiB  28.7 ██████████  +21.5 MiB");
	ingestd_keys(&r, "S");
	assert_shows(&r, "CHANGE▲");
	/* -3.2 MiB are 3355443.2 bytes */
	assert_true(figures_change(&r.report->rows[0].f) < -3355442);
	ingestd_close(&r);
}

static void
names_what_it_groups_by(void **state)
{
	static const char *const titles[] = { "SITE ← CALLERS\n", "FUNCTION\n",
		"LINE\n", "FILE\n", "LIBRARY\n", "THREAD\n" };
	struct ingestd r;

	(void)state;
	ingestd_open(&r, 100, 30, true);
	for (size_t i = 0; i < sizeof titles / sizeof titles[0]; i++) {
		assert_shows(&r, titles[i]);
		ingestd_keys(&r, "g");
	}
	assert_shows(&r, titles[0]);
	ingestd_close(&r);
}

/* Of functions there are those that hold something, one for each of the 317
 * stacks but EVP_CIPHER_CTX_new..., and those that only call them. */
static void
functions_without_anything_are_counted(void **state)
{
	struct ingestd r;
	size_t all;

	(void)state;
	ingestd_open(&r, 100, 30, true);
	ingestd_keys(&r, "g");
	all = r.report->group_count;
	assert_int_equal(r.app.listed_count, 317);
	assert_true(all > 317);
	assert_position(&r, "1–16 of 317");
	ingestd_keys(&r, "s"); /* by what they called: all of them */
	assert_int_equal(r.app.query.order, ORDER_CUM);
	assert_int_equal(r.app.listed_count, all);
	ingestd_keys(&r, "s");
	assert_int_equal(r.app.query.order, ORDER_CHANGE);
	ingestd_close(&r);
}

static void
is_empty_when_nothing_matches(void **state)
{
	struct ingestd r;

	(void)state;
	ingestd_open(&r, 80, 24, true);
	ingestd_keys(&r, "/");
	ingestd_type(&r, "qqqq");
	assert_shows(
	    &r, " 412.6 MiB 100.0         +51.7 MiB  … 317 stacks not");
	assert_shows(&r, "0 of 317 stacks");
	ingestd_keys(&r, "Enter Down Enter Tab");
	assert_null(app_selected(&r.app));
	assert_false(r.app.detail_full);
	ingestd_close(&r);
}

/* Where there is little room a filter is nowhere else to be seen. */
static void
says_what_a_filter_leaves_out_at_every_size(void **state)
{
	static const char *const views[] = { "1", "2", "6" };
	struct ingestd r;

	(void)state;
	for (size_t i = 0; i < sizeof views / sizeof *views; i++) {
		ingestd_open(&r, 60, 15, true);
		ingestd_keys(&r, views[i]);
		ingestd_keys(&r, "/ n o n e Enter");
		assert_shows(&r, " not m");
		ingestd_resize(&r, 36, 8);
		assert_shows(&r, " not m");
		ingestd_keys(&r, "/ C-u i n t e r n Enter");
		assert_shows(&r, " not m");
		ingestd_close(&r);
	}
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(scrolls_only_as_far_as_needed),
		cmocka_unit_test(adds_up),
		cmocka_unit_test(says_by_what_it_is_sorted),
		cmocka_unit_test(names_what_it_groups_by),
		cmocka_unit_test(functions_without_anything_are_counted),
		cmocka_unit_test(is_empty_when_nothing_matches),
		cmocka_unit_test(says_what_a_filter_leaves_out_at_every_size),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
