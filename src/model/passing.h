/*
 * What passes through the groups of a report: a stack counts once in each
 * group it goes through.
 *
 * Of a shape that was used before it is added up along the tree of its
 * stacks; to make that tree pays only for who asks again, so the first time
 * every stack is walked, and always for who asks for rows in pieces.
 */
#ifndef MODEL_PASSING_H
#define MODEL_PASSING_H

#include <stdint.h>

struct report;
struct run_sum;

/* Groups with a number slot[group] > 0 are wanted: they are added up in
 * to[number - 1], all zeros before.  What is wanted of few costs less. */
void passing_sum(
    const struct report *r, const uint32_t *slot, struct run_sum *to);

/* present[group] = 1 where a stack that is not empty goes through.  If `value`
 * is not NULL: [group], all zeros before, the values alone of passing_sum. */
void passing_mark(const struct report *r, uint8_t *present, double *value);

#endif
