/* Finding bars by the names of their functions. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/err.h"
#include "base/fmt.h"
#include "base/mem.h"
#include "base/utf8.h"
#include "model/report.h"
#include "model/tree.h"
#include "model/tree_names.h"
#include "ui/app.h"
#include "ui/filter.h"
#include "ui/flame_parts.h"

static const char *
wanted(const struct app *a)
{
	if (a->over == OVER_PROMPT && a->prompt == PROMPT_SEARCH)
		return a->prompts[PROMPT_SEARCH].text;
	return a->flame.found;
}

static bool
bar_matches(
    const struct flame_view *f, const struct flame_bar *b, struct pattern *p)
{
	return b->count == 1 && b->node != TREE_ROOT &&
	    pattern_matches(p, tree_name(f->tree, b->node));
}

struct flame_hits
flame_hits(const struct app *a)
{
	const struct flame_view *f = &a->flame;
	struct flame_hits h = { 0 };
	struct err e = { "" };
	struct pattern *p = NULL;
	bool *inside; /* in or below one */

	if (*wanted(a) && f->tree && f->bars.count > 0)
		p = filter_pattern(wanted(a), &e);
	if (!p)
		return h;
	h.bars = xcalloc(f->bars.count, sizeof *h.bars);
	inside = xcalloc(f->bars.count, sizeof *inside);
	for (size_t i = 0; i < f->bars.count; i++) {
		const struct flame_bar *b = &f->bars.bars[i];

		inside[i] = i > 0 && inside[b->parent];
		if (!bar_matches(f, b, p))
			continue;
		h.bars[i] = true;
		h.count++;
		if (i == f->at)
			h.nth = h.count;
		if (!inside[i])
			h.value += b->f.value;
		inside[i] = true;
	}
	free(inside);
	pattern_free(p);
	return h;
}

void
flame_hits_fini(struct flame_hits *h)
{
	free(h->bars);
	h->bars = NULL;
}

/* ---- those that cannot be seen ------------------------------------------------ */

enum verdict {
	NOT_KNOWN,
	MATCHES,
	MATCHES_NOT
};

/* The first place of a stack, from the root, whose name matches: how far it
 * is from the leaf; false: none. */
static bool
stack_matches(const struct report *r, const struct report_stack *s,
    struct pattern *p, uint8_t *known, uint32_t *up)
{
	for (uint32_t i = s->count; i-- > 0;) {
		uint32_t group = r->places[s->places[i]].group;

		if (group >= r->place_groups)
			continue;
		if (known[group] == NOT_KNOWN)
			known[group] =
			    pattern_matches(p, tree_place_name(r, s->places[i]))
			    ? MATCHES
			    : MATCHES_NOT;
		*up = i;
		if (known[group] == MATCHES)
			return true;
	}
	return false;
}

/* Where the heaviest stack that matches does so. */
static bool
find_anywhere(const struct app *a, struct pattern *p, uint32_t *node)
{
	const struct report *r = a->report;
	uint8_t *known = xcalloc(r->place_groups + 1, 1);
	double most = 0;
	uint32_t up;

	for (size_t i = 0; i < r->stack_count; i++) {
		const struct report_stack *s = &r->stacks[i];

		if (s->f.value > most && stack_matches(r, s, p, known, &up)) {
			most = s->f.value;
			*node = tree_of_stack(a->flame.tree, (uint32_t)i, up);
		}
	}
	free(known);
	return most > 0;
}

static void
find_hidden(struct app *a)
{
	struct err e = { "" };
	struct pattern *p = filter_pattern(a->flame.found, &e);
	uint32_t node = TREE_ROOT;

	if (p && find_anywhere(a, p, &node)) {
		flame_reveal(a, node);
	} else if (*e.msg)
		app_say(a, true, "%s", e.msg);
	else
		app_say(a, false, "no function matches %.*s",
		    (int)utf8_head(a->flame.found, APP_SAY_NAME),
		    a->flame.found);
	pattern_free(p);
}

/* ---- going there ---------------------------------------------------------------- */

void
flame_find_next(struct app *a, bool forward)
{
	struct flame_view *f = &a->flame;
	size_t n = f->bars.count, i = f->at;
	struct flame_hits h;

	if (!*f->found) {
		app_say(a, false, "nothing was looked for: / begins");
		return;
	}
	if (n == 0)
		return;
	h = flame_hits(a);
	if (h.count > 0) {
		do
			i = forward ? (i + 1) % n : (i + n - 1) % n;
		while (!h.bars[i]);
		flame_select(f, i);
	} else
		find_hidden(a);
	flame_hits_fini(&h);
}

void
flame_find(struct app *a, const char *text)
{
	struct flame_view *f = &a->flame;
	struct flame_hits h;
	bool there;

	snprintf(f->found, sizeof f->found, "%s", text);
	h = flame_hits(a);
	there = h.nth > 0;
	flame_hits_fini(&h);
	if (*text && !there)
		flame_find_next(a, true);
	flame_moved(a);
	a->dirty |= APP_DIRTY_VIEW;
}

void
flame_find_effect(const struct app *a, bool ascii, struct buf *b)
{
	unsigned flags = FMT_ZERO | (ascii ? FMT_ASCII : 0);
	const struct report *r = a->report;
	struct flame_hits h = flame_hits(a);

	if (h.bars) {
		buf_printf(b, "%s bar%s", fmt_count((double)h.count, flags).s,
		    h.count == 1 ? "" : "s");
		buf_printf(b, "  %s",
		    metric_is_bytes(r->query.metric)
			? fmt_bytes(h.value, flags).s
			: fmt_count(h.value, flags).s);
		if (r->local.value > 0)
			buf_printf(b, "  %s%%",
			    fmt_percent(h.value, r->local.value, flags).s);
	}
	flame_hits_fini(&h);
}
