/*
 * The words that the text formats of heap dumps are made of.  Each function
 * moves *s behind what it took, or returns false and leaves it.
 */
#ifndef IO_HEAPWORDS_H
#define IO_HEAPWORDS_H

#include <stdbool.h>
#include <stdint.h>

struct heap_row;

const char *heapwords_blanks(const char *s); /* behind blanks and tabs */
bool heapwords_starts(const char *s, const char *with);

/* A decimal number, perhaps negative; false if there is none, or if it is
 * beyond 2^64. */
bool heapwords_number(const char **s, double *v);
/* The character, behind blanks. */
bool heapwords_expect(const char **s, char c);
/* "objects: bytes [objects: bytes]" into the figures of a row. */
bool heapwords_counts(const char **s, struct heap_row *row);
/* Hexadecimal with or without 0x, up to a blank or the end; false beyond 64
 * bits. */
bool heapwords_address(const char **s, uint64_t *a);

#endif
