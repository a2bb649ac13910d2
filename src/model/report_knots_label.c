/* Numbers for knots. */
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/vec.h"
#include "model/report_knots.h"
#include "model/report_knots_int.h"
#include "model/report_shape.h"

/* New sprouts are put in between if they are at most such a part of the old
 * ones: else all are numbered again. */
#define FEW 8

static void
labels_release(struct labels *l)
{
	if (!l || --l->refs > 0)
		return;
	for (size_t i = 0; i < sizeof l->arrays / sizeof l->arrays[0]; i++)
		free(l->arrays[i]);
	free(l);
}

/* They are complete: from now on they can be held. */
static void
keep_labels(struct knots *k)
{
	k->labels = xmalloc(sizeof *k->labels);
	*k->labels = (struct labels){ 1,
		{ k->place, k->group, k->next, k->run, k->above, k->first,
		    k->end } };
}

struct knots
knots_hold(const struct knots *k)
{
	struct knots copy = *k;

	copy.sprouts = NULL;
	copy.outer = NULL;
	copy.counts = NULL;
	copy.of_group = NULL;
	copy.sums = NULL;
	copy.slot = NULL;
	copy.labels->refs++;
	return copy;
}

void
knots_let_go(struct knots *copy)
{
	labels_release(copy->labels);
	copy->labels = NULL;
}

void
knots_forget_labels(struct knots *k)
{
	labels_release(k->labels);
	k->labels = NULL;
	free(k->outer);
	free(k->counts);
	free(k->of_group);
	free(k->sums);
	free(k->slot);
	k->outer = NULL;
	k->counts = NULL;
	k->of_group = NULL;
	k->sums = NULL;
	k->slot = NULL;
	k->sum_cap = 0;
}

/* The sprout and what hangs on it, in preorder from number n on, children in
 * the order they were made; the number behind. */
static uint32_t
number(struct knots *k, uint32_t root, uint32_t n)
{
	struct sprouts *sp = k->sprouts;
	const struct sprout *all = sp->list;
	uint32_t at = root;

	for (;;) {
		const struct sprout *s = &all[at];

		sp->label[at] = n;
		k->place[n] = s->place;
		k->group[n] = s->group;
		sp->ends[n] = s->ends;
		k->outer[n] = at && s->outer;
		n++;
		if (s->child) {
			at = s->child;
			continue;
		}
		k->next[n - 1] = n;
		while (at != root && !all[at].sibling) {
			at = all[at].parent;
			k->next[sp->label[at]] = n;
		}
		if (at == root)
			return n;
		at = all[at].sibling;
	}
}

/* Runs that are not left yet, from the root's on. */
struct way {
	uint32_t *runs;
	size_t count, cap;
};

static void
make_runs(struct knots *k)
{
	const uint8_t *ends = k->sprouts->ends;
	struct way way = { NULL, 0, 0 };
	uint32_t runs = 0;

	for (uint32_t i = 0; i < k->count; i++) {
		/* the only child of the one before, where nothing ends */
		if (i > 0 && k->next[i - 1] > i &&
		    k->next[i - 1] == k->next[i] && !ends[i - 1]) {
			k->run[i] = runs - 1;
			continue;
		}
		while (way.count > 0 &&
		    k->next[k->first[way.runs[way.count - 1]]] <= i)
			way.count--;
		k->above[runs] = way.count ? way.runs[way.count - 1] : 0;
		k->first[runs] = i;
		VEC_ROOM(way.runs, way.cap, way.count + 1);
		way.runs[way.count++] = runs;
		k->run[i] = runs++;
	}
	free(way.runs);
	k->first[runs] = (uint32_t)k->count;
	k->run_count = runs;
}

/* ---- few new ones among many ------------------------------------------------ */

/* A new sprout on an old one, with what hangs on it. */
struct graft {
	uint32_t at; /* before this old number: it is its parent's last child */
	uint32_t parent; /* old number */
	uint32_t sprout;
	uint32_t size;
};

struct grafts {
	struct graft *list;
	size_t count, cap;
	/* [old number]: how many knots are new before it; one more: all. */
	uint32_t *before;
};

/* The deeper parent comes first, for the other holds it. */
static int
by_place(const void *va, const void *vb)
{
	const struct graft *a = va, *b = vb;

	if (a->at != b->at)
		return a->at < b->at ? -1 : 1;
	if (a->parent != b->parent)
		return a->parent > b->parent ? -1 : 1;
	return (a->sprout > b->sprout) - (a->sprout < b->sprout);
}

static void
find_grafts(const struct knots *k, const uint32_t *next, struct grafts *g)
{
	const struct sprouts *s = k->sprouts;

	for (size_t i = s->labelled; i < s->count; i++) {
		uint32_t parent = s->list[i].parent;

		if (parent >= s->labelled)
			continue;
		parent = s->label[parent];
		VEC_ROOM(g->list, g->cap, g->count + 1);
		g->list[g->count++] =
		    (struct graft){ next[parent], parent, (uint32_t)i, 0 };
	}
	if (g->count > 0)
		qsort(g->list, g->count, sizeof *g->list, by_place);
}

/* What was numbered before, and may be held by others. */
struct numbers {
	size_t count;
	const uint32_t *place, *group, *next;
	const uint8_t *outer, *ends;
};

static void
copy_numbers(struct knots *k, const struct numbers *old, uint32_t from,
    uint32_t end, uint32_t to)
{
	size_t n = end - from;

	memcpy(&k->place[to], &old->place[from], n * sizeof *k->place);
	memcpy(&k->group[to], &old->group[from], n * sizeof *k->group);
	memcpy(&k->outer[to], &old->outer[from], n);
	memcpy(&k->sprouts->ends[to], &old->ends[from], n);
}

/* Old and new in their order. */
static void
merge(struct knots *k, const struct numbers *old, struct grafts *g)
{
	uint32_t from = 0, n = 0;

	g->before = xreallocarray(NULL, old->count + 1, sizeof *g->before);
	for (size_t i = 0; i <= g->count; i++) {
		uint32_t end =
		    i < g->count ? g->list[i].at : (uint32_t)old->count;
		uint32_t first;

		for (uint32_t j = from; j < end; j++)
			g->before[j] = n - from;
		copy_numbers(k, old, from, end, n);
		n += end - from;
		from = end;
		if (i == g->count)
			break;
		first = n;
		n = number(k, g->list[i].sprout, n);
		g->list[i].size = n - first;
	}
	g->before[old->count] = n - (uint32_t)old->count;
}

/* What ends where something is new holds what hangs on it. */
static void
shift_next(struct knots *k, const struct numbers *old, const struct grafts *g)
{
	for (uint32_t i = 0; i < old->count; i++) {
		uint32_t end = old->next[i];
		/* all that is new before the old one that stood there last */
		uint32_t more = g->before[end - 1];

		if (g->before[end] != more) {
			struct graft key = { end, UINT32_MAX, 0, 0 };
			size_t low = 0, high = g->count;

			while (low < high) {
				size_t mid = low + (high - low) / 2;

				if (by_place(&g->list[mid], &key) < 0)
					low = mid + 1;
				else
					high = mid;
			}
			for (; low < g->count && g->list[low].at == end &&
			     g->list[low].parent >= i;
			     low++)
				more += g->list[low].size;
		}
		k->next[i + g->before[i]] = end + more;
	}
}

static void
splice(struct knots *k, const struct numbers *old)
{
	struct sprouts *s = k->sprouts;
	struct grafts g = { NULL, 0, 0, NULL };

	find_grafts(k, old->next, &g);
	merge(k, old, &g);
	shift_next(k, old, &g);
	for (size_t i = 0; i < s->labelled; i++)
		s->label[i] += g.before[s->label[i]];
	/* lists may end in old ones, too */
	for (size_t i = s->listed; i < k->lists; i++)
		s->ends[s->label[s->end[i]]] = 1;
	free(g.list);
	free(g.before);
}

/* ---- all ---------------------------------------------------------------------- */

static void
new_numbers(struct knots *k)
{
	size_t n = k->sprouts->count;

	VEC_ROOM(k->sprouts->label, k->sprouts->label_cap, n);
	k->sprouts->ends = xmalloc(n);
	k->count = n;
	k->place = xreallocarray(NULL, n, sizeof *k->place);
	k->group = xreallocarray(NULL, n, sizeof *k->group);
	k->next = xreallocarray(NULL, n, sizeof *k->next);
	k->run = xreallocarray(NULL, n, sizeof *k->run);
	k->above = xreallocarray(NULL, n, sizeof *k->above);
	k->first = xreallocarray(NULL, n + 1, sizeof *k->first);
	k->end = xcalloc(k->lists, sizeof *k->end);
	k->outer = xmalloc(n);
}

void
knots_label(struct knots *k)
{
	struct sprouts *s = k->sprouts;
	struct knots was = *k;
	uint8_t *ends = s->ends;
	struct numbers old = { s->labelled, k->place, k->group, k->next,
		k->outer, ends };
	bool few =
	    s->labelled > 0 && s->count - s->labelled <= s->labelled / FEW;

	/* they stay until they are read */
	k->labels = NULL;
	k->outer = NULL;
	knots_forget_labels(k);
	new_numbers(k);
	if (few)
		splice(k, &old);
	else
		number(k, 0, 0);
	s->labelled = s->count;
	make_runs(k);
	for (size_t i = 0; i < k->lists; i++)
		k->end[i] = k->run[s->label[s->end[i]]];
	keep_labels(k);
	labels_release(was.labels);
	free(was.outer);
	free(ends);
}
