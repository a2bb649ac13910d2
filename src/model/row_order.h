/*
 * The order of a report's rows, as numbers that ascend in it, so that very
 * many rows of which few are shown are not all sorted.
 */
#ifndef MODEL_ROW_ORDER_H
#define MODEL_ROW_ORDER_H

#include <stddef.h>
#include <stdint.h>

/* Ascending by weight, then by rank, then by id. */
struct row_key {
	uint64_t weight;
	uint32_t rank; /* the place of its name among all names */
	uint32_t id;
};

/* A weight that is the smaller the larger v is. */
uint64_t row_weight(double v);

/* Drop keys that cannot be among the first `most` whatever the ranks are; the
 * others keep their order.  Returns how many are left, at least `most` where
 * there were as many. */
size_t row_order_select(struct row_key *keys, size_t n, size_t most);

/* Sort n keys that come in the order of their ids. */
void row_order_sort(struct row_key *keys, size_t n);

#endif
