#include "ui/tree_node.h"

#include <math.h>
#include <stdio.h>

#include "model/ages.h"
#include "model/profile.h"
#include "model/report.h"
#include "model/tree.h"
#include "ui/app.h"
#include "ui/glyph.h"
#include "ui/node_detail.h"
#include "ui/tree_rows.h"

/* Of the stacks that end in the node, of which there is one. */
static uint32_t
heaviest_own(const struct app *a, uint32_t node)
{
	size_t n, self, best = 0;
	const uint32_t *own = tree_stacks(a->tree.tree, node, &n, &self);
	const struct report_stack *all = a->report->stacks;

	for (size_t i = 1; i < self; i++) {
		if (fabs(all[own[i]].f.value) > fabs(all[own[best]].f.value))
			best = i;
	}
	return own[best];
}

bool
tree_node_stack(const struct app *a, const struct tree_row *row,
    uint32_t *stack, uint32_t *up)
{
	const struct tree *t = a->tree.tree;

	if (!row || row->kind == TREE_ROW_UNMATCHED ||
	    a->report->stack_count == 0)
		return false;
	*stack = row->kind == TREE_ROW_SELF ? heaviest_own(a, row->own)
					    : tree_heaviest(t, row->own);
	*up = tree_up(t, row->own, *stack);
	return true;
}

static uint64_t
first_seen(const struct app *a, uint32_t node)
{
	const struct report *r = a->report;
	uint64_t first = 0;
	size_t n, self;
	const uint32_t *stacks = tree_stacks(a->tree.tree, node, &n, &self);

	for (size_t i = 0; i < n; i++) {
		const struct report_stack *s = &r->stacks[stacks[i]];
		uint64_t ns =
		    profile_first_ns(r->profiles[s->profile], s->cell);

		if (ns && (first == 0 || ns < first))
			first = ns;
	}
	return first;
}

/* The selected node as a row of the report: for the detail over the whole
 * screen, and for what is done with rows. */
static void
make_row(struct app *a)
{
	struct tree_view *v = &a->tree;
	const struct tree_row *row = tree_rows_selected(v);
	const struct report_stack *s;
	uint32_t stack, up, place;
	size_t n, self;

	v->has_row = row &&
	    (row->kind == TREE_ROW_NODE || row->kind == TREE_ROW_SELF) &&
	    tree_node_stack(a, row, &stack, &up);
	if (!v->has_row)
		return;
	s = &a->report->stacks[stack];
	tree_stacks(v->tree, row->own, &n, &self);
	v->row = (struct report_row){ .key = row->key,
		.name = tree_name(v->tree, row->own),
		.file = "",
		.f = row->f,
		.cum = *tree_cum(v->tree, row->own),
		.places = s->places + up,
		.count = s->count - up,
		.stack = stack,
		.stacks = (uint32_t)(row->kind == TREE_ROW_SELF ? self : n),
		.first_ns = first_seen(a, row->own) };
	place = tree_heaviest_place(v->tree, row->own);
	if (place == TREE_ALL) {
		v->row.count = 0;
		return;
	}
	v->row.file = report_place(a->report, place).file;
	v->row.line = report_place(a->report, place).line;
}

bool
tree_node_knows_ages(const struct app *a)
{
	return a->tree.ages && ages_known(a->tree.ages) && !a->target.untimed;
}

static void
find_age(struct tree_view *v, struct tree_row *row)
{
	struct ages age;
	size_t n, self;
	const uint32_t *stacks = tree_stacks(v->tree, row->node, &n, &self);

	row->aged = true;
	if (row->kind == TREE_ROW_SELF)
		n = self;
	else if (row->kind != TREE_ROW_NODE)
		return;
	age = ages_at(v->ages, AGES_LIST, ages_list(v->ages, stacks, n));
	row->age_ns = age.known ? age.median_ns + 1 : 0;
}

/* Of the rows that are seen. */
static void
find_ages(struct app *a)
{
	struct tree_view *v = &a->tree;
	size_t end = v->rows.top + (size_t)a->layout.body.h;

	for (size_t i = v->rows.top; i < v->count && i < end; i++) {
		if (!v->shown[i].aged)
			find_age(v, &v->shown[i]);
	}
}

void
tree_node_settle(struct app *a)
{
	make_row(a);
	if (a->tree.by_age && tree_node_knows_ages(a))
		find_ages(a);
}

const struct report_row *
tree_node_selected(const struct app *a)
{
	return a->tree.tree && a->tree.has_row ? &a->tree.row : NULL;
}

bool
tree_node_where(const struct app *a, struct app_seek *s)
{
	uint32_t stack;

	if (!a->tree.tree ||
	    !tree_node_stack(a, tree_rows_selected(&a->tree), &stack, &s->up))
		return false;
	s->stack = a->report->stacks[stack].id;
	return true;
}

static void
name_other(const struct app *a, const struct tree_row *row, bool ascii, char *s,
    size_t size)
{
	const char *name = tree_name(a->tree.tree, row->node);

	if (row->kind == TREE_ROW_REST)
		snprintf(s, size, "%s %zu smaller branches of %.150s",
		    glyph(GLYPH_MORE, ascii), row->count, name);
	else
		snprintf(s, size, "not matching the filter");
}

/* The node that the pane is about; `text` is room for a name. */
static bool
node_of(const struct app *a, bool ascii, struct node_detail *n, struct place *p,
    char text[256])
{
	struct tree *t = a->tree.tree;
	const struct tree_row *row;
	uint32_t place, up;

	if (!a->report || !t)
		return false;
	row = tree_rows_selected(&a->tree);
	if (!row)
		return false;
	place = tree_heaviest_place(t, row->own);
	up = row->kind == TREE_ROW_NODE ? tree_parent(t, row->head) : row->node;
	*n = (struct node_detail){ .kind = NODE_TREE,
		.name = tree_name(t, row->own),
		.cum = row->f,
		.self = row->f,
		.parent = up == TREE_NONE ? 0 : tree_cum(t, up)->value };
	if (row->kind == TREE_ROW_NODE)
		n->self = tree_self(t, row->own);
	/* what a site allocates is what passes through it */
	n->several = a->report->query.invert;
	if (row->kind == TREE_ROW_REST || row->kind == TREE_ROW_UNMATCHED) {
		name_other(a, row, ascii, text, 256);
		n->name = text;
		n->several = true;
	} else if (place != TREE_ALL) {
		*p = report_place(a->report, place);
		n->place = p;
	}
	if (row->kind == TREE_ROW_UNMATCHED)
		n->parent = 0;
	if (row == tree_rows_selected(&a->tree) && a->tree.has_row)
		n->ages = ages_subject(a, &a->tree.row);
	return true;
}

bool
tree_node_detail(const struct app *a, struct grid *g)
{
	struct node_detail n;
	struct place p;
	char text[256];

	if (!node_of(a, g->ascii, &n, &p, text))
		return false;
	node_detail_draw(a, &n, g);
	return true;
}

bool
tree_node_source(const struct app *a, struct place *p)
{
	struct node_detail n;
	struct place own;
	char text[256];

	return node_of(a, false, &n, &own, text) &&
	    node_detail_source(a, &n, p);
}
