#include "ui/popup.h"

#include <string.h>

#include "base/utf8.h"
#include "ui/glyph.h"
#include "ui/layout.h"

struct edge {
	enum glyph left, middle, right;
};

static void
draw_edge(struct grid *g, struct rect r, int y, struct edge e)
{
	struct rect middle = { r.x + 1, y, r.w - 2, 1 };

	grid_put(g, r.x, y, ROLE_HAIRLINE, glyph(e.left, g->ascii));
	grid_fill(g, middle, ROLE_HAIRLINE, glyph(e.middle, g->ascii));
	grid_put(g, r.x + r.w - 1, y, ROLE_HAIRLINE, glyph(e.right, g->ascii));
}

struct rect
popup_box(struct grid *g, int w, int h, const char *title)
{
	static const struct edge top = { GLYPH_BOX_TOP_LEFT, GLYPH_BOX_LINE,
		GLYPH_BOX_TOP_RIGHT };
	static const struct edge bottom = { GLYPH_BOX_BOTTOM_LEFT,
		GLYPH_BOX_LINE, GLYPH_BOX_BOTTOM_RIGHT };
	struct rect r = layout_popup(g->width, g->height, w, h);
	struct rect inside = { r.x + 1, r.y + 1, r.w - 2, r.h - 2 };
	const char *side = glyph(GLYPH_BOX_SIDE, g->ascii);

	if (inside.w <= 0 || inside.h <= 0)
		return (struct rect){ r.x, r.y, 0, 0 };
	grid_fill(g, r, ROLE_TEXT, " ");
	draw_edge(g, r, r.y, top);
	draw_edge(g, r, r.y + r.h - 1, bottom);
	for (int y = inside.y; y < inside.y + inside.h; y++) {
		grid_put(g, r.x, y, ROLE_HAIRLINE, side);
		grid_put(g, r.x + r.w - 1, y, ROLE_HAIRLINE, side);
	}
	if (title && inside.w > 4) {
		int x = r.x + 2;

		grid_put(g, x, r.y, ROLE_TITLE, " ");
		x = grid_put_cut(
		    g, x + 1, r.y, inside.w - 4, ROLE_TITLE, title);
		grid_put(g, x, r.y, ROLE_TITLE, " ");
	}
	return inside;
}

/* A key, its text behind it: the text's column. */
#define KEY_COLS 4

static int
width_of(const struct popup *p)
{
	int widest = p->title ? utf8_width(p->title) : 0;

	for (int i = 0; i < p->count; i++) {
		const struct popup_line *l = &p->lines[i];
		int w = (l->text ? utf8_width(l->text) : 0) +
		    (l->key ? KEY_COLS : 0);

		widest = w > widest ? w : widest;
	}
	return widest + 6;
}

/* A blank row above and below the lines, where there is room. */
static int
pad(const struct grid *g, int count)
{
	return g->height >= 8 || count + 4 <= g->height;
}

int
popup_page(const struct grid *g, int count)
{
	int most = g->height - 2 - 2 * pad(g, count);

	return count < most ? count : most > 0 ? most : 0;
}

static void
draw_line(struct grid *g, struct rect in, int y, const struct popup_line *l,
    bool selected)
{
	int x = in.x + 2;

	if (selected) {
		grid_role(g, (struct rect){ in.x, y, in.w, 1 }, ROLE_SELECT);
		grid_put(
		    g, in.x, y, ROLE_SELECT, glyph(GLYPH_SELECT, g->ascii));
	}
	if (l->key) {
		grid_put(g, x, y, selected ? ROLE_SELECT : ROLE_KEY, l->key);
		x += KEY_COLS;
	}
	if (l->text)
		grid_put_cut(g, x, y, in.x + in.w - 1 - x,
		    selected ? ROLE_SELECT : ROLE_TEXT, l->text);
}

void
popup_draw(const struct popup *p, struct grid *g)
{
	int page = popup_page(g, p->count);
	int last = p->count - page;
	int first = p->first < last ? p->first : last;
	int w = p->width ? p->width : width_of(p);
	int y = pad(g, p->count);
	struct rect in = popup_box(g, w, page + 2 + 2 * y, p->title);

	if (p->selected >= first + page)
		first = p->selected - page + 1; /* always in sight */
	if (first < 0)
		first = 0;
	for (int i = 0; i < page && y + i < in.h; i++)
		draw_line(g, in, in.y + y + i, &p->lines[first + i],
		    first + i == p->selected);
	if (first + page < p->count && in.w > 16)
		grid_printf(g, in.x + 2, in.y + in.h, ROLE_DIM, " %s %d more ",
		    glyph(GLYPH_BELOW, g->ascii), p->count - first - page);
	if (p->selected >= first && p->selected < first + page) {
		g->cursor_x = in.x;
		g->cursor_y = in.y + y + p->selected - first;
	}
}

int
popup_choice(const struct popup *p, struct key k)
{
	struct key_label name = key_label(k);

	for (int i = 0; i < p->count; i++) {
		if (p->lines[i].key && strcmp(p->lines[i].key, name.s) == 0)
			return i;
	}
	return -1;
}
