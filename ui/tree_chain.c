/* A row of the Tree view as text: the names of its chain. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/utf8.h"
#include "base/vec.h"
#include "model/name.h"
#include "model/profile.h"
#include "model/report.h"
#include "model/tree.h"
#include "ui/app.h"
#include "ui/columns.h"
#include "ui/glyph.h"
#include "ui/tree_draw.h"

#define LAST  16 /* columns that are kept for a row's own name */
#define SEEN  8  /* those that still say something */
#define ELIDE 4  /* so many frames of one library are one and a number */

/* A piece of a row's text: the name of a node, or how many are left out. */
struct piece {
	char text[4 * TREE_NAME_COLS];
	int w;
	const char *name; /* in full; NULL: it is none */
	size_t frames;    /* that it stands for */
};

struct pieces {
	struct piece *at;
	size_t count, cap;
};

#define GAP 3 /* columns between pieces */

static void
set_text(struct piece *p, const char *text)
{
	snprintf(p->text, sizeof p->text, "%s", text);
	p->w = utf8_width(p->text);
}

static struct piece *
add_piece(struct pieces *p, const struct piece *piece)
{
	VEC_ROOM(p->at, p->cap, p->count + 1);
	p->at[p->count] = *piece;
	return &p->at[p->count++];
}

static void
fit_name(struct piece *p, int cols, bool ascii)
{
	struct buf b = BUF_INIT;

	name_fit(
	    &b, p->name, cols < TREE_NAME_COLS ? cols : TREE_NAME_COLS, ascii);
	set_text(p, buf_str(&b));
	buf_fini(&b);
}

static void
add_name(struct pieces *p, const char *name, bool ascii)
{
	struct piece one = { .name = name, .frames = 1 };

	fit_name(add_piece(p, &one), TREE_NAME_COLS, ascii);
}

static void
add_left_out(struct pieces *p, size_t n, bool ascii)
{
	struct piece one = { .frames = n };
	char text[48];

	snprintf(text, sizeof text, "%s %zu frame%s", glyph(GLYPH_MORE, ascii),
	    n, n == 1 ? "" : "s");
	set_text(add_piece(p, &one), text);
}

const char *
tree_draw_library(const struct app *a, uint32_t node)
{
	const struct report *r = a->report;
	uint32_t place = tree_place(a->tree.tree, node);
	const char *module, *image, *slash;

	if (place == TREE_ALL)
		return "";
	module = report_place_module(r, place);
	image = profile_facts(r->profiles[r->places[place].profile])->image;
	if (!image || !*image)
		return "";
	slash = strrchr(image, '/');
	return strcmp(module, slash ? slash + 1 : image) == 0 ? "" : module;
}

/* From `node` on so many nodes of the chain are of its library; the one that
 * follows them, TREE_NONE if that is the end. */
static size_t
library_run(const struct app *a, uint32_t node, uint32_t *after, uint32_t last)
{
	const struct tree *t = a->tree.tree;
	const char *library = tree_draw_library(a, node);
	size_t n = 1;

	*after = TREE_NONE;
	for (; node != last; n++) {
		node = tree_child(t, node);
		if (*library &&
		    strcmp(tree_draw_library(a, node), library) == 0)
			continue;
		*after = node;
		break;
	}
	return n;
}

/* The names of a chain; many of one library are the first and a number. */
static struct pieces
chain_of(const struct app *a, const struct tree_row *row, bool ascii)
{
	struct tree *t = a->tree.tree;
	struct pieces p = { NULL, 0, 0 };
	uint32_t node = row->head, after;

	for (;;) {
		size_t run = library_run(a, node, &after, row->node);
		/* the last one is the row's own */
		size_t hidden = run - (after == TREE_NONE ? 2 : 1);

		add_name(&p, tree_name(t, node), ascii);
		/* callers are cut where they do not fit */
		if (run >= ELIDE && !a->report->query.invert) {
			add_left_out(&p, hidden, ascii);
			for (; hidden > 0; hidden--)
				node = tree_child(t, node);
		}
		if (node == row->node)
			return p;
		node = tree_child(t, node);
	}
}

static int
width_of(const struct pieces *p, size_t from, size_t end)
{
	int w = 0;

	for (size_t i = from; i < end; i++)
		w += p->at[i].w + (i > from ? GAP : 0);
	return w;
}

/* The first `keep` pieces, how many are left out, and the last. */
static struct pieces
shortened(const struct pieces *p, size_t keep, bool ascii)
{
	struct pieces r = { NULL, 0, 0 };
	size_t frames = 0;

	for (size_t i = 0; i < keep; i++)
		add_piece(&r, &p->at[i]);
	for (size_t i = keep; i + 1 < p->count; i++)
		frames += p->at[i].frames;
	add_left_out(&r, frames, ascii);
	add_piece(&r, &p->at[p->count - 1]);
	return r;
}

/* The last name, which is the row's own, gets what the others leave of w.
 * False: that would say too little. */
static bool
fit_last(struct pieces *p, int w, int least, bool ascii)
{
	struct piece *last = &p->at[p->count - 1];
	int room = w;

	if (p->count > 1)
		room -= width_of(p, 0, p->count - 1) + GAP;
	if (last->w > room && last->name && room >= least)
		fit_name(last, room, ascii);
	return last->w <= room;
}

/* Where names do not fit those in the middle go, then the first, too. */
static struct pieces
fit_chain(struct pieces p, int w, bool ascii)
{
	struct pieces r = p;
	size_t keep = p.count;

	if (fit_last(&p, w, p.count > 1 ? LAST : 1, ascii))
		return p;
	while (keep > 0 && p.count > 1) {
		r = shortened(&p, --keep, ascii);
		if (keep + 2 < p.count &&
		    fit_last(&r, w,
			keep > 1   ? TREE_NAME_COLS
			    : keep ? LAST
				   : SEEN,
			ascii))
			break;
		free(r.at);
		r = p;
	}
	if (r.at != p.at) {
		free(p.at);
		return r;
	}
	/* nothing but the last one */
	p.at[0] = p.at[p.count - 1];
	p.count = 1;
	fit_last(&p, w, 1, ascii);
	return p;
}

/* Inverted, the first one is the row's own, and what does not fit is cut. */
static struct pieces
fit_callers(struct pieces p, int w, bool ascii)
{
	int room = p.count > 1 ? w - 2 : w; /* a blank and the mark */

	if (p.at[0].w > room && p.at[0].name && room > 0)
		fit_name(&p.at[0], room, ascii);
	return p;
}

/* Sites are bold, as everywhere. */
static enum role
role_of(const struct app *a, const struct tree_row *row,
    const struct piece *piece, bool own)
{
	const struct tree *t = a->tree.tree;

	if (!own || !piece->name)
		return ROLE_DIM;
	if (row->depth == 0 ||
	    (a->report->query.invert ? tree_depth(t, row->own) == 1
				     : tree_has_self(t, row->own)))
		return ROLE_SITE;
	return ROLE_TEXT;
}

void
tree_draw_chain(const struct app *a, const struct tree_row *row, struct grid *g,
    int x, int y, int end)
{
	bool turned = a->report->query.invert;
	const char *sign =
	    glyph(turned ? GLYPH_CALLED_BY : GLYPH_CHAIN, g->ascii);
	struct pieces p = chain_of(a, row, g->ascii);
	struct rect old = grid_clip(g, (struct rect){ x, y, end - x, 1 });

	p = turned ? fit_callers(p, end - x, g->ascii)
		   : fit_chain(p, end - x, g->ascii);
	for (size_t i = 0; i < p.count && x <= end; i++) {
		const struct piece *one = &p.at[i];
		bool own = i == (turned ? 0 : p.count - 1);

		if (i > 0)
			x = grid_put(g, x + 1, y, ROLE_DIM, sign) + 1;
		grid_put(g, x, y, role_of(a, row, one, own), one->text);
		if (one->name && a->report->query.focus)
			columns_mark_match(
			    g, x, y, a->report->query.focus, one->text);
		x += one->w;
	}
	if (x > end)
		grid_put(g, end - 1, y, ROLE_DIM, glyph(GLYPH_CUT, g->ascii));
	g->clip = old;
	free(p.at);
}
