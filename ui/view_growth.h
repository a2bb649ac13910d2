/*
 * View 2: what changed between A and B (without marks, since the start).
 *
 * Rows that changed by more than their noise, the largest growth first; what
 * may be a leak (model/suspect.h) stands before all others, with a sign, and
 * why in the detail.  What changed by less than its noise, or by less than
 * a two-hundredth of the largest change, is one row, what did not change at all
 * another: `u` lists them.  So figures add up.  `D` shows ages, and what survives of
 * those born between A and B, in place of what lives.
 *
 * Trends (model/trend.h) are made of the rows that may be suspects and of
 * those that are seen, and go on from one report to the next.
 */
#ifndef UI_VIEW_GROWTH_H
#define UI_VIEW_GROWTH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "model/figures.h"
#include "model/query.h"
#include "ui/list.h"

struct app;
struct report;
struct report_row;
struct trend;
struct trends;
struct view;

enum growth_order {
	GROWTH_BY_CHANGE,
	GROWTH_BY_VALUE,
	GROWTH_BY_NAME,
};

/* What stands in the column of what lives. */
enum growth_column {
	GROWTH_VALUE,
	GROWTH_AGE,  /* the median age of it */
	GROWTH_BORN, /* what was born between A and B of it */
};

/* Its part of the state of the screen. */
struct growth_view {
	struct list rows;
	enum grouping grouping; /* of what the list has */
	enum growth_order order;
	bool reverse;   /* what shrank first */
	bool unchanged; /* all rows are listed */
	enum growth_column column;

	/* Derived from that report; NULL: nothing is. */
	const struct report *report;
	struct trends *trends; /* outlives it, for the next one */
	struct listed {
		uint32_t row;
		bool suspect;
	} * listed;
	size_t count, cap;
	size_t suspects;          /* how many of them */
	size_t small, same;       /* rows that are not listed */
	struct figures smaller;   /* what the small ones hold together */
	double max;               /* the largest change of either sign */
	enum growth_column shown; /* that column, if it can be */
	double *also;             /* [row]: its figures, NaN: not known */
	size_t also_cap;
};

extern const struct view view_growth;

/* Of a row of the report that is shown: NULL if it was not followed. */
const struct trend *growth_trend(
    const struct app *a, const struct report_row *row);
bool growth_suspect(const struct app *a, const struct report_row *row);

#endif
