/*
 * The current sampling rate, which may be changed while the program runs.
 * Read by every thread when it draws a distance; written by the helper.
 */
#ifndef PROF_RATE_H
#define PROF_RATE_H

#include <stdbool.h>
#include <stdint.h>

/* In place of a rate: the distance was drawn while sampling was off. */
#define RATE_OFF 255u
/* Likewise: nothing was drawn, the next allocation is to be drawn for anew. */
#define RATE_FRESH  254u
#define RATE_LG_MAX 47u

struct rate {
	uint8_t lg; /* mean distance 2^lg bytes; 0 is exact */
	bool active;
};

struct rate rate_now(void);

/* Set from the options, or by a viewer; counts a change in the table. */
void rate_set(struct rate r);

/* The finest rate that samples were taken at so far, or since the last
 * rate_restart(); 0..RATE_LG_MAX. */
unsigned rate_finest(void);
void rate_restart(void);

/* Has sampling ever been on? */
bool rate_ever_active(void);

/* CLOCK_MONOTONIC since when sampling is off, 0 if it is on. */
uint64_t rate_off_since(void);
/* When it was switched on last, 0 if it was never off. */
uint64_t rate_on_since(void);

/* Nanoseconds that sampling has been off, up to `now_ns`. */
uint64_t rate_inactive_ns(uint64_t now_ns);

#endif
