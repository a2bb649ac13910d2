/* needs: src/base/ src/model/ tests/unit/ingestd.c ui/-term.c */
#include "ui/view_snapshots.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "ingestd.h"
#include "model/history.h"
#include "model/profile.h"
#include "ui/app.h"
#include "ui/snapshot_rows.h"

static bool
shown(const struct ingestd *r, const char *text)
{
	char *screen = ingestd_screen(r);
	bool there = strstr(screen, text) != NULL;

	if (!there)
		fputs(screen, stderr);
	free(screen);
	return there;
}

#define ASSERT_SHOWS(r, text) assert_true(shown(r, text))

/* The line of the selected row, without what stands behind LIVE. */
static void
assert_selected(const struct ingestd *r, const char *begin)
{
	const struct snapshots_view *v = &r->app.snapshots;
	size_t y = (size_t)r->app.layout.body.y + v->rows.cursor - v->rows.top;
	char *line = ingestd_line(r, (int)y);

	if (strncmp(line, begin, strlen(begin)) != 0)
		fail_msg("\"%s\" does not begin \"%s\"", line, begin);
	free(line);
}

static const struct app_point *
selected_point(const struct ingestd *r)
{
	const struct snapshots_view *v = &r->app.snapshots;

	return &r->app.points[v->list[v->rows.cursor].point];
}

/* A snapshot more, with these figures. */
static void
commit(struct ingestd *r, uint64_t ns)
{
	struct profile_totals t = *profile_totals(r->profile);

	t.now_ns = ns;
	profile_put_totals(r->profile, &t);
	profile_commit(r->profile);
	ingestd_send(r, &(struct app_event){ .kind = APP_DATA, .now_ns = ns });
}

static void
click(struct ingestd *r, uint32_t code, int x, int y)
{
	ingestd_send(r,
	    &(struct app_event){ .kind = APP_KEY,
		.key = { .code = code, .x = (int16_t)x, .y = (int16_t)y } });
}

static void
says_how_much_there_is(void **state)
{
	struct ingestd r;
	char text[64];

	(void)state;
	ingestd_open(&r, 100, 30, true);
	ingestd_keys(&r, "5");
	assert_int_equal(r.app.view, CONTEXT_SNAPSHOTS);
	snprintf(text, sizeof text, "  %zu snapshots in ", r.app.point_count);
	ASSERT_SHOWS(&r, text);
	ASSERT_SHOWS(&r, " 438 MiB ");
	ASSERT_SHOWS(&r, "  peak\n");
	ASSERT_SHOWS(&r, "  mark A\n");
	ASSERT_SHOWS(&r, "  first sample\n");
	/* 438.1 - 352.0 MiB; hashtab_resize has nothing yet */
	ASSERT_SHOWS(&r,
	    "    -86.1 MiB   531.2 MiB  1.18M     316     ·  "
	    "largest drop\n");
	snprintf(text, sizeof text, " 1 of %zu\n", r.app.point_count);
	ASSERT_SHOWS(&r, text);
	ingestd_resize(&r, 160, 45);
	ASSERT_SHOWS(&r, " KiB · 1 per second\n");
	ingestd_close(&r);
}

/* 360.9 and 412.6 MiB at the marks: 14.3 %, and 51.7 MiB in 279 s are
 * 189.8 KiB/s. */
static void
tells_the_interval_in_full(void **state)
{
	struct ingestd r;

	(void)state;
	ingestd_open(&r, 100, 30, true);
	ingestd_keys(&r, "5");
	ASSERT_SHOWS(&r, "─ A 8:02 → B 12:41  4m39s ─");
	ASSERT_SHOWS(
	    &r, " 360.9 MiB → 412.6 MiB   +51.7 MiB   +14.3%   +189.8 KiB/s\n");
	/* of the 19 large ones 8 have grown, by 54.4 MiB, and one shrank;
	 * all of the 298 small ones have, by 512 KiB; 10 are left */
	ASSERT_SHOWS(&r,
	    " 306 stacks grew +54.9 MiB, 1 shrank -3.2 MiB, "
	    "10 others unchanged\n");
	/* 57000 + 15 + 157 + 490000 + 13 + 1 + 6 + 440 objects */
	r.app.query.metric = METRIC_LIVE_OBJECTS;
	app_query_changed(&r.app);
	ingestd_send(&r, &(struct app_event){ .kind = APP_DATA });
	ASSERT_SHOWS(&r, " 8 stacks grew +548k, 1 shrank -4, ");
	ingestd_close(&r);

	ingestd_open(&r, 100, 30, false);
	ingestd_keys(&r, "5");
	ASSERT_SHOWS(&r, "─ 0:00 → 12:41  12m41s ─");
	ASSERT_SHOWS(&r, " in 317 stacks; a sets mark A ");
	ingestd_close(&r);
}

static void
marks_are_set_at_the_selected_row(void **state)
{
	const struct app_point *p;
	struct ingestd r;

	(void)state;
	ingestd_open(&r, 100, 30, false);
	ingestd_keys(&r, "5 j j");
	p = selected_point(&r);
	assert_true(p->id != r.app.points[r.app.point_count - 1].id);
	ingestd_keys(&r, "a");
	assert_int_equal(r.app.mark[0].id, p->id);
	assert_int_equal(r.app.mark[0].ns, p->ns);
	assert_int_equal(r.app.query.at, 0);
	ingestd_keys(&r, "k b");
	assert_int_equal(r.app.mark[1].id, r.app.query.at);
	assert_int_equal(r.app.mark[1].id, selected_point(&r)->id);
	ingestd_keys(&r, "x");
	assert_int_equal(r.app.mark[1].ns, p->ns);
	/* the same again takes it away */
	ingestd_keys(&r, "b");
	assert_int_equal(r.app.mark[1].id, 0);
	ingestd_close(&r);
}

/* Looked at here, seen everywhere; and back, while it goes on. */
static void
enter_looks_at_it(void **state)
{
	struct ingestd r;
	uint64_t ns;

	(void)state;
	ingestd_open(&r, 100, 30, false);
	ingestd_keys(&r, "5 j j Enter");
	ns = selected_point(&r)->ns;
	assert_int_equal(r.app.at_ns, ns);
	assert_selected(&r, "▌◆   12:30");
	ASSERT_SHOWS(&r, "◆ at 12:30  11s back");
	commit(&r, INGESTD_AT(12, 50));
	commit(&r, INGESTD_AT(12, 51));
	assert_int_equal(r.app.at_ns, ns);
	assert_selected(&r, "▌◆   12:30");
	ASSERT_SHOWS(&r, "◆ at 12:30  21s back");
	ingestd_keys(&r, "1");
	ASSERT_SHOWS(&r, "◆ at 12:30  21s back");
	ingestd_keys(&r, "5 Esc");
	assert_int_equal(r.app.query.at, 0);
	assert_selected(&r, "▌    12:51");
	ASSERT_SHOWS(&r, "● live  every 1s");
	/* the newest is no moment to look back to */
	ingestd_keys(&r, "j k Enter");
	assert_int_equal(r.app.query.at, 0);
	/* a mark B of before is come back to */
	ingestd_keys(&r, "j b j Enter Esc");
	assert_int_equal(r.app.query.at, r.app.mark[1].id);
	assert_int_not_equal(r.app.query.at, 0);
	ingestd_keys(&r, "F");
	assert_int_equal(r.app.query.at, 0);
	ingestd_close(&r);
}

static void
the_selection_follows_steps(void **state)
{
	struct ingestd r;

	(void)state;
	ingestd_open(&r, 100, 30, false);
	ingestd_keys(&r, "5 [");
	assert_selected(&r, "▌◆   12:40");
	ingestd_keys(&r, "{ {");
	assert_int_equal(
	    selected_point(&r)->id, r.app.points[r.app.point_count - 22].id);
	assert_int_equal(r.app.query.at, selected_point(&r)->id);
	ingestd_keys(&r, "}");
	assert_int_equal(
	    selected_point(&r)->id, r.app.points[r.app.point_count - 12].id);
	/* wherever it is done */
	ingestd_keys(&r, "1 [ 5");
	assert_int_equal(
	    selected_point(&r)->id, r.app.points[r.app.point_count - 13].id);
	ingestd_keys(&r, "F");
	assert_int_equal(r.app.snapshots.rows.cursor, 0);
	ingestd_close(&r);
}

/* The row of the first gap; there is one. */
static size_t
find_gap(const struct ingestd *r)
{
	const struct snapshots_view *v = &r->app.snapshots;
	size_t i = 0;

	while (i < v->count && !v->list[i].hidden)
		i++;
	assert_true(i < v->count);
	return i;
}

static void
go_to(struct ingestd *r, size_t row)
{
	ingestd_keys(r, "Home");
	while (row-- > 0)
		ingestd_keys(r, "j");
}

static void
gaps_unfold_and_fold(void **state)
{
	struct snapshots_view *v;
	struct ingestd r;
	size_t gap, before, hidden;
	uint64_t newest;

	(void)state;
	ingestd_open(&r, 100, 30, true);
	v = &r.app.snapshots;
	ingestd_keys(&r, "5");
	gap = find_gap(&r);
	hidden = v->list[gap].hidden;
	newest = r.app.points[v->list[gap].point].ns;
	go_to(&r, gap);
	assert_selected(&r, "▌         ⋮ ");
	ASSERT_SHOWS(&r, " more, ↵ shows them\n");
	ingestd_keys(&r, "a"); /* it is no moment */
	ASSERT_SHOWS(&r, "unfold them first");
	before = v->count;
	ingestd_keys(&r, "Enter");
	assert_true(v->count > before);
	assert_int_equal(selected_point(&r)->ns, newest);
	assert_int_equal(v->list[v->rows.cursor].hidden, 0);
	/* every one of them is reached */
	for (size_t i = 1; i < hidden; i++) {
		ingestd_keys(&r, "j");
		assert_int_equal(v->list[v->rows.cursor].hidden, 0);
	}
	ingestd_keys(&r, "Left");
	assert_true(v->list[v->rows.cursor].hidden > 0);
	ingestd_keys(&r, "Right");
	assert_int_equal(v->list[v->rows.cursor].hidden, 0);
	ingestd_keys(&r, "-");
	assert_true(v->count < r.app.point_count);
	ingestd_keys(&r, "+");
	assert_int_equal(v->count, r.app.point_count);
	ingestd_keys(&r, "End");
	assert_selected(&r, "▌     0:04");
	ingestd_close(&r);
}

static void
the_mouse_selects_and_opens(void **state)
{
	struct ingestd r;

	(void)state;
	ingestd_open(&r, 100, 30, true);
	ingestd_keys(&r, "5");
	click(&r, K_CLICK, 20, 12); /* the body begins in row 11 */
	assert_int_equal(r.app.snapshots.rows.cursor, 1);
	assert_int_equal(r.app.query.at, 0);
	click(&r, K_CLICK, 20, 12);
	assert_int_equal(r.app.at_ns, INGESTD_AT(12, 40));
	click(&r, K_WHEEL_DOWN, 20, 12);
	click(&r, K_CLICK, 20, 10); /* titles */
	click(&r, K_CLICK, 20, 25); /* the pane */
	assert_int_equal(r.app.at_ns, INGESTD_AT(12, 40));
	ingestd_close(&r);
}

/* Lost samples, another rate, sampling off and on are said where they were. */
static void
trouble_is_said(void **state)
{
	struct profile_totals t;
	struct ingestd r;

	(void)state;
	ingestd_open(&r, 100, 30, false);
	t = *profile_totals(r.profile);
	t.lost[LOSS_TABLE_FULL] = 2;
	t.now_ns = INGESTD_AT(12, 42);
	profile_put_totals(r.profile, &t);
	profile_commit(r.profile);
	t.lost[LOSS_NOMEM] = 1;
	t.active = 0;
	t.now_ns = INGESTD_AT(12, 43);
	profile_put_totals(r.profile, &t);
	profile_commit(r.profile);
	t.active = 1;
	t.lg_sample = 16;
	t.now_ns = INGESTD_AT(12, 44);
	profile_put_totals(r.profile, &t);
	profile_commit(r.profile);
	ingestd_keys(&r, "5");
	ingestd_send(&r, &(struct app_event){ .kind = APP_DATA });
	ASSERT_SHOWS(&r, "     ·  sampling on; 1/64 KiB\n");
	ASSERT_SHOWS(&r, "     1  1 sample lost: no memory; s…\n");
	ASSERT_SHOWS(&r, "     2  2 samples lost: table full\n");
	ingestd_close(&r);
}

/* What was selected in Top is so again, with a look at the times between. */
static void
other_views_keep_their_selection(void **state)
{
	struct ingestd r;

	(void)state;
	ingestd_open(&r, 100, 30, true);
	ingestd_keys(&r, "j j 5 j j 1");
	assert_int_equal(r.app.rows.cursor, 2);
	ingestd_close(&r);
}

/* Dumps have names, and no start. */
static void
files_are_named(void **state)
{
	static char one[] = "/tmp/x/a-rather-long-name-of-a-dump.1.i1.heap";
	char *const files[] = { one };
	struct ingestd r;

	(void)state;
	ingestd_open(&r, 100, 30, true);
	ingestd_status(&r, APP_FILE, 0, "3 dumps", "", "");
	r.app.target.files = files;
	r.app.target.file_count = 1;
	r.app.target.interval_ns = 0;
	ingestd_keys(&r, "5 End");
	ASSERT_SHOWS(&r, "  first  …-of-a-dump.1.i1.heap\n");
	ingestd_resize(&r, 160, 45);
	ASSERT_SHOWS(&r, " KiB\n"); /* nothing per second */
	ingestd_close(&r);
}

static void
nothing_is_no_trouble(void **state)
{
	struct ingestd r;

	(void)state;
	ingestd_open_waiting(&r, 100, 30);
	ingestd_keys(
	    &r, "5 j k a b x Enter Left Right + - [ ] { } F Esc space");
	click(&r, K_CLICK, 20, 12);
	assert_int_equal(r.app.view, CONTEXT_SNAPSHOTS);
	ingestd_close(&r);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(says_how_much_there_is),
		cmocka_unit_test(tells_the_interval_in_full),
		cmocka_unit_test(marks_are_set_at_the_selected_row),
		cmocka_unit_test(enter_looks_at_it),
		cmocka_unit_test(the_selection_follows_steps),
		cmocka_unit_test(gaps_unfold_and_fold),
		cmocka_unit_test(the_mouse_selects_and_opens),
		cmocka_unit_test(trouble_is_said),
		cmocka_unit_test(other_views_keep_their_selection),
		cmocka_unit_test(files_are_named),
		cmocka_unit_test(nothing_is_no_trouble),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
