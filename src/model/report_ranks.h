/*
 * Where names stand among each other, for sorting.
 *
 * Names are compared as strings are; there may be millions of places without
 * a name, whose texts are never made for that: they stand by their modules,
 * and in each by the digits of their offsets, which is the same order.
 */
#ifndef MODEL_REPORT_RANKS_H
#define MODEL_REPORT_RANKS_H

#include <stdint.h>

struct frames;
struct report_place;

/* [i]: the rank of the function of places[which[i]], to be freed.  Equal names
 * have equal ranks.  frames[profile]. */
uint32_t *ranks_new(const struct frames *const *frames,
    const struct report_place *places, const uint32_t *which, uint32_t n);

#endif
