#include "model/trend_fit.h"

#include <math.h>
#include <string.h>

#include "model/report.h"

/* From this many values on their neighbours' correlation says something. */
#define ALIKE_FROM 8

/* ---- the variance of a change ---------------------------------------------- */

bool
trend_accumulates(const struct trend_point *from, const struct trend_point *to)
{
	double came = to->alloc - from->alloc;

	/* values are rounded */
	return to->alloc > 0 && came >= 0 &&
	    came >= to->value - from->value - 1;
}

double
trend_var(const struct report *r, const struct trend_point *from,
    const struct trend_point *to)
{
	double d = to->var - from->var;
	double most = from->var + to->var, v;

	if (!metric_is_live(r->query.metric))
		return fabs(d);
	if (!trend_accumulates(from, to))
		return most;
	v = 2 * (to->alloc_var - from->alloc_var) - d;
	if (v < fabs(d))
		v = fabs(d);
	return v < most ? v : most;
}

/* ---- the line through some of the values ------------------------------------ */

void
trend_line(struct trend_line *l, const double *t, size_t from, size_t end)
{
	double sum = 0;

	memset(l, 0, sizeof *l);
	l->from = from;
	l->n = end - from;
	for (size_t i = from; i < end; i++)
		l->mean += t[i] / (double)l->n;
	for (size_t i = from; i < end; i++)
		l->sxx += (t[i] - l->mean) * (t[i] - l->mean);
	for (size_t i = l->n; l->sxx > 0 && i-- > 0;) {
		l->c[i] = (t[from + i] - l->mean) / l->sxx;
		sum += l->c[i];
		l->tail[i] = sum;
		l->most = fmax(l->most, sum);
	}
}

/* 97.5 % quantile of Student's t; between whole degrees in a line. */
static double
student(double degrees)
{
	static const double few[] = { 12.706, 4.303, 3.182, 2.776, 2.571, 2.447,
		2.365, 2.306, 2.262, 2.228 };
	size_t n = sizeof few / sizeof few[0], whole = (size_t)degrees;

	if (whole >= n)
		return TREND_Z95 + 2.65 / degrees; /* within 0.01 of it */
	if (whole < 1)
		return few[0];
	return few[whole - 1] +
	    (few[whole] - few[whole - 1]) * (degrees - (double)whole);
}

/* What a row's values and their noise are about a line. */
struct fit {
	double slope;
	double sampling;  /* W */
	double explained; /* of the squares, by sampling */
	double squares;   /* RSS */
	double alike;     /* correlation of neighbours */
};

/* Sums over the steps: of the slope's variance, and of the squares. */
static void
fit_noise(struct fit *f, const struct trend_line *l, const struct report *r,
    const struct trend_point *p)
{
	double steps = 0, walk = 0, sum = 0, most = 0, n = (double)l->n;

	for (size_t i = 0; i < l->n; i++) {
		double k = (double)i, c = l->tail[i], v;

		sum += p[i].var;
		most = fmax(most, p[i].var);
		if (i == 0)
			continue;
		v = trend_var(r, &p[i - 1], &p[i]);
		steps += c * c * v;
		walk += v * fmax(0, (n - k) * k / n - l->sxx * c * c);
	}
	f->sampling = fmin(steps, 2 * l->most * l->most * most);
	f->explained = fmin(walk, sum * (1 - 2 / n));
}

static void
fit_scatter(struct fit *f, const struct trend_line *l, const double *t,
    const struct trend_point *p)
{
	double first = p[0].value, mean = 0, before = 0, both = 0;

	for (size_t i = 0; i < l->n; i++)
		mean += (p[i].value - first) / (double)l->n;
	for (size_t i = 0; i < l->n; i++) {
		double off = p[i].value - first - mean -
		    f->slope * (t[l->from + i] - l->mean);

		f->squares += off * off;
		both += off * before;
		before = off;
	}
	/* what rounding leaves of a straight line is none */
	if (f->squares <= 1e-12 * l->sxx * f->slope * f->slope)
		f->squares = 0;
	f->alike = f->squares > 0 ? fmax(0, both / f->squares) : 0;
}

static double
fit_error(const struct fit *f, const struct trend_line *l)
{
	double sampling = TREND_Z95 * sqrt(f->sampling), scatter;
	double m = (double)l->n;

	if (l->n < 3 || f->squares <= 2 * f->explained)
		return sampling;
	if (l->n >= ALIKE_FROM)
		m = fmax(3, m * (1 - f->alike) / (1 + f->alike));
	scatter = student(m - 2) * sqrt(f->squares / (m - 2) / l->sxx);
	return fmax(sampling, scatter);
}

double
trend_slope(const struct trends *t, const struct trend_line *l,
    const struct trend_track *k, double *error)
{
	const struct trend_point *p = &k->p[l->from];
	struct fit f = { 0 };

	*error = 0;
	if (l->sxx <= 0)
		return 0;
	for (size_t i = 0; i < l->n; i++)
		f.slope += l->c[i] * (p[i].value - p[0].value);
	fit_noise(&f, l, t->report, p);
	fit_scatter(&f, l, t->t, p);
	*error = fit_error(&f, l);
	return f.slope;
}
