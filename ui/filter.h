/*
 * What people type as a filter, made into an expression.
 *
 * Plain text is found anywhere in the name of a function, in either case
 * unless it has a capital.  '|' separates alternatives, a backslash before it
 * means the sign itself; '^' at the beginning and '$' at the end of an
 * alternative bind it to the ends of the name.
 */
#ifndef UI_FILTER_H
#define UI_FILTER_H

#include <stdbool.h>
#include <stddef.h>

struct err;
struct pattern;

/* NULL and a sentence if it can't be; "" has no pattern. */
struct pattern *filter_pattern(const char *text, struct err *e);

/* Add a whole name to the alternatives in `text`; false if it gets longer
 * than size allows, then nothing is changed.  Already there: true. */
bool filter_add_name(char *text, size_t size, const char *name);

#endif
