/*
 * Numbers as they are written on a command line.  All return 0, or -1 for
 * what is no such number, which leaves the result alone.
 */
#ifndef QUANTITY_H
#define QUANTITY_H

#include <stdint.h>

/* "64K", "500M", "1.5G", "64KiB"; units are powers of 1024, a bare number is
 * bytes. */
int quantity_size(const char *text, uint64_t *bytes);

/* "100ms", "30s", "5m", "12h", "1d"; a bare number is seconds. */
int quantity_duration(const char *text, uint64_t *ns);

/* "0.05" or "5%": a part of a whole, from 0 to 1. */
int quantity_fraction(const char *text, double *part);

/* A whole number from `min` to `max`. */
int quantity_whole(
    const char *text, uint64_t min, uint64_t max, uint64_t *value);

#endif
