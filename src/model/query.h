/*
 * A question to a profile: what is measured, by what it is grouped, against
 * what it is compared, what is left out.  A plain value: copy it, compare its
 * fields, keep it.  Patterns and profiles are borrowed and must outlive every
 * report made with the query.
 */
#ifndef MODEL_QUERY_H
#define MODEL_QUERY_H

#include <regex.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "model/history.h"

struct err;
struct profile;

enum metric {
	METRIC_LIVE_BYTES,
	METRIC_LIVE_OBJECTS,
	METRIC_ALLOC_BYTES,
	METRIC_ALLOC_OBJECTS,
	METRIC_COUNT
};

enum grouping {
	GROUP_FUNCTIONS,
	GROUP_STACKS,
	GROUP_LINES,
	GROUP_FILES,
	GROUP_MODULES,
	GROUP_ADDRESSES,
	GROUP_THREADS,
	GROUP_COUNT
};

/* Descending; ties by name, then by id. */
enum order {
	ORDER_FLAT,
	ORDER_CUM,
	ORDER_CHANGE,     /* largest growth first, largest shrinkage last */
	ORDER_ABS_CHANGE, /* largest change of either sign first */
	ORDER_OBJECTS,
	ORDER_NAME, /* ascending */
	ORDER_COUNT
};

/* How much of the leaf end of a stack is cut, see plumbing.h. */
enum cut {
	CUT_WRAPPERS, /* allocator frames and thin wrappers: the leaf is SITE */
	CUT_ALLOCATOR, /* allocator frames only, as jeprof does */
	CUT_NOTHING,
};

/* A compiled POSIX extended regular expression, matched anywhere. */
struct pattern {
	regex_t re;
	char *text;
};

struct query {
	enum metric metric;
	enum grouping grouping;
	enum order order;
	enum cut cut;
	bool reverse; /* turn the order round */
	bool invert;  /* the tree starts at the sites */
	bool tree;    /* build the tree */
	/* Rows are differences: flat and cum are now minus base, as jeprof's
	 * --base shows it.  Otherwise base only feeds `change`. */
	bool difference;
	bool drop_negative; /* a change below 0 counts as 0 */
	bool freed; /* stacks that hold nothing stay in the list of stacks */
	bool since_start; /* compare with nothing: change is the value itself */

	/* The moment looked at, and the one it is compared with, in the
	 * report's profile; 0: the newest, and its predecessor. */
	snap_id at, base;
	/* If set, compared with this profile's newest moment instead. */
	const struct profile *base_profile;
	/* Stacks of several profiles are the same if their build-ids and
	 * offsets are.  If this is set, as for another build, stacks are for
	 * which it tells the same, [stack id], to be freed; and functions that
	 * look the same.  See alike.h. */
	uint64_t *(*alike)(const struct profile *p);

	/* Whole stacks: kept only with a frame that matches focus, left out
	 * with one that matches ignore.  Frames: only those that match show
	 * stay, those that match hide go.  NULL: no such filter. */
	const struct pattern *focus, *ignore, *show, *hide;
	int thread; /* only this slot; -1: all */
	/* Whole stacks: only those whose average object, live or allocated as
	 * the metric says, or freed since, is at least min and below max
	 * bytes.  0: any. */
	double min_size, max_size;

	/* Rows beyond max_rows (0: no limit) or below min_fraction of the
	 * local total, by flat and cum, go into the remainder. */
	size_t max_rows;
	double min_fraction;
	/* If not 0 rows are not made with the report but one after the other
	 * by report_rows_next, for which so many are looked at in one go: for
	 * who lists them all, however many there are. */
	size_t piece;
};

/* Live bytes by function, ordered by flat, nothing left out. */
void query_init(struct query *q);

/* NULL and a sentence if the expression is wrong. */
struct pattern *pattern_new(const char *text, struct err *e);
void pattern_free(struct pattern *p); /* NULL is fine */
bool pattern_matches(const struct pattern *p, const char *s);

/* "live bytes"; "function"; as it is said of n of them: "functions". */
const char *metric_label(enum metric m);
const char *grouping_label(enum grouping g);
const char *grouping_noun(enum grouping g, size_t n);
bool metric_is_bytes(enum metric m);
bool metric_is_live(enum metric m);

#endif
