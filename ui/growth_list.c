#include "ui/growth_list.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/vec.h"
#include "model/report.h"
#include "model/suspect.h"
#include "model/trend.h"
#include "ui/view_growth.h"

/* Less of the largest change is small. */
#define SMALL_PART 0.005

/* What becomes of a row. */
enum fate {
	FATE_STAYS, /* its change, if any, is noise, or small */
	FATE_CHANGED,
	FATE_LISTED,
};

static void
list_row(struct growth_view *v, uint32_t row, bool suspect)
{
	v->listed[v->count++] = (struct listed){ row, suspect };
}

/* Bars are relative to it, and what is small is. */
static void
find_largest(struct growth_view *v, const bool *changed)
{
	v->max = 0;
	for (size_t i = 0; i < v->report->row_count; i++) {
		double change = fabs(figures_change(&v->report->rows[i].f));

		if (changed[i])
			v->max = fmax(v->max, change);
	}
}

static bool
is_worth(const struct growth_view *v, size_t row)
{
	return fabs(figures_change(&v->report->rows[row].f)) >=
	    SMALL_PART * v->max;
}

/* Rows of a fate, in the report's order, and what suspects are among them. */
static void
list_fate(struct growth_view *v, const uint8_t *fates, enum fate fate,
    const bool *suspect)
{
	for (uint32_t i = 0; i < v->report->row_count; i++) {
		const struct figures *f = &v->report->rows[i].f;

		if (fates[i] == fate &&
		    (f->value != 0 || figures_change(f) != 0))
			list_row(v, i, suspect[i]);
	}
}

/* Those that stay are not listed: how many, and what they hold. */
static void
sum_rest(struct growth_view *v, const uint8_t *fates)
{
	for (uint32_t i = 0; i < v->report->row_count; i++) {
		const struct figures *f = &v->report->rows[i].f;

		if (fates[i] != FATE_STAYS)
			continue;
		if (figures_change(f) != 0) {
			v->small++;
			figures_add(&v->smaller, f);
		} else if (f->value != 0) {
			v->same++;
		}
	}
}

/* By what stands in the column of what lives; what is not known is less than
 * anything. */
static double
value_of(const struct growth_view *v, uint32_t row)
{
	if (v->shown == GROWTH_VALUE)
		return v->report->rows[row].f.value;
	return isnan(v->also[row]) ? -1 : v->also[row];
}

/* The first n of the list are suspects; the others are put in order. */
static int
by_order(const void *va, const void *vb, void *data)
{
	const struct growth_view *v = data;
	const struct listed *x = va, *y = vb;
	const struct report_row *a = &v->report->rows[x->row];
	const struct report_row *b = &v->report->rows[y->row];
	double p = figures_change(&a->f), q = figures_change(&b->f);
	int by = 0;

	if (v->order == GROWTH_BY_NAME)
		by = strcmp(a->name, b->name);
	else if (v->order == GROWTH_BY_VALUE &&
	    value_of(v, x->row) != value_of(v, y->row))
		by = value_of(v, x->row) > value_of(v, y->row) ? -1 : 1;
	if (by == 0 && p != q)
		by = p > q ? -1 : 1;
	if (by == 0)
		by = (x->row > y->row) - (x->row < y->row);
	return v->reverse ? -by : by;
}

/* Suspects stand first where growth does, but those that changed are not
 * behind those that did not. */
static size_t
list_suspects(struct growth_view *v, uint8_t *fates, bool *suspect)
{
	uint32_t *rows = suspects_find(v->trends, v->report, &v->suspects);
	bool first = v->order == GROWTH_BY_CHANGE && !v->reverse;

	for (size_t i = 0; i < v->suspects; i++) {
		suspect[rows[i]] = true;
		fates[rows[i]] = FATE_CHANGED;
		if (!first)
			continue;
		list_row(v, rows[i], true);
		fates[rows[i]] = FATE_LISTED;
	}
	free(rows);
	return first ? v->suspects : 0;
}

void
growth_list(struct growth_view *v)
{
	size_t n = v->report->row_count + 1, first, changes;
	bool *changed = xcalloc(n, sizeof *changed);
	bool *suspect = xcalloc(n, sizeof *suspect);
	uint8_t *fates = xcalloc(n, sizeof *fates);

	VEC_ROOM(v->listed, v->cap, n);
	trends_changed(v->trends, changed);
	find_largest(v, changed);
	for (size_t i = 0; i + 1 < n; i++)
		fates[i] =
		    changed[i] && is_worth(v, i) ? FATE_CHANGED : FATE_STAYS;
	first = list_suspects(v, fates, suspect);
	list_fate(v, fates, FATE_CHANGED, suspect);
	changes = v->count;
	qsort_r(
	    v->listed + first, changes - first, sizeof *v->listed, by_order, v);
	if (v->unchanged) {
		list_fate(v, fates, FATE_STAYS, suspect);
		qsort_r(v->listed + changes, v->count - changes,
		    sizeof *v->listed, by_order, v);
	} else {
		sum_rest(v, fates);
	}
	free(changed);
	free(suspect);
	free(fates);
}
