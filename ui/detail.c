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
#include "ui/detail_side.h"
#include "ui/glyph.h"
#include "ui/rule.h"
#include "ui/view.h"

/* Where the stack begins in a pane below the list. */
#define STACK_X    46
#define TREND_COLS 24

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
	    row && parts_has_source(a, row) ? PARTS_FULL_TAIL : PARTS_NAME_TAIL;

	if (a->detail_full)
		h = full - tail > 3 ? full - tail : full;
	else if (at_side(a))
		h = detail_side_rows(a);
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
	    (!a->detail_full && (!at_side(a) || !detail_side_source(a))))
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
		parts_line(g, r, r.y + 3, ROLE_TEXT, &b);
	}
	ages_generation_words(a, &of, row, g->ascii, r.w, &b);
	if (b.len == 0 && stacks)
		ages_others(&of, &b);
	parts_line(g, r, r.y + 4, ROLE_TEXT, &b);
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
	parts_line(g, left, r.y, ROLE_TEXT, &b);
	parts_growth(a, row, g->ascii, left.w, &b);
	parts_line(g, left, r.y + 1, ROLE_TEXT, &b);
	parts_age(a, row, g->ascii, &b);
	parts_line(g, left, r.y + 2, ROLE_TEXT, &b);
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
	parts_line(g, line, r.y, ROLE_TEXT, &b);
	if (a->detail_keys && r.h > 1) {
		struct rect frame = { line.x, r.y + 1, line.w, 1 };

		parts_frame(
		    a, row, parts_selected(a, row), g, line.x, r.y + 1, line.w);
		parts_mark(g, frame);
	} else {
		chain(a, row, g->ascii, &b);
		parts_line(g, line, r.y + 1, ROLE_DIM, &b);
	}
	buf_fini(&b);
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
		detail_side_draw(
		    a, row, g, (struct rect){ r.x + 1, r.y, r.w - 3, r.h });
	else {
		draw_title(a, row, g);
		if (compact(a))
			draw_compact(a, row, g, r);
		else
			draw_tall(a, row, g, r);
	}
}
