/*
 * The current sampling rate, which may be changed while the program runs.
 * Read by every thread when it draws a distance; written by the helper.
 */
#ifndef PROF_RATE_H
#define PROF_RATE_H

#include <stdbool.h>
#include <stdint.h>

/* In place of a rate: the distance was drawn while sampling was off. */
#define RATE_OFF    255u
#define RATE_LG_MAX 47u

struct rate {
	uint8_t lg; /* mean distance 2^lg bytes; 0 is exact */
	bool active;
};

struct rate rate_now(void);

/* Set from the options, or by a viewer; counts a change in the table. */
void rate_set(struct rate r);

/* Nanoseconds that sampling has been off, up to `now_ns`. */
uint64_t rate_inactive_ns(uint64_t now_ns);

#endif
