/* The breadcrumb and the bars. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/fmt.h"
#include "base/mem.h"
#include "base/utf8.h"
#include "model/name.h"
#include "model/profile.h"
#include "model/report.h"
#include "model/tree.h"
#include "ui/app.h"
#include "ui/flame_parts.h"
#include "ui/glyph.h"

#define TEXT_FROM  5 /* columns of a bar that has text */
#define CRUMB_NAME 32

int
flame_rows(const struct app *a)
{
	return a->layout.body.h;
}

int
flame_columns(const struct app *a)
{
	return a->layout.body.w - 2;
}

/* ---- names ------------------------------------------------------------------- */

void
flame_name(const struct flame_view *f, size_t bar, bool ascii, struct buf *b)
{
	const struct flame_bar *x = &f->bars.bars[bar];

	if (x->count == 1)
		buf_puts(b, tree_name(f->tree, x->node));
	else
		buf_printf(b, "%s %s more", glyph(GLYPH_MORE, ascii),
		    fmt_count(x->count, FMT_ZERO).s);
}

/* Behind the last :: that is not in brackets, up to template arguments. */
static void
last_part(struct buf *b, const char *name)
{
	const char *at = name;
	int depth = 0;

	for (const char *s = name; *s; s++) {
		if (strncmp(s, "operator", 8) == 0)
			break;
		depth += (*s == '<' || *s == '(') - (*s == '>' || *s == ')');
		if (depth == 0 && s[0] == ':' && s[1] == ':')
			at = s + 2;
	}
	buf_puts(b, at);
	if (strncmp(at, "operator", 8) != 0 && strcspn(at, "<") > 0)
		b->len = strcspn(at, "<");
}

/* A name in a bar: shorter by its arguments and scopes, and then by its end:
 * how a name begins says more in so little room than how it ends; but not of
 * addresses. */
static void
fit_name(struct buf *b, const char *name, int cols, bool ascii)
{
	const char *cut = glyph(GLYPH_CUT, ascii);
	struct buf full = BUF_INIT, last = BUF_INIT;
	size_t n = strlen(cut), from = b->len;

	name_fit(b, name, cols, ascii);
	if (strncmp(buf_str(b) + from, cut, n) == 0 &&
	    strncmp(buf_str(b) + from + n, "::", 2) != 0 &&
	    !strstr(name, "+0x")) {
		name_clean(&full, name);
		last_part(&last, buf_str(&full));
		b->len = from;
		utf8_cut_right(b, buf_str(&last), cols, cut);
	}
	buf_fini(&full);
	buf_fini(&last);
}

/* ---- bars ---------------------------------------------------------------------- */

/* What is drawn, and what of it is not in the bars. */
struct paint {
	const struct app *a;
	struct grid *g;
	struct flame_hits hits;
};

static enum role
role_of(const struct paint *p, size_t i)
{
	if (i == p->a->flame.at)
		return p->a->detail_keys ? ROLE_SELECT_IDLE : ROLE_FLAME_SEL;
	if (p->hits.bars && p->hits.bars[i])
		return ROLE_MATCH;
	return flame_role(p->a, i);
}

/* Behind the edge; in bars with no room for a name the sign of a change. */
static void
draw_text(const struct paint *p, size_t i, struct rect r, enum role role)
{
	const struct flame_view *f = &p->a->flame;
	const struct flame_bar *b = &f->bars.bars[i];
	struct buf name = BUF_INIT, more = BUF_INIT, shown = BUF_INIT;
	int room = r.w - 1, x = r.x + 1, w;

	flame_name(f, i, p->g->ascii, &name);
	w = utf8_width(buf_str(&name));
	if (r.w >= TEXT_FROM && (b->count == 1 || w <= room)) {
		flame_tell(p->a, i, room - w, p->g->ascii, &more);
		room -= utf8_width(buf_str(&more));
		fit_name(&shown, buf_str(&name), room, p->g->ascii);
		x = grid_put(p->g, x, r.y, role, buf_str(&shown));
		x = grid_put(p->g, x, r.y, role, buf_str(&more));
		if (x < r.x + r.w)
			grid_put(p->g, x, r.y, role, " ");
	} else if (room > 0) {
		flame_tell(p->a, i, 0, p->g->ascii, &more);
		if (more.len > 0)
			grid_put(p->g, x, r.y, role, buf_str(&more) + 1);
	}
	buf_fini(&name);
	buf_fini(&more);
	buf_fini(&shown);
}

static void
draw_bar(const struct paint *p, size_t i)
{
	const struct app *a = p->a;
	const struct flame_bar *b = &a->flame.bars.bars[i];
	struct grid *g = p->g;
	struct rect body = a->layout.body;
	struct rect r = { body.x + 1 + b->x,
		body.y + (int)b->level - a->flame.top, b->w, 1 };
	enum role role = role_of(p, i);
	enum glyph fill = b->count > 1 ? GLYPH_FLAME_REST : GLYPH_FLAME_FILL;
	enum glyph edge = b->count > 1 && r.w < TEXT_FROM ? GLYPH_FLAME_REST
							  : GLYPH_FLAME_EDGE;

	grid_fill(g, r, role,
	    b->count == 1 && !g->mono ? " " : glyph(fill, g->ascii));
	if (i == a->flame.at) {
		edge = GLYPH_SELECT;
		g->cursor_x = r.x;
		g->cursor_y = r.y;
	}
	grid_put(g, r.x, r.y, role, glyph(edge, g->ascii));
	draw_text(p, i, r, role);
}

static void
draw_bars(const struct app *a, struct grid *g)
{
	const struct flame_view *f = &a->flame;
	const struct flame_layout *l = &f->bars;
	struct paint p = { .a = a, .g = g, .hits = flame_hits(a) };
	size_t top = (size_t)f->top, end = top + (size_t)flame_rows(a);

	end = end < l->level_count ? end : l->level_count;
	for (size_t i = l->levels[top]; top < end && i < l->levels[end]; i++)
		draw_bar(&p, i);
	flame_hits_fini(&p.hits);
}

/* ---- the way to the selected bar ------------------------------------------------ */

/* Nodes from the root to the one that is selected, or holds those that are;
 * to be freed. */
static uint32_t *
way_to(const struct flame_view *f, size_t *n)
{
	const struct flame_bar *b = &f->bars.bars[f->at];
	uint32_t node = b->count == 1 ? b->node : tree_parent(f->tree, b->node);
	size_t depth = tree_depth(f->tree, node);
	uint32_t *way = xcalloc(depth + 1, sizeof *way);

	for (size_t i = depth + 1; i-- > 0; node = tree_parent(f->tree, node))
		way[i] = node;
	*n = depth + 1;
	return way;
}

static void
put_crumb(struct buf *b, const char *name, const char *before, bool ascii)
{
	if (b->len)
		buf_printf(b, " %s ", before);
	name_fit(b, name, CRUMB_NAME, ascii);
}

/* Names from the from-th on; how many columns come before the root's. */
static int
put_way(const struct app *a, const uint32_t *way, size_t from, size_t n,
    bool ascii, struct buf *b)
{
	const struct flame_view *f = &a->flame;
	bool inverted = a->report->query.invert;
	const char *sign =
	    glyph(inverted ? GLYPH_CALLED_BY : GLYPH_CHAIN, ascii);
	struct buf name = BUF_INIT;
	int before = 0;

	if (from > 0)
		buf_puts(b, glyph(GLYPH_CUT, ascii));
	for (size_t i = from; i < n; i++) {
		if (way[i] == f->bars.bars[0].node)
			before = utf8_width(buf_str(b));
		put_crumb(b, tree_name(f->tree, way[i]), sign, ascii);
	}
	if (f->bars.bars[f->at].count > 1) {
		flame_name(f, f->at, ascii, &name);
		put_crumb(b, buf_str(&name), sign, ascii);
	}
	buf_fini(&name);
	return before;
}

/* "73.4% of the root, 42.8% of all" */
static void
put_shares(const struct app *a, bool ascii, struct buf *b)
{
	const struct flame_layout *l = &a->flame.bars;
	unsigned flags = FMT_ZERO | (ascii ? FMT_ASCII : 0);
	double v = l->bars[a->flame.at].f.value;

	if (a->flame.zoom_count > 0 && a->flame.at > 0)
		buf_printf(b, "%s%% of the top bar, ",
		    fmt_percent(v, l->bars[0].f.value, flags).s);
	buf_printf(b, "%s%% of all",
	    fmt_percent(v, tree_cum(a->flame.tree, TREE_ROOT)->value, flags).s);
}

static void
draw_crumbs(const struct app *a, struct grid *g, struct rect r)
{
	struct buf b = BUF_INIT, shares = BUF_INIT;
	size_t n, from = 0;
	uint32_t *way = way_to(&a->flame, &n);
	int end = r.x + r.w - 1, x = r.x + 1, before;

	put_shares(a, g->ascii, &shares);
	if (end - x - utf8_width(buf_str(&shares)) > 12)
		end =
		    grid_put_right(g, end, r.y, ROLE_DIM, buf_str(&shares)) - 2;
	/* The end of the way says most. */
	if (n > 64)
		from = n - 64;
	do {
		buf_clear(&b);
		before = put_way(a, way, from, n, g->ascii, &b);
	} while (utf8_width(buf_str(&b)) > end - x && ++from < n);
	grid_put_cut(g, x, r.y, end - x, ROLE_TITLE, buf_str(&b));
	if (before < end - x)
		grid_role(g, (struct rect){ x, r.y, before, 1 }, ROLE_DIM);
	free(way);
	buf_fini(&b);
	buf_fini(&shares);
}

static void
draw_nothing(const struct app *a, struct grid *g, struct rect r)
{
	grid_put_cut(g, r.x + 1, r.y, r.w - 2, ROLE_DIM,
	    app_filtered(a) ? "no stack matches the filter"
			    : "nothing is held at this moment");
}

void
flame_draw(const struct app *a, struct grid *g)
{
	const struct flame_view *f = &a->flame;

	if (!f->tree || flame_rows(a) < 1)
		return;
	if (f->bars.count == 0) {
		draw_nothing(a, g, a->layout.body);
		return;
	}
	if (a->layout.head.h > 0)
		draw_crumbs(a, g, a->layout.head);
	draw_bars(a, g);
}
