#include "ui/tabs.h"

#include <stdio.h>
#include <string.h>

#include "base/buf.h"
#include "base/utf8.h"
#include "model/report.h"
#include "ui/app.h"
#include "ui/glyph.h"
#include "ui/view.h"

static const char *
label_of(const struct view *v, enum layout_words words)
{
	return words == WORDS_LEAST ? v->least
	    : words == WORDS_SHORT  ? v->brief
				    : v->label;
}

/* "[1 Top]"; 0: there is no such view. */
static int
width_of(const struct app *a, int i)
{
	const struct view *v = view_at((enum context)i);

	return v ? 4 + utf8_width(label_of(v, a->layout.words)) : 0;
}

static void
filter_shown(const struct app *a, char *text, size_t size)
{
	app_filter_text(a, text, size);
	if (a->over == OVER_PROMPT && a->prompt == PROMPT_FILTER)
		text[0] = '\0'; /* it stands in the last row */
}

/* Columns for what the figures are, and for a filter: tabs give way to it. */
static int
meaning_room(const struct app *a)
{
	int words = a->layout.words == WORDS_LEAST ? 13 : 22, filter;
	char text[3 * PROMPT_MAX];

	filter_shown(a, text, sizeof text);
	filter = utf8_width(text);
	if (filter > 0)
		return words + 2 + (filter < 24 ? filter : 24);
	return a->layout.words < WORDS_LONG ? words : 0;
}

struct tabs {
	int first, last;
};

/* The active one, and of its neighbours what there is room for. */
static struct tabs
tabs_shown(const struct app *a)
{
	struct tabs t = { (int)a->view, (int)a->view };
	int room = a->layout.tabs.w - meaning_room(a) - width_of(a, t.first);
	bool more = true;

	while (more) {
		int right = t.last + 1, left = t.first - 1;

		more = false;
		if (right <= CONTEXT_MEMORY && width_of(a, right) <= room) {
			room -= width_of(a, right);
			t.last = right;
			more = true;
		}
		if (left >= CONTEXT_TOP && width_of(a, left) <= room) {
			room -= width_of(a, left);
			t.first = left;
			more = true;
		}
	}
	return t;
}

enum context
tabs_at(const struct app *a, int x)
{
	struct tabs t = tabs_shown(a);
	int end = 0;

	for (int i = t.first; i <= t.last; i++) {
		end += width_of(a, i);
		if (x < end)
			return (enum context)i;
	}
	return CONTEXT_COUNT;
}

static int
draw_tabs(const struct app *a, struct grid *g, int y)
{
	struct tabs t = tabs_shown(a);
	int x = 0;

	for (int i = t.first; i <= t.last; i++) {
		const struct view *v = view_at((enum context)i);
		bool on = i == (int)a->view;
		enum role role = on ? ROLE_TAB_ON : ROLE_TEXT;

		if (!v)
			continue;
		x = grid_put(g, x, y, role, on ? "[" : " ");
		x = grid_printf(g, x, y, on ? role : ROLE_KEY, "%d", i + 1);
		x = grid_printf(
		    g, x, y, role, " %s", label_of(v, a->layout.words));
		x = grid_put(g, x, y, role, on ? "]" : " ");
	}
	return x;
}

/* What the figures are, in the words there is room for. */
static void
meaning(const struct app *a, const struct grid *g, char *s, size_t size)
{
	const char *dot = glyph(GLYPH_DOT, g->ascii);
	const char *arrow = glyph(GLYPH_CALLS, g->ascii);
	const char *metric = metric_label(a->query.metric);
	const char *group = grouping_label(a->query.grouping);
	char since[32];

	if (a->layout.words == WORDS_LEAST) {
		snprintf(s, size, "%s", metric);
		return;
	}
	if (a->layout.words == WORDS_SHORT) {
		snprintf(s, size, "%s by %s", metric, group);
		return;
	}
	if (a->mark[0].id)
		snprintf(since, sizeof since, "A%sB", arrow);
	else
		snprintf(since, sizeof since, "since start");
	snprintf(s, size, "%s %s by %s %s %s", metric, dot, group, dot, since);
	if (a->layout.words < WORDS_LONGEST)
		return;
	snprintf(s + strlen(s), size - strlen(s), " %s plumbing %s%s%s%s", dot,
	    a->query.cut == CUT_NOTHING ? "shown" : "hidden",
	    app_filtered(a) ? "" : " ", app_filtered(a) ? "" : dot,
	    app_filtered(a) ? "" : " no filter");
}

static void
detail_meaning(const struct app *a, const struct grid *g, char *s, size_t size)
{
	const struct report_row *row = app_selected(a);
	const char *dot = glyph(GLYPH_DOT, g->ascii);

	/* A node of the tree is shown by a stack that goes through it. */
	if ((a->view == CONTEXT_TREE || a->view == CONTEXT_FLAME) && row) {
		snprintf(
		    s, size, "heaviest of %u %s esc back", row->stacks, dot);
		return;
	}
	if (a->view != CONTEXT_TOP) {
		snprintf(s, size, "esc back");
		return;
	}
	snprintf(s, size, "%s %zu of %zu %s esc back",
	    grouping_label(a->query.grouping), a->rows.cursor + 1,
	    app_row_count(a), dot);
}

/* What comes last is left out until the rest fits. */
static void
shorten(char *s, int room, bool ascii)
{
	char end[16];

	snprintf(end, sizeof end, " %s ", glyph(GLYPH_DOT, ascii));
	while (utf8_width(s) > room) {
		char *last = NULL;

		for (char *t = strstr(s, end); t; t = strstr(t + 1, end))
			last = t;
		if (!last)
			return;
		*last = '\0';
	}
}

void
tabs_draw(const struct app *a, struct grid *g)
{
	struct rect r = a->layout.tabs;
	int x, end = r.w - 1, room;
	char text[160], filter[3 * PROMPT_MAX];
	const struct view *v = view_at(a->view);
	struct buf b = BUF_INIT;

	if (r.h <= 0)
		return;
	x = draw_tabs(a, g, r.y);
	if (a->output_shown)
		snprintf(text, sizeof text, "target output %s esc back",
		    glyph(GLYPH_DOT, g->ascii));
	else if (a->detail_full)
		detail_meaning(a, g, text, sizeof text);
	else if (v && v->meaning) {
		v->meaning(a, g->ascii, &b);
		snprintf(text, sizeof text, "%s", buf_str(&b));
		buf_fini(&b);
	} else
		meaning(a, g, text, sizeof text);
	filter_shown(a, filter, sizeof filter);
	/* A filter is never silently on: it goes before the rest. */
	room = end - x - 2;
	if (*filter && room > 4) {
		int w = utf8_width(filter);

		w = w < room ? w : room;
		grid_put_cut(g, end - w, r.y, w, ROLE_WARN, filter);
		end -= w + 2;
	}
	shorten(text, end - x - 1, g->ascii);
	if (end - utf8_width(text) > x)
		grid_put_right(g, end, r.y, ROLE_DIM, text);
}
