/*
 * Paths put together in buffers of fixed size, without libc's stdio.
 */
#ifndef PROF_PATH_H
#define PROF_PATH_H

#include <stdbool.h>
#include <stddef.h>

/* Append `s` to the string in `path`, which has room for `cap` bytes.  False
 * if it does not fit; the string is then as it was. */
bool path_append(char *path, size_t cap, const char *s);

#endif
