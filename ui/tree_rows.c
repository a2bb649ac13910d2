#include "ui/tree_rows.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/vec.h"
#include "model/ages.h"
#include "model/report.h"
#include "model/tree.h"
#include "ui/view_tree.h"

/* Children are rows that hold a hundredth of what is shown or a twentieth of
 * their parent, and the first few in any case; those that were rows stay so
 * down to half of that. */
#define SHARE_ALL    0.01
#define SHARE_PARENT 0.05
#define LEAST        3

/* What unfolds by itself holds as much of what is shown. */
#define SHARE_UNFOLD 0.01
/* Where there is room left there are more rows of the root's children, if
 * those that are none hold so much of it. */
#define SHARE_FILL 0.05

/* Other rows of a node have paths that no node has. */
#define KEY_SELF      UINT64_C(0x5e1f)
#define KEY_REST      UINT64_C(0x4e57)
#define KEY_UNMATCHED UINT64_C(0x0071)

/* ---- children ------------------------------------------------------------- */

static bool
is_in(const struct map *m, uint64_t path)
{
	return map_find(m, path) != MAP_NONE;
}

/* Which child of the node is on the way to the selected one; TREE_NONE: none.
 */
static uint32_t
child_on_trail(const struct tree_view *v, uint32_t node)
{
	uint64_t above = 0;
	uint32_t at = TREE_ROOT;

	for (size_t i = 0; i < v->trail_count && at != TREE_NONE; i++) {
		uint32_t next = tree_find(v->tree, at, above, v->trail[i]);

		if (at == node)
			return next;
		above = v->trail[i];
		at = next;
	}
	return TREE_NONE;
}

/* Is that child, the i-th of its siblings, a row? */
static bool
is_row(const struct tree_view *v, uint32_t child, uint64_t path, size_t i,
    size_t least, double limit)
{
	double weight = fabs(tree_cum(v->tree, child)->value);

	if (i < least || (weight > 0 && weight >= limit))
		return true;
	return weight > 0 && weight >= limit / 2 &&
	    is_in(&v->seen, tree_path_below(v->tree, path, child));
}

static size_t
weighing(const struct tree_view *v, uint32_t node, double limit)
{
	size_t n = 0;

	for (uint32_t c = tree_child(v->tree, node); c != TREE_NONE;
	     c = tree_next(v->tree, c))
		n += fabs(tree_cum(v->tree, c)->value) >= limit;
	return n;
}

static int
by_number(const void *a, const void *b)
{
	uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;

	return (x > y) - (x < y);
}

/* What the children add up to that are no rows: both in the same order. */
static void
add_rest(const struct tree_view *v, uint32_t node, struct tree_kids *k)
{
	uint32_t *rows = xcalloc(k->count + 1, sizeof *rows);
	size_t at = 0;

	memcpy(rows, k->nodes, k->count * sizeof *rows);
	qsort(rows, k->count, sizeof *rows, by_number);
	for (uint32_t c = tree_child(v->tree, node); c != TREE_NONE;
	     c = tree_next(v->tree, c)) {
		if (at < k->count && rows[at] == c) {
			at++;
			continue;
		}
		figures_add(&k->rest, tree_cum(v->tree, c));
		k->rest_count++;
	}
	free(rows);
}

/* So many children are rows whatever they hold. */
static size_t
least_rows(const struct tree_view *v, uint32_t node, uint64_t path)
{
	uint32_t more = map_find(&v->more[v->inverted], path);
	size_t least = LEAST;

	if (more != MAP_NONE && more > least)
		least = more;
	if (node == v->top && v->fill > least)
		least = v->fill;
	return least;
}

static struct tree_kids
make_kids(struct tree_view *v, uint32_t node, uint64_t path)
{
	double all = fabs(tree_cum(v->tree, v->top)->value);
	double own = fabs(tree_cum(v->tree, node)->value);
	double limit = fmin(all * SHARE_ALL, own * SHARE_PARENT);
	size_t least = least_rows(v, node, path), count, n = 0;
	size_t all_kids = tree_children(v->tree, node, SIZE_MAX);
	size_t most = weighing(v, node, limit / 2);
	uint32_t trail = child_on_trail(v, node);
	bool has_trail = trail == TREE_NONE;
	struct tree_kids k = { 0 };

	/* one more than there must be: one alone is no remainder */
	if (most < least + 1)
		most = least + 1;
	k.nodes = tree_largest(v->tree, node, most, &count);
	for (size_t i = 0; i < count; i++) {
		uint32_t c = k.nodes[i];

		if (c != trail && !is_row(v, c, path, i, least, limit) &&
		    i + 1 != all_kids)
			continue;
		has_trail |= c == trail;
		k.nodes[n++] = c;
	}
	/* there is room: the last one was no row */
	if (!has_trail)
		k.nodes[n++] = trail;
	k.count = n;
	add_rest(v, node, &k);
	return k;
}

/* Good until the next are made. */
static const struct tree_kids *
kids_of(struct tree_view *v, uint32_t node, uint64_t path)
{
	uint32_t *known = map_put(&v->kids_of, node);

	if (*known == MAP_NONE) {
		*known = (uint32_t)v->kids_count;
		VEC_ROOM(v->kids, v->kids_cap, v->kids_count + 1);
		v->kids[v->kids_count++] = make_kids(v, node, path);
	}
	return &v->kids[*known];
}

void
tree_rows_limits_changed(struct tree_view *v)
{
	for (size_t i = 0; i < v->kids_count; i++)
		free(v->kids[i].nodes);
	v->kids_count = 0;
	map_fini(&v->kids_of);
}

/* ---- rows ------------------------------------------------------------------- */

/* Rows to be made; what comes first is on top. */
struct pile {
	struct tree_row *rows;
	size_t count, cap;
};

/* One child and nothing of its own: in a chain with the child. */
static bool
is_link(const struct tree_view *v, uint32_t node)
{
	return !tree_has_self(v->tree, node) &&
	    tree_children(v->tree, node, 2) == 1;
}

static bool
is_open(const struct tree_view *v, const struct tree_row *row)
{
	uint32_t fold = map_find(&v->folds[v->inverted], row->path);

	if (fold != MAP_NONE)
		return fold == TREE_OPEN;
	return row->node == v->top || is_link(v, row->node) ||
	    map_find(&v->opened, row->path) == TREE_OPEN;
}

static struct tree_row *
push(struct pile *p, const struct tree_row *row)
{
	VEC_ROOM(p->rows, p->cap, p->count + 1);
	p->rows[p->count] = *row;
	return &p->rows[p->count++];
}

/* Go on to the last of a chain; the root is none.  If one of them is selected
 * the list is to find it here. */
static void
follow_chain(struct tree_view *v, struct tree_row *row)
{
	uint64_t key = tree_rows_key(row->path), wanted = v->rows.key;
	bool selected = key == wanted;

	while (row->node != v->top && !v->split && is_link(v, row->node)) {
		uint32_t child = tree_child(v->tree, row->node);

		row->path = tree_path_below(v->tree, row->path, child);
		row->node = child;
		selected |= row->path == wanted;
	}
	row->own = v->inverted ? row->head : row->node;
	row->key = selected ? wanted
	    : v->inverted   ? key
			    : tree_rows_key(row->path);
}

static struct tree_row
node_row(struct tree_view *v, uint32_t node, uint64_t path)
{
	struct tree_row row = { .kind = TREE_ROW_NODE,
		.head = node,
		.node = node,
		.path = path,
		.f = *tree_cum(v->tree, node) };

	follow_chain(v, &row);
	row.leaf = tree_child(v->tree, row.node) == TREE_NONE;
	row.open = !row.leaf && is_open(v, &row);
	return row;
}

static struct tree_row
other_row(enum tree_kind kind, const struct tree_row *up, uint64_t mark)
{
	return (struct tree_row){ .kind = kind,
		.head = up->node,
		.node = up->node,
		.own = up->node,
		.path = up->path,
		.key = map_mix(up->path ^ mark),
		.leaf = true };
}

/* The rows below one, last first; `at` is its number. */
static void
push_below(
    struct tree_view *v, struct pile *p, const struct tree_row *up, size_t at)
{
	const struct tree_kids *k = kids_of(v, up->node, up->path);
	bool self = tree_has_self(v->tree, up->node);
	size_t from = p->count, n = k->count;
	const uint32_t *nodes = k->nodes;
	struct tree_row own = other_row(TREE_ROW_SELF, up, KEY_SELF);

	own.f = tree_self(v->tree, up->node);
	if (k->rest_count) {
		struct tree_row rest = other_row(TREE_ROW_REST, up, KEY_REST);

		rest.f = k->rest;
		rest.count = k->rest_count;
		push(p, &rest);
	}
	for (size_t i = n; i-- > 0;) {
		struct tree_row row = node_row(
		    v, nodes[i], tree_path_below(v->tree, up->path, nodes[i]));

		if (self && fabs(row.f.value) > fabs(own.f.value)) {
			push(p, &own);
			self = false;
		}
		push(p, &row);
	}
	if (self)
		push(p, &own);
	for (size_t i = from; i < p->count; i++) {
		struct tree_row *row = &p->rows[i];

		row->above = at;
		row->depth = up->depth + 1;
		row->last = i == from + (k->rest_count > 0);
	}
}

static void
add_unmatched(struct tree_view *v, const struct report *r)
{
	struct tree_row row = { .kind = TREE_ROW_UNMATCHED,
		.key = KEY_UNMATCHED,
		.leaf = true,
		.f = r->total };

	if (v->top != TREE_ROOT ||
	    (r->total.value == r->local.value &&
		r->total.samples == r->local.samples))
		return;
	figures_sub(&row.f, &r->local);
	VEC_ROOM(v->shown, v->cap, v->count + 1);
	v->shown[v->count++] = row;
}

static uint64_t
top_path(const struct tree_view *v)
{
	return tree_path(v->tree, v->top);
}

void
tree_rows_build(struct tree_view *v, const struct report *r)
{
	struct pile p = { NULL, 0, 0 };
	struct tree_row top;

	v->count = 0;
	if (!v->tree)
		return;
	top = node_row(v, v->top, top_path(v));
	push(&p, &top);
	while (p.count > 0) {
		struct tree_row row = p.rows[--p.count];

		VEC_ROOM(v->shown, v->cap, v->count + 1);
		v->shown[v->count++] = row;
		if (row.open)
			push_below(v, &p, &row, v->count - 1);
	}
	free(p.rows);
	add_unmatched(v, r);
}

/* ---- folds -------------------------------------------------------------------- */

static void
put(struct map *m, uint64_t path, uint32_t value)
{
	*map_put(m, path) = value;
}

void
tree_rows_fold(struct tree_view *v, const struct tree_row *row, bool open)
{
	put(&v->folds[v->inverted], row->path, open ? TREE_OPEN : TREE_FOLDED);
	v->touched = true;
}

static bool
is_below(const struct tree_view *v, size_t i, size_t row)
{
	return i < v->count && v->shown[i].depth > v->shown[row].depth;
}

void
tree_rows_fold_below(struct tree_view *v, size_t i)
{
	for (size_t k = i + 1; is_below(v, k, i); k++) {
		if (v->shown[k].open)
			tree_rows_fold(v, &v->shown[k], false);
	}
	/* a root that is folded shows nothing */
	if (v->shown[i].open && v->shown[i].node != v->top)
		tree_rows_fold(v, &v->shown[i], false);
	v->touched = true;
}

/* The heaviest row from `from` on and before `end` that can be unfolded and is
 * not passed over; NULL: none. */
static struct tree_row *
largest_folded(const struct tree_view *v, size_t from, size_t end,
    const struct map *passed, double least, bool by_itself)
{
	struct tree_row *best = NULL;

	for (size_t i = from; i < end; i++) {
		struct tree_row *row = &v->shown[i];
		double weight = fabs(row->f.value);

		if (row->leaf || row->open || weight < least ||
		    is_in(passed, row->path) ||
		    (by_itself && is_in(&v->folds[v->inverted], row->path)))
			continue;
		if (!best || weight > fabs(best->f.value))
			best = row;
	}
	return best;
}

/* How many rows would come of it. */
static size_t
rows_of(struct tree_view *v, const struct tree_row *row)
{
	const struct tree_kids *k = kids_of(v, row->node, row->path);

	return k->count + (k->rest_count > 0) +
	    tree_has_self(v->tree, row->node);
}

static void
fill(struct tree_view *v, const struct report *r, size_t page)
{
	double all = fabs(tree_cum(v->tree, v->top)->value);
	const struct tree_kids *k = kids_of(v, v->top, top_path(v));

	if (v->count >= page || fabs(k->rest.value) < all * SHARE_FILL)
		return;
	v->fill = k->count + page - v->count;
	tree_rows_limits_changed(v);
	tree_rows_build(v, r);
}

void
tree_rows_unfold(struct tree_view *v, const struct report *r, size_t page)
{
	double least;
	struct map passed = { 0 };
	struct tree_row *row;
	uint64_t path;

	if (!v->tree || v->touched)
		return;
	least = fabs(tree_cum(v->tree, v->top)->value) * SHARE_UNFOLD;
	while ((row = largest_folded(v, 0, v->count, &passed, least, true)) !=
	    NULL) {
		if (v->count + rows_of(v, row) > page) {
			put(&passed, row->path, 1);
			continue;
		}
		path = row->path;
		put(&v->opened, path, TREE_OPEN);
		tree_rows_build(v, r);
		if (v->count <= page)
			continue;
		/* there is more below it than its children */
		put(&v->opened, path, TREE_FOLDED);
		put(&passed, path, 1);
		tree_rows_build(v, r);
	}
	map_fini(&passed);
	fill(v, r, page);
}

/* Behind the last row below row i. */
static size_t
end_below(const struct tree_view *v, size_t i)
{
	size_t end = i + 1;

	while (is_below(v, end, i))
		end++;
	return end;
}

bool
tree_rows_open_below(
    struct tree_view *v, const struct report *r, size_t i, size_t most)
{
	struct map passed = { 0 };
	struct tree_row *row;

	while (v->count < most &&
	    (row = largest_folded(v, i, end_below(v, i), &passed, 0, false)) !=
		NULL) {
		tree_rows_fold(v, row, true);
		tree_rows_build(v, r);
	}
	row = largest_folded(v, i, end_below(v, i), &passed, 0, false);
	return row == NULL;
}

void
tree_rows_more(struct tree_view *v, const struct tree_row *rest, size_t n)
{
	const struct tree_kids *k = kids_of(v, rest->node, rest->path);

	*map_put(&v->more[v->inverted], rest->path) = (uint32_t)(k->count + n);
	tree_rows_limits_changed(v);
}

/* ---- life -------------------------------------------------------------------- */

/* What was seen keeps its row in the report that follows. */
static void
remember_rows(struct tree_view *v)
{
	map_fini(&v->seen);
	for (size_t i = 0; i < v->count; i++) {
		if (v->shown[i].kind == TREE_ROW_NODE)
			put(&v->seen, v->shown[i].path, 1);
	}
}

void
tree_rows_forget(struct tree_view *v)
{
	remember_rows(v);
	tree_rows_limits_changed(v);
	free(v->kids);
	free(v->shown);
	v->kids = NULL;
	v->shown = NULL;
	v->kids_cap = v->cap = v->count = 0;
	ages_free(v->ages);
	v->ages = NULL;
	tree_close(v->tree);
	v->tree = NULL;
	v->has_row = false;
}

void
tree_rows_reset(struct tree_view *v)
{
	map_fini(&v->folds[0]);
	map_fini(&v->folds[1]);
	map_fini(&v->opened);
	map_fini(&v->more[0]);
	map_fini(&v->more[1]);
	map_fini(&v->seen);
	free(v->root);
	free(v->trail);
	*v = (struct tree_view){ .split = v->split, .by_age = v->by_age };
}
