/*
 * What is known of the rows of a report before they are made: figures, and
 * the stack that stands for the row.
 *
 * Rows have ids: groups of places, indices of stacks or slots of threads.
 * What passes through a group is added up for all of them only where it cannot
 * be told without which rows there are; of the others the order needs values
 * at most, and the rest is added up when rows are made, for those.  So a group that no stack ends in costs next to nothing.
 */
#ifndef MODEL_ROW_ITEMS_H
#define MODEL_ROW_ITEMS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "model/figures.h"

struct query;
struct report;
struct row_items;
struct row_key;
struct run_sum;

struct item {
	struct figures flat, cum;
	uint32_t id;
	uint32_t stack;  /* the stack that weighs most in it */
	uint32_t at;     /* where in that stack the row's own frame is */
	uint32_t stacks; /* how many stacks */
};

/* Whether rows are called by functions. */
bool row_items_named(const struct query *q);

/* Borrows the report. */
struct row_items *row_items_new(const struct report *r);
void row_items_free(struct row_items *s);          /* NULL is fine */
size_t row_items_count(const struct row_items *s); /* ids are below */

/* Nothing is in it. */
bool row_items_empty(const struct row_items *s, uint32_t id);
const struct figures *row_items_flat(const struct row_items *s, uint32_t id);
/* The value with all it called; 0 where neither order nor limit ask for it. */
double row_items_cum(const struct row_items *s, uint32_t id);

/* All have been asked for their figures: what passes through them may go. */
void row_items_weighed(struct row_items *s);
/* Rows are ordered and counted: what served that goes, for they are many. */
void row_items_ordered(struct row_items *s);
/* What passes through the rows of these keys, [index], to be freed; NULL where
 * everything is known. */
struct run_sum *row_items_passing(
    const struct row_items *s, const struct row_key *keys, size_t n);
/* `passing` is that of the row, NULL where it is known or does not matter. */
struct item row_items_at(
    const struct row_items *s, uint32_t id, const struct run_sum *passing);

#endif
