#include "ui/snapshots_table.h"

#include <stdio.h>
#include <string.h>

#include "base/buf.h"
#include "base/fmt.h"
#include "base/path.h"
#include "model/name.h"
#include "ui/app.h"
#include "ui/glyph.h"
#include "ui/snapshot_rows.h"
#include "ui/timeline.h"

/* ---- columns ------------------------------------------------------------------ */

enum column {
	TIME,
	LIVE,
	SINCE,
	RSS,
	OBJECTS,
	STACKS,
	LOST,
	NOTE,
	COLUMNS
};

/* What goes first where there is no room for notes has the largest `rank`;
 * where there is for all, the columns stand `apart`. */
static const struct {
	const char *title;
	int w, apart, rank;
} columns[COLUMNS] = {
	[TIME] = { "TIME", 8, 2, 0 },
	[LIVE] = { "LIVE", FMT_W_BYTES, 4, 0 },
	[SINCE] = { "SINCE PREV", FMT_W_CHANGE, 3, 1 },
	[RSS] = { "RSS", FMT_W_BYTES, 3, 3 },
	[OBJECTS] = { "OBJS", FMT_W_COUNT, 2, 4 },
	[STACKS] = { "STACKS", 6, 2, 5 },
	[LOST] = { "LOST", 4, 2, 2 },
	[NOTE] = { "NOTE", 0, 2, 0 },
};

#define GAP        2 /* between columns, at least */
#define NOTE_LEAST 22
#define NOTE_SEEN  8 /* less is no note */

struct places {
	struct {
		int x, w; /* w 0: not there */
	} at[COLUMNS];
};

/* Dumps mostly do not tell the resident set. */
static bool
rss_known(const struct app *a)
{
	size_t i = 0;

	while (i < a->point_count && a->points[i].rss_bytes == 0)
		i++;
	return i < a->point_count || !app_is_file(a);
}

/* Those of a rank below `ranks`; what they leave for notes. */
static int
put_columns(struct places *p, int width, int ranks, bool apart, bool rss)
{
	int x = 0;

	memset(p, 0, sizeof *p);
	for (int c = TIME; c < NOTE; c++) {
		if (columns[c].rank >= ranks || (c == RSS && !rss))
			continue;
		p->at[c].x = x + (apart ? columns[c].apart : GAP);
		p->at[c].w = columns[c].w;
		x = p->at[c].x + p->at[c].w;
	}
	p->at[NOTE].x = x + GAP;
	p->at[NOTE].w = width - 1 - p->at[NOTE].x;
	return p->at[NOTE].w;
}

static void
fit(struct places *p, const struct app *a, int width)
{
	bool rss = rss_known(a);
	int ranks = COLUMNS;

	if (put_columns(p, width, ranks, true, rss) >= NOTE_LEAST)
		return;
	while (
	    put_columns(p, width, ranks, false, rss) < NOTE_LEAST && ranks > 1)
		ranks--;
	if (p->at[NOTE].w < NOTE_SEEN)
		p->at[NOTE].w = 0;
}

static void
draw_head(struct grid *g, struct rect r, const struct places *p)
{
	for (int c = TIME; c < COLUMNS; c++) {
		int x = r.x + p->at[c].x;

		if (p->at[c].w == 0)
			continue;
		if (c == NOTE)
			grid_put(g, x, r.y, ROLE_DIM, columns[c].title);
		else
			grid_put_right(
			    g, x + p->at[c].w, r.y, ROLE_DIM, columns[c].title);
	}
}

static void
put_cell(struct grid *g, struct rect r, const struct places *p, enum column c,
    enum role role, const char *text)
{
	if (p->at[c].w > 0)
		grid_put_right(
		    g, r.x + p->at[c].x + p->at[c].w, r.y, role, text);
}

/* ---- rows ------------------------------------------------------------------------ */

/* "A", "B" or the sign of what is looked at. */
static const char *
sign_of(
    const struct app *a, const struct app_point *p, bool ascii, enum role *role)
{
	bool newest = p == &a->points[a->point_count - 1];
	bool shown = a->query.at ? p->id == a->query.at : newest;

	*role = ROLE_MARK_A;
	if (p->id == a->mark[0].id)
		return "A";
	*role = ROLE_MARK_B;
	if (p->id == a->mark[1].id)
		return "B";
	return shown ? timeline_sign(a, ascii) : "";
}

/* Of what is said of one snapshot. */
static void
also(struct buf *b, const char *what)
{
	buf_printf(b, "%s%s", b->len ? "; " : "", what);
}

/* "2 samples lost: table full" */
static void
say_lost(const struct app *a, const struct snapshot_row *r, struct buf *b)
{
	static const char *const reasons[APP_LOSSES] = { "table full",
		"starting", "nested", "no memory" };
	unsigned reason;
	uint64_t n = snapshot_lost(a->points, r->point, &reason);

	buf_printf(b, "%s sample%s lost: %s", fmt_count((double)n, FMT_ZERO).s,
	    n == 1 ? "" : "s", reasons[reason]);
}

/* What is to be said of a snapshot, the most telling first. */
static void
say_why(const struct app *a, const struct snapshot_row *r, struct buf *b)
{
	const struct app_point *p = &a->points[r->point];
	bool from_start = !app_is_file(a) && a->target.ours;

	if (r->why & SNAPSHOT_LOST)
		say_lost(a, r, b);
	if (r->why & SNAPSHOT_DROP)
		also(b, "largest drop");
	if (r->why & SNAPSHOT_PEAK)
		also(b, "peak");
	/* Their letters stand there already, and files have names. */
	if (p->id == a->mark[0].id && !a->target.files)
		also(b, "mark A");
	if (p->id == a->mark[1].id && !a->target.files)
		also(b, "mark B");
	if (r->why & SNAPSHOT_OFF)
		also(b, "sampling off");
	if (r->why & SNAPSHOT_ON)
		also(b, "sampling on");
	if (r->why & SNAPSHOT_RATE) {
		also(b, r->why & SNAPSHOT_ON ? "" : "sampling ");
		buf_puts(b, fmt_sampling(p->lg_sample).s);
	}
	if (r->why & SNAPSHOT_FIRST)
		also(b, from_start ? "first sample" : "first");
}

/* The dump it was read from. */
static const char *
file_of(const struct app *a, const struct app_point *p)
{
	if (p->id == 0 || p->id > a->target.file_count)
		return "";
	return path_base(a->target.files[p->id - 1]);
}

static void
draw_file(const struct app *a, struct grid *g, int x, int y, int cols,
    const struct app_point *p)
{
	struct buf b = BUF_INIT;

	name_fit_path(&b, file_of(a, p), cols, g->ascii);
	grid_put_cut(g, x, y, cols, ROLE_DIM, buf_str(&b));
	buf_fini(&b);
}

static void
draw_note(const struct app *a, struct grid *g, struct rect r,
    const struct places *p, const struct snapshot_row *row)
{
	const struct app_point *point = &a->points[row->point];
	int x = r.x + p->at[NOTE].x, end = x + p->at[NOTE].w;
	bool warn = row->why & (SNAPSHOT_LOST | SNAPSHOT_OFF);
	struct buf b = BUF_INIT;

	say_why(a, row, &b);
	if (b.len && x < end)
		x = grid_put_cut(g, x, r.y, end - x,
			warn ? ROLE_WARN : ROLE_TEXT, buf_str(&b)) +
		    2;
	if (x + NOTE_SEEN <= end && *file_of(a, point))
		draw_file(a, g, x, r.y, end - x, point);
	buf_fini(&b);
}

/* What changed since the snapshot before: of the first one all there is, if
 * nothing was there before. */
static void
draw_since(const struct app *a, struct grid *g, struct rect r,
    const struct places *p, const struct snapshot_row *row)
{
	unsigned flags = FMT_COLUMN | (g->ascii ? FMT_ASCII : 0);
	const struct app_point *is = &a->points[row->point];
	double was = row->point > 0 ? is[-1].live_bytes : 0;
	enum role role = row->why & SNAPSHOT_DROP ? ROLE_SHRINK : ROLE_TEXT;

	if (row->point == 0 && (app_is_file(a) || !a->target.ours))
		return;
	put_cell(
	    g, r, p, SINCE, role, fmt_change(is->live_bytes - was, flags).s);
}

static void
draw_numbers(const struct app *a, struct grid *g, struct rect r,
    const struct places *p, const struct snapshot_row *row)
{
	unsigned ascii = g->ascii ? FMT_ASCII : 0, reason;
	const struct app_point *is = &a->points[row->point];
	uint64_t lost = snapshot_lost(a->points, row->point, &reason);

	put_cell(g, r, p, TIME, ROLE_TEXT, app_clock(a, is->ns).s);
	put_cell(g, r, p, LIVE, ROLE_TEXT,
	    fmt_bytes(is->live_bytes, FMT_COLUMN | ascii).s);
	draw_since(a, g, r, p, row);
	if (is->rss_bytes)
		put_cell(g, r, p, RSS, ROLE_TEXT,
		    fmt_bytes((double)is->rss_bytes, FMT_COLUMN | ascii).s);
	put_cell(g, r, p, OBJECTS, ROLE_TEXT, fmt_count(is->objects, ascii).s);
	put_cell(g, r, p, STACKS, ROLE_TEXT, fmt_count(is->stacks, ascii).s);
	put_cell(g, r, p, LOST, lost ? ROLE_WARN : ROLE_DIM,
	    fmt_count((double)lost, ascii).s);
	draw_note(a, g, r, p, row);
}

static void
draw_gap(const struct app *a, struct grid *g, struct rect r,
    const struct places *p, const struct snapshot_row *row)
{
	int x = r.x + p->at[NOTE].x;
	bool here = row == snapshots_selected(a);
	char text[64];

	grid_put(g, r.x + p->at[TIME].x + p->at[TIME].w, r.y, ROLE_DIM,
	    glyph(GLYPH_GAP, g->ascii));
	if (p->at[NOTE].w <= 0)
		return;
	snprintf(text, sizeof text,
	    here ? "%zu more, %s shows them" : "%zu more", row->hidden,
	    glyph(GLYPH_KEY_ENTER, g->ascii));
	grid_put_cut(g, x, r.y, p->at[NOTE].w, ROLE_DIM, text);
}

static void
draw_row(const struct app *a, struct grid *g, struct rect r,
    const struct places *p, size_t i)
{
	const struct snapshot_row *row = &a->snapshots.list[i];
	enum role role;
	const char *sign;

	if (row->hidden)
		draw_gap(a, g, r, p, row);
	else {
		sign = sign_of(a, &a->points[row->point], g->ascii, &role);
		grid_put(g, r.x + 1, r.y, role, sign);
		draw_numbers(a, g, r, p, row);
	}
	if (i != a->snapshots.rows.cursor)
		return;
	grid_put(g, r.x, r.y, ROLE_TEXT, glyph(GLYPH_SELECT, g->ascii));
	grid_role(g, r, ROLE_SELECT);
	g->cursor_x = r.x;
	g->cursor_y = r.y;
}

void
snapshots_draw(const struct app *a, struct grid *g)
{
	const struct snapshots_view *v = &a->snapshots;
	const struct snapshot_row *here = snapshots_selected(a);
	struct rect r = a->layout.body;
	struct places p;

	fit(&p, a, r.w);
	if (a->layout.head.h > 0)
		draw_head(g, a->layout.head, &p);
	if (here && v->rows.cursor > 0 && !here->hidden)
		timeline_point_out(a, g, a->points[here->point].ns);
	for (int y = 0; y < r.h && v->rows.top + (size_t)y < v->count; y++)
		draw_row(a, g, (struct rect){ r.x, r.y + y, r.w, 1 }, &p,
		    v->rows.top + (size_t)y);
}
