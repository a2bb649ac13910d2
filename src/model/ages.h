/*
 * How old live objects are, how long others lived, when and how large they
 * were born: for rows, stacks and tree nodes of a report, at its moment.
 *
 * Sampled objects come with their birth (model/births.h).  Each stands for
 * w = 1/p objects and z w bytes as in prof/sample.h, z its size, p the
 * probability with which it was sampled at the rate of its birth; the
 * variance of the bytes is the sum of z^2 w (w - 1), that of the objects the
 * sum of w (w - 1).  Whatever a metric the report has, this is about what is
 * alive; lifetimes are those of freed samples, up to now, unweighted.
 *
 * Dumps tell no births: then nothing is `known`.  Nor is it at a moment so long
 * ago that its dead have been forgotten, nor of several profiles added up.
 * `part` says that births of some of the objects are not known (there were
 * more than the target, or heaptop, keeps): the figures are of the others.
 *
 * A view borrows the report and its profile, and is freed before they go or
 * change.  It is made at once; the first question costs a pass over all
 * births, each answer one over the births in question, and is kept: to ask
 * the same again costs nothing.
 */
#ifndef MODEL_AGES_H
#define MODEL_AGES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "model/profile.h"

struct age_view;
struct report;
struct report_row;

/* What is meant by a number. */
enum ages_of {
	AGES_ALL,    /* all of the report; the number is 0 */
	AGES_ROW,    /* report.rows[n]: what was allocated right there */
	AGES_STACK,  /* report.stacks[n] */
	AGES_ROW_ID, /* a row by ages_row_id */
	AGES_LIST,   /* any list of stacks; the number is from ages_list */
};

struct ages {
	bool known; /* else all is 0; no objects, no ages */
	bool part;
	bool exact; /* of every single object; else of samples of them: there
	             * may be older ones */
	/* Ages at the report's moment; births are known to 10 ms.  Half of the
	 * objects are at least as old as the median. */
	uint64_t oldest_ns, youngest_ns, median_ns;
	double objects, bytes; /* estimates, of those with a known birth */
	uint64_t samples;
};

/* Lifetimes of freed samples.  Bucket b: [4^b, 4^(b+1)) ms, bucket 0 also
 * what is shorter, the last what is longer. */
struct ages_lives {
	bool known;
	uint64_t freed; /* samples; at least 1 if known */
	uint64_t bucket[PROFILE_LIVES];
	unsigned median; /* the bucket of the median */
};

#define AGES_Z95 1.96 /* 97.5 % quantile of the normal distribution */

/* Of some objects: estimates, and half widths of 95 % intervals. */
struct ages_amount {
	double bytes, objects;
	double bytes_error, objects_error;
	uint64_t samples;
};

struct ages_generation {
	bool known, part;
	struct ages_amount born; /* born in the interval and alive */
	struct ages_amount all;  /* everything alive with a known birth */
};

/* Sizes: class c is (2^(c-1), 2^c] bytes, class 3 up to 8. */
#define AGES_SIZES 65
struct ages_sizes {
	bool known, part;
	unsigned first, last; /* classes that are not empty */
	struct ages_amount size[AGES_SIZES];
};

struct age_view *ages_new(const struct report *r);
void ages_free(struct age_view *v); /* NULL is fine */

/* Whether anything is known at all, without a pass: is a column worth it? */
bool ages_known(const struct age_view *v);

/* The number of a list of stacks (indices into report.stacks), as tree_stacks
 * gives it; borrowed as long as the view. */
uint32_t ages_list(struct age_view *v, const uint32_t *stacks, size_t n);
/* What a row's number is in a report that makes its rows one by one; it is
 * for AGES_ROW_ID and good for rows that are there, too. */
uint32_t ages_row_id(const struct age_view *v, const struct report_row *row);

struct ages ages_at(struct age_view *v, enum ages_of of, uint32_t n);
struct ages_lives ages_lives(struct age_view *v, enum ages_of of, uint32_t n);
/* Born after `from_ns` up to `to_ns` (CLOCK_MONOTONIC, as the snapshots'
 * times), and alive at the report's moment.  Not kept. */
struct ages_generation ages_generation(struct age_view *v, enum ages_of of,
    uint32_t n, uint64_t from_ns, uint64_t to_ns);
/* Not kept. */
struct ages_sizes ages_sizes(struct age_view *v, enum ages_of of, uint32_t n);

/* Limits of a lifetime bucket in ns; the last has no end: UINT64_MAX. */
uint64_t ages_life_from(unsigned bucket);
uint64_t ages_life_to(unsigned bucket);

#endif
