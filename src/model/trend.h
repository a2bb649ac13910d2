/*
 * How the rows of a report went over the snapshots of its profile.
 *
 * Let v[0..n-1] be a row's values, x[i] their estimated variances, a[i] what
 * was allocated up to then and y[i] its variance.  A step is from i - 1 to i.
 *
 * Noise.  What is in v[i] and not in v[i-1] was allocated in between; what is
 * in v[i-1] only was freed.  Samples are independent (prof/sample.h), so the
 * variance of the step is that of what came and of what went.  What came and
 * stayed is at most what was allocated, A = y[i] - y[i-1]; what went is what
 * came less the growth of x.  So, with D = x[i] - x[i-1],
 *
 *	V = min(x[i-1] + x[i], max(|D|, 2 A - D))
 *
 * which is exact where nothing was freed, and else too large rather than too
 * small.  Where accumulated figures are not known (files that have none), it
 * is x[i-1] + x[i].  The same holds from the first snapshot to the last.
 *
 * A step *grew* if it is above 1.96 sqrt(V), *fell* if it is below minus
 * that, and else is neither: nothing is claimed below its noise.
 *
 * Rate.  Least squares (Draper and Smith, Applied Regression Analysis, 3rd
 * ed. 1998, chapter 1): b = sum c[i] v[i], c[i] = (t[i] - mean t) / Sxx.
 * As the steps are independent its sampling variance is the sum over steps k
 * of C[k]^2 V[k], C[k] the sum of c[i] from k on; that of the scatter about
 * the line is s^2 / Sxx with n - 2 degrees of freedom.  Its error is the
 * larger one of both 95 % half widths: 1.96 and Student's t.
 */
#ifndef MODEL_TREND_H
#define MODEL_TREND_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct report;

#define TREND_POINTS 10 /* most of the values kept for a spark line */

enum trend_kind {
	TREND_GREW,   /* by more than the noise, and never fell */
	TREND_WAVERS, /* by more than the noise, but fell at times */
	TREND_NOISE,  /* the change is within the noise */
	TREND_SHRANK, /* fell by more than the noise */
};

struct trend {
	enum trend_kind kind;
	bool levelled;           /* grew, but not in the latter half of steps */
	double first, last;      /* in the query's metric */
	double error;            /* 95 % half width of last - first */
	uint32_t grew, fell;     /* of the steps */
	double rate, rate_error; /* per second; if trends.timed */
	double allocated;        /* between first and last; -1: not known */
	double points[TREND_POINTS]; /* trends.points of them */
};

struct trends {
	size_t snapshots; /* steps are one fewer; 0: nothing at all */
	size_t points;
	bool timed;              /* rates are there */
	uint64_t from_ns, to_ns; /* of the first and the last snapshot */
	struct trend *rows;      /* [report.row_count] */
	struct trend all;        /* of all stacks in the report */
};

/*
 * Of the report's first profile, from the query's base (0: the first
 * snapshot) to the moment it looks at.  `timed`: the snapshots' times mean
 * something.  Ask with query.freed, lest rows that are gone by now be left
 * out.  Rows are by what was allocated right there.
 */
struct trends *trends_new(const struct report *r, bool timed);
void trends_free(struct trends *t); /* NULL is fine */

/* Order to show them in: by kind, then by change, the largest first; at most
 * those that were ever anything.  The caller's to free. */
uint32_t *trends_order(
    const struct trends *t, const struct report *r, size_t *n);

static inline double
trend_change(const struct trend *t)
{
	return t->last - t->first;
}

#endif
