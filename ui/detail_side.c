#include "ui/detail_side.h"

#include "base/buf.h"
#include "base/utf8.h"
#include "model/name.h"
#include "model/report.h"
#include "ui/app.h"
#include "ui/chart.h"
#include "ui/detail.h"
#include "ui/detail_ages.h"
#include "ui/detail_parts.h"
#include "ui/growth_detail.h"
#include "ui/listing.h"
#include "ui/timeline.h"

#define SIDE_HEAD  15 /* rows above the stack */
#define SIDE_AGES  3  /* more of them where ages are told */
#define GRAPH_Y    8  /* there */
#define GRAPH_ROWS 4
#define SOURCE_MIN 9 /* rows of source, with a title and a blank one */
#define STACK_MIN  5 /* frames that come first */

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

/* Rows of sizes, with the blank one below; source comes first. */
static int
side_sizes(const struct app *a)
{
	const struct report_row *row = app_selected(a);
	int room = a->layout.detail.h - side_facts_rows(a) - STACK_MIN;

	if (row && parts_has_source(a, row))
		room -= SOURCE_MIN;
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

bool
detail_side_source(const struct app *a)
{
	return side_most(a) > 0;
}

int
detail_side_rows(const struct app *a)
{
	const struct report_row *row = app_selected(a);
	int most = side_most(a);

	if (!row || most == 0 || !parts_has_source(a, row))
		return a->layout.detail.h - side_head(a);
	return (int)row->count < most ? (int)row->count : most;
}

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
		parts_line(g, r, y, ROLE_TEXT, b);
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

void
detail_side_draw(const struct app *a, const struct report_row *row,
    struct grid *g, struct rect r)
{
	int head = side_head(a);
	struct rect stack = { r.x, r.y + head, r.w, r.h - head };
	struct buf b = BUF_INIT;
	int end = r.y + r.h;

	if (r.h < 8)
		return;
	name_fit(&b, parts_name(a, row), r.w, g->ascii);
	parts_line(g, r, r.y, ROLE_TITLE, &b);
	if (row->count) {
		struct place p = report_place(a->report, row->places[0]);

		parts_place(&p, &b);
		if (p.module && *p.module)
			buf_printf(&b, "%s%s", b.len ? "   " : "", p.module);
		parts_line(g, r, r.y + 1, ROLE_DIM, &b);
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
	stack.h = detail_side_rows(a);
	detail_stack(a, row, g, stack);
	r.y = stack.y + stack.h + 1;
	r.h = end - r.y;
	side_source(a, g, r);
}
