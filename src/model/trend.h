/*
 * How the rows of a report went over the snapshots of its profile.
 *
 * Of the snapshots from the compared moment, A, to the one looked at, B, at
 * most TREND_SNAPSHOTS are looked at: A and B, and of what is between the
 * first in each of equal spans of time (every so many, where times say
 * nothing).  These stay the same while B goes on.
 *
 * Let v[0..n-1] be a row's values there, x[i] their estimated variances, a[i]
 * what was allocated up to then and y[i] its variance.  A step is from i - 1
 * to i.
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
 * ed. 1998, chapter 1): b = sum c[i] v[i], c[i] = (t[i] - mean t) / Sxx.  Its
 * error is the larger one of two 95 % half widths.
 *
 *	That of sampling, 1.96 sqrt(W).  With C[k] the sum of c[i] from k on, a
 *	sample that came at k and went at l adds its own variance times
 *	(C[k] - C[l])^2.  Were the steps independent, that were no more than the
 *	sum of C[k]^2 V[k].  However long samples live, it is no more than
 *	2 M^2 max x, M the largest C: samples can be put in chains of which
 *	each has lived when the next one comes, no more chains than max x
 *	has room for, and C goes up to M and down again.  W is the smaller one.
 *
 *	That of the values' scatter about the line, if their sum of squares,
 *	RSS, is more than twice what sampling explains: the smaller one of
 *	(1 - 2/n) sum x[i] and sum V[k] ((n - k) k / n - Sxx C[k]^2).  It is
 *	t sqrt(RSS / (m - 2) / Sxx), t Student's for m - 2 degrees of freedom;
 *	m = n (1 - r) / (1 + r), but at least 3, stands for as many independent
 *	values, r being the correlation of neighbours (Santer and others, J.
 *	Geophys. Res. 105, 2000, 7337), if n is 8 and more; else m = n.
 *
 * Level.  The latter half of the time has a rate of its own.  A row that grew
 * has *levelled off* if that rate is within its error and with it below half
 * of that of the former half; or if what the last quarter of the time added is
 * within its error and with it below half of what that rate would add.  It
 * *jumped* if one step is more than two thirds of what the latter half added.
 * Both with four steps at least in the time it is about.
 *
 * Kept.  Of what was allocated from A to B, a, is still there at least what
 * the row grew by, d: the share p = d / a.  A sample that stays adds 1 - p to
 * its error, one that is gone p, so that the variance of p is, with V and D as
 * above from A to B and Y = y[n-1] - y[0],
 *
 *	((V + D) / 2 (1 - p)^2 + (Y - (V + D) / 2) p^2 + (V - D) / 2) / a^2.
 */
#ifndef MODEL_TREND_H
#define MODEL_TREND_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct report;

#define TREND_SNAPSHOTS 32 /* looked at, at most */
#define TREND_POINTS    10 /* most of the values kept for a spark line */

enum trend_kind {
	TREND_GREW,   /* by more than the noise, and never fell */
	TREND_WAVERS, /* by more than the noise, but fell at times */
	TREND_NOISE,  /* the change is within the noise */
	TREND_SHRANK, /* fell by more than the noise */
};

struct trend {
	enum trend_kind kind;
	bool levelled;           /* grew, but no more */
	bool jumped;             /* grew of late, but all at once */
	double first, last;      /* in the query's metric */
	double error;            /* 95 % half width of last - first */
	uint32_t grew, fell;     /* of the steps */
	double rate, rate_error; /* per second; a snapshot if not timed */
	double late, late_error; /* the same of the latter half of the time */
	double allocated;        /* between first and last; -1: not known */
	double kept, kept_error; /* share of it that is there; -1: not known */
	/* Objects, of a metric that is bytes, else bytes. */
	double first_also, last_also;
	/* Samples that came, and how many more there are; 0: not known. */
	int64_t new_samples, more_samples;
	double points[TREND_POINTS]; /* trends.points of them */
};

struct trend_track;

struct trends {
	size_t snapshots; /* from A to B; 0: nothing at all */
	size_t steps;     /* between those looked at */
	size_t points;
	bool timed;              /* rates are per second */
	uint64_t from_ns, to_ns; /* of the first and the last snapshot */
	/* Rows that were followed, and where: [row], UINT32_MAX if not. */
	uint32_t *at;
	struct trend *list;
	size_t count, cap;
	struct trend all; /* of all stacks in the report; by trends_new only */

	/* What goes on from one to the next. */
	const struct report *report;
	uint32_t *row_of; /* [cell] */
	size_t cells;
	uint64_t question; /* a hash of what was asked */
	uint32_t ids[TREND_SNAPSHOTS];
	uint64_t ns[TREND_SNAPSHOTS];
	double t[TREND_SNAPSHOTS];  /* seconds since the first */
	struct trend_track *tracks; /* of list, from track_from on */
	size_t track_from, track_cap;
};

/*
 * Of the report's first profile, from the query's base (0: the first
 * snapshot; with since_start the first value is 0 whatever it was there) to
 * the moment it looks at.  `timed`: the snapshots' times mean something.  Ask
 * with query.freed, lest rows that are gone by now be left out.  Rows are by
 * what was allocated right there.
 *
 * trends_new follows all rows, trends_begin none: that costs little, and
 * trends_follow those that are wanted.  `old`, which is freed, is what was
 * made for the report before: what was read of snapshots that are looked at
 * again is taken from it, if the same was asked.  It may be NULL.  Results
 * borrow the report until they are `old`.
 */
struct trends *trends_new(const struct report *r, bool timed);
struct trends *trends_begin(
    const struct report *r, bool timed, struct trends *old);
/* Which rows changed by more than their noise, [row]; at the cost of one
 * snapshot. */
void trends_changed(const struct trends *t, bool *changed);
/* Those that were followed before cost nothing. */
void trends_follow(struct trends *t, const uint32_t *rows, size_t n);
void trends_free(struct trends *t); /* NULL is fine */

/* NULL if it was not followed.  Good until others are. */
const struct trend *trends_at(const struct trends *t, uint32_t row);

/* Order to show them in: by kind, then by change, the largest first; at most
 * those that were ever anything.  The caller's to free.  By trends_new. */
uint32_t *trends_order(
    const struct trends *t, const struct report *r, size_t *n);

static inline double
trend_change(const struct trend *t)
{
	return t->last - t->first;
}

#endif
