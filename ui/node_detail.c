#include "ui/node_detail.h"

#include <string.h>

#include "base/buf.h"
#include "base/fmt.h"
#include "base/utf8.h"
#include "model/name.h"
#include "model/report.h"
#include "ui/app.h"
#include "ui/detail_parts.h"
#include "ui/glyph.h"
#include "ui/listing.h"
#include "ui/rule.h"

#define TREE_SOURCE_X  44 /* where source begins in a pane below */
#define FLAME_SOURCE_X 46
#define SIDE_SOURCE    8  /* rows above the source at the side */
#define LEAST_SOURCE   24 /* columns */
#define ABOVE          2  /* lines before the one that is meant */

enum form {
	COMPACT, /* a line of facts, a line of source */
	TALL,    /* facts left, source right */
	SIDE
};

static enum form
form_of(const struct app *a)
{
	return a->layout.split.w > 0 ? SIDE
	    : a->layout.detail.h < 4 ? COMPACT
				     : TALL;
}

static int
source_x(const struct node_detail *n)
{
	return n->kind == NODE_TREE ? TREE_SOURCE_X : FLAME_SOURCE_X;
}

/* A row of ages is one more. */
static int
side_head(const struct app *a)
{
	return SIDE_SOURCE + ages_told(a);
}

/* Where source is shown; empty: nowhere. */
static struct rect
source_rect(const struct app *a, const struct node_detail *n)
{
	struct rect r = a->layout.detail;
	int x = source_x(n);

	switch (form_of(a)) {
	case COMPACT: return (struct rect){ r.x + 1, r.y + 1, r.w - 2, 1 };
	case TALL: return (struct rect){ r.x + x, r.y, r.w - x - 1, r.h - 1 };
	case SIDE:
		return (struct rect){ r.x + 1, r.y + side_head(a), r.w - 3,
			r.h - side_head(a) };
	}
	return (struct rect){ 0, 0, 0, 0 };
}

bool
node_detail_source(
    const struct app *a, const struct node_detail *n, struct place *p)
{
	struct rect r = source_rect(a, n);

	if (!n->place || !n->place->file || !*n->place->file ||
	    !n->place->line || a->layout.style != LAYOUT_NORMAL ||
	    a->layout.detail.h < 2 || r.h < 1 || r.w < LEAST_SOURCE)
		return false;
	*p = *n->place;
	return true;
}

/* ---- sentences ------------------------------------------------------------- */

static unsigned
flags_of(bool ascii)
{
	return FMT_ZERO | (ascii ? FMT_ASCII : 0);
}

static bool
is_live(const struct app *a)
{
	return metric_is_live(a->report->query.metric);
}

static struct report_row
row_of(const struct node_detail *n)
{
	return (struct report_row){ .f = n->cum };
}

static void
put_objects(const struct node_detail *n, bool ascii, struct buf *b)
{
	struct fmt f = fmt_count(n->cum.objects, flags_of(ascii));

	buf_printf(b, "%s object%s", f.s, strcmp(f.s, "1") == 0 ? "" : "s");
}

/* "176.5 MiB live in and below; 118.4 MiB self" */
static void
put_amounts(const struct app *a, const struct node_detail *n, bool ascii,
    const char *words, const char *between, struct buf *b)
{
	const char *verb = !*words ? "" : is_live(a) ? "live " : "allocated ";

	buf_printf(b, "%s %s%s", fmt_bytes(n->cum.bytes, flags_of(ascii)).s,
	    verb, *words ? words : "in and below");
	if (!n->several && n->self.bytes != 0)
		buf_printf(b, "%s%s self", between,
		    fmt_bytes(n->self.bytes, flags_of(ascii)).s);
}

/* "929k objects, 199 B avg" */
static void
put_average(const struct node_detail *n, bool ascii, struct buf *b)
{
	const struct figures *f = &n->cum;

	put_objects(n, ascii, b);
	if (f->objects > 0 && f->bytes > 0)
		buf_printf(b, ", %s avg",
		    fmt_bytes(f->bytes / f->objects, flags_of(ascii)).s);
}

/* "+51.9 MiB since A, 189.8 KiB/s" */
static void
put_growth(
    const struct app *a, const struct node_detail *n, bool ascii, struct buf *b)
{
	struct report_row row = row_of(n);
	size_t before;

	parts_change(a, &row, ascii, b);
	buf_puts(b, ", ");
	before = b->len;
	parts_rate(a, &row, false, b);
	parts_comma(b, before);
}

/* ", oldest live 12m37s", shorter or not at all where that does not fit. */
static void
put_oldest(const struct node_detail *n, int w, struct buf *b)
{
	struct buf more = BUF_INIT;
	const char *s, *end;
	int room = w - utf8_width(buf_str(b)) - 2;

	ages_oldest(&n->ages, &more);
	s = buf_str(&more);
	end = strrchr(s, ' ');
	if (more.len > 0 && utf8_width(s) <= room)
		buf_printf(b, ", %s", s);
	else if (more.len > 0 && utf8_width(s) - 5 <= room)
		buf_printf(b, ", oldest%s", end);
	buf_fini(&more);
}

/* "42.8% of all, 73.4% of parent", or what Flame has there. */
static void
put_share(
    const struct app *a, const struct node_detail *n, bool ascii, struct buf *b)
{
	unsigned flags = flags_of(ascii);
	double all = n->kind == NODE_TREE ? a->report->total.value
					  : a->report->local.value;
	bool bytes = metric_is_bytes(a->report->query.metric);

	if (n->kind == NODE_FLAME) {
		buf_printf(b, "%s  %s%%",
		    bytes ? fmt_bytes(n->cum.value, flags).s
			  : fmt_count(n->cum.value, flags).s,
		    fmt_percent(n->cum.value, all, flags).s);
		return;
	}
	if (form_of(a) != COMPACT)
		buf_printf(b, "%s%% of all%s",
		    fmt_percent(n->cum.value, all, flags).s,
		    n->parent > 0 ? ", " : "");
	if (n->parent > 0)
		buf_printf(b, "%s%% of parent",
		    fmt_percent(n->cum.value, n->parent, flags).s);
}

/* ---- drawing ----------------------------------------------------------------- */

static void
put_line(struct grid *g, int x, int y, int w, enum role role, struct buf *b)
{
	if (b->len)
		grid_put_cut(g, x, y, w, role, buf_str(b));
	buf_clear(b);
}

static void
draw_rule(const struct app *a, const struct node_detail *n, struct grid *g)
{
	struct buf name = BUF_INIT, place = BUF_INIT, right = BUF_INIT;
	bool module = n->kind == NODE_FLAME && form_of(a) == TALL;

	name_fit(&name, n->name, a->layout.rule.w / 2, g->ascii);
	if (n->place) {
		const char *file = n->place->module;

		parts_place(n->place, &place);
		if (file && *file && (module || place.len == 0))
			buf_printf(&place, "%s%s", place.len ? "  " : "", file);
	}
	put_share(a, n, g->ascii, &right);
	rule_draw(g, a->layout.rule, buf_str(&name), buf_str(&place),
	    buf_str(&right));
	buf_fini(&name);
	buf_fini(&place);
	buf_fini(&right);
}

static void
draw_source(const struct app *a, const struct node_detail *n, struct grid *g)
{
	struct rect r = source_rect(a, n);
	int above = form_of(a) == SIDE ? (r.h - 2) / 2
	    : r.h > ABOVE              ? ABOVE
				       : r.h - 1;
	struct place p;

	if (!node_detail_source(a, n, &p))
		return;
	listing_draw(a, p.file, p.line, above > 0 ? above : 0, g, r);
}

static void
draw_tall(const struct app *a, const struct node_detail *n, struct grid *g)
{
	struct rect r = a->layout.detail;
	struct place p;
	int w = node_detail_source(a, n, &p) ? source_x(n) - 2 : r.w - 2;
	bool tree = n->kind == NODE_TREE;
	struct buf b = BUF_INIT;

	put_amounts(a, n, g->ascii, tree ? "below" : "in and below",
	    tree ? ", " : "; ", &b);
	put_line(g, r.x + 1, r.y, w, ROLE_TEXT, &b);
	put_average(n, g->ascii, &b);
	put_oldest(n, w, &b);
	put_line(g, r.x + 1, r.y + 1, w, ROLE_TEXT, &b);
	put_growth(a, n, g->ascii, &b);
	put_line(g, r.x + 1, r.y + 2, w, ROLE_TEXT, &b);
	buf_fini(&b);
}

/* "176.5 MiB in and below, 118.4 MiB self; 929k objects; +190 KiB/s" */
static void
draw_compact(const struct app *a, const struct node_detail *n, struct grid *g)
{
	struct rect r = a->layout.detail;
	struct report_row row = row_of(n);
	struct buf b = BUF_INIT;
	size_t before;

	put_amounts(a, n, g->ascii, "", ", ", &b);
	buf_puts(&b, "; ");
	put_objects(n, g->ascii, &b);
	buf_puts(&b, "; ");
	before = b.len;
	parts_rate(a, &row, true, &b);
	if (b.len == before)
		parts_comma(&b, before);
	else if (a->mark[0].id)
		buf_puts(&b, " since A");
	put_line(g, r.x + 1, r.y, r.w - 2, ROLE_TEXT, &b);
	buf_fini(&b);
}

static void
labelled(struct grid *g, struct rect r, int y, const char *label, struct buf *b)
{
	if (b->len)
		grid_put(g, r.x, r.y + y, ROLE_DIM, label);
	put_line(g, r.x + 9, r.y + y, r.w - 9, ROLE_TEXT, b);
}

static void
draw_side(const struct app *a, const struct node_detail *n, struct grid *g)
{
	struct rect s = a->layout.split, r = a->layout.detail;
	struct buf b = BUF_INIT;

	grid_fill(g, s, ROLE_HAIRLINE, glyph(GLYPH_AXIS, g->ascii));
	r = (struct rect){ r.x + 1, r.y, r.w - 3, r.h };
	if (r.h < SIDE_SOURCE)
		return;
	name_fit(&b, n->name, r.w, g->ascii);
	put_line(g, r.x, r.y, r.w, ROLE_TITLE, &b);
	if (n->place) {
		parts_place(n->place, &b);
		if (n->place->module && *n->place->module)
			buf_printf(
			    &b, "%s%s", b.len ? "   " : "", n->place->module);
		put_line(g, r.x, r.y + 1, r.w, ROLE_DIM, &b);
	}
	put_amounts(a, n, g->ascii, "", ", ", &b);
	labelled(g, r, 3, is_live(a) ? "live" : "alloc", &b);
	put_average(n, g->ascii, &b);
	labelled(g, r, 4, "objects", &b);
	put_growth(a, n, g->ascii, &b);
	labelled(g, r, 5, "change", &b);
	put_share(a, n, g->ascii, &b);
	labelled(g, r, 6, "share", &b);
	ages_words(&n->ages, r.w - 9, &b);
	labelled(g, r, 7, "age", &b);
	buf_fini(&b);
}

void
node_detail_draw(
    const struct app *a, const struct node_detail *n, struct grid *g)
{
	if (a->layout.detail.h <= 0)
		return;
	switch (form_of(a)) {
	case COMPACT:
		draw_rule(a, n, g);
		draw_compact(a, n, g);
		break;
	case TALL:
		draw_rule(a, n, g);
		draw_tall(a, n, g);
		break;
	case SIDE: draw_side(a, n, g); break;
	}
	draw_source(a, n, g);
}
