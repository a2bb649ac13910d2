#include "model/trend.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "model/profile.h"
#include "model/report.h"

#define NS_PER_S 1e9
#define Z95      1.96 /* 97.5 % quantile of the normal distribution */
#define NO_ROW   UINT32_MAX

/* From this many steps on, the latter half of them says something. */
#define LEVEL_STEPS 4

/* A row at one snapshot. */
struct point {
	double value, var;
	double alloc, alloc_var;
};

/* A row as it is followed. */
struct track {
	struct point first, middle, before, now;
	uint32_t grew, fell;
	double slope, slope_var;      /* sums so far; see trend.h */
	double sum, squares, product; /* of value - first, for the scatter */
};

/* What does not depend on the row. */
struct course {
	const struct report *r;
	const struct history *h;
	size_t from, count; /* snapshots, by position in history */
	const double *t;    /* seconds since the first */
	const double *c;    /* weights of the values in the slope */
	const double *tail; /* sums of c from there on */
	double sxx;
	uint32_t *row_of; /* [index into report.stacks, or slot] */
	size_t row_of_count;
	struct track *tracks; /* [row], then all */
};

static enum history_field
field(enum metric m, bool sd)
{
	static const enum history_field values[METRIC_COUNT] = {
		[METRIC_LIVE_BYTES] = HISTORY_LIVE_BYTES,
		[METRIC_LIVE_OBJECTS] = HISTORY_LIVE_OBJECTS,
		[METRIC_ALLOC_BYTES] = HISTORY_ALLOC_BYTES,
		[METRIC_ALLOC_OBJECTS] = HISTORY_ALLOC_OBJECTS,
	};
	static const enum history_field sds[METRIC_COUNT] = {
		[METRIC_LIVE_BYTES] = HISTORY_LIVE_SD_BYTES,
		[METRIC_LIVE_OBJECTS] = HISTORY_LIVE_SD_OBJECTS,
		[METRIC_ALLOC_BYTES] = HISTORY_ALLOC_SD_BYTES,
		[METRIC_ALLOC_OBJECTS] = HISTORY_ALLOC_SD_OBJECTS,
	};

	return sd ? sds[m] : values[m];
}

static enum metric
accumulated(enum metric m)
{
	return metric_is_bytes(m) ? METRIC_ALLOC_BYTES : METRIC_ALLOC_OBJECTS;
}

/* ---- which row a cell is in ---------------------------------------------- */

static uint32_t
largest_slot(const struct report *r)
{
	size_t n;
	const struct profile_cell *c = profile_cells(r->profiles[0], &n);
	uint32_t most = 0;

	for (size_t i = 0; i < n; i++)
		most = c[i].slot > most ? c[i].slot : most;
	return most;
}

static void
map_groups(struct course *k)
{
	const struct report *r = k->r;
	uint32_t *row_of = xcalloc(r->place_groups, sizeof *row_of);

	memset(row_of, 0xff, r->place_groups * sizeof *row_of);
	for (uint32_t i = 0; i < r->row_count; i++) {
		uint32_t group = r->places[r->rows[i].places[0]].group;

		if (group < r->place_groups)
			row_of[group] = i;
	}
	for (size_t i = 0; i < r->stack_count; i++) {
		uint32_t group = r->places[r->stacks[i].places[0]].group;

		if (group < r->place_groups)
			k->row_of[i] = row_of[group];
	}
	free(row_of);
}

static void
map_rows(struct course *k)
{
	const struct report *r = k->r;
	bool threads = r->query.grouping == GROUP_THREADS;

	k->row_of_count =
	    threads ? (size_t)largest_slot(r) + 1 : r->stack_count;
	k->row_of = xcalloc(k->row_of_count, sizeof *k->row_of);
	memset(k->row_of, 0xff, k->row_of_count * sizeof *k->row_of);
	if (!threads && r->query.grouping != GROUP_STACKS) {
		map_groups(k);
		return;
	}
	for (uint32_t i = 0; i < r->row_count; i++) {
		uint64_t at = threads ? r->rows[i].key : r->rows[i].stack;

		if (at < k->row_of_count)
			k->row_of[at] = i;
	}
}

/* ---- following the rows -------------------------------------------------- */

static double
number(const struct history_columns *c, enum history_field f, size_t cell)
{
	return (double)c->field[f][cell];
}

static void
add_point(struct point *to, const struct point *p)
{
	to->value += p->value;
	to->var += p->var;
	to->alloc += p->alloc;
	to->alloc_var += p->alloc_var;
}

/* All rows as they are at one snapshot. */
static void
gather(struct course *k, snap_id id)
{
	const struct report *r = k->r;
	enum metric m = r->query.metric, all = accumulated(m);
	enum history_field value = field(m, false), sd = field(m, true);
	enum history_field alloc = field(all, false), asd = field(all, true);
	struct history_columns c = history_columns(
	    k->h, id, 1u << value | 1u << sd | 1u << alloc | 1u << asd);
	size_t n;
	const struct profile_cell *cells = profile_cells(r->profiles[0], &n);

	for (size_t i = 0; i <= r->row_count; i++)
		k->tracks[i].now = (struct point){ 0 };
	for (size_t i = 0; i < n && i < c.count; i++) {
		uint32_t stack = r->stack_index[0][cells[i].stack], row;
		double s = number(&c, sd, i), as = number(&c, asd, i);
		struct point p = { number(&c, value, i), s * s,
			number(&c, alloc, i), as * as };

		if (!stack ||
		    (r->query.thread >= 0 && cells[i].slot != r->query.thread))
			continue;
		row =
		    k->row_of[r->query.grouping == GROUP_THREADS ? cells[i].slot
								 : stack - 1];
		add_point(&k->tracks[r->row_count].now, &p);
		if (row != NO_ROW)
			add_point(&k->tracks[row].now, &p);
	}
}

/* Whether accumulated figures say what came in between. */
static bool
accumulates(const struct point *from, const struct point *to)
{
	double came = to->alloc - from->alloc;

	/* values are rounded */
	return to->alloc > 0 && came >= 0 &&
	    came >= to->value - from->value - 1;
}

/* The variance of the change; see trend.h. */
static double
change_var(
    const struct report *r, const struct point *from, const struct point *to)
{
	double d = to->var - from->var;
	double most = from->var + to->var, v;

	if (!metric_is_live(r->query.metric))
		return fabs(d);
	if (!accumulates(from, to))
		return most;
	v = 2 * (to->alloc_var - from->alloc_var) - d;
	if (v < fabs(d))
		v = fabs(d);
	return v < most ? v : most;
}

static void
begin(struct course *k)
{
	for (size_t i = 0; i <= k->r->row_count; i++) {
		struct track *t = &k->tracks[i];

		t->first = t->middle = t->before = t->now;
	}
}

static void
step(struct course *k, size_t n)
{
	for (size_t i = 0; i <= k->r->row_count; i++) {
		struct track *t = &k->tracks[i];
		double var = change_var(k->r, &t->before, &t->now);
		double change = t->now.value - t->before.value;
		double v = t->now.value - t->first.value;

		t->grew += change > Z95 * sqrt(var);
		t->fell += change < -Z95 * sqrt(var);
		t->slope += k->c[n] * v;
		t->slope_var += k->tail[n] * k->tail[n] * var;
		t->sum += v;
		t->squares += v * v;
		t->product += k->t[n] * v;
		if (n == k->count / 2)
			t->middle = t->now;
		t->before = t->now;
	}
}

/* ---- what is made of it -------------------------------------------------- */

/* 97.5 % quantile of Student's t. */
static double
student(size_t degrees)
{
	static const double few[] = { 12.706, 4.303, 3.182, 2.776, 2.571, 2.447,
		2.365, 2.306, 2.262, 2.228 };

	if (degrees <= sizeof few / sizeof few[0])
		return few[degrees - 1];
	return Z95 + 2.65 / (double)degrees; /* within 0.01 of it */
}

static double
rate_error(const struct course *k, const struct track *t)
{
	double n = (double)k->count, mean = t->sum / n, mean_t = 0;
	double sampling = Z95 * sqrt(t->slope_var), scatter, syy, sxy;

	if (k->count < 3)
		return sampling;
	for (size_t i = 0; i < k->count; i++)
		mean_t += k->t[i] / n;
	syy = t->squares - n * mean * mean;
	sxy = t->product - n * mean * mean_t;
	scatter = (syy - sxy * sxy / k->sxx) / (n - 2);
	/* what rounding leaves of a straight line is none */
	if (scatter <= 1e-12 * syy)
		return sampling;
	scatter = student(k->count - 2) * sqrt(scatter / k->sxx);
	return scatter > sampling ? scatter : sampling;
}

static enum trend_kind
kind_of(const struct trend *t)
{
	double change = trend_change(t);

	if (change > t->error)
		return t->fell ? TREND_WAVERS : TREND_GREW;
	return change < -t->error ? TREND_SHRANK : TREND_NOISE;
}

static void
conclude(const struct course *k, const struct track *k_t, struct trend *t)
{
	const struct point *from = &k_t->first, *to = &k_t->now;
	double late = k_t->now.value - k_t->middle.value;

	t->first = from->value;
	t->last = to->value;
	t->error = Z95 * sqrt(change_var(k->r, from, to));
	t->grew = k_t->grew;
	t->fell = k_t->fell;
	t->kind = kind_of(t);
	t->levelled = t->kind == TREND_GREW && k->count > LEVEL_STEPS &&
	    late <= Z95 * sqrt(change_var(k->r, &k_t->middle, to));
	t->allocated = accumulates(from, to) ? to->alloc - from->alloc : -1;
	if (k->sxx > 0) {
		t->rate = k_t->slope;
		t->rate_error = rate_error(k, k_t);
	}
}

/* The position of point p among n snapshots; the ends are points. */
static size_t
position(size_t p, size_t points, size_t n)
{
	return points < 2 ? 0 : p * (n - 1) / (points - 1);
}

static struct trend *
trend_of(const struct course *k, struct trends *t, size_t i)
{
	return i < k->r->row_count ? &t->rows[i] : &t->all;
}

static void
follow(struct course *k, struct trends *t)
{
	size_t point = 0, rows = k->r->row_count;

	for (size_t n = 0; n < k->count; n++) {
		gather(k, history_at(k->h, k->from + n)->id);
		if (n == 0)
			begin(k);
		else
			step(k, n);
		if (n != position(point, t->points, k->count))
			continue;
		for (size_t i = 0; i <= rows; i++)
			trend_of(k, t, i)->points[point] =
			    k->tracks[i].now.value;
		point++;
	}
	for (size_t i = 0; i <= rows; i++)
		conclude(k, &k->tracks[i], trend_of(k, t, i));
}

/* Weights of the slope; all 0 where the times say nothing. */
static double
weigh(const double *t, double *c, double *tail, size_t n)
{
	double mean = 0, sxx = 0, sum = 0;

	for (size_t i = 0; i < n; i++)
		mean += t[i] / (double)n;
	for (size_t i = 0; i < n; i++)
		sxx += (t[i] - mean) * (t[i] - mean);
	for (size_t i = n; sxx > 0 && i-- > 0;) {
		c[i] = (t[i] - mean) / sxx;
		sum += c[i];
		tail[i] = sum;
	}
	return sxx;
}

static void
find_range(struct course *k)
{
	const struct query *q = &k->r->query;
	size_t n = history_count(k->h), last = n;

	if (n == 0)
		return;
	if (q->at)
		last = history_index(k->h, q->at);
	last = last < n ? last : n - 1;
	k->from = q->base ? history_index(k->h, q->base) : 0;
	k->from = k->from < last ? k->from : 0;
	k->count = last - k->from + 1;
}

struct trends *
trends_new(const struct report *r, bool timed)
{
	struct trends *out = xcalloc(1, sizeof *out);
	struct course k = { .r = r, .h = profile_history(r->profiles[0]) };
	double *t, *c, *tail;

	find_range(&k);
	out->rows = xcalloc(r->row_count + 1, sizeof *out->rows);
	out->snapshots = k.count;
	if (k.count == 0)
		return out;
	out->points = k.count < TREND_POINTS ? k.count : TREND_POINTS;
	out->from_ns = history_at(k.h, k.from)->totals.now_ns;
	out->to_ns = history_at(k.h, k.from + k.count - 1)->totals.now_ns;
	t = xcalloc(k.count, sizeof *t);
	c = xcalloc(k.count, sizeof *c);
	tail = xcalloc(k.count, sizeof *tail);
	for (size_t i = 0; i < k.count; i++) {
		uint64_t ns = history_at(k.h, k.from + i)->totals.now_ns;

		t[i] =
		    timed ? ((double)ns - (double)out->from_ns) / NS_PER_S : 0;
	}
	k.t = t;
	k.c = c;
	k.tail = tail;
	k.sxx = weigh(t, c, tail, k.count);
	out->timed = k.sxx > 0;
	k.tracks = xcalloc(r->row_count + 1, sizeof *k.tracks);
	map_rows(&k);
	follow(&k, out);
	free(k.row_of);
	free(k.tracks);
	free(t);
	free(c);
	free(tail);
	return out;
}

void
trends_free(struct trends *t)
{
	if (!t)
		return;
	free(t->rows);
	free(t);
}

static int
compare(const void *va, const void *vb, void *rows)
{
	uint32_t i = *(const uint32_t *)va, j = *(const uint32_t *)vb;
	const struct trend *a = (struct trend *)rows + i;
	const struct trend *b = (struct trend *)rows + j;
	double x = trend_change(a), y = trend_change(b);

	if (a->kind != b->kind)
		return a->kind < b->kind ? -1 : 1;
	if (x != y)
		return x > y ? -1 : 1;
	return (i > j) - (i < j);
}

static bool
ever(const struct trends *t, const struct trend *row)
{
	for (size_t i = 0; i < t->points; i++) {
		if (row->points[i] != 0)
			return true;
	}
	return row->grew || row->fell;
}

uint32_t *
trends_order(const struct trends *t, const struct report *r, size_t *n)
{
	uint32_t *order = xcalloc(r->row_count + 1, sizeof *order);

	*n = 0;
	for (uint32_t i = 0; i < r->row_count; i++) {
		if (ever(t, &t->rows[i]))
			order[(*n)++] = i;
	}
	qsort_r(order, *n, sizeof *order, compare, t->rows);
	return order;
}
