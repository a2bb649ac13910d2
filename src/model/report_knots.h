/*
 * Place lists merged into a tree by the groups of their places.
 *
 * Knots are numbered in preorder, 0 is the root; what is below k are the
 * knots up to next[k].  A run is as many knots as hang in a line without a
 * stack that ends before the last of them: whatever is summed over the stacks
 * through a knot is the same in all of its run.  Runs are in preorder, too.
 */
#ifndef MODEL_REPORT_KNOTS_H
#define MODEL_REPORT_KNOTS_H

#include <math.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "model/figures.h"

struct place_list;
struct report;
struct report_place;
struct run_sum;
struct sprouts;
struct labels;

struct knots {
	size_t count;
	uint32_t *place; /* [knot] a place of its group */
	uint32_t *group; /* [knot]; the root's is 0 */
	uint32_t *next;  /* [knot] */
	uint32_t *run;   /* [knot] */
	size_t run_count;
	uint32_t *above; /* [run]: the run above it; the root's is 0 */
	uint32_t *first; /* [run]: its first knot; [run_count]: count */
	uint32_t *end;   /* [list]: the run at whose last knot it ends */
	uint8_t *outer;  /* [knot]: none of its group is above it */
	/* Where stacks count in a group: the runs of its knots that have none
	 * of the group above them.  Those of a group are from of_group[group]
	 * on, up to those of the next one.  NULL until they are needed. */
	uint32_t *counts;
	uint32_t *of_group;
	uint32_t groups;
	size_t lists;
	bool invert;
	struct sprouts *sprouts; /* to add more */
	struct labels *labels;   /* who holds what is above */
	struct run_sum *sums;    /* scratch */
	size_t sum_cap;
	uint32_t *slot; /* scratch, [run] */
};

/* A tree of nothing but the root. */
struct knots *knots_new(bool invert);
void knots_free(struct knots *k); /* NULL is fine */

/* Add the lists from k->lists on up to `count`; lists without places end at
 * the root.  The lists before must be the same as ever. */
void knots_extend(struct knots *k, const struct place_list *lists, size_t count,
    const struct report_place *places);
/* The larger part of that work, in advance: up to `end` lists, which may be
 * fewer than there are.  Knots stay as they are until they are extended. */
void knots_prepare(struct knots *k, const struct place_list *lists, size_t end,
    const struct report_place *places);
/* How many lists are prepared; not fewer than k->lists. */
size_t knots_prepared(const struct knots *k);

/* The knots as they are, for who keeps them while lists may be added: nothing
 * but their numbers may be read of the copy.  Given back with knots_let_go. */
struct knots knots_hold(const struct knots *k);
void knots_let_go(struct knots *copy);

/* The knot above; the root's is itself. */
static inline uint32_t
knots_above(const struct knots *k, uint32_t knot)
{
	uint32_t run = k->run[knot];

	if (knot != k->first[run])
		return knot - 1;
	return run ? k->first[k->above[run] + 1] - 1 : 0;
}

/* What a report's stacks through a run add up to. */
struct run_sum {
	struct figures f;
	double heaviest; /* what the heaviest of them weighs */
	uint32_t stack;  /* which one that is: index into report.stacks */
	uint32_t first;  /* the lowest index */
	uint32_t stacks; /* how many; 0: the rest says nothing */
	uint32_t at;     /* where in `stack`, from the leaf; RUN_SUM_ANYWHERE */
};

#define RUN_SUM_ANYWHERE UINT32_MAX

/* [run].  Borrowed until the next knots_sum* or knots_extend. */
const struct run_sum *knots_sum(struct knots *k, const struct report *r);
/* The same into room for k->run_count of them. */
void knots_sum_into(
    const struct knots *k, const struct report *r, struct run_sum *sums);

/* The same by groups: a stack counts once in a group, however often it goes
 * through it.  Only for those with slot[group] > 0, in to[slot[group] - 1]:
 * the fewer there are the less it costs.  `to` is all zeros before. */
void knots_sum_groups(struct knots *k, const struct report *r,
    const uint32_t *slot, struct run_sum *to);

/* present[group] = 1 where a stack that is not empty goes through.  If `value`
 * is not NULL: [group], the values alone of what knots_sum_groups adds up,
 * which costs far less. */
void knots_mark_groups(
    struct knots *k, const struct report *r, uint8_t *present, double *value);

/* Add one to another.  Of two stacks that weigh the same the first is the
 * heaviest. */
static inline void
run_sum_add(struct run_sum *to, const struct run_sum *s)
{
	figures_add(&to->f, &s->f);
	if (!to->stacks || s->heaviest > to->heaviest ||
	    (s->heaviest == to->heaviest && s->stack < to->stack)) {
		to->heaviest = s->heaviest;
		to->stack = s->stack;
		to->at = s->at;
	}
	if (!to->stacks || s->first < to->first)
		to->first = s->first;
	to->stacks += s->stacks;
}

/* How much a stack speaks for a row. */
static inline double
knots_weight(const struct figures *f)
{
	return fabs(f->value) + fabs(f->base) / 2;
}

#endif
