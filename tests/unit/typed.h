/*
 * Command lines as they are typed, for tests of the options: one string,
 * split at blanks, in a little world where *.dump are dumps, lost* and
 * patterns do not exist, and other words are files of another kind.
 */
#ifndef TYPED_H
#define TYPED_H

#include "base/err.h"
#include "options.h"

/* What became of the last line; replaced by the next. */
extern struct options o;
extern struct err e;

int parse(const char *line);                  /* as options_parse */
void good(const char *line, enum mode mode);  /* taken, and means that */
void bad(const char *line, const char *part); /* refused; `part` is said */

#endif
