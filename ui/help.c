#include "ui/help.h"

#include <stdio.h>
#include <string.h>

#include "base/utf8.h"
#include "ui/app.h"
#include "ui/command.h"
#include "ui/glyph.h"
#include "ui/popup.h"

#define KEYS_COLS   12
#define TYPED_COLS  23 /* of commands */
#define KEYS_NARROW 4  /* where there is hardly any room */
#define WIDE        92 /* two columns from this width on */
#define LINES_MAX   72
#define BOX_COLS    90 /* inside, with two columns */
#define BOX_NARROW  62

/* One line of the help; a title has no keys, an empty one nothing. */
struct line {
	char keys[48];
	const char *text; /* constant */
	bool typed;       /* a command */
};

struct page {
	struct line lines[LINES_MAX];
	int count;
};

static void
add(struct page *p, const char *keys, const char *text)
{
	struct line *l = &p->lines[p->count];

	if (p->count >= LINES_MAX)
		return;
	snprintf(l->keys, sizeof l->keys, "%s", keys);
	l->text = text;
	l->typed = false;
	p->count++;
}

static void
add_group(struct page *p, const struct app *a, enum key_group group, bool ascii)
{
	struct keymap_offer o = { app_offers, a, &a->keys };
	struct help_line l;

	if (p->count)
		add(p, "", "");
	add(p, "", keymap_group_title(group));
	for (unsigned i = 0; keymap_help(group, i, ascii, &o, &l); i++)
		add(p, l.keys, l.text);
}

static void
add_commands(struct page *p)
{
	struct help_line l;

	add(p, "", "");
	add(p, "", "COMMANDS, behind :");
	for (unsigned i = 0; command_help(i, &l); i++) {
		add(p, l.keys, l.text);
		p->lines[p->count - 1].typed = true;
	}
	add(p, "", "");
	add(p, "", "Keys can be changed: see heaptop-config(5).");
}

/* The groups `from` to before `to`. */
static void
build(struct page *p, const struct app *a, int from, int to, bool ascii)
{
	p->count = 0;
	for (int i = from; i < to; i++)
		add_group(p, a, (enum key_group)i, ascii);
}

static void
draw_line(struct grid *g, int x, int y, int w, const struct line *l)
{
	int keys = l->typed ? TYPED_COLS : w < 30 ? KEYS_NARROW : KEYS_COLS;

	if (!*l->keys) {
		grid_put_cut(g, x, y, w, ROLE_TITLE, l->text);
		return;
	}
	/* Long names of keys push the text on; what is narrow has no
	 * columns. */
	if (utf8_width(l->keys) >= keys || (l->typed && w < 48))
		keys = utf8_width(l->keys) + 1;
	grid_put_cut(g, x + 2, y, w - 2, ROLE_KEY, l->keys);
	if (w - keys - 2 > 0)
		grid_put_cut(
		    g, x + 2 + keys, y, w - keys - 2, ROLE_TEXT, l->text);
}

static void
draw_page(struct grid *g, struct rect r, const struct page *p, int first)
{
	for (int i = first < 0 ? -first : 0; i < r.h && first + i < p->count;
	     i++)
		draw_line(g, r.x, r.y + i, r.w, &p->lines[first + i]);
}

static bool
wide(const struct app *a)
{
	return a->width >= WIDE;
}

/* Two columns, side by side where there is room, and what is below them; in
 * ASCII there are as many lines. */
struct pages {
	struct page left, right, below;
	int columns; /* lines of the longer column */
};

static int
build_all(const struct app *a, struct pages *p, bool ascii)
{
	int left = wide(a) ? GROUP_KEYS_MEASURE : GROUP_KEYS_COUNT;

	build(&p->left, a, 0, left, ascii);
	build(&p->right, a, left, GROUP_KEYS_COUNT, ascii);
	p->below.count = 0;
	add_commands(&p->below);
	p->columns =
	    p->left.count > p->right.count ? p->left.count : p->right.count;
	return p->columns + p->below.count;
}

int
help_lines(const struct app *a)
{
	struct pages p;

	return build_all(a, &p, false);
}

/* The box has a frame, a blank row above, where there is room, and a row with
 * "esc close". */
static int
pad(const struct app *a)
{
	return a->height >= 8 ? 1 : 0;
}

static int
page_of(const struct app *a, int lines)
{
	int most = a->height - 3 - pad(a);

	return lines < most ? lines : most > 1 ? most : 1;
}

int
help_page(const struct app *a)
{
	return page_of(a, help_lines(a));
}

int
help_commands(const struct app *a)
{
	struct pages p;
	int lines = build_all(a, &p, false), last = lines - page_of(a, lines);

	return p.columns + 1 < last ? p.columns + 1 : last;
}

void
help_draw(const struct app *a, struct grid *g)
{
	struct pages p;
	int lines = build_all(a, &p, g->ascii);
	int page = page_of(a, lines), first = a->over_first, half;
	struct rect in = popup_box(g, (wide(a) ? BOX_COLS : BOX_NARROW) + 2,
	    page + 3 + pad(a), "Keys");
	struct rect r = { in.x + 2, in.y + pad(a), in.w - 4,
		in.h - 1 - pad(a) };

	if (r.w < 8 || r.h < 1)
		return;
	if (first > lines - page)
		first = lines - page;
	/* Where a screen reader begins. */
	g->cursor_x = r.x;
	g->cursor_y = r.y;
	half = wide(a) ? r.w / 2 : r.w;
	draw_page(g, (struct rect){ r.x, r.y, half - 1, r.h }, &p.left, first);
	draw_page(g, (struct rect){ r.x + half, r.y, r.w - half, r.h },
	    &p.right, first);
	draw_page(g, r, &p.below, first - p.columns);
	half = grid_put_right(
	    g, in.x + in.w - 2, in.y + in.h - 1, ROLE_TEXT, "close");
	half = grid_put_right(g, half - 1, in.y + in.h - 1, ROLE_KEY, "esc");
	if (first + page < lines && half - 2 - r.x > 12)
		grid_printf(g, r.x, in.y + in.h - 1, ROLE_DIM, "%s %d more",
		    glyph(GLYPH_BELOW, g->ascii), lines - first - page);
}
