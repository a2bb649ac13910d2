#include "ui/detail.h"

#include <stdio.h>

#include "base/buf.h"
#include "base/fmt.h"
#include "base/utf8.h"
#include "model/name.h"
#include "model/report.h"
#include "ui/app.h"
#include "ui/chart.h"
#include "ui/detail_ages.h"
#include "ui/detail_parts.h"
#include "ui/glyph.h"
#include "ui/growth_detail.h"
#include "ui/listing.h"
#include "ui/rule.h"
#include "ui/timeline.h"
#include "ui/view.h"

/* Where the stack begins in a pane below the list. */
#define STACK_X    46
#define TREND_COLS 24
#define SIDE_HEAD  15 /* rows above the stack at the side */
#define SIDE_AGES  3  /* more of them where ages are told */
#define GRAPH_Y    8  /* there */
#define GRAPH_ROWS 4
#define SOURCE_MIN 9 /* rows of source, with a title and a blank one */
#define STACK_MIN  5 /* frames that come first */

static bool
at_side(const struct app *a)
{
	return a->layout.split.w > 0;
}

/* Only a few rows: facts and stack are one line each. */
static bool
compact(const struct app *a)
{
	return !at_side(a) && a->layout.detail.h < 5;
}

static bool
has_source(const struct app *a, const struct report_row *row)
{
	for (uint32_t i = 0; i < row->count; i++) {
		struct place p = report_place(a->report, row->places[i]);

		if (p.file && *p.file && p.line)
			return true;
	}
	return false;
}

/* Rows of facts at the side that other programs do not have: the ages. */
static int
side_ages(const struct app *a)
{
	return a->view != CONTEXT_GROWTH && ages_told(a) &&
		a->layout.detail.h >= SIDE_HEAD + SIDE_AGES + STACK_MIN
	    ? SIDE_AGES
	    : 0;
}

/* Rows above the sizes and the stack at the side. */
static int
side_facts_rows(const struct app *a)
{
	return SIDE_HEAD +
	    (a->view == CONTEXT_GROWTH ? GROWTH_SIDE_MORE : side_ages(a));
}

/* Rows of sizes, with the blank one below. */
static int
side_sizes(const struct app *a)
{
	int room = a->layout.detail.h - side_facts_rows(a) - STACK_MIN;

	if (!ages_told(a) || room < AGES_SIZE_ROWS + 1)
		return 0;
	return AGES_SIZE_ROWS + 1;
}

/* Rows above the stack at the side. */
static int
side_head(const struct app *a)
{
	return side_facts_rows(a) + side_sizes(a);
}

/* Frames that may be seen at the side where source is, too; 0: there is no
 * room for it. */
static int
side_most(const struct app *a)
{
	int most = a->layout.detail.h - side_head(a) - SOURCE_MIN;

	return most < STACK_MIN ? 0 : most;
}

/* Rows for the stack at the side; what it leaves is for the source. */
static int
side_rows(const struct app *a)
{
	const struct report_row *row = app_selected(a);
	int most = side_most(a);

	if (!row || most == 0 || !has_source(a, row))
		return a->layout.detail.h - side_head(a);
	return (int)row->count < most ? (int)row->count : most;
}

int
parts_head(const struct app *a)
{
	if (ages_told(a) && a->layout.body.h >= PARTS_AGES_FROM)
		return PARTS_AGES_HEAD;
	return a->layout.body.h > PARTS_FULL_HEAD ? PARTS_FULL_HEAD
						  : PARTS_LEAST;
}

/* Frames seen at once. */
size_t
parts_page(const struct app *a)
{
	const struct report_row *row = app_selected(a);
	int h = a->layout.detail.h, full = a->layout.body.h - parts_head(a);
	int tail =
	    row && has_source(a, row) ? PARTS_FULL_TAIL : PARTS_NAME_TAIL;

	if (a->detail_full)
		h = full - tail > 3 ? full - tail : full;
	else if (at_side(a))
		h = side_rows(a);
	else if (compact(a))
		h = 1;
	return h > 1 ? (size_t)h : 1;
}

static uint64_t
key_at(const void *data, size_t i)
{
	(void)data;
	return i;
}

bool
detail_act(struct app *a, enum action action)
{
	const struct report_row *row = app_selected(a);
	struct list l = { .cursor = a->frame, .top = a->frame_top };
	struct list_rows rows = { row ? row->count : 0, parts_page(a), key_at,
		NULL };

	if (!row || !list_act(&l, &rows, action))
		return false;
	a->frame = l.cursor;
	a->frame_top = l.top;
	return true;
}

/* The frame selected, of a row that may have fewer than the one before. */
uint32_t
parts_selected(const struct app *a, const struct report_row *row)
{
	return a->frame < row->count ? (uint32_t)a->frame
	    : row->count             ? row->count - 1
				     : 0;
}

bool
detail_source(const struct app *a, struct place *p)
{
	const struct report_row *row = app_selected(a);
	const struct view *v = view_at(a->view);
	bool moved = a->detail_full || a->detail_keys;

	if (v && v->source && !a->detail_full && !a->output_shown)
		return a->report && v->source(a, p);
	if (!row || a->output_shown || a->layout.style != LAYOUT_NORMAL ||
	    (!a->detail_full && (!at_side(a) || side_most(a) == 0)))
		return false;
	/* Until one moves over the frames, the first that is written down. */
	for (uint32_t i = moved ? parts_selected(a, row) : 0; i < row->count;
	     i++) {
		*p = report_place(a->report, row->places[i]);
		if (p->file && *p->file && p->line)
			return true;
		if (moved)
			return false;
	}
	return false;
}

void
detail_position(const struct app *a, struct buf *b)
{
	const struct report_row *row = app_selected(a);

	if (row && row->count)
		buf_printf(
		    b, "frame %u of %u", parts_selected(a, row), row->count);
}

/* ---- pieces ------------------------------------------------------------------- */

static void
put_line(struct grid *g, struct rect r, int y, enum role role, struct buf *b)
{
	if (y < r.y + r.h && b->len)
		grid_put_cut(g, r.x, y, r.w, role, buf_str(b));
	buf_clear(b);
}

static void
draw_trend(const struct app *a, const struct report_row *row, struct grid *g,
    int x, int y)
{
	double values[TREND_COLS];
	uint64_t ns;
	struct fmt f;

	if (!parts_trend(a, row, values, TREND_COLS, &ns))
		return;
	chart_trend(g, x, y, ROLE_BAR, values, TREND_COLS);
	if (a->target.untimed)
		return;
	f = fmt_duration(ns);
	/* Its larger part is enough. */
	f.s[utf8_head(f.s, ns >= 60 * UINT64_C(1000000000) ? 3 : 7)] = '\0';
	grid_printf(g, x + TREND_COLS, y, ROLE_DIM, " last %s", f.s);
}

void
parts_mark(struct grid *g, struct rect r)
{
	grid_role(g, r, ROLE_SELECT);
	g->cursor_x = r.x;
	g->cursor_y = r.y;
}

void
detail_stack(const struct app *a, const struct report_row *row, struct grid *g,
    struct rect r)
{
	uint32_t first = a->detail_keys ? (uint32_t)a->frame_top : 0;
	uint32_t selected = parts_selected(a, row);

	if (first >= row->count)
		first = 0;
	for (int i = 0; i < r.h; i++) {
		uint32_t n = first + (uint32_t)i;
		struct rect line = { r.x, r.y + i, r.w, 1 };

		if (i == r.h - 1 && n + 1 < row->count && !a->detail_keys) {
			grid_printf(g, r.x, line.y, ROLE_DIM, "%s %u more",
			    glyph(GLYPH_MORE, g->ascii), row->count - n);
			return;
		}
		if (!parts_frame(a, row, n, g, r.x, line.y, r.w))
			return;
		if (a->detail_keys && n == selected)
			parts_mark(g, line);
	}
}

/* "decode_batch ← ingest_loop ← main" */
static void
chain(const struct app *a, const struct report_row *row, bool ascii,
    struct buf *b)
{
	for (uint32_t i = 0; i < row->count && b->len < 2048; i++) {
		if (i)
			buf_printf(b, " %s ", glyph(GLYPH_CALLED_BY, ascii));
		name_fit(b, report_place(a->report, row->places[i]).function,
		    40, ascii);
	}
}

/* ---- below the list ------------------------------------------------------------ */

static void
draw_title(const struct app *a, const struct report_row *row, struct grid *g)
{
	struct buf name = BUF_INIT, place = BUF_INIT, right = BUF_INIT;

	name_fit(&name, parts_name(a, row), a->layout.rule.w / 2, g->ascii);
	if (row->count > 0) {
		struct place p = report_place(a->report, row->places[0]);

		parts_place(&p, &place);
		if (place.len == 0 && p.module)
			buf_puts(&place, p.module);
	}
	parts_samples(row, g->ascii, &right);
	rule_draw(g, a->layout.rule, buf_str(&name), buf_str(&place),
	    buf_str(&right));
	buf_fini(&name);
	buf_fini(&place);
	buf_fini(&right);
}

static const char *
verb(const struct app *a)
{
	return metric_is_live(a->report->query.metric) ? " live, "
						       : " allocated, ";
}

/* In the last row what became of those born since A; without a mark, and in
 * the row of the trend where there is none, what ages there are. */
static void
draw_tall_ages(const struct app *a, const struct report_row *row,
    struct grid *g, struct rect r)
{
	struct age_subject of = ages_subject(a, row);
	struct buf b = BUF_INIT;
	bool stacks = a->report->query.grouping == GROUP_STACKS;

	if (!stacks) {
		ages_words(&of, r.w, &b);
		put_line(g, r, r.y + 3, ROLE_TEXT, &b);
	}
	ages_generation_words(a, &of, row, g->ascii, r.w, &b);
	if (b.len == 0 && stacks)
		ages_others(&of, &b);
	put_line(g, r, r.y + 4, ROLE_TEXT, &b);
	buf_fini(&b);
}

static void
draw_tall(const struct app *a, const struct report_row *row, struct grid *g,
    struct rect r)
{
	struct rect left = { r.x + 1, r.y, STACK_X - 2, r.h };
	struct rect right = { r.x + STACK_X, r.y, r.w - STACK_X - 1, r.h };
	struct buf b = BUF_INIT;

	if (right.w < 16)
		left.w = r.w - 2;
	parts_amount(row, g->ascii, verb(a), ", ", &b);
	put_line(g, left, r.y, ROLE_TEXT, &b);
	parts_growth(a, row, g->ascii, left.w, &b);
	put_line(g, left, r.y + 1, ROLE_TEXT, &b);
	parts_age(a, row, g->ascii, &b);
	put_line(g, left, r.y + 2, ROLE_TEXT, &b);
	if (left.w > TREND_COLS + 10)
		draw_trend(a, row, g, left.x, r.y + 3);
	draw_tall_ages(a, row, g, left);
	if (right.w >= 16)
		detail_stack(a, row, g, right);
	buf_fini(&b);
}

/* "118.4 MiB in 312k objects, 398 B avg; +78.9 KiB/s since A; first seen" */
static void
draw_compact(const struct app *a, const struct report_row *row, struct grid *g,
    struct rect r)
{
	struct rect line = { r.x + 1, r.y, r.w - 2, r.h };
	struct buf b = BUF_INIT;
	size_t n;

	parts_amount(row, g->ascii, " in ", ", ", &b);
	buf_puts(&b, "; ");
	n = b.len;
	parts_rate(a, row, true, &b);
	if (b.len > n)
		buf_puts(&b, a->mark[0].id ? " since A; " : "; ");
	n = b.len;
	parts_first(a, row, &b);
	parts_comma(&b, n);
	put_line(g, line, r.y, ROLE_TEXT, &b);
	if (a->detail_keys && r.h > 1) {
		struct rect frame = { line.x, r.y + 1, line.w, 1 };

		parts_frame(
		    a, row, parts_selected(a, row), g, line.x, r.y + 1, line.w);
		parts_mark(g, frame);
	} else {
		chain(a, row, g->ascii, &b);
		put_line(g, line, r.y + 1, ROLE_DIM, &b);
	}
	buf_fini(&b);
}

/* ---- at the side ------------------------------------------------------------------ */

/* No more than two blanks between the columns: they do not fit. */
static void
squeeze(struct buf *b)
{
	size_t to = 0;

	for (size_t i = 0; i < b->len; i++) {
		if (b->data[i] == ' ' && to >= 2 && b->data[to - 1] == ' ' &&
		    b->data[to - 2] == ' ')
			continue;
		b->data[to++] = b->data[i];
	}
	b->len = to;
	b->data[to] = '\0';
}

static void
labelled(struct grid *g, struct rect r, int y, const char *label, struct buf *b)
{
	if (b->len) {
		grid_put(g, r.x, y, ROLE_DIM, label);
		r.x += 9;
		r.w -= 9;
		if (utf8_width(buf_str(b)) > r.w)
			squeeze(b);
		put_line(g, r, y, ROLE_TEXT, b);
	}
}

/* Below "age": of others, of those that are gone, of those born between A and
 * B. */
static void
side_more_ages(const struct app *a, const struct report_row *row,
    struct grid *g, struct rect r)
{
	struct age_subject of = ages_subject(a, row);
	struct buf b = BUF_INIT;
	int y = r.y + 7;

	if (a->report->query.grouping != GROUP_STACKS)
		ages_words(&of, r.w - 9, &b);
	else
		ages_others(&of, &b);
	labelled(g, r, y++, "", &b);
	if (ages_draw_lives(&of, g, r.x + 9, y, r.w - 9) > r.x + 9)
		grid_put(g, r.x, y, ROLE_DIM, "lived");
	y++;
	ages_generation_words(a, &of, row, g->ascii, r.w - 9, &b);
	labelled(g, r, y, "born", &b);
	buf_fini(&b);
}

static void
side_facts(const struct app *a, const struct report_row *row, struct grid *g,
    struct rect r)
{
	bool live = metric_is_live(a->report->query.metric);
	struct buf b = BUF_INIT;

	parts_amount_wide(a, row, g->ascii, &b);
	labelled(g, r, r.y + 3, live ? "live" : "alloc", &b);
	parts_change_wide(a, row, g->ascii, &b);
	labelled(g, r, r.y + 4, "change", &b);
	parts_churn(a, row, g->ascii, &b);
	labelled(g, r, r.y + 5, "churn", &b);
	parts_age(a, row, g->ascii, &b);
	labelled(g, r, r.y + 6, "age", &b);
	if (side_ages(a))
		side_more_ages(a, row, g, r);
	buf_fini(&b);
}

static void
side_graph(const struct app *a, const struct report_row *row, struct grid *g,
    struct rect r)
{
	double values[256], max = 0;
	uint64_t ns;

	r.y += side_facts_rows(a) - SIDE_HEAD + GRAPH_Y;
	r.h = GRAPH_ROWS;
	if (r.w > 256 || !parts_trend(a, row, values, r.w, &ns))
		return;
	for (int i = 0; i < r.w; i++)
		max = values[i] > max ? values[i] : max;
	chart_area(g, r, ROLE_BAR, values, max);
	r.y += r.h;
	r.h = 1;
	timeline_ruler(a, g, r, ns);
}

/* "SOURCE  src/decode.c" and lines of it. */
static void
side_source(const struct app *a, struct grid *g, struct rect r)
{
	struct buf b = BUF_INIT;
	struct place p;
	int x;

	if (r.h < 3 || r.w < 20 || !detail_source(a, &p))
		return;
	x = grid_put(g, r.x, r.y, ROLE_DIM, "SOURCE") + 2;
	name_fit_path(&b, p.file, r.x + r.w - x, g->ascii);
	grid_put(g, x, r.y, ROLE_DIM, buf_str(&b));
	buf_fini(&b);
	r.y++;
	r.h--;
	listing_draw(a, p.file, p.line, r.h > 2 ? (r.h - 2) / 2 : 0, g, r);
}

static void
draw_side(const struct app *a, const struct report_row *row, struct grid *g,
    struct rect r)
{
	int head = side_head(a);
	struct rect stack = { r.x, r.y + head, r.w, r.h - head };
	struct buf b = BUF_INIT;
	int end = r.y + r.h;

	if (r.h < 8)
		return;
	name_fit(&b, parts_name(a, row), r.w, g->ascii);
	put_line(g, r, r.y, ROLE_TITLE, &b);
	if (row->count) {
		struct place p = report_place(a->report, row->places[0]);

		parts_place(&p, &b);
		if (p.module && *p.module)
			buf_printf(&b, "%s%s", b.len ? "   " : "", p.module);
		put_line(g, r, r.y + 1, ROLE_DIM, &b);
	}
	if (a->view == CONTEXT_GROWTH)
		growth_detail_side(
		    a, row, g, (struct rect){ r.x, r.y + 3, r.w, r.h - 3 });
	else
		side_facts(a, row, g, r);
	buf_fini(&b);
	if (stack.h < 2)
		return;
	side_graph(a, row, g, r);
	if (side_sizes(a)) {
		struct age_subject of = ages_subject(a, row);

		ages_draw_sizes(&of, g,
		    (struct rect){ r.x, r.y + side_facts_rows(a) - 1, r.w,
			AGES_SIZE_ROWS });
	}
	grid_put(g, r.x, stack.y - 1, ROLE_DIM, "STACK");
	stack.h = side_rows(a);
	detail_stack(a, row, g, stack);
	r.y = stack.y + stack.h + 1;
	r.h = end - r.y;
	side_source(a, g, r);
}

void
detail_draw(const struct app *a, struct grid *g)
{
	const struct report_row *row = app_selected(a);
	struct rect r = a->layout.detail, s = a->layout.split;

	if (s.w > 0)
		grid_fill(g, s, ROLE_HAIRLINE, glyph(GLYPH_AXIS, g->ascii));
	if (r.h <= 0)
		return;
	if (!row)
		rule_draw(g, a->layout.rule, NULL, NULL, NULL);
	else if (s.w > 0)
		draw_side(
		    a, row, g, (struct rect){ r.x + 1, r.y, r.w - 3, r.h });
	else {
		draw_title(a, row, g);
		if (compact(a))
			draw_compact(a, row, g, r);
		else
			draw_tall(a, row, g, r);
	}
}
