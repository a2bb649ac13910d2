/*
 * The answer to a query: totals, rows, a tree.  Everything on the screen and
 * in an export is drawn from it.
 *
 * Built whole, never changed, freed whole: one arena.  It borrows the
 * profiles (strings, stacks, totals), so it must be freed before they go or
 * change; any profile_put_* or change of names invalidates it.
 *
 * What does not depend on figures (places, groups, the tree of all stacks) is
 * kept with a single profile from one report to the next, see report_shape.h:
 * a report costs what adding up costs, the first one after names have changed
 * costs some times as much.  All rows of very many stacks cost more than the
 * first of them: who shows few sets max_rows, and who lists all one by one
 * sets `piece`.
 *
 * `whole` is everything the query's thread and moment hold, `total` that of
 * the sizes asked for; `local` is what is left after focus, ignore, show and
 * hide.  The rows' flat figures and the
 * remainder's add up to `local` exactly, whatever was cut; so do samples,
 * objects and changes.  Figures are unbiased estimates; `error` is the half
 * width of their 95 % interval, 1.96 times the square root of the estimated
 * variance, 0 where exact.
 */
#ifndef MODEL_REPORT_H
#define MODEL_REPORT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/buf.h"
#include "model/figures.h"
#include "model/query.h"
#include "model/stacks.h"

struct profile;
struct row_source;
struct run_sum;
struct shape;

/* One function at one place: what a frame of a stack stands for.  Inlined
 * functions are places of their own. */
struct place {
	uint32_t profile; /* index into report.profiles */
	frame_id frame;
	uint16_t level; /* 0 is the innermost function there */
	bool inlined;   /* has no code of its own here */
	uint32_t group; /* the same for all places of one row */
	const char *function, *file, *module;
	uint32_t line;    /* 0: not known */
	uint64_t address; /* in the process, inside the call */
};

/* The same, compact; read it through report_place. */
struct report_place {
	uint32_t profile;
	frame_id frame;
	uint32_t level;
	uint32_t group; /* dense from 0, below report.place_groups;
			 * UINT32_MAX: in no row and no tree */
};

/* One call stack after filters and cutting, with what it holds. */
struct report_stack {
	uint32_t profile; /* index into report.profiles */
	stack_id id;
	uint32_t flags; /* enum profile_stack_flag */
	struct figures f;
	/* Place numbers, leaf (the site) first; see report_place. */
	const uint32_t *places;
	uint32_t count;
	uint32_t cell; /* the first of its cells in that profile */
};

struct report_row {
	/* Identity that outlives the report, unique among its rows: hash of
	 * the name for functions, files, lines and modules, stack identity,
	 * address, or thread slot. */
	uint64_t key;
	const char *name; /* of the function, file, thread...; of the site */
	const char *file; /* "" if not known or not one */
	uint32_t line;
	bool inlined;       /* its own place, as in struct place */
	struct figures f;   /* flat: allocated right there */
	struct figures cum; /* with everything it called; each stack once */
	/* Site and callers of the stack that weighs most in this row: place
	 * numbers from this row's own frame to the root. */
	const uint32_t *places;
	uint32_t count;
	uint32_t stack;    /* that stack: index into report.stacks */
	uint32_t stacks;   /* how many stacks are in the row (by cum) */
	uint64_t first_ns; /* when that stack was first seen; 0: not known */
};

/*
 * The call tree in preorder: node 0 is the root ("all").  The children of n
 * begin at n + 1; the next sibling of c is nodes[c].next, up to nodes[n].next.
 * Children stand in descending order of |cum.value|, ties by name.
 */
struct tree_node {
	uint32_t place;     /* a place of that group; TREE_ALL for the root */
	uint32_t parent;    /* the root's is 0 */
	uint32_t next;      /* first node that is not below this one */
	uint32_t depth;     /* 0 is the root */
	uint32_t first;     /* lowest stack index in it: order of appearance */
	uint64_t path;      /* identity: hash of the names from the root */
	struct figures cum; /* in and below */
	struct figures self;
};

#define TREE_ALL UINT32_MAX

struct report {
	struct arena arena;
	struct query query; /* as asked */
	const struct profile *const *profiles;
	size_t profile_count; /* of those summed; base_profile comes after */
	struct figures whole, total, local;
	double base_total; /* of total, what it was at the compared moment */

	/* In the order of the profile's stacks; only those that hold something. */
	const struct report_stack *stacks;
	size_t stack_count;
	/* [profile][stack id]: its index in stacks + 1, or 0 if it is not
	 * there; of base_profile too. */
	const uint32_t *const *stack_index;

	/* NULL where they are made one by one, see query.piece. */
	const struct report_row *rows;
	size_t row_count;
	struct figures remainder; /* what is in no row */
	size_t remainder_count;   /* rows that were cut */
	size_t group_count;       /* rows and cut rows */
	/* Of all of them: those that hold nothing themselves and did not
	 * change, and the largest value that one has itself. */
	size_t idle_count;
	double max_value;

	const struct tree_node *tree; /* NULL unless asked for */
	size_t tree_count;

	/* The process: sums over the profiles.  have_*: 0 before the first
	 * commit, or where there is no snapshot to compare with. */
	struct profile_totals totals, before;
	bool have_totals, have_before;
	bool several_rates; /* samples are of several: totals has the largest */
	uint64_t now_ns, base_ns; /* moments compared; base 0: the start */

	/* One line on what was not seen: sampling, losses, missing names,
	 * foreign malloc.  "" if nothing is missing. */
	const char *notes;

	const struct report_place *places;
	size_t place_count;
	size_t place_groups; /* groups are below this */

	/* Where the place lists live; see report_shape.h. */
	struct shape *shape;
	const uint32_t *stack_lists;   /* [index into stacks] */
	struct row_source *row_source; /* NULL: the rows are there */
};

/* n >= 1 profiles; with more than one they are added up. */
struct report *report_build(
    const struct profile *const *profiles, size_t n, const struct query *q);
void report_free(struct report *r); /* NULL is fine */
/* Who has time makes in advance, in pieces of some milliseconds, what a later
 * report or tree of the same stacks in the same groups needs: from the root,
 * or inverted.  Returns whether there is more to do. */
bool report_prepare(const struct report *r, bool invert);
/* Whether what it makes is as new as the report: names that come at every
 * moment would have it made at every moment. */
bool report_is_first(const struct report *r);

/*
 * The rows one after the other, whether the report has them or not:
 *
 *	struct report_rows rows = { .report = r };
 *	while ((row = report_rows_next(&rows)) != NULL)
 *
 * A row that was not in the report is good until the next one.  NULL comes
 * after the last, and then nothing is left to be freed; who stops before it
 * calls report_rows_end.
 */
struct report_rows {
	const struct report *report;
	size_t next; /* index of the next row */
	/* where rows are made: what passes through those of the piece at hand */
	size_t from, count;
	struct run_sum *passing;
	struct report_row row;
	struct buf text; /* its name, if that had to be made */
};
const struct report_row *report_rows_next(struct report_rows *rows);
void report_rows_end(struct report_rows *rows);

struct place report_place(const struct report *r, uint32_t place);
/* Parts of it that cost less, as no name is looked at. */
uint64_t report_place_address(const struct report *r, uint32_t place);
const char *report_place_module(const struct report *r, uint32_t place);

#endif
