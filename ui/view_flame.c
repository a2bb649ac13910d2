#include "ui/view_flame.h"

#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/fmt.h"
#include "base/utf8.h"
#include "model/ages.h"
#include "model/profile.h"
#include "model/report.h"
#include "model/stacks.h"
#include "model/tree.h"
#include "ui/app.h"
#include "ui/app_keys.h"
#include "ui/flame_parts.h"
#include "ui/glyph.h"
#include "ui/node_detail.h"
#include "ui/view.h"

/* Nodes are made as they are seen, and there are no rows. */
static void
ask(const struct app *a, struct query *q)
{
	(void)a;
	q->tree = false;
	q->max_rows = 1;
	if (q->grouping == GROUP_THREADS)
		q->grouping = GROUP_STACKS;
}

/* ---- with the report ------------------------------------------------------- */

static void
forget(struct app *a)
{
	struct flame_view *f = &a->flame;

	ages_free(f->ages);
	f->ages = NULL;
	tree_close(f->tree);
	f->tree = NULL;
	f->sought = TREE_ROOT;
	f->bars.count = f->bars.level_count = 0;
	f->at = 0;
	f->has_row = false;
}

static void
reset(struct app *a)
{
	struct flame_view *f = &a->flame;

	enum flame_colours colours = f->colours;

	forget(a);
	flame_layout_fini(&f->bars);
	free(f->medians);
	free(f->trail);
	*f = (struct flame_view){ .colours = colours };
}

/* Where a stack is in the tree; false: nowhere. */
static bool
sought(const struct app *a, uint32_t *node)
{
	const struct report *r = a->report;
	uint32_t at;

	if (!a->seek.wanted || r->profile_count < 1 ||
	    a->seek.stack > stacks_count(profile_stacks(r->profiles[0])))
		return false;
	at = r->stack_index[0][a->seek.stack];
	if (at == 0)
		return false;
	*node = tree_of_stack(a->flame.tree, at - 1, a->seek.up);
	return true;
}

/* Whether what is selected, other than all, is on the way to a node. */
static bool
passes(const struct flame_view *f, uint32_t node)
{
	size_t found;
	uint32_t at = tree_follow(f->tree, f->trail, f->depth, &found);

	return found == f->depth && at != TREE_ROOT &&
	    tree_below(f->tree, at, node);
}

static void
take(struct app *a)
{
	struct flame_view *f = &a->flame;
	uint32_t node;

	f->tree = tree_open(a->report);
	f->ages = ages_new(a->report);
	if (!sought(a, &node) || (!a->seek.exact && passes(f, node)))
		return;
	flame_select_node(f, node);
	if (a->seek.exact)
		f->sought = node;
}

static bool
ready(const struct app *a)
{
	return a->report && a->flame.tree && a->flame.bars.count > 0;
}

/* Where the heaviest stack goes through the selected bar. */
static void
make_row(struct app *a)
{
	struct flame_view *f = &a->flame;
	const struct flame_bar *b;
	const struct report_stack *s;
	uint32_t stack, up;
	size_t n, self;

	f->has_row = false;
	if (!ready(a))
		return;
	b = &f->bars.bars[f->at];
	stack = tree_heaviest(f->tree, b->node);
	if (b->node == TREE_ROOT || b->count > 1 ||
	    stack >= a->report->stack_count)
		return;
	s = &a->report->stacks[stack];
	up = tree_up(f->tree, b->node, stack);
	if (up >= s->count)
		return;
	tree_stacks(f->tree, b->node, &n, &self);
	f->row = (struct report_row){ .key = tree_path(f->tree, b->node),
		.name = tree_name(f->tree, b->node),
		.file = "",
		.f = b->f,
		.cum = b->f,
		.places = s->places + up,
		.count = s->count - up,
		.stack = stack,
		.stacks = (uint32_t)n };
	f->has_row = true;
}

void
flame_reveal(struct app *a, uint32_t node)
{
	struct flame_view *f = &a->flame;
	int zoomed = -1;

	for (;;) {
		const struct flame_bar *b;

		flame_select_node(f, node);
		flame_lay_out(f, flame_columns(a));
		b = &f->bars.bars[f->at];
		if (++zoomed == FLAME_ZOOMS || f->bars.count == 0 ||
		    (b->node == node && b->count == 1) || !flame_zoom_in(f))
			break;
	}
	if (zoomed > 0)
		app_say(a, false, "it was too narrow to be seen: zoomed in");
}

static void
update(struct app *a)
{
	struct flame_view *f = &a->flame;

	if (!f->tree)
		return;
	flame_lay_out(f, flame_columns(a));
	if (f->sought != TREE_ROOT)
		flame_reveal(a, f->sought);
	f->sought = TREE_ROOT;
	if (app_screen(a) == a->view)
		flame_show_selected(f, flame_rows(a));
	make_row(a);
}

void
flame_moved(struct app *a)
{
	/* What was said about the end or the names has been read. */
	a->notice = NOTICE_NONE;
	a->frame = a->frame_top = 0;
	flame_show_selected(&a->flame, flame_rows(a));
	make_row(a);
}

/* ---- keys ------------------------------------------------------------------- */

static void
step_aside(struct flame_view *f, bool right)
{
	const struct flame_layout *l = &f->bars;
	size_t level = l->bars[f->at].level;

	if (right && f->at + 1 < l->levels[level + 1])
		flame_select(f, f->at + 1);
	else if (!right && f->at > l->levels[level])
		flame_select(f, f->at - 1);
}

static void
step_down(struct flame_view *f, int levels)
{
	size_t bar;

	for (; levels > 0 && flame_below(f, &bar); levels--)
		flame_select(f, bar);
}

static void
step_up(struct flame_view *f, int levels)
{
	size_t bar = f->at;

	for (; levels > 0 && bar > 0; levels--)
		bar = f->bars.bars[bar].parent;
	flame_select(f, bar);
}

static bool
act_move(struct app *a, enum action action)
{
	struct flame_view *f = &a->flame;
	int page = flame_rows(a) > 1 ? flame_rows(a) - 1 : 1;

	switch ((int)action) {
	case ACTION_LEFT: step_aside(f, false); break;
	case ACTION_RIGHT: step_aside(f, true); break;
	case ACTION_UP: step_up(f, 1); break;
	case ACTION_DOWN: step_down(f, 1); break;
	case ACTION_PAGE_UP: step_up(f, page); break;
	case ACTION_PAGE_DOWN: step_down(f, page); break;
	case ACTION_HALF_UP: step_up(f, (page + 1) / 2); break;
	case ACTION_HALF_DOWN: step_down(f, (page + 1) / 2); break;
	case ACTION_FIRST: flame_select(f, 0); break;
	case ACTION_LAST: step_down(f, FLAME_LEVELS); break;
	case ACTION_NEXT: flame_find_next(a, true); break;
	case ACTION_PREVIOUS: flame_find_next(a, false); break;
	default: return false;
	}
	flame_moved(a);
	return true;
}

static void
zoom_out(struct app *a)
{
	if (flame_zoom_out(&a->flame))
		update(a);
	else
		app_say(a, false, "all of it is shown");
}

/* The root again is the way back. */
static void
zoom(struct app *a)
{
	if (a->flame.at == 0)
		zoom_out(a);
	else if (flame_zoom_in(&a->flame))
		update(a);
}

static bool
go_back(struct app *a)
{
	if (*a->flame.found)
		flame_find(a, "");
	else if (flame_zoom_out(&a->flame))
		update(a);
	else
		return false;
	return true;
}

static bool where(const struct app *a, struct app_seek *s);

/* Another tree: the same stack in it. */
static void
invert(struct app *a)
{
	a->seek.wanted = where(a, &a->seek);
	a->query.invert = !a->query.invert;
	a->flame.zoom_count = 0;
	a->flame.depth = a->flame.trail_len = 0;
	a->flame.several.on = false;
	app_query_changed(a);
}

/* The pane has nothing to move over: the detail over the whole screen. */
static void
open_detail(struct app *a)
{
	if (!a->flame.has_row)
		return;
	a->frame = a->frame_top = 0;
	a->detail_full = true;
	app_lay_out(a);
}

/* There are ages only where the program tells when objects were born. */
static void
next_colours(struct app *a)
{
	enum flame_colours *c = &a->flame.colours;

	*c = *c == FLAME_BY_MODULE                         ? FLAME_BY_CHANGE
	    : *c == FLAME_BY_CHANGE && flame_knows_ages(a) ? FLAME_BY_AGE
							   : FLAME_BY_MODULE;
}

static bool
act(struct app *a, enum action action)
{
	if (action == ACTION_BY_CHANGE) {
		next_colours(a);
		return true;
	}
	if (!ready(a))
		return false;
	switch ((int)action) {
	case ACTION_ENTER:
	case ACTION_ROOT: zoom(a); break;
	case ACTION_ROOT_UP: zoom_out(a); break;
	case ACTION_BACK: return go_back(a);
	case ACTION_INVERT: invert(a); break;
	case ACTION_PANE: open_detail(a); break;
	case ACTION_FILTER: app_open_prompt(a, PROMPT_SEARCH); break;
	default: return act_move(a, action);
	}
	a->notice = NOTICE_NONE;
	return true;
}

/* ---- the mouse ----------------------------------------------------------------- */

/* The selection goes with what is seen, only as far as it must. */
static void
scroll(struct app *a, int levels)
{
	struct flame_view *f = &a->flame;
	int last = (int)f->bars.level_count - flame_rows(a);
	int level = (int)f->bars.bars[f->at].level;
	int top = f->top + levels, bottom;

	top = top > last ? last : top;
	top = top < 0 ? 0 : top;
	bottom = top + flame_rows(a) - 1;
	if (level < top || level > bottom)
		flame_select(f,
		    flame_layout_near(&f->bars,
			(size_t)(level < top ? top : bottom),
			f->bars.bars[f->at].x));
	f->top = top;
	flame_moved(a);
}

static bool
mouse(struct app *a, struct key k)
{
	struct flame_view *f = &a->flame;
	const struct rect *r = &a->layout.body;
	size_t bar;

	if (!ready(a))
		return false;
	if (k.code != K_CLICK) {
		scroll(a, k.code == K_WHEEL_UP ? -3 : 3);
		return false;
	}
	if (k.y < r->y ||
	    !flame_layout_at(
		&f->bars, (size_t)(k.y - r->y + f->top), k.x - r->x - 1, &bar))
		return false;
	if (bar == f->at)
		return true; /* the second click opens */
	flame_select(f, bar);
	flame_moved(a);
	return false;
}

/* ---- what others ask ------------------------------------------------------------- */

static const struct report_row *
selected(const struct app *a)
{
	return a->flame.has_row ? &a->flame.row : NULL;
}

static bool
where(const struct app *a, struct app_seek *s)
{
	const struct flame_view *f = &a->flame;

	if (!ready(a) || !f->has_row)
		return false;
	s->stack = a->report->stacks[f->row.stack].id;
	s->up =
	    (uint32_t)(f->row.places - a->report->stacks[f->row.stack].places);
	return true;
}

/* The selected bar; its name and place live as long as b and p. */
static struct node_detail
detail_of(const struct app *a, bool ascii, struct buf *b, struct place *p)
{
	const struct flame_view *f = &a->flame;
	const struct flame_bar *bar = &f->bars.bars[f->at];
	struct node_detail n = { .kind = NODE_FLAME, .cum = bar->f };

	flame_name(f, f->at, ascii, b);
	n.name = buf_str(b);
	n.several = bar->count > 1;
	if (n.several)
		return n;
	n.self = tree_self(f->tree, bar->node);
	if (f->has_row) {
		*p = report_place(a->report, f->row.places[0]);
		n.place = p;
	}
	n.ages = ages_subject(a, &f->row);
	if (bar->node != TREE_ROOT)
		n.parent =
		    tree_cum(f->tree, tree_parent(f->tree, bar->node))->value;
	return n;
}

static bool
detail(const struct app *a, struct grid *g)
{
	struct buf b = BUF_INIT;
	struct node_detail n;
	struct place p;

	if (!ready(a))
		return false;
	n = detail_of(a, g->ascii, &b, &p);
	node_detail_draw(a, &n, g);
	buf_fini(&b);
	return true;
}

static bool
source(const struct app *a, struct place *p)
{
	struct buf b = BUF_INIT;
	struct node_detail n;
	struct place own;
	bool known;

	if (!ready(a))
		return false;
	n = detail_of(a, false, &b, &own);
	known = node_detail_source(a, &n, p);
	buf_fini(&b);
	return known;
}

/* "live bytes · callers ↓ callees", or what colours say in its place */
static void
meaning(const struct app *a, bool ascii, struct buf *b)
{
	const char *dot = glyph(GLYPH_DOT, ascii);
	const char *metric = metric_label(a->query.metric);

	if (a->layout.words == WORDS_LEAST) {
		buf_puts(b, metric);
		return;
	}
	if (a->layout.words == WORDS_LONGEST ||
	    (a->layout.words == WORDS_LONG &&
		a->flame.colours == FLAME_BY_MODULE))
		buf_printf(b, "%s %s ", metric, dot);
	buf_printf(b, "%s %s %s", a->query.invert ? "callees" : "callers",
	    glyph(GLYPH_BELOW, ascii), a->query.invert ? "callers" : "callees");
	if (a->flame.colours == FLAME_BY_AGE)
		buf_printf(b, " %s median age", dot);
	else if (a->flame.colours == FLAME_BY_CHANGE && a->mark[0].id)
		buf_printf(
		    b, " %s change A%sB", dot, glyph(GLYPH_CALLS, ascii));
	else if (a->flame.colours == FLAME_BY_CHANGE)
		buf_printf(b, " %s change %s since start", dot, dot);
}

/* "2 of 5 found   levels 3–12 of 40" */
static void
position(const struct app *a, bool ascii, struct buf *b)
{
	const struct flame_view *f = &a->flame;
	size_t levels = f->bars.level_count, rows, last;
	struct flame_hits h;

	if (!ready(a))
		return;
	h = flame_hits(a);
	if (h.bars && h.nth > 0)
		buf_printf(b, "%zu of %zu found   ", h.nth, h.count);
	else if (h.bars)
		buf_printf(b, "%zu found   ", h.count);
	flame_hits_fini(&h);
	rows = flame_rows(a) > 0 ? (size_t)flame_rows(a) : 0;
	last = (size_t)f->top + rows;
	if (levels <= rows)
		buf_printf(b, "%zu level%s", levels, levels == 1 ? "" : "s");
	else
		buf_printf(b, "levels %d%s%zu of %zu", f->top + 1,
		    glyph(GLYPH_DASH, ascii), last < levels ? last : levels,
		    levels);
}

const struct view view_flame = {
	.context = CONTEXT_FLAME,
	.label = "Flame",
	.brief = "Flame",
	.least = "Fla",
	.ask = ask,
	.take = take,
	.forget = forget,
	.reset = reset,
	.update = update,
	.draw = flame_draw,
	.act = act,
	.mouse = mouse,
	.selected = selected,
	.where = where,
	.detail = detail,
	.source = source,
	.meaning = meaning,
	.position = position,
};
