#include "ui/detail_ages.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/buf.h"
#include "base/fmt.h"
#include "base/utf8.h"
#include "model/report.h"
#include "model/tree.h"
#include "ui/app.h"
#include "ui/chart.h"
#include "ui/detail_parts.h"
#include "ui/glyph.h"
#include "ui/tree_rows.h"

/* Parts of the time it has run, as in Flame. */
#define OLD    2
#define MIDDLE 16

static unsigned
flags_of(bool ascii)
{
	return FMT_ZERO | (ascii ? FMT_ASCII : 0);
}

/* ---- of what ------------------------------------------------------------- */

bool
ages_told(const struct app *a)
{
	const struct age_view *v = a->view == CONTEXT_TREE ? a->tree.ages
	    : a->view == CONTEXT_FLAME                     ? a->flame.ages
							   : a->ages;

	return v && ages_known(v) && !a->target.untimed;
}

static struct age_subject
of_list(struct age_view *v, const uint32_t *stacks, size_t n)
{
	return (struct age_subject){ v, AGES_LIST, ages_list(v, stacks, n) };
}

static struct age_subject
of_tree(const struct app *a)
{
	const struct tree_row *row = tree_rows_selected(&a->tree);
	const uint32_t *stacks;
	size_t n, self;

	if (!row)
		return (struct age_subject){ 0 };
	stacks = tree_stacks(a->tree.tree, row->own, &n, &self);
	return of_list(
	    a->tree.ages, stacks, row->kind == TREE_ROW_SELF ? self : n);
}

static struct age_subject
of_flame(const struct app *a)
{
	const struct flame_view *f = &a->flame;
	size_t n, self;
	const uint32_t *stacks =
	    tree_stacks(f->tree, f->bars.bars[f->at].node, &n, &self);

	return of_list(f->ages, stacks, n);
}

struct age_subject
ages_subject(const struct app *a, const struct report_row *row)
{
	const struct report *r = a->report;

	if (!row || !r || !ages_told(a))
		return (struct age_subject){ 0 };
	if (row == &a->tree.row)
		return of_tree(a);
	if (row == &a->flame.row)
		return of_flame(a);
	if (row < r->rows || row >= r->rows + r->row_count)
		return (struct age_subject){ 0 };
	return (
	    struct age_subject){ a->ages, AGES_ROW, (uint32_t)(row - r->rows) };
}

static struct ages
ages_of(const struct age_subject *s)
{
	return s->view ? ages_at(s->view, s->of, s->number)
		       : (struct ages){ .known = false };
}

bool
ages_median(const struct age_subject *s, uint64_t *ns)
{
	struct ages age = ages_of(s);

	*ns = age.median_ns;
	return age.known;
}

/* ---- a column -------------------------------------------------------------- */

bool
ages_in_column(const struct app *a)
{
	return a->by_age && ages_told(a);
}

void
ages_change_column(struct app *a)
{
	if (!a->by_age && !ages_told(a)) {
		app_say(a, false, "the program tells no ages of objects");
		return;
	}
	a->by_age = !a->by_age;
	a->dirty |= APP_DIRTY_VIEW;
}

void
ages_draw(const struct app *a, uint64_t ns, struct grid *g, int x, int y, int w)
{
	uint64_t ran = app_since_start(a, app_shown_ns(a));

	grid_put_right(g, x + w, y,
	    ns >= ran / OLD          ? ROLE_FLAME_OLD
		: ns >= ran / MIDDLE ? ROLE_FLAME_MIDDLE
				     : ROLE_DIM,
	    fmt_duration(ns).s);
}

void
ages_draw_row(const void *app, struct grid *g, struct rect r, uint32_t row)
{
	const struct app *a = app;
	struct age_subject s = ages_subject(a, &a->report->rows[row]);
	uint64_t ns;

	if (ages_median(&s, &ns))
		ages_draw(a, ns, g, r.x, r.y, r.w);
}

/* ---- sentences -------------------------------------------------------------- */

void
ages_oldest(const struct age_subject *s, struct buf *b)
{
	struct ages age = ages_of(s);

	if (age.known)
		buf_printf(b, "oldest %s %s", age.part ? "known" : "live",
		    fmt_duration(age.oldest_ns).s);
}

void
ages_others(const struct age_subject *s, struct buf *b)
{
	struct ages age = ages_of(s);

	if (age.known && age.samples > 1)
		buf_printf(b, "median %s, youngest %s",
		    fmt_duration(age.median_ns).s,
		    fmt_duration(age.youngest_ns).s);
}

void
ages_words(const struct age_subject *s, int w, struct buf *b)
{
	struct ages age = ages_of(s);
	struct buf more = BUF_INIT;
	int room;

	ages_others(s, &more);
	room = w - utf8_width(buf_str(&more)) - 2;
	ages_oldest(s, b);
	if (more.len > 0 && utf8_width(buf_str(b)) <= room) {
		buf_printf(b, ", %s", buf_str(&more));
	} else if (more.len > 0 && !age.part &&
	    utf8_width(buf_str(b)) - 5 <= room) {
		buf_clear(b); /* "live" is left out */
		buf_printf(b, "oldest %s, %s", fmt_duration(age.oldest_ns).s,
		    buf_str(&more));
	}
	buf_fini(&more);
}

/* "64ms-256ms" of one bucket, "4ms to 4m22s" of several. */
static void
put_range(unsigned first, unsigned last, const char *between, struct buf *b)
{
	uint64_t from = ages_life_from(first), to = ages_life_to(last);

	if (from == 0 && to == UINT64_MAX)
		buf_puts(b, "any time");
	else if (from == 0)
		buf_printf(b, "up to %s", fmt_duration(to).s);
	else if (to == UINT64_MAX)
		buf_printf(b, "%s and more", fmt_duration(from).s);
	else
		buf_printf(b, "%s%s%s", fmt_duration(from).s, between,
		    fmt_duration(to).s);
}

/* As many as there are from `first` to `last`. */
static void
find_buckets(const struct ages_lives *lives, double *values, unsigned *first,
    unsigned *last)
{
	*first = PROFILE_LIVES;
	*last = 0;
	for (unsigned i = 0; i < PROFILE_LIVES; i++) {
		values[i] =
		    lives->bucket[i] ? (double)lives->bucket[i] : (double)NAN;
		if (!lives->bucket[i])
			continue;
		*first = *first < i ? *first : i;
		*last = i;
	}
}

int
ages_draw_lives(
    const struct age_subject *s, struct grid *g, int x, int y, int w)
{
	struct ages_lives lives = { .known = false };
	struct buf b = BUF_INIT, range = BUF_INIT;
	double values[PROFILE_LIVES];
	unsigned first, last;
	int end = x + w, n;

	if (s->view)
		lives = ages_lives(s->view, s->of, s->number);
	if (!lives.known && ages_of(s).known)
		return grid_put_cut(
		    g, x, y, w, ROLE_TEXT, "no sample was freed");
	if (!lives.known)
		return x;
	find_buckets(&lives, values, &first, &last);
	n = (int)(last - first) + 1;
	buf_puts(&b, "median ");
	put_range(lives.median, lives.median, glyph(GLYPH_DASH, g->ascii), &b);
	put_range(first, last, " to ", &range);
	x = grid_put_cut(g, x, y, w, ROLE_TEXT, buf_str(&b));
	if (first < last && x + 2 + n <= end) {
		chart_trend(g, x + 2, y, ROLE_BAR, values + first, n);
		x += 2 + n;
	}
	if (first < last && x + 1 + utf8_width(buf_str(&range)) <= end)
		x = grid_put(g, x + 1, y, ROLE_DIM, buf_str(&range));
	buf_fini(&b);
	buf_fini(&range);
	return x;
}

/* ---- generations ------------------------------------------------------------- */

/* Whether B is a moment before the one that is shown. */
static bool
looks_on(const struct app *a)
{
	return a->mark[1].id && a->mark[1].ns < app_shown_ns(a);
}

bool
ages_born_between(const struct app *a, uint64_t *from, uint64_t *to)
{
	*from = a->mark[0].ns;
	*to = looks_on(a) ? a->mark[1].ns : app_shown_ns(a);
	return a->mark[0].id && *from < *to && ages_told(a);
}

static struct fmt
amount_text(const struct app *a, const struct ages_amount *m, bool ascii)
{
	return metric_is_bytes(a->report->query.metric)
	    ? fmt_bytes(m->bytes, flags_of(ascii))
	    : fmt_count(m->objects, flags_of(ascii));
}

/* "of 22.5 MiB " */
static void
put_all_born(const struct app *a, const struct report_row *row, double lives,
    bool ascii, struct buf *b)
{
	bool bytes = metric_is_bytes(a->report->query.metric);
	double all;

	if (!row ||
	    !parts_born(a, row, bytes, looks_on(a) ? a->mark[1].id : 0, &all) ||
	    all < lives || all < 0.5)
		return;
	buf_printf(b, "of %s ",
	    bytes ? fmt_bytes(all, flags_of(ascii)).s
		  : fmt_count(all, flags_of(ascii)).s);
}

/* Behind what is there if it fits. */
static void
put_if(struct buf *b, int w, const char *more)
{
	if (utf8_width(buf_str(b)) + utf8_width(more) <= w)
		buf_puts(b, more);
}

void
ages_generation_words(const struct app *a, const struct age_subject *s,
    const struct report_row *row, bool ascii, int w, struct buf *b)
{
	bool bytes = metric_is_bytes(a->report->query.metric);
	struct ages_generation of;
	uint64_t from, to;
	char more[64];
	double lives, error;

	if (!s->view || !ages_born_between(a, &from, &to))
		return;
	of = ages_generation(s->view, s->of, s->number, from, to);
	if (!of.known)
		return;
	lives = bytes ? of.born.bytes : of.born.objects;
	error = bytes ? of.born.bytes_error : of.born.objects_error;
	put_all_born(a, row, lives, ascii, b);
	if (!looks_on(a))
		buf_puts(b, "born since A ");
	else if (w >= 50)
		buf_puts(b, "born between A and B ");
	else
		buf_printf(b, "born A%sB ", glyph(GLYPH_CALLS, ascii));
	buf_printf(b, "%s %s",
	    of.born.samples ? amount_text(a, &of.born, ascii).s : "nothing",
	    bytes || of.born.samples == 0 || lives < 1.5 ? "lives" : "live");
	if (looks_on(a)) {
		snprintf(more, sizeof more, " at %s",
		    app_clock(a, app_shown_ns(a)).s);
		put_if(b, w, more);
	}
	if (of.born.samples && error > 0) {
		snprintf(more, sizeof more, " %s",
		    fmt_error(error, lives, flags_of(ascii)).s);
		put_if(b, w, more);
	}
	if (of.part)
		put_if(b, w, ", of those known");
}

/* ---- sizes --------------------------------------------------------------------- */

struct size_row {
	unsigned class; /* the largest in it */
	double bytes;
};

/* Classes that hold something, several in a row if they are more than `most`. */
static int
size_rows(const struct ages_sizes *s, struct size_row *rows, int most)
{
	int classes = 0, each, n = 0, i = 0;

	for (unsigned c = s->first; c <= s->last; c++)
		classes += s->size[c].samples > 0;
	if (classes == 0 || most < 1)
		return 0;
	each = (classes + most - 1) / most;
	for (unsigned c = s->first; c <= s->last; c++) {
		if (s->size[c].samples == 0)
			continue;
		n = i++ / each;
		if ((i - 1) % each == 0)
			rows[n].bytes = 0;
		rows[n].class = c;
		rows[n].bytes += s->size[c].bytes;
	}
	return n + 1;
}

/* A class ends at a power of two, 2^64 at most. */
#define SIZE_LIVE  18 /* the column ends there */
#define SIZE_SHARE 20 /* and this one begins */
#define SIZE_BAR   30

static void
draw_size(struct grid *g, struct rect r, const struct size_row *row, double max)
{
	static const char *const units[] = { "B", "KiB", "MiB", "GiB", "TiB",
		"PiB", "EiB" };
	int w = r.w - SIZE_SHARE;

	grid_printf(g, r.x, r.y, ROLE_TEXT, "%s %u %s",
	    glyph(GLYPH_AT_MOST, g->ascii), 1u << row->class % 10,
	    units[row->class / 10]);
	grid_put_right(g, r.x + SIZE_LIVE, r.y, ROLE_TEXT,
	    fmt_bytes(row->bytes, flags_of(g->ascii) | FMT_COLUMN).s);
	if (w > 4)
		chart_bar(g, r.x + SIZE_SHARE, r.y, w < SIZE_BAR ? w : SIZE_BAR,
		    ROLE_BAR, row->bytes, max);
}

int
ages_draw_sizes(const struct age_subject *s, struct grid *g, struct rect r)
{
	struct size_row rows[AGES_SIZES];
	struct ages_sizes sizes;
	double max = 0;
	int n;

	if (!s->view || r.h < 2)
		return 0;
	sizes = ages_sizes(s->view, s->of, s->number);
	n = sizes.known ? size_rows(&sizes, rows, r.h - 1) : 0;
	if (n == 0)
		return 0;
	for (int i = 0; i < n; i++)
		max = fmax(max, rows[i].bytes);
	grid_put(g, r.x, r.y, ROLE_DIM, "SIZE");
	grid_put_right(g, r.x + SIZE_LIVE, r.y, ROLE_DIM, "LIVE");
	grid_put_cut(g, r.x + SIZE_SHARE, r.y, r.w - SIZE_SHARE, ROLE_DIM,
	    sizes.part ? "SHARE of those known" : "SHARE");
	for (int i = 0; i < n; i++)
		draw_size(g, (struct rect){ r.x, r.y + 1 + i, r.w, 1 },
		    &rows[i], max);
	return n + 1;
}
