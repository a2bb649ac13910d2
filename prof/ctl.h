/*
 * Named values that a viewer may read and write in a running process; the
 * names are those of jemalloc's mallctl.
 */
#ifndef PROF_CTL_H
#define PROF_CTL_H

#include <stddef.h>

#define CTL_TEXT 1280 /* room for a value; a longer one is cut */

/* Read `name`, after writing `value` to it unless that is empty.  0 and the
 * value as text in out, or an errno value and a sentence in out.  The
 * strings given are not terminated.  Writing prof.dump writes a dump to the
 * absolute path that is its value, reading it one of the next name of our
 * own; prof.reset is done at the next sampled event.  By the helper. */
int ctl_do(const char *name, size_t name_len, const char *value,
    size_t value_len, char *out, size_t cap);

#endif
