/*
 * How far a word is from the one that was meant.
 *
 * Counts letters dropped, added, changed or swapped with their neighbour
 * (the optimal string alignment distance); capitals are small letters and
 * `_` is `-`.  Pure; time and memory are bounded.
 */
#ifndef SPELLING_H
#define SPELLING_H

#include <stddef.h>

#define SPELLING_MAX 32        /* longer words are far from any other */
#define SPELLING_FAR (1u << 8) /* the distance of those */

unsigned spelling_distance(const char *typed, size_t len, const char *name);

#endif
