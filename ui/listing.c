#include "ui/listing.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/mem.h"
#include "base/utf8.h"
#include "model/report.h"
#include "ui/app.h"
#include "ui/detail.h"
#include "ui/glyph.h"
#include "ui/notice.h"

#define NEAR   50 /* lines from the one asked for that are surely there */
#define TAB    8
#define INDENT 1024 /* columns of a line that are looked at */

void
listing_fini(struct app_source *s)
{
	free(s->file);
	free(s->text);
	memset(s, 0, sizeof *s);
}

void
listing_take(struct app *a, const struct app_event *e)
{
	struct app_source *s = &a->source;

	listing_fini(s);
	if (!e->source_file)
		return;
	s->file = xstrdup(e->source_file);
	s->line = e->source_line;
	s->first_line = e->first_line ? e->first_line : 1;
	if (e->text)
		s->text = xstrdup(e->text);
	else
		snprintf(s->why, sizeof s->why, "%s", e->why ? e->why : "");
	a->dirty |= APP_DIRTY_VIEW;
}

bool
listing_known(const struct app *a, const char *file, uint32_t line)
{
	const struct app_source *s = &a->source;

	if (!s->file || strcmp(s->file, file) != 0)
		return false;
	if (!s->text)
		return true;
	return line > s->line ? line - s->line <= NEAR : s->line - line <= NEAR;
}

bool
app_wants_source(const struct app *a, const char **file, uint32_t *line)
{
	struct place p;

	if (app_wants_report(a) || !detail_source(a, &p) ||
	    listing_known(a, p.file, p.line))
		return false;
	*file = p.file;
	*line = p.line;
	return true;
}

/* ---- drawing ------------------------------------------------------------- */

/* A line of text up to its newline, tabs as blanks. */
static void
expand(const char *s, struct buf *b)
{
	int col = 0;

	while (*s && *s != '\n' && *s != '\r' && col < INDENT) {
		size_t used;
		uint32_t cp;

		if (*s == '\t') {
			int n = TAB - col % TAB;

			buf_pad(b, ' ', (size_t)n);
			col += n;
			s++;
			continue;
		}
		cp = utf8_decode(s, strlen(s), &used);
		buf_put(b, s, used);
		col += utf8_columns(cp);
		s += used;
	}
}

static void
draw_line(struct grid *g, struct rect r, int digits, uint32_t number, bool hit,
    const char *text)
{
	struct buf b = BUF_INIT;
	int x;

	x = grid_printf(g, r.x, r.y, ROLE_DIM, "%*u ", digits, number);
	expand(text, &b);
	grid_put(g, x, r.y, ROLE_TEXT,
	    hit ? glyph(GLYPH_SOURCE_HIT, g->ascii) : " ");
	if (r.x + r.w > x + 1)
		grid_put_cut(
		    g, x + 1, r.y, r.x + r.w - x - 1, ROLE_TEXT, buf_str(&b));
	if (hit)
		grid_role(g, (struct rect){ x, r.y, r.x + r.w - x, 1 },
		    ROLE_SOURCE_HIT);
	buf_fini(&b);
}

static int
digits_of(uint32_t n)
{
	int digits = 1;

	for (; n >= 10; n /= 10)
		digits++;
	return digits;
}

static const char *
next_line(const char *s)
{
	const char *end = strchr(s, '\n');

	return end && end[1] ? end + 1 : NULL;
}

bool
listing_draw(const struct app *a, const char *file, uint32_t line, int above,
    struct grid *g, struct rect r)
{
	const struct app_source *s = &a->source;
	uint32_t first = line > (uint32_t)above ? line - (uint32_t)above : 1;
	uint32_t number = s->first_line;
	const char *at = s->text;
	int digits = digits_of(first + (uint32_t)r.h);

	if (!listing_known(a, file, line) || r.w < 8)
		return false;
	if (!s->text) {
		notice_words(g, r, r.y, ROLE_DIM, s->why);
		return true;
	}
	while (at && *at && number < first) {
		at = next_line(at);
		number++;
	}
	for (int i = 0; i < r.h && at && *at; i++, number++) {
		struct rect row = { r.x, r.y + i, r.w, 1 };

		draw_line(g, row, digits, number, number == line, at);
		at = next_line(at);
	}
	return true;
}
