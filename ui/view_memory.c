#include "ui/view_memory.h"

#include <stdio.h>
#include <string.h>

#include "base/buf.h"
#include "base/fmt.h"
#include "model/query.h"
#include "model/report.h"
#include "ui/app.h"
#include "ui/chart.h"
#include "ui/glyph.h"
#include "ui/memory_detail.h"
#include "ui/memory_rows.h"
#include "ui/view.h"

/* Where columns begin, by the width of the list; 0: not there. */
struct places {
	int percent, bar, bar_cols;
	int what;              /* of a part: its label */
	int sentence;          /* behind that */
	int size, dirty, swap; /* of a mapping */
	int name;
};

#define LABEL_COLS 15

static struct places
places_of(int w)
{
	struct places p = { .what = 1 + FMT_W_BYTES + 2 };

	p.name = p.what;
	if (w >= 56) {
		p.percent = 1 + FMT_W_BYTES + 1;
		p.what = p.percent + FMT_W_PERCENT + 2;
		p.size = p.what - 1;
		p.name = p.size + FMT_W_BYTES + 2;
	}
	if (w >= 72) {
		p.bar = p.what - 1;
		p.bar_cols = w >= 92 ? 10 : 6;
		p.what = p.bar + p.bar_cols + 2;
		p.size = p.what - 1;
		p.dirty = p.size + FMT_W_BYTES + 1;
		p.name = p.dirty + FMT_W_BYTES + 2;
	}
	if (w >= 92) {
		p.swap = p.dirty + FMT_W_BYTES + 1;
		p.name = p.swap + FMT_W_BYTES + 2;
	}
	p.sentence = w >= 48 ? p.what + LABEL_COLS + 1 : 0;
	return p;
}

/* ---- rows -------------------------------------------------------------- */

static unsigned
flags_of(const struct grid *g)
{
	return FMT_COLUMN | (g->ascii ? FMT_ASCII : 0);
}

static void
put_bytes(struct grid *g, int x, int y, double v)
{
	struct fmt f =
	    v < 0 ? fmt_change(v, flags_of(g)) : fmt_bytes(v, flags_of(g));
	size_t pad = strspn(f.s, " ");
	char *unit = strchr(f.s + pad, ' ');
	int end = x + FMT_W_BYTES;

	if (unit) {
		end = grid_put_right(g, end, y, ROLE_DIM, unit);
		*unit = '\0';
	}
	grid_put_right(g, end, y, v == 0 ? ROLE_DIM : ROLE_TEXT, f.s + pad);
}

/* Value, share of RSS, bar. */
static void
put_share(const struct memory_rows *m, struct grid *g, struct rect r, double v,
    bool bar)
{
	struct places p = places_of(r.w);

	put_bytes(g, r.x + 1, r.y, v);
	if (!m->parts.known)
		return;
	if (p.percent)
		grid_put(g, r.x + p.percent, r.y, ROLE_TEXT,
		    fmt_percent(v, m->parts.sum, flags_of(g)).s);
	if (p.bar && bar)
		chart_bar(
		    g, r.x + p.bar, r.y, p.bar_cols, ROLE_BAR, v, m->parts.sum);
}

static void
put_words(struct grid *g, struct rect r, int x, enum role role, const char *s)
{
	if (r.w - 1 > x)
		grid_put_cut(g, r.x + x, r.y, r.w - 1 - x, role, s);
}

static void
draw_part(const struct memory_rows *m, struct grid *g, struct rect r,
    const struct memory_part *part)
{
	struct places p = places_of(r.w);

	put_share(m, g, r, part->bytes, true);
	put_words(g, r, p.what, ROLE_SITE, part->label);
	if (p.sentence)
		put_words(g, r, p.sentence, ROLE_DIM, part->what);
}

static void
draw_sum(const struct memory_rows *m, struct grid *g, struct rect r)
{
	struct places p = places_of(r.w);
	bool known = m->parts.known;

	put_share(m, g, r, m->parts.sum, false);
	put_words(g, r, p.what, ROLE_TEXT, known ? "rss" : "known so far");
	if (p.sentence)
		put_words(g, r, p.sentence, ROLE_DIM,
		    known ? "resident memory: the sum"
			  : "the sum; resident memory is not known");
	grid_role(g, r, ROLE_DIM);
}

static void
draw_mapping(const struct memory_rows *m, struct grid *g, struct rect r,
    const struct memory_mapping *it)
{
	struct places p = places_of(r.w);
	struct buf b = BUF_INIT;

	/* Of another moment there is no share. */
	if (m->present)
		put_share(m, g, r, (double)it->rss, true);
	else
		put_bytes(g, r.x + 1, r.y, (double)it->rss);
	if (p.size)
		put_bytes(g, r.x + p.size, r.y, (double)it->size);
	if (p.dirty)
		put_bytes(g, r.x + p.dirty, r.y, (double)it->dirty);
	if (p.swap)
		put_bytes(g, r.x + p.swap, r.y, (double)it->swap);
	memory_mapping_name(it, r.w - 1 - p.name, g->ascii, &b);
	put_words(g, r, p.name, *it->name ? ROLE_TEXT : ROLE_SITE, buf_str(&b));
	buf_fini(&b);
}

static void
draw_others(const struct memory_rows *m, struct grid *g, struct rect r)
{
	struct places p = places_of(r.w);
	char text[64];

	snprintf(text, sizeof text, "%s %u smaller mappings",
	    glyph(GLYPH_MORE, g->ascii), m->seen->others);
	put_share(m, g, r, (double)m->seen->others_rss, false);
	if (p.size)
		put_bytes(g, r.x + p.size, r.y, (double)m->seen->others_size);
	put_words(g, r, p.name, ROLE_DIM, text);
	grid_role(g, r, ROLE_DIM);
}

static void
put_title(struct grid *g, struct rect r, int x, int w, const char *s)
{
	if (x)
		grid_put_right(g, r.x + x + w, r.y, ROLE_DIM, s);
}

/* Why there are no mappings. */
static const char *
no_mappings(const struct app *a)
{
	if (app_is_file(a))
		return "a file does not tell which mappings there were";
	return app_ended(a) ? "its mappings were not looked at while it ran"
			    : "its mappings have not been read yet";
}

static void
draw_mapping_titles(const struct app *a, const struct memory_rows *m,
    struct grid *g, struct rect r)
{
	struct places p = places_of(r.w);
	char title[64] = "MAPPING";

	if (!m->seen) {
		put_words(g, r, 2, ROLE_DIM, no_mappings(a));
		return;
	}
	if (!m->present)
		snprintf(title, sizeof title, "MAPPING at %s",
		    app_clock(a, m->seen->ns).s);
	put_title(g, r, 1, FMT_W_BYTES, "RSS ");
	put_title(g, r, p.percent, FMT_W_PERCENT, "%");
	put_title(g, r, p.size, FMT_W_BYTES, "SIZE ");
	put_title(g, r, p.dirty, FMT_W_BYTES, "DIRTY ");
	put_title(g, r, p.swap, FMT_W_BYTES, "SWAP ");
	put_words(g, r, p.name, ROLE_DIM, title);
}

static void
draw_part_titles(struct grid *g, struct rect r)
{
	struct places p = places_of(r.w);

	put_title(g, r, 1, FMT_W_BYTES, "RSS ");
	put_title(g, r, p.percent, FMT_W_PERCENT, "%");
	put_words(g, r, p.what, ROLE_DIM, "PART");
	if (p.sentence)
		put_words(g, r, p.sentence, ROLE_DIM, "WHAT IT IS");
}

/* ---- the list ---------------------------------------------------------- */

static struct list_rows
list_of(const struct app *a, const struct memory_rows *m)
{
	int h = a->layout.body.h;

	return (struct list_rows){ m->count, h > 0 ? (size_t)h : 0,
		memory_row_key, m };
}

static void
update(struct app *a)
{
	struct memory_rows m;
	struct list_rows rows;

	memory_rows_make(&m, a);
	rows = list_of(a, &m);
	if (app_screen(a) != a->view)
		rows.page = 0;
	list_update(&a->memory.rows, &rows);
}

static void
draw_row(const struct app *a, const struct memory_rows *m, struct grid *g,
    struct rect r, size_t i)
{
	const struct memory_row *row = &m->row[i];

	switch (row->sort) {
	case MEMORY_ROW_PART:
		draw_part(m, g, r, &m->parts.part[row->index]);
		break;
	case MEMORY_ROW_SUM: draw_sum(m, g, r); break;
	case MEMORY_ROW_BLANK: break;
	case MEMORY_ROW_TITLE: draw_mapping_titles(a, m, g, r); break;
	case MEMORY_ROW_MAPPING:
		draw_mapping(m, g, r, &m->seen->largest[row->index]);
		break;
	case MEMORY_ROW_OTHERS: draw_others(m, g, r); break;
	}
	if (i != a->memory.rows.cursor || !memory_row_is_thing(m, i))
		return;
	grid_put(g, r.x, r.y, ROLE_TEXT, glyph(GLYPH_SELECT, g->ascii));
	grid_role(g, r, ROLE_SELECT);
	g->cursor_x = r.x;
	g->cursor_y = r.y;
}

static void
draw(const struct app *a, struct grid *g)
{
	struct memory_rows m;
	struct rect r = a->layout.body, head = a->layout.head;
	size_t top = a->memory.rows.top;

	memory_rows_make(&m, a);
	/* The titles are those of the first row. */
	if (head.h > 0 && top < m.count &&
	    m.row[top].sort >= MEMORY_ROW_MAPPING)
		draw_mapping_titles(a, &m, g, head);
	else if (head.h > 0)
		draw_part_titles(g, head);
	for (int y = 0; y < r.h && top + (size_t)y < m.count; y++)
		draw_row(a, &m, g, (struct rect){ r.x, r.y + y, r.w, 1 },
		    top + (size_t)y);
}

/* ---- keys -------------------------------------------------------------- */

/* On from what is no thing, in the direction one has moved. */
static void
to_a_thing(struct list *l, const struct memory_rows *m,
    const struct list_rows *rows, bool down)
{
	size_t i = l->cursor;

	while (!memory_row_is_thing(m, i)) {
		if (down && i + 1 >= m->count)
			down = false;
		if (!down && i == 0)
			return;
		i = down ? i + 1 : i - 1;
	}
	if (i != l->cursor)
		list_select(l, rows, i);
}

static bool
act(struct app *a, enum action action)
{
	struct list *l = &a->memory.rows;
	struct memory_rows m;
	struct list_rows rows;
	size_t before = l->cursor;

	if (action == ACTION_ENTER || action == ACTION_PANE ||
	    action == ACTION_GROUP || action == ACTION_METRIC ||
	    action == ACTION_SORT || action == ACTION_REVERSE)
		return true; /* there is nothing to open or to sort by */
	memory_rows_make(&m, a);
	rows = list_of(a, &m);
	if (!list_act(l, &rows, action))
		return false;
	to_a_thing(l, &m, &rows, l->cursor > before);
	a->notice = NOTICE_NONE;
	return true;
}

static bool
mouse(struct app *a, struct key k)
{
	struct list *l = &a->memory.rows;
	struct memory_rows m;
	struct list_rows rows;
	size_t row;

	memory_rows_make(&m, a);
	rows = list_of(a, &m);
	if (k.code != K_CLICK) {
		list_scroll(l, &rows, k.code == K_WHEEL_UP ? -3 : 3);
		to_a_thing(l, &m, &rows, k.code != K_WHEEL_UP);
		return false;
	}
	row = l->top + (size_t)(k.y - a->layout.body.y);
	if (k.y >= a->layout.body.y && memory_row_is_thing(&m, row))
		list_select(l, &rows, row);
	return false;
}

static const struct report_row *
selected(const struct app *a)
{
	(void)a;
	return NULL; /* rows are none of the report */
}

static void
reset(struct app *a)
{
	memset(&a->memory, 0, sizeof a->memory);
}

static bool
detail(const struct app *a, struct grid *g)
{
	struct memory_rows m;

	memory_rows_make(&m, a);
	memory_detail_draw(a, &m, g);
	return true;
}

/* "parts of rss at 12:41" */
static void
meaning(const struct app *a, bool ascii, struct buf *b)
{
	struct memory_rows m;

	(void)ascii;
	memory_rows_make(&m, a);
	buf_puts(b, m.parts.known ? "parts of rss" : "parts known");
	if (a->layout.words == WORDS_LEAST || a->target.untimed)
		return;
	if (m.present)
		buf_printf(b, " at %s", app_clock(a, m.seen->ns).s);
	else if (a->report)
		buf_printf(b, " at %s", app_clock(a, app_shown_ns(a)).s);
}

static void
position(const struct app *a, bool ascii, struct buf *b)
{
	struct memory_rows m;
	struct list_rows rows;
	size_t last;

	memory_rows_make(&m, a);
	rows = list_of(a, &m);
	last = a->memory.rows.top + rows.page;
	if (m.seen && rows.count <= rows.page)
		buf_printf(b, "%s mappings",
		    fmt_count((double)m.seen->mappings, FMT_ZERO).s);
	else
		buf_printf(b, "%zu%s%zu of %zu", a->memory.rows.top + 1,
		    glyph(GLYPH_DASH, ascii),
		    last < rows.count ? last : rows.count, rows.count);
}

/* Of the heap only the totals are shown. */
static void
ask(const struct app *a, struct query *q)
{
	(void)a;
	q->max_rows = 1;
}

const struct view view_memory = {
	.context = CONTEXT_MEMORY,
	.label = "Memory",
	.brief = "Memory",
	.least = "Mem",
	.ask = ask,
	.reset = reset,
	.update = update,
	.draw = draw,
	.act = act,
	.mouse = mouse,
	.selected = selected,
	.detail = detail,
	.meaning = meaning,
	.position = position,
};
