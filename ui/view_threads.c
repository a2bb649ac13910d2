#include "ui/view_threads.h"

#include <stdio.h>
#include <stdlib.h>

#include "base/buf.h"
#include "base/fmt.h"
#include "base/mem.h"
#include "base/utf8.h"
#include "model/profile.h"
#include "model/report.h"
#include "model/threads.h"
#include "ui/app.h"
#include "ui/columns.h"
#include "ui/detail_ages.h"
#include "ui/glyph.h"
#include "ui/threads_detail.h"
#include "ui/view.h"

/* The last column holds columns of its own, from these widths of it on. */
#define TID_FROM       28
#define ALLOCATED_FROM 44
#define TID_COLS       8
#define ALLOCATED_COLS 11

static bool
ready(const struct app *a)
{
	return a->report && a->threads.facts;
}

/* ---- rows -------------------------------------------------------------- */

static const char *
remark(const struct app *a, uint16_t slot)
{
	const struct profile *p = a->report->profiles[0];
	uint32_t tid = profile_thread_tid(p, slot);

	if (a->query.thread == slot)
		return "only this one";
	if (slot == 0)
		return "";
	if (profile_thread_ended(p, slot))
		return "ended";
	return tid && tid == a->target.pid ? "main" : "";
}

/* "worker-1  ended", at the left. */
static void
draw_who(const struct app *a, struct grid *g, struct rect r, uint32_t row)
{
	const struct report_row *it = &a->report->rows[row];
	uint16_t slot = (uint16_t)it->key;
	const char *said = remark(a, slot);
	int x = grid_put_cut(g, r.x, r.y, r.w, ROLE_SITE, it->name);

	if (*said && r.x + r.w - x >= 2 + utf8_width(said))
		grid_put(g, x + 2, r.y,
		    a->query.thread == slot ? ROLE_WARN : ROLE_DIM, said);
}

static void
draw_name(const void *data, struct grid *g, struct rect r, uint32_t row)
{
	const struct app *a = data;
	uint16_t slot = (uint16_t)a->report->rows[row].key;
	uint32_t tid = profile_thread_tid(a->report->profiles[0], slot);
	unsigned flags = FMT_COLUMN | (g->ascii ? FMT_ASCII : 0);
	int end = r.x + r.w;

	if (r.w >= ALLOCATED_FROM) {
		grid_put_right(g, end, r.y, ROLE_TEXT,
		    fmt_bytes(a->threads.facts[row].alloc_bytes, flags).s);
		end -= ALLOCATED_COLS;
	}
	if (r.w >= TID_FROM) {
		if (tid)
			grid_put_right(
			    g, end, r.y, ROLE_TEXT, fmt_int((double)tid).s);
		end -= TID_COLS;
	}
	r.w = end - r.x;
	draw_who(a, g, r, row);
}

static struct columns_view
table(const struct app *a)
{
	return (struct columns_view){
		.report = a->report,
		.list = &a->threads.rows,
		.rows = a->listed,
		.count = a->listed_count,
		.remainder = a->layout.style == LAYOUT_NORMAL,
		.name = draw_name,
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

/* ---- the view ---------------------------------------------------------- */

/* All threads, whichever is shown alone in the others; and those of which
 * nothing lives. */
static void
ask(const struct app *a, struct query *q)
{
	(void)a;
	q->grouping = GROUP_THREADS;
	q->thread = -1;
	q->freed = true;
}

static void
forget(struct app *a)
{
	free(a->threads.facts);
	a->threads.facts = NULL;
}

static void
reset(struct app *a)
{
	a->threads = (struct threads_view){ .facts = NULL };
}

static void
take(struct app *a)
{
	const struct report *r = a->report;
	struct list_rows rows;

	if (r->query.grouping != GROUP_THREADS || r->profile_count != 1)
		return;
	a->threads.facts = xcalloc(r->row_count + 1, sizeof *a->threads.facts);
	threads_facts(r, a->threads.facts);
	if (a->threads.rows.chosen || a->query.thread < 0)
		return;
	/* At first the one that is shown alone. */
	rows = rows_of(a);
	list_find(&a->threads.rows, &rows, (uint64_t)a->query.thread);
}

static void
update(struct app *a)
{
	struct list_rows rows;

	if (!ready(a))
		return;
	rows = rows_of(a);
	if (app_screen(a) != a->view)
		rows.page = 0; /* it need not scroll */
	list_update(&a->threads.rows, &rows);
}

static void
draw_head(const struct app *a, struct grid *g)
{
	struct rect r = a->layout.head;
	struct columns c;
	int w, end;

	columns_draw_head(a->report, g, r);
	columns_fit(&c, r.w, GROUP_THREADS);
	if (ages_in_column(a))
		columns_draw_title(g, r, &c, COLUMN_CHANGE, "AGE");
	w = c.at[COLUMN_NAME].w;
	end = r.x + c.at[COLUMN_NAME].x + w;
	if (w >= ALLOCATED_FROM) {
		grid_put_right(g, end, r.y, ROLE_DIM, "ALLOCATED");
		end -= ALLOCATED_COLS;
	}
	if (w >= TID_FROM)
		grid_put_right(g, end, r.y, ROLE_DIM, "TID");
}

static void
draw(const struct app *a, struct grid *g)
{
	struct columns_view v = table(a);

	if (!ready(a))
		return;
	if (a->layout.head.h > 0)
		draw_head(a, g);
	columns_draw(&v, g, a->layout.body);
}

static const struct report_row *
selected(const struct app *a)
{
	return ready(a) ? app_row(a, a->threads.rows.cursor) : NULL;
}

/* ---- what it does ------------------------------------------------------ */

static void
next_order(struct app *a, enum order o)
{
	struct columns c;

	columns_fit(&c, a->layout.body.w, GROUP_THREADS);
	if (o == ORDER_COUNT)
		o = columns_next_order(&c, a->query.order);
	if (o == ORDER_CHANGE && ages_in_column(a))
		o = columns_next_order(&c, o);
	a->query.reverse = o == a->query.order && !a->query.reverse;
	a->query.order = o;
	app_query_changed(a);
}

/* Only its memory in all views, or all again. */
static void
show_alone(struct app *a)
{
	const struct report_row *row = selected(a);
	int slot, none = a->asked.thread;

	if (!row)
		return;
	slot = (int)row->key;
	if (a->query.thread == slot && none != slot) {
		a->query.thread = none;
		app_say(a, false, "all views show all threads again");
	} else {
		a->query.thread = slot;
		app_say(a, false,
		    "all views show only what %.*s allocated; esc shows all",
		    (int)utf8_head(row->name, 16), row->name);
	}
	app_query_changed(a);
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
	if (action == ACTION_GROUP) {
		app_say(a, false,
		    "rows are threads here; g works in the other "
		    "views");
		return true;
	}
	if (!ready(a))
		return false;
	if (action == ACTION_ENTER || action == ACTION_ROW_ONLY) {
		show_alone(a);
		return true;
	}
	if (action == ACTION_PANE)
		return true; /* nothing there has keys */
	rows = rows_of(a);
	if (!list_act(&a->threads.rows, &rows, action))
		return false;
	a->notice = NOTICE_NONE;
	return true;
}

static void
click_head(struct app *a, int x)
{
	struct columns c;
	enum order o;

	columns_fit(&c, a->layout.head.w, GROUP_THREADS);
	if (columns_order(columns_at(&c, x - a->layout.head.x), &o))
		next_order(a, o);
}

static bool
mouse(struct app *a, struct key k)
{
	struct list_rows rows;
	size_t row;

	if (!ready(a))
		return false;
	rows = rows_of(a);
	if (k.code != K_CLICK) {
		list_scroll(
		    &a->threads.rows, &rows, k.code == K_WHEEL_UP ? -3 : 3);
		return false;
	}
	if (k.y < a->layout.body.y) {
		click_head(a, k.x);
		return false;
	}
	row = a->threads.rows.top + (size_t)(k.y - a->layout.body.y);
	if (row >= rows.count || row - a->threads.rows.top >= rows.page)
		return false;
	if (row == a->threads.rows.cursor)
		return true;
	list_select(&a->threads.rows, &rows, row);
	a->notice = NOTICE_NONE;
	return false;
}

/* Its heaviest stack. */
static bool
where(const struct app *a, struct app_seek *s)
{
	const struct report_row *row = selected(a);
	const struct thread_facts *f;

	if (!row)
		return false;
	f = &a->threads.facts[row - a->report->rows];
	if (f->heaviest_count == 0)
		return false;
	s->stack = a->report->stacks[f->heaviest[0].stack].id;
	s->up = 0;
	return true;
}

static bool
detail(const struct app *a, struct grid *g)
{
	const struct report_row *row = selected(a);

	if (!row)
		return false;
	threads_detail_draw(
	    a, row, &a->threads.facts[row - a->report->rows], g);
	return true;
}

static void
meaning(const struct app *a, bool ascii, struct buf *b)
{
	const char *dot = glyph(GLYPH_DOT, ascii);

	buf_puts(b, metric_label(a->query.metric));
	if (a->layout.words == WORDS_LEAST)
		return;
	buf_puts(b, " by thread");
	if (a->layout.words == WORDS_SHORT)
		return;
	if (a->mark[0].id)
		buf_printf(b, " %s A%sB", dot, glyph(GLYPH_CALLS, ascii));
	else
		buf_printf(b, " %s since start", dot);
}

static void
position(const struct app *a, bool ascii, struct buf *b)
{
	struct list_rows rows;
	size_t last;

	if (!ready(a) || a->listed_count == 0)
		return;
	rows = rows_of(a);
	last = a->threads.rows.top + rows.page;
	last = last < rows.count ? last : rows.count;
	buf_printf(b, "%zu%s%zu of %s", a->threads.rows.top + 1,
	    glyph(GLYPH_DASH, ascii), last,
	    fmt_count((double)rows.count, FMT_ZERO).s);
}

const struct view view_threads = {
	.context = CONTEXT_THREADS,
	.label = "Threads",
	.brief = "Threads",
	.least = "Thr",
	.ask = ask,
	.take = take,
	.forget = forget,
	.reset = reset,
	.update = update,
	.draw = draw,
	.act = act,
	.mouse = mouse,
	.selected = selected,
	.where = where,
	.detail = detail,
	.meaning = meaning,
	.position = position,
};
