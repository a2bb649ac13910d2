#include "ui/view_tree.h"

#include <string.h>

#include "base/buf.h"
#include "base/map.h"
#include "model/ages.h"
#include "model/report.h"
#include "model/tree.h"
#include "ui/app.h"
#include "ui/glyph.h"
#include "ui/tree_draw.h"
#include "ui/tree_node.h"
#include "ui/tree_rows.h"
#include "ui/view.h"

/* Rows after which to unfold all below stops. */
#define MANY 1000

/* ---- the question ---------------------------------------------------------- */

static void
ask(const struct app *a, struct query *q)
{
	(void)a;
	q->tree = false; /* nodes are made as they are seen */
	q->max_rows = 1;
	if (q->grouping == GROUP_THREADS)
		q->grouping = GROUP_STACKS;
}

static uint64_t
mix_text(uint64_t h, const char *s)
{
	for (; *s; s++)
		h = (h ^ (unsigned char)*s) * UINT64_C(0x100000001b3);
	return map_mix(h);
}

/* What unfolded by itself did so for this. */
static uint64_t
question_of(const struct app *a)
{
	const struct query *q = &a->report->query;
	const struct tree_view *v = &a->tree;
	size_t depth = v->root_count ? v->roots[v->root_count - 1] : 0;
	uint64_t h = (uint64_t)q->metric << 32 | (uint64_t)q->grouping << 24 |
	    (uint64_t)q->cut << 16 | q->invert;

	h = map_mix(h) ^ (uint64_t)(int64_t)q->thread;
	h = mix_text(h, a->filter);
	h = mix_text(h, a->only);
	h = mix_text(h, a->hidden);
	return depth ? map_mix(h ^ v->root[depth - 1]) : h;
}

/* Paths of the other direction lead nowhere here. */
static void
turn(struct tree_view *v, bool inverted)
{
	if (v->inverted == inverted)
		return;
	v->inverted = inverted;
	v->root_count = v->trail_count = 0;
}

static uint64_t
key_at(const void *data, size_t i)
{
	const struct tree_view *v = data;

	return v->shown[i].key;
}

static struct list_rows
list_of(const struct app *a)
{
	int h = a->layout.body.h;

	if (app_screen(a) != a->view)
		h = 0; /* it need not scroll */
	return (struct list_rows){ a->tree.count, h > 0 ? (size_t)h : 0, key_at,
		&a->tree };
}

static void
rebuild(struct app *a)
{
	struct list_rows rows;

	tree_rows_build(&a->tree, a->report);
	rows = list_of(a);
	list_update(&a->tree.rows, &rows);
	tree_node_settle(a);
}

/* What was selected elsewhere, unless it is where one was here before. */
static void
seek(struct app *a)
{
	struct tree_view *v = &a->tree;
	uint32_t at = a->report->stack_index[0][a->seek.stack], node;
	size_t found;

	if (at == 0)
		return; /* filters leave it out */
	node = tree_of_stack(v->tree, at - 1, a->seek.up);
	if (!a->seek.exact && v->rows.chosen && v->trail_count > 0 &&
	    tree_below(v->tree,
		tree_follow(v->tree, v->trail, v->trail_count, &found), node) &&
	    found == v->trail_count)
		return;
	tree_rows_go_to(v, node);
	tree_rows_build(v, a->report);
}

static void
take(struct app *a)
{
	struct tree_view *v = &a->tree;
	const struct report *r = a->report;

	v->tree = tree_open(r);
	v->ages = ages_new(r);
	turn(v, r->query.invert);
	if (question_of(a) != v->question) {
		v->question = question_of(a);
		map_fini(&v->opened);
		v->touched = false;
		v->fill = 0;
	}
	tree_rows_take(v, r);
	if (a->seek.wanted && a->seek.stack)
		seek(a);
}

static void
forget(struct app *a)
{
	tree_rows_forget(&a->tree);
}

static void
reset(struct app *a)
{
	tree_rows_reset(&a->tree);
}

static void
update(struct app *a)
{
	struct tree_view *v = &a->tree;
	struct list_rows rows;
	size_t page = a->layout.body.h > 0 ? (size_t)a->layout.body.h : 0;

	if (!v->tree || !a->report)
		return;
	tree_rows_unfold(v, a->report, page);
	rows = list_of(a);
	list_update(&v->rows, &rows);
	/* what was selected is gone: the row is another's now */
	if (v->rows.chosen && v->count > 0)
		tree_rows_select(v, v->rows.cursor);
	tree_node_settle(a);
}

/* ---- keys -------------------------------------------------------------------- */

/* What was said about the end or the names has been read. */
static void
moved(struct app *a)
{
	struct tree_view *v = &a->tree;

	tree_rows_select(v, v->rows.cursor);
	a->notice = NOTICE_NONE;
	a->frame = a->frame_top = 0;
	tree_node_settle(a);
}

static void
go_to_row(struct app *a, size_t row)
{
	struct list_rows rows = list_of(a);

	list_select(&a->tree.rows, &rows, row);
	moved(a);
}

static void
show_more(struct app *a, const struct tree_row *rest)
{
	int h = a->layout.body.h;
	size_t before = a->tree.rows.cursor;

	tree_rows_more(&a->tree, rest, h > 11 ? (size_t)h - 1 : 10);
	rebuild(a);
	/* where it stood is the first of those that came */
	go_to_row(a, before);
}

static void
fold(struct app *a, size_t i, bool open)
{
	tree_rows_fold(&a->tree, &a->tree.shown[i], open);
	rebuild(a);
}

static void
left(struct app *a)
{
	const struct tree_row *row = tree_rows_selected(&a->tree);
	size_t at = a->tree.rows.cursor;

	if (row->open) {
		moved(a);
		fold(a, at, false);
	} else if (row->depth > 0)
		go_to_row(a, row->above);
}

static void
right(struct app *a)
{
	const struct tree_row *row = tree_rows_selected(&a->tree);
	size_t at = a->tree.rows.cursor;

	if (row->kind == TREE_ROW_REST)
		show_more(a, row);
	else if (row->open)
		go_to_row(a, at + 1);
	else if (!row->leaf) {
		moved(a);
		fold(a, at, true);
	}
}

static void
all_below(struct app *a, bool open)
{
	struct tree_view *v = &a->tree;
	bool all = true;

	moved(a);
	if (open)
		all = tree_rows_open_below(
		    v, a->report, v->rows.cursor, v->count + MANY);
	else
		tree_rows_fold_below(v, v->rows.cursor);
	rebuild(a);
	if (!all)
		app_say(a, false,
		    "the largest branches are unfolded; + unfolds more");
}

/* Look at the same stack from the other end. */
static void
invert(struct app *a)
{
	const struct tree_row *row = tree_rows_selected(&a->tree);
	struct app_seek s = { .wanted = true, .exact = true };
	uint32_t stack;

	if (a->tree.rows.chosen && tree_node_stack(a, row, &stack, &s.up)) {
		s.stack = a->report->stacks[stack].id;
		a->seek = s;
	} else
		memset(&a->tree.rows, 0, sizeof a->tree.rows);
	a->query.invert = !a->query.invert;
	app_query_changed(a);
}

static void
root(struct app *a, bool up)
{
	struct tree_view *v = &a->tree;

	if (up ? !tree_rows_root_up(v) : !tree_rows_root(v)) {
		app_say(a, false, "%s",
		    up ? "this is the whole tree"
		       : "nothing is below this row");
		return;
	}
	v->question = question_of(a);
	map_fini(&v->opened);
	v->touched = false;
	v->fill = 0;
	tree_rows_take(v, a->report);
	v->rows.top = 0;
	update(a);
	moved(a);
}

static void
chains(struct app *a)
{
	struct tree_view *v = &a->tree;

	v->split = !v->split;
	rebuild(a);
	app_say(a, false, "%s",
	    v->split ? "each frame has a row"
		     : "frames with one callee are one row with it");
}

static void
change_or_age(struct app *a)
{
	struct tree_view *v = &a->tree;

	if (!v->by_age && !tree_node_knows_ages(a)) {
		app_say(a, false, "the program tells no ages of objects");
		return;
	}
	v->by_age = !v->by_age;
	tree_node_settle(a);
}

static void
find(struct app *a, bool forward)
{
	tree_find_next(a, forward);
	rebuild(a);
	moved(a);
}

/* The detail over the whole screen. */
static void
open_detail(struct app *a)
{
	if (!a->tree.has_row)
		return;
	moved(a);
	a->detail_full = true;
	app_lay_out(a);
}

static bool
act_here(struct app *a, enum action action)
{
	const struct tree_row *row = tree_rows_selected(&a->tree);

	switch ((int)action) {
	case ACTION_LEFT: left(a); break;
	case ACTION_RIGHT: right(a); break;
	case ACTION_UNFOLD_ALL: all_below(a, true); break;
	case ACTION_FOLD_ALL: all_below(a, false); break;
	case ACTION_ROOT: root(a, false); break;
	case ACTION_ROOT_UP: root(a, true); break;
	case ACTION_NEXT: find(a, true); break;
	case ACTION_PREVIOUS: find(a, false); break;
	case ACTION_BY_CHANGE: change_or_age(a); break;
	case ACTION_PANE: open_detail(a); break;
	case ACTION_ENTER:
		if (row->kind == TREE_ROW_REST)
			show_more(a, row);
		else
			open_detail(a);
		break;
	default: return false;
	}
	return true;
}

static bool
act(struct app *a, enum action action)
{
	struct tree_view *v = &a->tree;
	struct list_rows rows;

	if (!a->report || !v->tree || !tree_rows_selected(v))
		return false;
	if (action == ACTION_INVERT) {
		invert(a);
		return true;
	}
	if (action == ACTION_CHAINS) {
		chains(a);
		return true;
	}
	/* Back goes up where there is nothing else to go back from. */
	if (action == ACTION_BACK && v->root_count > 0 && !*a->filter) {
		root(a, true);
		return true;
	}
	rows = list_of(a);
	if (list_act(&v->rows, &rows, action)) {
		moved(a);
		return true;
	}
	return act_here(a, action);
}

static bool
mouse(struct app *a, struct key k)
{
	struct tree_view *v = &a->tree;
	struct list_rows rows;
	size_t i;

	if (!a->report || !v->tree)
		return false;
	rows = list_of(a);
	if (k.code != K_CLICK) {
		list_scroll(&v->rows, &rows, k.code == K_WHEEL_UP ? -3 : 3);
		if (v->rows.chosen)
			moved(a);
		return false;
	}
	if (k.y < a->layout.body.y)
		return false;
	i = v->rows.top + (size_t)(k.y - a->layout.body.y);
	if (i >= rows.count || i - v->rows.top >= rows.page)
		return false;
	if (!v->shown[i].leaf &&
	    k.x == tree_draw_sign_x(a, v->shown[i].depth)) {
		go_to_row(a, i);
		fold(a, i, !v->shown[i].open);
		return false;
	}
	if (i == v->rows.cursor)
		return true; /* the second click opens */
	go_to_row(a, i);
	return false;
}

static void
meaning(const struct app *a, bool ascii, struct buf *b)
{
	const char *dot = glyph(GLYPH_DOT, ascii);
	const char *arrow = glyph(GLYPH_CALLS, ascii);
	bool turned = a->query.invert;
	enum layout_words words = a->layout.words;

	if (words >= WORDS_LONGEST)
		buf_printf(b, "%s %s ", metric_label(a->query.metric), dot);
	buf_printf(b, "%s %s %s", turned ? "callees" : "callers", arrow,
	    turned ? "callers" : "callees");
	if (words >= WORDS_LONG && a->mark[0].id)
		buf_printf(b, " %s A%sB", dot, arrow);
	else if (words >= WORDS_LONG)
		buf_printf(b, " %s since start", dot);
	if (words < WORDS_LONGEST)
		return;
	buf_printf(b, " %s plumbing %s", dot,
	    a->query.cut == CUT_NOTHING ? "shown" : "hidden");
	if (!app_filtered(a))
		buf_printf(b, " %s no filter", dot);
}

static void
position(const struct app *a, bool ascii, struct buf *b)
{
	const struct tree_view *v = &a->tree;

	(void)ascii;
	if (v->count > 0)
		buf_printf(b, "%zu of %zu", v->rows.cursor + 1, v->count);
}

const struct view view_tree = {
	.context = CONTEXT_TREE,
	.label = "Tree",
	.brief = "Tree",
	.least = "Tree",
	.ask = ask,
	.take = take,
	.forget = forget,
	.reset = reset,
	.update = update,
	.draw = tree_draw,
	.act = act,
	.mouse = mouse,
	.selected = tree_node_selected,
	.where = tree_node_where,
	.detail = tree_node_detail,
	.source = tree_node_source,
	.meaning = meaning,
	.position = position,
};
