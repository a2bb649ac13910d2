#include "model/figures.h"

#include <math.h>

#include "model/profile.h"

struct moments
moments_of(const struct profile *p, const struct query *q)
{
	const struct history *h = profile_snapshots(p);
	size_t n = history_count(h), i = n;
	struct moments m = { .history = h };

	if (n == 0)
		return m;
	if (q->at)
		i = history_index(h, q->at);
	if (i >= n)
		i = n - 1;
	if (i + 1 < n || q->base)
		m.history = profile_history(p); /* cells are asked for */
	if (i + 1 < n)
		m.at = history_at(h, i)->id;
	if (q->since_start || q->base_profile)
		return m;
	if (q->base && (i = history_index(h, q->base)) < n)
		m.base = history_at(h, i)->id;
	else if (!q->base && i > 0)
		m.base = history_at(h, i - 1)->id;
	return m;
}

/* The part of a moment's values that a metric is about. */
struct part {
	double value, sd, bytes, objects;
	uint64_t samples;
};

static struct part
past(const struct history_values *v, enum metric metric)
{
	struct part p;
	int live = metric_is_live(metric);

	p.bytes = (double)(live ? v->live_bytes : v->alloc_bytes);
	p.objects = (double)(live ? v->live_objects : v->alloc_objects);
	p.samples = (uint64_t)(live ? v->live_samples : v->alloc_samples);
	if (metric_is_bytes(metric)) {
		p.value = p.bytes;
		p.sd = (double)(live ? v->live_sd_bytes : v->alloc_sd_bytes);
	} else {
		p.value = p.objects;
		p.sd =
		    (double)(live ? v->live_sd_objects : v->alloc_sd_objects);
	}
	return p;
}

/* Where a metric's numbers are in the values of a cell. */
struct offsets {
	size_t value, var, bytes, objects, samples;
};

#define IN_CELL(sort, what)                                          \
	{                                                            \
		offsetof(struct cell_values, sort##_##what),         \
		    offsetof(struct cell_values, sort##_var_##what), \
		    offsetof(struct cell_values, sort##_bytes),      \
		    offsetof(struct cell_values, sort##_objects),    \
		    offsetof(struct cell_values, sort##_samples)     \
	}

static const struct offsets offsets[METRIC_COUNT] = {
	[METRIC_LIVE_BYTES] = IN_CELL(live, bytes),
	[METRIC_LIVE_OBJECTS] = IN_CELL(live, objects),
	[METRIC_ALLOC_BYTES] = IN_CELL(alloc, bytes),
	[METRIC_ALLOC_OBJECTS] = IN_CELL(alloc, objects),
};

static inline double
double_at(const struct cell_values *v, size_t offset)
{
	return *(const double *)((const char *)v + offset);
}

static inline void
present(struct figures *f, const struct cell_values *v, const struct offsets *o)
{
	f->value = double_at(v, o->value);
	f->base = 0;
	f->bytes = double_at(v, o->bytes);
	f->objects = double_at(v, o->objects);
	f->var = f->change_var = double_at(v, o->var);
	f->samples = *(const uint64_t *)((const char *)v + o->samples);
}

struct figures
figures_cell(const struct moments *m, enum metric metric,
    const struct profile_cell *c, uint32_t cell)
{
	struct history_values was = { 0 }, is;
	struct figures f;
	struct part now, before;

	if (m->at) {
		is = history_cell(m->history, cell, m->at);
		now = past(&is, metric);
		f = (struct figures){ .value = now.value,
			.bytes = now.bytes,
			.objects = now.objects,
			.var = now.sd * now.sd,
			.samples = now.samples };
	} else {
		present(&f, &c->v, &offsets[metric]);
		if (!m->base)
			return f;
		/* most cells did not change: spare them the decoding */
		if (history_last(m->history, cell) <= m->base) {
			f.base = f.value;
			return f;
		}
		is = history_round(&c->v);
		now = past(&is, metric);
	}
	if (m->base)
		was = history_cell(m->history, cell, m->base);
	before = past(&was, metric);
	f.base = f.value - (now.value - before.value);
	f.change_var = fabs(now.sd * now.sd - before.sd * before.sd);
	return f;
}

/* Which fields of history a metric is about. */
struct fields {
	enum history_field bytes, objects, samples, value, sd;
};

static struct fields
fields_of(enum metric metric)
{
	static const struct fields all[METRIC_COUNT] = {
		[METRIC_LIVE_BYTES] = { HISTORY_LIVE_BYTES,
		    HISTORY_LIVE_OBJECTS, HISTORY_LIVE_SAMPLES,
		    HISTORY_LIVE_BYTES, HISTORY_LIVE_SD_BYTES },
		[METRIC_LIVE_OBJECTS] = { HISTORY_LIVE_BYTES,
		    HISTORY_LIVE_OBJECTS, HISTORY_LIVE_SAMPLES,
		    HISTORY_LIVE_OBJECTS, HISTORY_LIVE_SD_OBJECTS },
		[METRIC_ALLOC_BYTES] = { HISTORY_ALLOC_BYTES,
		    HISTORY_ALLOC_OBJECTS, HISTORY_ALLOC_SAMPLES,
		    HISTORY_ALLOC_BYTES, HISTORY_ALLOC_SD_BYTES },
		[METRIC_ALLOC_OBJECTS] = { HISTORY_ALLOC_BYTES,
		    HISTORY_ALLOC_OBJECTS, HISTORY_ALLOC_SAMPLES,
		    HISTORY_ALLOC_OBJECTS, HISTORY_ALLOC_SD_OBJECTS },
	};

	return all[metric];
}

struct figures_view
figures_view(const struct moments *m, enum metric metric)
{
	struct fields f = fields_of(metric);
	unsigned value = 1u << f.value | 1u << f.sd;
	struct figures_view v = {
		.metric = metric, .now = m->at == 0, .compared = m->base != 0
	};

	if (m->at)
		v.at = history_columns(m->history, m->at,
		    value | 1u << f.bytes | 1u << f.objects | 1u << f.samples);
	if (m->base)
		v.base = history_columns(m->history, m->base, value);
	return v;
}

static double
number(const struct history_columns *c, enum history_field f, uint32_t cell)
{
	return cell < c->count ? (double)c->field[f][cell] : 0;
}

/* A cell at the past moment that is looked at. */
static inline void
then(struct figures *f, const struct figures_view *v, const struct fields *k,
    uint32_t cell)
{
	double sd = number(&v->at, k->sd, cell);

	f->value = number(&v->at, k->value, cell);
	f->base = 0;
	f->bytes = number(&v->at, k->bytes, cell);
	f->objects = number(&v->at, k->objects, cell);
	f->var = f->change_var = sd * sd;
	f->samples = (uint64_t)number(&v->at, k->samples, cell);
}

/* `is` has whole numbers already if it is not the present. */
static void
compare(const struct figures_view *v, const struct fields *k, uint32_t cell,
    struct figures *is)
{
	double value = is->value, var = is->var;
	double was = number(&v->base, k->value, cell);
	double was_sd = number(&v->base, k->sd, cell);

	if (v->now) {
		double sd = (double)history_whole(sqrt(var));

		value = (double)history_whole(value);
		var = sd * sd;
	}
	is->base = is->value - (value - was);
	is->change_var = fabs(var - was_sd * was_sd);
}

void
figures_cells(const struct figures_view *v, const struct profile_cell *cells,
    uint32_t first, uint32_t n, struct figures *to)
{
	struct fields k = fields_of(v->metric);
	const struct offsets *o = &offsets[v->metric];

	for (uint32_t i = 0; i < n; i++) {
		if (v->now)
			present(&to[i], &cells[i].v, o);
		else
			then(&to[i], v, &k, first + i);
		if (v->compared)
			compare(v, &k, first + i, &to[i]);
	}
}

struct figures
figures_of_base(const struct figures *f, const struct query *q)
{
	struct figures was = { .base = f->value, .change_var = f->var };

	if (q->difference) {
		was.bytes = -f->bytes;
		was.objects = -f->objects;
	}
	return was;
}

void
figures_differ(struct figures *f, const struct query *q)
{
	double change = figures_change(f);
	bool dropped = q->drop_negative && change < 0;

	if (dropped && !q->difference)
		f->base = f->value;
	if (!q->difference)
		return;
	if (dropped)
		change = f->bytes = f->objects = 0;
	f->value = change;
	f->base = 0;
	f->var = f->change_var;
	if (change == 0)
		f->samples = 0;
	if (metric_is_bytes(q->metric))
		f->bytes = change;
	else
		f->objects = change;
}

void
figures_sub(struct figures *from, const struct figures *f)
{
	from->value -= f->value;
	from->base -= f->base;
	from->bytes -= f->bytes;
	from->objects -= f->objects;
	from->var -= f->var;
	from->change_var -= f->change_var;
	from->samples -= f->samples;
}

/* 97.5 % quantile of the normal distribution. */
#define Z95 1.96

double
figures_error(const struct figures *f)
{
	return f->var > 0 ? Z95 * sqrt(f->var) : 0;
}

double
figures_change_error(const struct figures *f)
{
	return f->change_var > 0 ? Z95 * sqrt(f->change_var) : 0;
}
