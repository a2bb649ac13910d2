/*
 * What a report in a buffer has, for tests; a failure prints it.  Stands behind
 * cmocka.h.
 */
#ifndef HAS_H
#define HAS_H

#include <string.h>

#include "base/buf.h"

static inline void
has(const struct buf *b, const char *what)
{
	if (!strstr(buf_str(b), what))
		fail_msg("there is no\n%s\nin\n%s", what, buf_str(b));
}

static inline void
has_not(const struct buf *b, const char *what)
{
	if (strstr(buf_str(b), what))
		fail_msg("there is\n%s\nin\n%s", what, buf_str(b));
}

#endif
