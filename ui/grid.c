#include "ui/grid.h"

#include <assert.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/mem.h"
#include "base/utf8.h"
#include "ui/glyph.h"

static struct cell *
cell_at(const struct grid *g, int x, int y)
{
	return &g->cells[(size_t)y * (size_t)g->width + (size_t)x];
}

static void
set(struct cell *c, const char *s, size_t len, int width, enum role role)
{
	memset(c->text, 0, sizeof c->text);
	memcpy(c->text, s, len < sizeof c->text ? len : sizeof c->text - 1);
	c->width = (uint8_t)width;
	c->role = (uint8_t)role;
}

void
grid_clear(struct grid *g)
{
	size_t n = (size_t)g->width * (size_t)g->height;

	for (size_t i = 0; i < n; i++)
		set(&g->cells[i], " ", 1, 1, ROLE_TEXT);
	g->clip = (struct rect){ 0, 0, g->width, g->height };
	g->cursor_x = g->cursor_y = -1;
	g->cursor_shown = false;
}

void
grid_init(struct grid *g, int width, int height)
{
	memset(g, 0, sizeof *g);
	grid_resize(g, width, height);
}

void
grid_fini(struct grid *g)
{
	free(g->cells);
	memset(g, 0, sizeof *g);
}

void
grid_resize(struct grid *g, int width, int height)
{
	g->width = width > 0 ? width : 0;
	g->height = height > 0 ? height : 0;
	free(g->cells);
	g->cells =
	    xcalloc((size_t)g->width * (size_t)g->height + 1, sizeof *g->cells);
	grid_clear(g);
}

void
grid_copy(struct grid *to, const struct grid *from)
{
	struct cell *cells = to->cells;
	size_t n = (size_t)from->width * (size_t)from->height;

	assert(to->width == from->width && to->height == from->height);
	memcpy(cells, from->cells, n * sizeof *cells);
	*to = *from;
	to->cells = cells;
}

static int
least(int a, int b)
{
	return a < b ? a : b;
}

static int
most(int a, int b)
{
	return a > b ? a : b;
}

static struct rect
overlap(struct rect a, struct rect b)
{
	struct rect r = { most(a.x, b.x), most(a.y, b.y), 0, 0 };

	r.w = most(least(a.x + a.w, b.x + b.w) - r.x, 0);
	r.h = most(least(a.y + a.h, b.y + b.h) - r.y, 0);
	return r;
}

struct rect
grid_clip(struct grid *g, struct rect r)
{
	struct rect old = g->clip;

	g->clip = overlap(r, old);
	return old;
}

static bool
inside(const struct grid *g, int x, int y)
{
	return x >= g->clip.x && x < g->clip.x + g->clip.w && y >= g->clip.y &&
	    y < g->clip.y + g->clip.h;
}

/* What is about to be overwritten must not leave half a character. */
static void
split_wide(struct grid *g, int x, int y)
{
	struct cell *c = cell_at(g, x, y);

	if (c->width == 0 && x > 0)
		set(c - 1, " ", 1, 1, (enum role)c[-1].role);
	if (c->width == 2 && x + 1 < g->width)
		set(c + 1, " ", 1, 1, (enum role)c[1].role);
}

static void
put_blank(struct grid *g, int x, int y, enum role role)
{
	if (!inside(g, x, y))
		return;
	split_wide(g, x, y);
	set(cell_at(g, x, y), " ", 1, 1, role);
}

static void
put_one(struct grid *g, int x, int y, enum role role, const char *s, size_t len,
    int width)
{
	if (width == 2 && (!inside(g, x, y) || !inside(g, x + 1, y))) {
		put_blank(g, x, y, role);
		put_blank(g, x + 1, y, role);
		return;
	}
	if (!inside(g, x, y))
		return;
	split_wide(g, x, y);
	if (width == 2) {
		split_wide(g, x + 1, y);
		set(cell_at(g, x + 1, y), "", 0, 0, role);
	}
	set(cell_at(g, x, y), s, len, width, role);
}

/* Marks go into the cell of the character before them, as room is. */
static void
put_mark(struct grid *g, int x, int y, const char *s, size_t len)
{
	struct cell *c;
	size_t have;

	if (g->ascii || !inside(g, x, y))
		return;
	c = cell_at(g, x, y);
	have = strlen(c->text);
	if (have > 0 && have + len < sizeof c->text)
		memcpy(c->text + have, s, len);
}

/* Format characters change what stands around them (direction, tags). */
static bool
is_format(uint32_t cp)
{
	return (cp >= 0x200b && cp <= 0x200f) ||
	    (cp >= 0x2028 && cp <= 0x202e) || (cp >= 0x2060 && cp <= 0x206f) ||
	    cp == 0x61c || cp == 0xfeff || (cp >= 0xfff9 && cp <= 0xfffb) ||
	    (cp >= 0xe0000 && cp <= 0xe007f);
}

static bool
is_control(uint32_t cp)
{
	return cp < 0x20 || (cp >= 0x7f && cp < 0xa0);
}

int
grid_put(struct grid *g, int x, int y, enum role role, const char *s)
{
	size_t left = strlen(s), used;
	int last = -1; /* the column of the character before */

	for (; left > 0; s += used, left -= used) {
		uint32_t cp = utf8_decode(s, left, &used);
		int width = utf8_columns(cp);
		const char *text = s;
		size_t len = used;

		if (is_format(cp))
			continue;
		if (is_control(cp) || (g->ascii && cp >= 0x80)) {
			text = "?";
			len = 1;
			width = is_control(cp) ? 1 : width;
		} else if (cp == 0xfffd) {
			text = "\xef\xbf\xbd";
			len = 3;
		}
		if (width == 0) {
			if (last >= 0)
				put_mark(g, last, y, text, len);
			continue;
		}
		last = x;
		if (text[0] == '?' && width == 2) {
			put_one(g, x++, y, role, "?", 1, 1);
			width = 1;
		}
		put_one(g, x, y, role, text, len, width);
		x += width;
	}
	return x;
}

int
grid_printf(struct grid *g, int x, int y, enum role role, const char *fmt, ...)
{
	char s[512];
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(s, sizeof s, fmt, ap);
	va_end(ap);
	return grid_put(g, x, y, role, s);
}

int
grid_put_right(struct grid *g, int end, int y, enum role role, const char *s)
{
	int x = end - utf8_width(s);

	grid_put(g, x, y, role, s);
	return x;
}

int
grid_put_cut(
    struct grid *g, int x, int y, int cols, enum role role, const char *s)
{
	struct buf b = BUF_INIT;

	if (cols > 0) {
		utf8_cut_right(&b, s, cols, glyph(GLYPH_CUT, g->ascii));
		x = grid_put(g, x, y, role, buf_str(&b));
	}
	buf_fini(&b);
	return x;
}

void
grid_fill(struct grid *g, struct rect r, enum role role, const char *s)
{
	r = overlap(r, g->clip);
	for (int y = r.y; y < r.y + r.h; y++) {
		for (int x = r.x; x < r.x + r.w; x++)
			grid_put(g, x, y, role, s);
	}
}

void
grid_role(struct grid *g, struct rect r, enum role role)
{
	r = overlap(r, g->clip);
	for (int y = r.y; y < r.y + r.h; y++) {
		for (int x = r.x; x < r.x + r.w; x++)
			cell_at(g, x, y)->role = (uint8_t)role;
	}
}

const struct cell *
grid_at(const struct grid *g, int x, int y)
{
	assert(x >= 0 && x < g->width && y >= 0 && y < g->height);
	return cell_at(g, x, y);
}

int
grid_changed(const struct grid *before, const struct grid *now, int y, int from,
    int *end)
{
	int x = from, width = now->width;

	while (x < width &&
	    memcmp(cell_at(before, x, y), cell_at(now, x, y),
		sizeof(struct cell)) == 0)
		x++;
	if (x >= width)
		return -1;
	from = x;
	while (from > 0 && cell_at(now, from, y)->width == 0)
		from--;
	while (x < width &&
	    (cell_at(now, x, y)->width == 0 ||
		memcmp(cell_at(before, x, y), cell_at(now, x, y),
		    sizeof(struct cell)) != 0))
		x++;
	*end = x;
	return from;
}

void
grid_text(const struct grid *g, struct buf *b)
{
	for (int y = 0; y < g->height; y++) {
		int last = g->width;

		while (last > 0 && !strcmp(cell_at(g, last - 1, y)->text, " "))
			last--;
		for (int x = 0; x < last; x++)
			buf_puts(b, cell_at(g, x, y)->text);
		buf_putc(b, '\n');
	}
}

void
grid_roles(const struct grid *g, struct buf *b)
{
	for (int y = 0; y < g->height; y++) {
		int last = g->width;

		while (last > 0 && cell_at(g, last - 1, y)->role == ROLE_TEXT)
			last--;
		for (int x = 0; x < last; x++)
			buf_putc(b, role_letter(cell_at(g, x, y)->role));
		buf_putc(b, '\n');
	}
}
