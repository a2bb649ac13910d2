#include "ui/view_snapshots.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/fmt.h"
#include "base/vec.h"
#include "model/query.h"
#include "model/report.h"
#include "ui/app.h"
#include "ui/app_keys.h"
#include "ui/glyph.h"
#include "ui/snapshot_rows.h"
#include "ui/snapshots_table.h"
#include "ui/view.h"

/* A row's key is its moment; that of a gap is the newest one in it. */
#define GAP_KEY (UINT64_C(1) << 63)

static const struct app_point *
point_of(const struct app *a, size_t row)
{
	const struct snapshots_view *v = &a->snapshots;

	return &a->points[v->list[row].point];
}

static uint64_t
key_at(const void *data, size_t i)
{
	const struct app *a = data;
	bool gap = a->snapshots.list[i].hidden != 0;

	return point_of(a, i)->ns | (gap ? GAP_KEY : 0);
}

static struct list_rows
rows_of(const struct app *a)
{
	int h = a->layout.body.h;

	return (struct list_rows){ a->snapshots.count,
		app_screen(a) == a->view && h > 0 ? (size_t)h : 0, key_at, a };
}

const struct snapshot_row *
snapshots_selected(const struct app *a)
{
	const struct snapshots_view *v = &a->snapshots;

	return v->rows.cursor < v->count ? &v->list[v->rows.cursor] : NULL;
}

/* ---- which rows there are ------------------------------------------------ */

/* The moment that is looked at; 0: the newest, whichever that is. */
static uint64_t
looked_at(const struct app *a)
{
	return a->query.at ? app_shown_ns(a) : 0;
}

static void
make_rows(struct app *a)
{
	struct snapshots_view *v = &a->snapshots;
	uint64_t key = v->rows.chosen ? v->rows.key : 0;
	struct snapshot_ask q = {
		.points = a->points,
		.count = a->point_count,
		.keep_ns = { a->mark[0].id ? a->mark[0].ns : 0,
		    a->mark[1].id ? a->mark[1].ns : 0, looked_at(a),
		    key & GAP_KEY ? 0 : key },
		.open = v->open,
		.open_count = v->open_count,
		.height = a->layout.body.h > 0 ? (size_t)a->layout.body.h : 0,
	};

	v->count = snapshot_rows(&q, &v->list, &v->cap);
}

/* The row that shows a moment, or hides it; the newest that is not newer. */
static size_t
row_at(const struct app *a, uint64_t ns)
{
	const struct snapshots_view *v = &a->snapshots;

	for (size_t i = 0; i < v->count; i++) {
		const struct snapshot_row *r = &v->list[i];
		size_t oldest = r->hidden ? r->point - (r->hidden - 1) : 0;

		if (point_of(a, i)->ns <= ns ||
		    (r->hidden && a->points[oldest].ns <= ns))
			return i;
	}
	return v->count ? v->count - 1 : 0;
}

static void
update(struct app *a)
{
	struct snapshots_view *v = &a->snapshots;
	uint64_t at = looked_at(a);
	struct list_rows rows;

	if (at != v->seen_ns) {
		v->rows.key = at;
		v->rows.chosen = at != 0;
		v->seen_ns = at;
	}
	make_rows(a);
	rows = rows_of(a);
	/* It may have become part of a gap, or be thinned out. */
	if (v->rows.chosen && v->count) {
		v->rows.cursor = row_at(a, v->rows.key & ~GAP_KEY);
		v->rows.key = key_at(a, v->rows.cursor);
	}
	list_update(&v->rows, &rows);
}

/* ---- the report ----------------------------------------------------------- */

static void
add_stack(struct snapshots_change *c, const struct figures *f)
{
	double change = figures_change(f);
	bool sure = fabs(change) > figures_change_error(f);

	if (sure && change > 0) {
		c->grew++;
		c->growth += change;
	} else if (sure && change < 0) {
		c->shrank++;
		c->shrinkage += change;
	} else {
		c->others++;
		c->rest += change;
	}
}

/* Rows are snapshots; of stacks only what has changed is told, of those that
 * are gone too. */
static void
ask(const struct app *a, struct query *q)
{
	(void)a;
	q->max_rows = 1;
	q->freed = true;
}

static void
take(struct app *a)
{
	struct snapshots_view *v = &a->snapshots;

	v->change = (struct snapshots_change){ .known = true };
	for (size_t i = 0; i < a->report->stack_count; i++)
		add_stack(&v->change, &a->report->stacks[i].f);
	if (!a->seek.wanted)
		return;
	v->from = true;
	v->from_stack = a->seek.stack;
	v->from_up = a->seek.up;
}

static void
forget(struct app *a)
{
	a->snapshots.change.known = false;
}

static void
reset(struct app *a)
{
	free(a->snapshots.list);
	free(a->snapshots.open);
	memset(&a->snapshots, 0, sizeof a->snapshots);
}

static bool
where(const struct app *a, struct app_seek *s)
{
	const struct snapshots_view *v = &a->snapshots;

	s->stack = v->from_stack;
	s->up = v->from_up;
	return v->from;
}

static bool
detail(const struct app *a, struct grid *g)
{
	snapshots_draw_pane(a, g);
	return true;
}

/* ---- words ------------------------------------------------------------------------ */

/* "762 snapshots in 9.8 MiB · 1 per second" */
static void
meaning(const struct app *a, bool ascii, struct buf *b)
{
	uint64_t every = a->target.interval_ns;
	size_t n = a->point_count;

	buf_printf(b, "%s snapshot%s", fmt_count((double)n, FMT_ZERO).s,
	    n == 1 ? "" : "s");
	if (a->layout.words == WORDS_LEAST)
		return;
	if (a->kept_bytes)
		buf_printf(
		    b, " in %s", fmt_bytes((double)a->kept_bytes, FMT_ZERO).s);
	if (every && a->layout.words >= WORDS_LONG)
		buf_printf(b, " %s 1 per %s", glyph(GLYPH_DOT, ascii),
		    every == UINT64_C(1000000000) ? "second"
						  : fmt_duration(every).s);
}

static void
position(const struct app *a, bool ascii, struct buf *b)
{
	const struct snapshot_row *row = snapshots_selected(a);

	(void)ascii;
	if (row)
		buf_printf(b, "%zu of %zu", a->point_count - row->point,
		    a->point_count);
}

/* ---- keys -------------------------------------------------------------------------- */

static void
unfold(struct app *a, const struct snapshot_row *gap)
{
	struct snapshots_view *v = &a->snapshots;
	size_t oldest = gap->point - (gap->hidden - 1);
	uint64_t newest = a->points[gap->point].ns;

	VEC_ROOM(v->open, v->open_cap, v->open_count + 1);
	v->open[v->open_count++] =
	    (struct snapshot_span){ a->points[oldest].ns, newest };
	v->rows.key = newest;
	v->rows.chosen = true;
	app_lay_out(a);
}

/* The spans around the selected snapshot become gaps again. */
static void
fold(struct app *a, uint64_t ns)
{
	struct snapshots_view *v = &a->snapshots;
	size_t to = 0;

	for (size_t i = 0; i < v->open_count; i++) {
		if (v->open[i].from_ns > ns || v->open[i].to_ns < ns)
			v->open[to++] = v->open[i];
	}
	if (to == v->open_count)
		return;
	v->open_count = to;
	v->rows.key = ns | GAP_KEY;
	app_lay_out(a);
}

static void
fold_all(struct app *a, bool open)
{
	struct snapshots_view *v = &a->snapshots;

	VEC_ROOM(v->open, v->open_cap, 1);
	v->open[0] = (struct snapshot_span){ 0, UINT64_MAX };
	v->open_count = open;
	app_lay_out(a);
}

/* What is done with the selected snapshot, or with all in a gap. */
static bool
act_row(struct app *a, enum action action, const struct snapshot_row *row)
{
	switch ((int)action) {
	case ACTION_ENTER:
		if (row->hidden)
			unfold(a, row);
		else
			app_look_at(a, row->point);
		return true;
	case ACTION_RIGHT:
		if (row->hidden)
			unfold(a, row);
		return true;
	case ACTION_LEFT:
		if (!row->hidden)
			fold(a, a->points[row->point].ns);
		return true;
	case ACTION_MARK_A:
	case ACTION_MARK_B:
		if (row->hidden)
			app_say(a, false,
			    "these are %zu snapshots: unfold them first",
			    row->hidden);
		else
			app_mark_point(a, action == ACTION_MARK_B, row->point);
		return true;
	default: return false;
	}
}

static void
moved(struct app *a)
{
	a->notice = NOTICE_NONE;
	/* The one that was left may be part of a gap again. */
	app_lay_out(a);
}

static bool
act(struct app *a, enum action action)
{
	const struct snapshot_row *row = snapshots_selected(a);
	struct list_rows rows = rows_of(a);

	if (action == ACTION_UNFOLD_ALL || action == ACTION_FOLD_ALL) {
		fold_all(a, action == ACTION_UNFOLD_ALL);
		return true;
	}
	if (!row)
		return false;
	if (list_act(&a->snapshots.rows, &rows, action)) {
		if (a->snapshots.rows.cursor == 0 && !a->query.at)
			a->snapshots.rows.chosen = false; /* the newest */
		moved(a);
		return true;
	}
	return act_row(a, action, row);
}

static bool
mouse(struct app *a, struct key k)
{
	struct snapshots_view *v = &a->snapshots;
	struct list_rows rows = rows_of(a);
	size_t row = v->rows.top + (size_t)(k.y - a->layout.body.y);

	if (k.code != K_CLICK) {
		list_scroll(&v->rows, &rows, k.code == K_WHEEL_UP ? -3 : 3);
		return false;
	}
	if (k.y < a->layout.body.y || row >= rows.count)
		return false;
	if (row == v->rows.cursor)
		return true; /* the second click opens */
	list_select(&v->rows, &rows, row);
	moved(a);
	return false;
}

/* Rows are no rows of the report. */
static const struct report_row *
selected(const struct app *a)
{
	(void)a;
	return NULL;
}

const struct view view_snapshots = {
	.context = CONTEXT_SNAPSHOTS,
	.label = "Snapshots",
	.brief = "Snaps",
	.least = "Snp",
	.ask = ask,
	.take = take,
	.forget = forget,
	.reset = reset,
	.update = update,
	.draw = snapshots_draw,
	.act = act,
	.mouse = mouse,
	.selected = selected,
	.where = where,
	.detail = detail,
	.meaning = meaning,
	.position = position,
};
