#include "ui/view_top.h"

#include "base/buf.h"
#include "base/fmt.h"
#include "model/report.h"
#include "ui/app.h"
#include "ui/columns.h"
#include "ui/detail_ages.h"
#include "ui/glyph.h"

static struct columns_view
table(const struct app *a)
{
	return (struct columns_view){
		.report = a->report,
		.list = &a->rows,
		.idle = a->detail_keys,
		.rows = a->listed,
		.count = a->listed_count,
		.cut = a->listed_cut,
		.remainder = a->layout.style == LAYOUT_NORMAL,
		.all = a->all,
		.max = a->all_max,
		.max_cum = a->all_cum,
		.change = ages_in_column(a) ? ages_draw_row : NULL,
		.data = a,
	};
}

static struct list_rows
rows_of(const struct app *a)
{
	struct columns_view v = table(a);

	return app_rows(a, columns_page(&v, a->layout.body.h));
}

static void
ask(const struct app *a, struct query *q)
{
	/* The longest bar may be at the other end. */
	bool longest_last = q->order == ORDER_CUM && q->reverse;

	q->max_rows =
	    a->rows_asked == SIZE_MAX || longest_last ? 0 : a->rows_asked;
}

/* The row that holds the stack. */
static void
take(struct app *a)
{
	const struct report *r = a->report;

	for (size_t i = 0; a->seek.wanted && i < a->listed_count; i++) {
		const struct report_row *row = app_row(a, i);

		if (row->stack >= r->stack_count ||
		    r->stacks[row->stack].id != a->seek.stack)
			continue;
		a->rows.cursor = i;
		a->rows.key = row->key;
		a->rows.chosen = true;
		return;
	}
	if (a->seek.wanted && a->listed_cut > 0)
		app_more_rows(a, SIZE_MAX);
}

static bool
there(const struct app *a)
{
	for (size_t i = 0; i < a->listed_count; i++) {
		if (app_row(a, i)->key == a->rows.key)
			return true;
	}
	return false;
}

static void
stay_inside(struct app *a)
{
	size_t n = a->listed_count;

	if (a->rows.cursor >= n)
		a->rows.cursor = n ? n - 1 : 0;
	if (a->rows.top > a->rows.cursor)
		a->rows.top = a->rows.cursor;
}

static void
update(struct app *a)
{
	struct list_rows rows;

	if (!a->report)
		return;
	rows = rows_of(a);
	if (app_screen(a) != a->view)
		rows.page = 0; /* it need not scroll */
	if (a->rows.chosen && a->listed_cut > 0 && !there(a)) {
		app_more_rows(a, SIZE_MAX); /* it may be among those cut off */
		stay_inside(a);
		return;
	}
	list_update(&a->rows, &rows);
	/* Who scrolls to the end of what there is wants more of it. */
	if (a->listed_cut > 0 && a->rows.top + 2 * rows.page > a->listed_count)
		app_more_rows(a, 2 * (a->rows.top + 2 * rows.page));
	else if (a->rows.top + 2 * rows.page < APP_ROWS / 2)
		a->rows_asked = APP_ROWS; /* from the next report on */
}

static void
draw(const struct app *a, struct grid *g)
{
	struct columns_view v = table(a);
	struct rect head = a->layout.head;
	struct columns c;

	if (!a->report)
		return;
	if (head.h > 0)
		columns_draw_head(a->report, g, head);
	columns_fit(&c, head.w, a->report->query.grouping);
	if (head.h > 0 && v.change)
		columns_draw_title(g, head, &c, COLUMN_CHANGE, "AGE");
	columns_draw(&v, g, a->layout.body);
}

static void
next_order(struct app *a, enum order o)
{
	struct columns c;

	columns_fit(&c, a->layout.body.w, a->query.grouping);
	if (o == ORDER_COUNT)
		o = columns_next_order(&c, a->query.order);
	if (o == ORDER_CHANGE && ages_in_column(a))
		o = columns_next_order(&c, o); /* nobody sees what it is */
	if (o == a->query.order)
		a->query.reverse = !a->query.reverse;
	else
		a->query.reverse = false;
	a->query.order = o;
	app_query_changed(a);
}

/* What was said about the end or the names has been read. */
static void
moved(struct app *a)
{
	a->notice = NOTICE_NONE;
	a->frame = a->frame_top = 0;
}

static bool
act(struct app *a, enum action action)
{
	struct list_rows rows;

	if (action == ACTION_SORT) {
		next_order(a, ORDER_COUNT);
		return true;
	}
	if (action == ACTION_BY_CHANGE) {
		ages_change_column(a);
		return true;
	}
	if (!a->report)
		return false;
	if (action == ACTION_LAST && !app_all_rows(a, action))
		return true;
	rows = rows_of(a);
	if (!list_act(&a->rows, &rows, action))
		return false;
	moved(a);
	update(a);
	return true;
}

static void
click_head(struct app *a, int x)
{
	struct columns c;
	enum order o;

	columns_fit(&c, a->layout.head.w, a->query.grouping);
	if (columns_order(columns_at(&c, x - a->layout.head.x), &o))
		next_order(a, o);
}

static bool
mouse(struct app *a, struct key k)
{
	struct list_rows rows;
	size_t row;

	if (!a->report)
		return false;
	rows = rows_of(a);
	if (k.code != K_CLICK) {
		list_scroll(&a->rows, &rows, k.code == K_WHEEL_UP ? -3 : 3);
		update(a);
		return false;
	}
	if (k.y < a->layout.body.y) {
		click_head(a, k.x);
		return false;
	}
	row = a->rows.top + (size_t)(k.y - a->layout.body.y);
	if (row >= rows.count || row - a->rows.top >= rows.page)
		return false;
	if (row == a->rows.cursor)
		return true; /* the second click opens */
	list_select(&a->rows, &rows, row);
	moved(a);
	return false;
}

static const struct report_row *
selected(const struct app *a)
{
	return app_row(a, a->rows.cursor);
}

static void
position(const struct app *a, bool ascii, struct buf *b)
{
	struct list_rows rows;
	size_t last;

	if (app_row_count(a) == 0)
		return;
	rows = rows_of(a);
	last = a->rows.top + rows.page;
	last = last < rows.count ? last : rows.count;
	buf_printf(b, "%zu%s%zu of %s", rows.count ? a->rows.top + 1 : 0,
	    glyph(GLYPH_DASH, ascii), last,
	    fmt_count((double)app_row_count(a), FMT_ZERO).s);
}

const struct view view_top = {
	.context = CONTEXT_TOP,
	.label = "Top",
	.brief = "Top",
	.least = "Top",
	.ask = ask,
	.take = take,
	.update = update,
	.draw = draw,
	.act = act,
	.mouse = mouse,
	.selected = selected,
	.position = position,
};
