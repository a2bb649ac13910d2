/* The last column of the table: what a row is. */
#include <stdio.h>
#include <string.h>

#include "base/buf.h"
#include "base/utf8.h"
#include "model/name.h"
#include "ui/columns.h"
#include "ui/glyph.h"

/* A name in a row of names is shortened to this; the row is cut at its end,
 * since the site comes first. */
#define NAME_COLS 40

/* A line that is written piece by piece into a clipped part of a row. */
struct line {
	struct grid *g;
	int x, y, end;
	const struct pattern *match; /* underline this; may be NULL */
};

/* Does the part s[from] to s[to] match where it stands?  Patterns say whether
 * they match, not where; names are short enough to try. */
static bool
matches(
    const struct pattern *p, const char *s, size_t from, size_t to, size_t len)
{
	char part[256];

	snprintf(part, sizeof part, "%.*s", (int)(to - from), s + from);
	return regexec(&p->re, part, 0, NULL,
		   (from > 0 ? REG_NOTBOL : 0) | (to < len ? REG_NOTEOL : 0)) ==
	    0;
}

void
columns_mark_match(struct grid *g, int x, int y, const struct pattern *match,
    const char *s)
{
	struct rect r = { x, y, 0, 1 };
	char head[256];
	size_t len = strlen(s), from = 0, to = 0;

	if (len >= sizeof head || !pattern_matches(match, s))
		return;
	while (to < len && !matches(match, s, 0, to, len))
		to++;
	from = to;
	while (from > 0 && !matches(match, s, from, to, len))
		from--;
	snprintf(head, sizeof head, "%.*s", (int)to, s);
	r.w = utf8_width(head);
	head[from] = '\0';
	r.x += utf8_width(head);
	r.w -= utf8_width(head);
	grid_role(g, r, ROLE_MATCH);
}

static void
mark_match(const struct line *l, int x, const char *s)
{
	if (l->match)
		columns_mark_match(l->g, x, l->y, l->match, s);
}

static void
add(struct line *l, enum role role, const char *s)
{
	if (l->x < l->end)
		l->x = grid_put(l->g, l->x, l->y, role, s);
	else if (*s)
		l->x = l->end + 1; /* there is more */
}

static void
add_name(struct line *l, enum role role, const char *name)
{
	struct buf b = BUF_INIT;
	int x = l->x;

	name_fit(&b, name, NAME_COLS, l->g->ascii);
	add(l, role, buf_str(&b));
	if (x < l->end)
		mark_match(l, x, buf_str(&b));
	buf_fini(&b);
}

static void
add_callers(struct line *l, const struct report *r, const uint32_t *places,
    uint32_t count)
{
	const char *arrow = glyph(GLYPH_CALLED_BY, l->g->ascii);

	for (uint32_t i = 1; i < count && l->x <= l->end; i++) {
		add(l, ROLE_DIM, " ");
		add(l, ROLE_DIM, arrow);
		add(l, ROLE_DIM, " ");
		add_name(l, ROLE_DIM, report_place(r, places[i]).function);
	}
}

/* "  decode.c:214", if there is room for all of it. */
static void
add_place(struct line *l, const struct report_row *row)
{
	struct buf b = BUF_INIT;

	if (!row->file || !*row->file)
		return;
	buf_puts(&b, row->file);
	if (row->line)
		buf_printf(&b, ":%u", row->line);
	if (utf8_width(buf_str(&b)) + 2 <= l->end - l->x) {
		add(l, ROLE_DIM, "  ");
		add(l, ROLE_DIM, buf_str(&b));
	}
	buf_fini(&b);
}

static void
add_row(struct line *l, const struct report *r, const struct report_row *row,
    bool callers)
{
	struct buf b = BUF_INIT;
	int room = l->end - l->x, x = l->x;

	switch (r->query.grouping) {
	case GROUP_STACKS:
		add_name(l, ROLE_SITE,
		    row->count ? report_place(r, row->places[0]).function
			       : row->name);
		if (callers)
			add_callers(l, r, row->places, row->count);
		break;
	case GROUP_FILES:
	case GROUP_MODULES:
		name_fit_path(&b, row->name, room, l->g->ascii);
		add(l, ROLE_SITE, buf_str(&b));
		mark_match(l, x, buf_str(&b));
		break;
	case GROUP_THREADS: add(l, ROLE_SITE, row->name); break;
	case GROUP_FUNCTIONS:
	case GROUP_LINES:
	case GROUP_ADDRESSES:
	case GROUP_COUNT:
		name_fit(&b, row->name, room, l->g->ascii);
		add(l, ROLE_SITE, buf_str(&b));
		mark_match(l, x, buf_str(&b));
		add_place(l, row);
		break;
	}
	buf_fini(&b);
}

/* What is longer ends in a mark. */
static void
end_line(const struct line *l)
{
	if (l->x > l->end)
		grid_put(l->g, l->end - 1, l->y, ROLE_DIM,
		    glyph(GLYPH_CUT, l->g->ascii));
}

void
columns_draw_name(struct grid *g, int x, int y, int w, const struct report *r,
    const struct report_row *row, bool callers)
{
	struct line l = { g, x, y, x + w, r->query.focus };
	struct rect old;

	if (w <= 0)
		return;
	old = grid_clip(g, (struct rect){ x, y, w, 1 });
	add_row(&l, r, row, callers);
	end_line(&l);
	g->clip = old;
}

void
columns_draw_stack(struct grid *g, int x, int y, int w, const struct report *r,
    const uint32_t *places, uint32_t count)
{
	struct line l = { g, x, y, x + w, r->query.focus };
	struct rect old;

	if (w <= 0 || count == 0)
		return;
	old = grid_clip(g, (struct rect){ x, y, w, 1 });
	add_name(&l, ROLE_SITE, report_place(r, places[0]).function);
	add_callers(&l, r, places, count);
	end_line(&l);
	g->clip = old;
}
