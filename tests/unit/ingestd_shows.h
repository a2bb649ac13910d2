/*
 * What ingestd's screen shows, for tests; a failure prints the screen.  Stands
 * behind cmocka.h.
 */
#ifndef INGESTD_SHOWS_H
#define INGESTD_SHOWS_H

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "ingestd.h"

/* The text is somewhere in a line, or nowhere. */
static inline void
assert_shown(const struct ingestd *r, const char *text, bool shown)
{
	char *screen = ingestd_screen(r);

	if ((strstr(screen, text) != NULL) != shown)
		fail_msg(
		    "\"%s\" is %sin\n%s", text, shown ? "not " : "", screen);
	free(screen);
}

static inline void
assert_shows(const struct ingestd *r, const char *text)
{
	assert_shown(r, text, true);
}

static inline void
assert_hides(const struct ingestd *r, const char *text)
{
	assert_shown(r, text, false);
}

/* Line y, without blanks at the end, is this. */
static inline void
assert_line(const struct ingestd *r, int y, const char *expected)
{
	char *line = ingestd_line(r, y);

	assert_string_equal(line, expected);
	free(line);
}

#endif
