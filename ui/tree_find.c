/* The next or previous node of the Tree view that matches, in the order in
 * which rows stand. */
#include <stdlib.h>

#include "base/err.h"
#include "base/utf8.h"
#include "model/query.h"
#include "model/tree.h"
#include "ui/app.h"
#include "ui/filter.h"
#include "ui/tree_rows.h"

/* A search: what matches, and which way it goes. */
struct search {
	struct tree *tree;
	const uint8_t *marks;
	bool forward;
};

/* The first, or backwards the last, match among the children from position
 * `from` on in that direction, and below them. */
static uint32_t in_children(
    const struct search *s, uint32_t node, uint32_t after);

/* The first, or last, match of the node and what is below it. */
static uint32_t
in_node(const struct search *s, uint32_t node)
{
	uint32_t found = TREE_NONE;

	if (s->forward && s->marks[node] & TREE_MATCHES)
		return node;
	if (s->marks[node] & TREE_BELOW)
		found = in_children(s, node, TREE_NONE);
	if (found == TREE_NONE && s->marks[node] & TREE_MATCHES)
		found = node;
	return found;
}

/* Children behind the child `after`, or all of them. */
static uint32_t
in_children(const struct search *s, uint32_t node, uint32_t after)
{
	size_t n;
	uint32_t *all = tree_sorted(s->tree, node, &n), found = TREE_NONE;
	bool on = after == TREE_NONE;

	for (size_t i = 0; i < n && found == TREE_NONE; i++) {
		uint32_t c = all[s->forward ? i : n - 1 - i];

		if (on && s->marks[c])
			found = in_node(s, c);
		on |= c == after;
	}
	free(all);
	return found;
}

/* Behind the node `at`, which does not count itself, below `top`. */
static uint32_t
behind(const struct search *s, uint32_t at, uint32_t top)
{
	uint32_t found = TREE_NONE;

	if (s->forward && s->marks[at] & TREE_BELOW)
		found = in_children(s, at, TREE_NONE);
	while (found == TREE_NONE && at != top) {
		uint32_t up = tree_parent(s->tree, at);

		found = in_children(s, up, at);
		if (found == TREE_NONE && !s->forward && up != top &&
		    s->marks[up] & TREE_MATCHES)
			found = up;
		at = up;
	}
	return found;
}

void
tree_find_next(struct app *a, bool forward)
{
	struct tree_view *v = &a->tree;
	const struct tree_row *row = tree_rows_selected(v);
	struct search s = { v->tree, NULL, forward };
	struct err e = { "" };
	struct pattern *p;
	uint8_t *marks;
	uint32_t found;

	if (!*a->found) {
		app_say(a, false, "nothing was looked for: / begins");
		return;
	}
	p = filter_pattern(a->found, &e);
	if (!p || !row) {
		pattern_free(p);
		return;
	}
	s.marks = marks = tree_matching(v->tree, p);
	pattern_free(p);
	/* all of a chain is one row */
	found = behind(&s,
	    row->kind == TREE_ROW_UNMATCHED ? v->top
		: forward                   ? row->node
					    : row->head,
	    v->top);
	if (found == TREE_NONE)
		found = in_children(&s, v->top, TREE_NONE);
	free(marks);
	if (found != TREE_NONE) {
		tree_rows_go_to(v, found);
		return;
	}
	app_say(a, false, "no row matches %.*s",
	    (int)utf8_head(a->found, APP_SAY_NAME), a->found);
}
