/* needs: src/base/ src/model/ tests/unit/ingestd.c ui/-term.c */
/*
 * The Tree view on the invented run (ingestd.h): folds, chains, roots, what
 * is selected, and that rows add up whatever is asked.
 */
#include "ui/view_tree.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/buf.h"
#include "ingestd_shows.h"
#include "model/births.h"
#include "model/profile.h"
#include "model/report.h"
#include "model/tree.h"

#define MIB 1048576.0

static const struct tree_row *
selected(const struct ingestd *r)
{
	const struct tree_view *v = &r->app.tree;

	assert_true(v->rows.cursor < v->count);
	return &v->shown[v->rows.cursor];
}

static void
assert_selected(const struct ingestd *r, const char *name)
{
	const struct tree_row *row = selected(r);
	const char *is = tree_name(r->app.tree.tree, row->own);

	if (strcmp(is, name) != 0)
		fail_msg("%s is selected, not %s in\n%s", is, name,
		    ingestd_screen(r));
}

static void
open_tree(struct ingestd *r, int width, int height)
{
	ingestd_open(r, width, height, true);
	ingestd_keys(r, "Home 3");
	assert_int_equal(r->app.view, CONTEXT_TREE);
}

static void
assert_rows(const struct ingestd *r, size_t n)
{
	if (r->app.tree.count != n)
		fail_msg("%zu rows, not %zu in\n%s", r->app.tree.count, n,
		    ingestd_screen(r));
}

/* A stack holds something else now. */
static void
put_live(struct ingestd *r, uint32_t stack, double mib)
{
	struct cell_values v = { .live_bytes = mib * MIB,
		.live_objects = 10,
		.alloc_bytes = 1000 * MIB,
		.alloc_objects = 1000,
		.live_samples = 10,
		.alloc_samples = 1000 };

	profile_put_cell(r->profile, stack, 1, &v, NULL);
}

/* A stack of functions of the run that was not there before; leaf first. */
static void
put_stack(struct ingestd *r, uint32_t id, const char *const *names, size_t n)
{
	struct frames *f = profile_frames(r->profile);
	struct profile_frame at[8];

	for (size_t i = 0; i < n; i++) {
		frame_id k = 1;

		while (k <= frames_count(f) &&
		    strcmp(frames_name(f, k, 0).function, names[i]) != 0)
			k++;
		assert_true(k <= frames_count(f));
		at[i] = (struct profile_frame){ frames_module(f, k),
			frames_offset(f, k) };
	}
	profile_put_stack(r->profile, id, 0, at, n, NULL);
}

static void
snapshot(struct ingestd *r)
{
	struct profile_totals t = {
		.now_ns = INGESTD_AT(12, 50), .lg_sample = 19, .active = 1
	};
	struct app_event e = { .kind = APP_DATA, .now_ns = t.now_ns };

	profile_put_totals(r->profile, &t);
	profile_commit(r->profile);
	ingestd_send(r, &e);
}

/* ---- folds ------------------------------------------------------------------ */

static void
unfolds_what_fits(void **state)
{
	struct ingestd r;

	(void)state;
	/* 18 rows: what is below http::Listener::on_accept would be two more
	 * than 17 */
	open_tree(&r, 100, 30);
	assert_rows(&r, 17);
	assert_shows(&r, "├─▾ main");
	assert_shows(&r, "└─▸ http::Listener::on_accept");
	ingestd_close(&r);
	open_tree(&r, 160, 45);
	ingestd_keys(&r, "Home");
	assert_shows(&r, "└─▾ http::Listener::on_accept");
	ingestd_close(&r);
	open_tree(&r, 36, 8);
	assert_true(r.app.tree.count > 1);
	ingestd_close(&r);
}

static void
folds_and_unfolds(void **state)
{
	struct ingestd r;

	(void)state;
	open_tree(&r, 100, 30);
	ingestd_keys(&r, "Left"); /* from decode_batch to what calls it */
	assert_selected(&r, "start_thread");
	ingestd_keys(&r, "Left");
	assert_shows(&r, "▌204.5 MiB  49.6  +22.5 MiB  ├─▸ clone3 › start_");
	/* what is folded by hand does not make others unfold */
	assert_rows(&r, 15);
	ingestd_keys(&r, "Left");
	assert_selected(&r, "all");
	ingestd_keys(&r, "Left");
	assert_rows(&r, 1);
	ingestd_keys(&r, "Left Right Right Right");
	assert_selected(&r, "start_thread");
	ingestd_keys(&r, "Right");
	assert_selected(&r, "decode_batch");
	ingestd_keys(&r, "Right"); /* nothing is below it */
	assert_selected(&r, "decode_batch");
	assert_rows(&r, 17);
	ingestd_close(&r);
}

static void
folds_all_below(void **state)
{
	struct ingestd r;

	(void)state;
	open_tree(&r, 100, 30);
	ingestd_keys(&r, "Home -");
	assert_rows(&r, 9); /* all, the seven largest, the rest */
	assert_hides(&r, "─▾");
	ingestd_keys(&r, "+");
	assert_hides(&r, "▸");
	assert_shows(&r, "tls_accept › SSL_new");
	ingestd_keys(&r, "- Down +");
	assert_rows(&r, 11);
	ingestd_close(&r);
}

static void
shows_more_of_the_rest(void **state)
{
	struct ingestd r;
	size_t before;

	(void)state;
	open_tree(&r, 100, 30);
	ingestd_keys(&r, "Home - End");
	assert_int_equal(selected(&r)->kind, TREE_ROW_REST);
	assert_int_equal(selected(&r)->count, 4);
	assert_shows(&r, "… 4 smaller branches");
	before = r.app.tree.count;
	/* the rest becomes rows, where it stood */
	ingestd_keys(&r, "Right");
	assert_rows(&r, before + 3);
	assert_selected(&r, "pcache1Alloc");
	assert_hides(&r, "smaller branches");
	ingestd_close(&r);
	/* Enter does the same; of main's 302 a page each time */
	open_tree(&r, 100, 30);
	ingestd_keys(&r, "Home - Down Down Right Down Down Down Down");
	assert_int_equal(selected(&r)->count, 300);
	ingestd_keys(&r, "Enter");
	assert_false(r.app.detail_full);
	assert_shows(&r, "… 283 smaller branches");
	ingestd_close(&r);
}

static void
keeps_folds_over_updates(void **state)
{
	struct ingestd r;
	uint64_t key;

	(void)state;
	open_tree(&r, 100, 30);
	ingestd_keys(&r, "Left Left"); /* clone3 › start_thread folded */
	key = r.app.tree.rows.key;
	put_live(&r, 3, 640); /* store_put goes to the top */
	snapshot(&r);
	assert_selected(&r, "start_thread");
	assert_true(r.app.tree.rows.key == key);
	assert_int_equal(r.app.tree.rows.cursor, 2);
	assert_shows(&r, "├─▸ clone3 › start_thread");
	assert_shows(&r, "├─▾ main");
	/* gone, and back again */
	ingestd_keys(&r, "/");
	ingestd_type(&r, "lru");
	assert_hides(&r, "start_thread");
	ingestd_keys(&r, "Esc");
	assert_shows(&r, "├─▸ clone3 › start_thread");
	ingestd_keys(&r, "1 3");
	assert_shows(&r, "├─▸ clone3 › start_thread");
	ingestd_close(&r);
}

/* ---- the selection ------------------------------------------------------------ */

static void
selection_follows_its_node(void **state)
{
	/* decode_batch calls something else now, too */
	static const char *const more[] = { "xstrdup", "ingest_loop",
		"worker_main", "start_thread", "clone3" };
	struct ingestd r;

	(void)state;
	open_tree(&r, 100, 30);
	assert_selected(&r, "decode_batch");
	put_stack(&r, 900, more, 5);
	put_live(&r, 900, 7);
	snapshot(&r);
	/* worker_main › ingest_loop has two children now */
	assert_shows(&r, "├─▾ worker_main › ingest_loop");
	assert_selected(&r, "decode_batch");
	/* of 419.6 MiB now */
	assert_shows(&r, "▌118.4 MiB  28.2");
	/* small now, it would be one of the smaller branches */
	put_live(&r, 900, 6000);
	put_live(&r, 1, 0.001);
	snapshot(&r);
	assert_selected(&r, "decode_batch");
	/* and one chain again: it is in another row */
	ingestd_keys(&r, "Left");
	assert_selected(&r, "ingest_loop");
	ingestd_close(&r);
}

static void
row_of_a_chain_stays_selected(void **state)
{
	struct ingestd r;

	(void)state;
	open_tree(&r, 100, 30);
	ingestd_keys(&r, "c");
	assert_shows(&r, "│   │ └─▾ ingest_loop");
	assert_selected(&r, "decode_batch");
	ingestd_keys(&r, "Up"); /* ingest_loop */
	assert_selected(&r, "ingest_loop");
	ingestd_keys(&r, "c");
	/* in one row with decode_batch */
	assert_shows(&r, "▌118.4 MiB  28.7  +21.5 MiB  │ ├── worker_main › ");
	ingestd_keys(&r, "c");
	assert_selected(&r, "ingest_loop");
	ingestd_close(&r);
}

static void
comes_and_goes_with_the_stack(void **state)
{
	struct ingestd r;

	(void)state;
	ingestd_open(&r, 100, 30, true);
	/* hashtab_resize is the ninth; nothing of it is unfolded at 80x24 */
	ingestd_resize(&r, 60, 15);
	ingestd_keys(&r, "Home Down Down Down Down Down Down Down Down t");
	assert_int_equal(r.app.view, CONTEXT_TREE);
	assert_selected(&r, "hashtab_resize");
	ingestd_keys(&r, "1");
	assert_string_equal(app_selected(&r.app)->name, "hashtab_resize");
	/* a caller, from the detail */
	ingestd_keys(&r, "Enter Down Down t c");
	assert_selected(&r, "intern_key");
	ingestd_keys(&r, "c");
	/* of a row of functions its own node */
	ingestd_resize(&r, 100, 30);
	r.app.query.order = ORDER_CUM; /* start_thread, clone3, main... */
	ingestd_keys(&r, "1 g Home");
	for (int i = 0;
	     i < 400 && strcmp(app_selected(&r.app)->name, "ingest_loop") != 0;
	     i++)
		ingestd_keys(&r, "Down");
	ingestd_keys(&r, "t c");
	assert_selected(&r, "ingest_loop");
	ingestd_keys(&r, "c");
	/* who comes back without having moved finds it as it was */
	r.app.query.grouping = GROUP_STACKS;
	r.app.query.order = ORDER_FLAT;
	ingestd_keys(&r, "Left 1 3");
	assert_selected(&r, "start_thread");
	ingestd_keys(&r, "1 t");
	assert_selected(&r, "decode_batch");
	ingestd_close(&r);
}

static void
inverts_at_the_same_place(void **state)
{
	struct ingestd r;

	(void)state;
	open_tree(&r, 100, 30);
	ingestd_keys(&r, "Home i");
	assert_true(r.app.query.invert);
	assert_shows(&r, "ALLOCATED IN ← CALLERS");
	assert_shows(&r, "├── decode_batch ← ingest_loop ← worker_main");
	ingestd_keys(&r, "Home Down Down Down"); /* lru_cache_grow */
	assert_selected(&r, "lru_cache_grow");
	ingestd_keys(&r, "i");
	assert_false(r.app.query.invert);
	assert_selected(&r, "lru_cache_grow");
	ingestd_close(&r);
}

static void
finds_nodes(void **state)
{
	struct ingestd r;

	(void)state;
	open_tree(&r, 100, 30);
	ingestd_keys(&r, "n");
	assert_shows(&r, "nothing was looked for");
	ingestd_keys(&r, "Home /");
	ingestd_type(&r, "intern");
	assert_shows(&r, "… 315 stacks not matching");
	ingestd_keys(&r, "Enter Esc Home n");
	/* decode_batch › intern_key before ingest_loop › ... › intern_key */
	assert_selected(&r, "hashtab_resize");
	ingestd_keys(&r, "n");
	assert_selected(&r, "xstrdup");
	ingestd_keys(&r, "n");
	assert_selected(&r, "hashtab_resize");
	ingestd_keys(&r, "N");
	assert_selected(&r, "xstrdup");
	ingestd_keys(&r, "/");
	ingestd_type(&r, "minor_29");
	ingestd_keys(&r, "Enter Esc Home - n n");
	/* two of 298 that are no rows otherwise; they weigh the same */
	assert_selected(&r, "minor_291");
	assert_shows(&r, "▌ 31.6 KiB  <0.1");
	ingestd_close(&r);
}

/* ---- roots -------------------------------------------------------------------- */

static void
roots_at_a_node(void **state)
{
	struct ingestd r;

	(void)state;
	open_tree(&r, 100, 30);
	ingestd_keys(&r, "z");
	assert_shows(&r, "nothing is below this row");
	ingestd_keys(&r, "Left z");
	assert_shows(&r, "CHANGE  all › clone3 › start_thread");
	assert_shows(&r, "49.6% of all");
	assert_shows(&r, "▌204.5 MiB  49.6  +22.5 MiB  ▾ start_thread");
	assert_rows(&r, 3);
	snapshot(&r);
	assert_rows(&r, 3);
	ingestd_keys(&r, "Backspace");
	assert_shows(&r, "CALL TREE");
	assert_selected(&r, "start_thread");
	ingestd_keys(&r, "Backspace");
	assert_shows(&r, "this is the whole tree");
	/* Esc goes up, too; inverted, the way leads nowhere */
	ingestd_keys(&r, "z Esc");
	assert_shows(&r, "CALL TREE");
	ingestd_keys(&r, "z i");
	assert_shows(&r, "ALLOCATED IN");
	/* who goes to another part leaves the root */
	ingestd_keys(&r, "i Home Down z 1 Home Down Down t");
	assert_selected(&r, "lru_cache_grow");
	assert_shows(&r, "CALL TREE");
	ingestd_close(&r);
}

/* ---- the mouse and the detail --------------------------------------------------- */

static void
click(struct ingestd *r, short x, short y)
{
	struct app_event e = { .kind = APP_KEY,
		.key = { .code = K_CLICK, .x = x, .y = y } };

	ingestd_send(r, &e);
}

static void
answers_the_mouse(void **state)
{
	struct ingestd r;

	(void)state;
	open_tree(&r, 100, 30);
	/* row 6 is all, its sign in column 29; row 7 has it in column 31 */
	click(&r, 31, 7);
	assert_shows(&r, "├─▸ clone3 › start_thread");
	assert_selected(&r, "start_thread");
	click(&r, 31, 7);
	assert_shows(&r, "├─▾ clone3 › start_thread");
	click(&r, 40, 9);
	assert_selected(&r, "http::Session::read_body");
	assert_false(r.app.detail_full);
	click(&r, 40, 9);
	assert_true(r.app.detail_full);
	ingestd_keys(&r, "Esc");
	click(&r, 40, 26); /* the pane has nothing to select */
	assert_false(r.app.detail_keys);
	ingestd_close(&r);
}

static void
opens_the_node(void **state)
{
	struct ingestd r;

	(void)state;
	open_tree(&r, 100, 30);
	ingestd_keys(&r, "Left Enter");
	assert_true(r.app.detail_full);
	assert_shows(&r, " start_thread");
	assert_shows(&r, " 204.5 MiB live");
	assert_shows(&r, "▌#0 start_thread");
	assert_shows(&r, " #1 clone3");
	ingestd_keys(&r, "Esc *");
	assert_string_equal(r.app.only, "^start_thread$");
	assert_shows(&r, "… 315 stacks not matching");
	ingestd_close(&r);
}

/* One object of each stack was born at a second. */
static void
put_birth(struct ingestd *r, uint32_t stack, unsigned s)
{
	struct birth_told t = { .number = stack,
		.cell = profile_find_cell(r->profile, stack, 1),
		.size = 1 << 20,
		.birth = s * 100,
		.lg_sample = 19 };

	assert_true(births_put(profile_births(r->profile), &t));
}

/* At 12:50, 770 s: decode_batch, stack 1, is from 0:50, read_body, stack 2,
 * from 12:40; half of that is 6m 5s. */
static void
says_how_old(void **state)
{
	struct ingestd r;

	(void)state;
	open_tree(&r, 100, 30);
	ingestd_keys(&r, "D");
	assert_shows(&r, "the program tells no ages of objects");
	assert_shows(&r, "CHANGE  CALL TREE");
	births_begin(profile_births(r.profile), INGESTD_START, 0, false);
	put_birth(&r, 1, 50);
	put_birth(&r, 2, 760);
	snapshot(&r);
	ingestd_keys(&r, "D");
	assert_shows(&r, "AGE  CALL TREE");
	assert_shows(
	    &r, "▌118.4 MiB  28.7     12m 0s  │ ├── worker_main › ingest");
	assert_shows(&r, "  86.1 MiB  20.9        10s  │ └── asio");
	/* nothing is known of these */
	assert_shows(&r, "  64.0 MiB  15.5             ├── worker_main");
	ingestd_keys(&r, "D");
	assert_shows(&r, "CHANGE  CALL TREE");
	ingestd_close(&r);
}

/* ---- sums ------------------------------------------------------------------------ */

static bool
near(double a, double b, double all)
{
	return fabs(a - b) <= 1e-9 * (fabs(all) + 1);
}

/* Below each row that is unfolded are rows that add up to it, and what is
 * above all of them is everything. */
static void
check_sums(const struct ingestd *r, const char *what)
{
	const struct tree_view *v = &r->app.tree;
	const struct report *report = r->report;
	struct figures top = { 0 };

	for (size_t i = 0; i < v->count; i++) {
		const struct tree_row *row = &v->shown[i];
		struct figures sum = { 0 };

		if (row->depth == 0)
			figures_add(&top, &row->f);
		for (size_t k = i + 1; row->open && k < v->count; k++) {
			if (v->shown[k].depth == row->depth + 1 &&
			    v->shown[k].above == i)
				figures_add(&sum, &v->shown[k].f);
		}
		if (!row->open)
			continue;
		if (!near(sum.value, row->f.value, report->total.value) ||
		    !near(sum.base, row->f.base, report->total.value) ||
		    sum.samples != row->f.samples)
			fail_msg("row %zu of %s: %f, not %f", i, what,
			    sum.value, row->f.value);
	}
	if (v->top == TREE_ROOT &&
	    (!near(top.value, report->total.value, report->total.value) ||
		top.samples != report->total.samples))
		fail_msg("all of %s: %f, not %f", what, top.value,
		    report->total.value);
}

static uint32_t seed = 11;

static uint32_t
draw(uint32_t below)
{
	seed = seed * 1664525 + 1013904223;
	return (seed >> 8) % below;
}

static void
press_any(struct ingestd *r, char *what, size_t size)
{
	static const char *const keys[] = { "Left", "Right", "Right", "+", "-",
		"i", "z", "Backspace", "c", "m", "p", "Down", "Down", "Down",
		"Up", "PgDn", "PgUp", "Home", "End", "Enter", "Esc", "n", "N",
		"[", "]", "b", "*", "x", "D", "Tab", "1 g 3", "4 3", "6 3" };
	const char *key = keys[draw(sizeof keys / sizeof keys[0])];

	snprintf(what + strlen(what), size - strlen(what), " %s", key);
	ingestd_keys(r, key);
}

static void
adds_up_whatever_is_asked(void **state)
{
	static const int sizes[][2] = { { 20, 4 }, { 36, 8 }, { 60, 15 },
		{ 80, 24 }, { 100, 30 }, { 160, 45 }, { 200, 60 } };
	static const char *const filters[] = { "lru", "!main", "a", "qqq" };

	(void)state;
	for (int run = 0; run < 40; run++) {
		const int *size = sizes[run % 7];
		char what[1000] = "";
		struct ingestd r;

		open_tree(&r, size[0], size[1]);
		check_sums(&r, "the first");
		for (int i = 0; i < 40; i++) {
			char *screen;

			if (draw(12) == 0) {
				ingestd_keys(&r, "/");
				ingestd_type(&r, filters[draw(4)]);
				ingestd_keys(&r, "Enter");
			}
			press_any(&r, what, sizeof what);
			if (r.app.view != CONTEXT_TREE)
				ingestd_keys(&r, "3");
			check_sums(&r, what);
			screen = ingestd_screen(&r);
			free(screen);
		}
		ingestd_close(&r);
	}
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(unfolds_what_fits),
		cmocka_unit_test(folds_and_unfolds),
		cmocka_unit_test(folds_all_below),
		cmocka_unit_test(shows_more_of_the_rest),
		cmocka_unit_test(keeps_folds_over_updates),
		cmocka_unit_test(selection_follows_its_node),
		cmocka_unit_test(row_of_a_chain_stays_selected),
		cmocka_unit_test(comes_and_goes_with_the_stack),
		cmocka_unit_test(inverts_at_the_same_place),
		cmocka_unit_test(finds_nodes),
		cmocka_unit_test(roots_at_a_node),
		cmocka_unit_test(answers_the_mouse),
		cmocka_unit_test(opens_the_node),
		cmocka_unit_test(says_how_old),
		cmocka_unit_test(adds_up_whatever_is_asked),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
