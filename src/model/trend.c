#include "model/trend.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/map.h"
#include "base/mem.h"
#include "base/vec.h"
#include "model/report.h"
#include "model/trend_fit.h"
#include "model/trend_track.h"

/* From this many steps on they say whether it goes on. */
#define LEVEL_STEPS 4
/* Rows that go on being followed: who has looked at very many begins anew. */
#define TAKEN_MOST 1000
/* Rows that are read in one go where all are. */
#define CHUNK 16384

/* ---- what is made of a row --------------------------------------------------- */

/* What does not depend on the row. */
struct course {
	struct trends *t;
	size_t half, quarter; /* where these last parts of the time begin */
	struct trend_line whole, former, latter;
};

/* The last snapshot up to this part of the time, but not the last one. */
static size_t
part(const struct trends *t, double share)
{
	size_t i = t->steps > 0 ? t->steps - 1 : 0;

	while (i > 0 && t->t[i] > share * t->t[t->steps])
		i--;
	return i;
}

static void
course_init(struct course *c, struct trends *t)
{
	size_t n = t->steps + 1;

	c->t = t;
	c->half = part(t, 0.5);
	c->quarter = part(t, 0.75);
	trend_line(&c->whole, t->t, 0, n);
	trend_line(&c->former, t->t, 0, c->half + 1);
	trend_line(&c->latter, t->t, c->half, n);
}

static void
count_steps(
    const struct trends *t, const struct trend_track *k, struct trend *to)
{
	for (size_t i = 1; i <= t->steps; i++) {
		double change = k->p[i].value - k->p[i - 1].value;
		double half = TREND_Z95 *
		    sqrt(trend_var(t->report, &k->p[i - 1], &k->p[i]));

		to->grew += change > half;
		to->fell += change < -half;
	}
}

static enum trend_kind
kind_of(const struct trend *t)
{
	double change = trend_change(t);

	if (change > t->error)
		return t->fell ? TREND_WAVERS : TREND_GREW;
	return change < -t->error ? TREND_SHRANK : TREND_NOISE;
}

/* See «Level» of trend.h. */
static bool
has_levelled(
    const struct course *c, const struct trend_track *k, const struct trend *t)
{
	const struct trends *all = c->t;
	size_t last = all->steps, steps = last - c->half;
	const struct trend_point *from = &k->p[c->quarter], *to = &k->p[last];
	double error, before, added, half;

	if (t->kind > TREND_WAVERS)
		return false;
	before = trend_slope(all, &c->former, k, &error);
	if (all->steps >= LEVEL_STEPS && t->late <= t->late_error &&
	    t->late + t->late_error < before / 2)
		return true;
	added = to->value - from->value;
	half = TREND_Z95 * sqrt(trend_var(all->report, from, to));
	return steps >= LEVEL_STEPS && t->late > 0 && added <= half &&
	    added + half < t->late * (all->t[last] - all->t[c->quarter]) / 2;
}

static bool
has_jumped(const struct course *c, const struct trend_track *k)
{
	const struct trends *t = c->t;
	double added = k->p[t->steps].value - k->p[c->half].value, most = 0;

	for (size_t i = c->half + 1; i <= t->steps; i++)
		most = fmax(most, k->p[i].value - k->p[i - 1].value);
	return t->steps - c->half >= LEVEL_STEPS && added > 0 &&
	    most > added * 2 / 3;
}

/* See «Kept» of trend.h; v is V. */
static void
put_kept(struct trend *t, const struct trend_point *from,
    const struct trend_point *to, double v)
{
	double d = to->var - from->var, came = (v + d) / 2;
	double new = to->alloc_var - from->alloc_var, p, var;

	t->kept = -1;
	if (t->allocated <= 0 || trend_change(t) < 0)
		return;
	p = fmin(1, trend_change(t) / t->allocated);
	var = came * (1 - p) * (1 - p) + fmax(0, new - came) * p * p +
	    fmax(0, v - d) / 2;
	t->kept = p;
	t->kept_error = TREND_Z95 * sqrt(fmax(0, var)) / t->allocated;
}

/* Values at equal times, for a spark line; the ends are among them. */
static void
put_points(
    const struct trends *t, const struct trend_track *k, struct trend *to)
{
	size_t n = t->points, at = 0;

	for (size_t i = 0; i < n; i++) {
		double when =
		    n > 1 ? t->t[t->steps] * (double)i / (double)(n - 1) : 0;

		while (at < t->steps && t->t[at + 1] <= when * (1 + 1e-12))
			at++;
		to->points[i] = k->p[i + 1 == n ? t->steps : at].value;
	}
}

static void
conclude(const struct course *c, const struct trend_track *k, struct trend *to)
{
	const struct trends *t = c->t;
	const struct trend_point nothing = { 0 };
	const struct trend_point *b = &k->p[t->steps];
	/* since the start: what was there at first came since, too */
	const struct trend_point *a =
	    t->report->query.since_start ? &nothing : &k->p[0];
	double v = trend_var(t->report, a, b);

	memset(to, 0, sizeof *to);
	to->first = a->value;
	to->last = b->value;
	to->error = TREND_Z95 * sqrt(v);
	count_steps(t, k, to);
	to->kind = kind_of(to);
	to->rate = trend_slope(t, &c->whole, k, &to->rate_error);
	to->late = trend_slope(t, &c->latter, k, &to->late_error);
	to->levelled = has_levelled(c, k, to);
	to->jumped = has_jumped(c, k);
	to->first_also = a->also;
	to->last_also = b->also;
	to->allocated = trend_accumulates(a, b) ? b->alloc - a->alloc : -1;
	put_kept(to, a, b, v);
	to->new_samples = (int64_t)(b->alloc_samples - a->alloc_samples);
	to->more_samples = (int64_t)(b->samples - a->samples);
	put_points(t, k, to);
}

/* ---- which rows -------------------------------------------------------------- */

/* The bits of all points. */
static uint32_t
every(const struct trends *t)
{
	return UINT32_MAX >> (TREND_SNAPSHOTS - 1 - t->steps);
}

/* Which of old's points are ours: from[i] is the one that our i is. */
static void
match_points(const struct trends *t, const struct trends *old, int *from)
{
	for (size_t i = 0, j = 0; i <= t->steps; i++) {
		from[i] = -1;
		while (j <= old->steps && old->ids[j] < t->ids[i])
			j++;
		if (j <= old->steps && old->ids[j] == t->ids[i] &&
		    old->ns[j] == t->ns[i])
			from[i] = (int)j;
	}
}

static void
add_track(struct trends *t, uint32_t row)
{
	size_t n = t->count;

	struct trend_track *k;

	VEC_ROOM(t->tracks, t->track_cap, n - t->track_from + 1);
	VEC_ROOM(t->list, t->cap, n + 1);
	k = &t->tracks[n - t->track_from];
	memset(k, 0, sizeof *k);
	k->key = t->report->rows[row].key;
	k->missing = every(t);
	t->at[row] = (uint32_t)n;
	t->count++;
}

/* Rows that were followed in `old` are followed again, at what that costs. */
static void
take_over(struct trends *t, const struct trends *old)
{
	struct map where = { 0 };
	int from[TREND_SNAPSHOTS];

	match_points(t, old, from);
	for (uint32_t i = 0; i < old->count; i++)
		*map_put(&where, old->tracks[i].key) = i;
	for (uint32_t i = 0; i < t->report->row_count; i++) {
		uint32_t was = map_find(&where, t->report->rows[i].key);
		struct trend_track *k;

		if (was == MAP_NONE)
			continue;
		add_track(t, i);
		k = &t->tracks[t->count - 1];
		for (size_t p = 0; p <= t->steps; p++) {
			if (from[p] < 0)
				continue;
			k->p[p] = old->tracks[was].p[from[p]];
			k->missing &= ~(UINT32_C(1) << p);
		}
	}
	map_fini(&where);
}

/* The rows from `from` on have their tracks; read and conclude. */
static void
follow(struct trends *t, size_t from, struct trend_track *all)
{
	struct course *c = xmalloc(sizeof *c);

	trend_read(t, from, all);
	course_init(c, t);
	for (size_t i = from; i < t->count; i++)
		conclude(c, &t->tracks[i - t->track_from], &t->list[i]);
	if (all)
		conclude(c, all, &t->all);
	free(c);
}

struct trends *
trends_begin(const struct report *r, bool timed, struct trends *old)
{
	struct trends *t = xcalloc(1, sizeof *t);

	t->report = r;
	t->at = xreallocarray(NULL, r->row_count + 1, sizeof *t->at);
	memset(t->at, 0xff, r->row_count * sizeof *t->at);
	trend_choose(t, timed);
	trend_map(t);
	t->question = trend_question(r);
	if (t->snapshots > 0) {
		size_t n = t->steps + 1;

		t->points = n < TREND_POINTS ? n : TREND_POINTS;
	}
	if (old && t->snapshots > 0 && old->count > 0 &&
	    old->count <= TAKEN_MOST && t->question &&
	    old->question == t->question) {
		take_over(t, old);
		if (t->count > 0)
			follow(t, 0, NULL);
	}
	trends_free(old);
	return t;
}

/* Rows whose change is above what must at least be noise get a number, the
 * others UINT32_MAX; how many. */
static uint32_t
number_rows(const struct report *r, bool *changed, uint32_t *which)
{
	uint32_t n = 0;

	for (size_t i = 0; i < r->row_count; i++) {
		const struct figures *f = &r->rows[i].f;
		double change = fabs(figures_change(f));

		changed[i] = change != 0 && change > figures_change_error(f);
		which[i] = changed[i] ? n++ : UINT32_MAX;
	}
	return n;
}

void
trends_changed(const struct trends *t, bool *changed)
{
	const struct report *r = t->report;
	uint32_t *which = xcalloc(r->row_count + 1, sizeof *which);
	uint32_t n = number_rows(r, changed, which);
	struct trend_point *ends;

	/* since the start all that is there has come: that is its noise */
	if (r->query.since_start || t->steps == 0 || n == 0) {
		free(which);
		return;
	}
	ends = xcalloc((size_t)n * 2, sizeof *ends);
	trend_read_ends(t, which, ends);
	for (size_t i = 0; i < r->row_count; i++) {
		struct trend_point *p;
		double half;

		if (!changed[i])
			continue;
		p = &ends[2 * which[i]];
		half = TREND_Z95 * sqrt(trend_var(r, &p[0], &p[1]));
		changed[i] = fabs(figures_change(&r->rows[i].f)) > half;
	}
	free(ends);
	free(which);
}

void
trends_follow(struct trends *t, const uint32_t *rows, size_t n)
{
	size_t before = t->count;

	for (size_t i = 0; i < n && t->snapshots > 0; i++) {
		if (t->at[rows[i]] == UINT32_MAX)
			add_track(t, rows[i]);
	}
	if (t->count > before)
		follow(t, before, NULL);
}

struct trends *
trends_new(const struct report *r, bool timed)
{
	struct trends *t = trends_begin(r, timed, NULL);
	struct trend_track all = { .missing = 0 };

	for (uint32_t i = 0; t->snapshots > 0;) {
		uint32_t rows = (uint32_t)r->row_count;
		uint32_t end = rows - i > CHUNK ? i + CHUNK : rows;

		t->track_from = t->count;
		for (; i < end; i++)
			add_track(t, i);
		follow(t, t->track_from, t->track_from ? NULL : &all);
		if (i == rows)
			break;
	}
	/* nothing goes on from it */
	free(t->tracks);
	t->tracks = NULL;
	t->track_cap = 0;
	t->question = 0;
	return t;
}

void
trends_free(struct trends *t)
{
	if (!t)
		return;
	free(t->row_of);
	free(t->at);
	free(t->list);
	free(t->tracks);
	free(t);
}

const struct trend *
trends_at(const struct trends *t, uint32_t row)
{
	return t->at[row] == UINT32_MAX ? NULL : &t->list[t->at[row]];
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
	for (uint32_t i = 0; i < r->row_count && i < t->count; i++) {
		if (ever(t, &t->list[i]))
			order[(*n)++] = i;
	}
	qsort_r(order, *n, sizeof *order, compare, t->list);
	return order;
}
