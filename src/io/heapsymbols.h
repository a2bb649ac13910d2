/*
 * The names that a symbolized profile brings along: address -> functions.
 */
#ifndef IO_HEAPSYMBOLS_H
#define IO_HEAPSYMBOLS_H

#include <stdint.h>

#include "model/frames.h"

struct heapsymbols;

struct heapsymbols *heapsymbols_new(void);
void heapsymbols_free(struct heapsymbols *s); /* NULL is fine */

/* "0xADDR outermost--...--innermost", as in a symbol section; 0, or -1 if it
 * is no such line or there is no room. */
int heapsymbols_line(struct heapsymbols *s, const char *line);
uint32_t heapsymbols_count(const struct heapsymbols *s);

/* A number for what the address is named, equal in every file and no address
 * of a process; 0 if it is not known. */
uint64_t heapsymbols_key(const struct heapsymbols *s, uint64_t address);

/* Name the place, if the address is known. */
void heapsymbols_name(const struct heapsymbols *s, uint64_t address,
    struct frames *f, frame_id id);

#endif
