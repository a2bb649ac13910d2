/*
 * Making function names shorter, by stages that keep what says most: the end.
 *
 * Names are demangled C++, Rust or C names; anything else passes through.
 * Angle brackets are only brackets where they are not part of operator<, <<,
 * <=, <=>, -> and the like.
 */
#ifndef MODEL_NAME_H
#define MODEL_NAME_H

#include <stdbool.h>

struct buf;

/*
 * Append the readable full name: without return type, parameters, cv and
 * compiler suffixes ([clone], .isra.0, .part.1, [abi:...], Rust's ::h hash),
 * with (anonymous namespace) as (anon), std::__cxx11:: as std::, the string
 * template as std::string.  Template arguments stay.
 */
void name_clean(struct buf *b, const char *name);

/*
 * Append the name shortened to at most `cols` columns: cleaned; then template
 * arguments as <…>; then without them; then leading scopes as …::, keeping
 * the last two, then the last; then cut from the left.  Returns the columns
 * used.  `ascii`: ".." and "~" for the ellipsis.
 */
int name_fit(struct buf *b, const char *name, int cols, bool ascii);

/* The same for a path: its end is kept, from a directory on if one fits. */
int name_fit_path(struct buf *b, const char *path, int cols, bool ascii);

#endif
