/*
 * UTF-8 text on a terminal: code points, display columns, cutting.
 *
 * Independent of the locale.  A byte that is not part of well-formed UTF-8
 * counts as one code point U+FFFD of one column.  Columns follow Unicode 14:
 * combining marks and format characters take 0, East Asian wide ones and
 * emoji 2, ambiguous ones 1, control characters 0.
 */
#ifndef BASE_UTF8_H
#define BASE_UTF8_H

#include <stddef.h>
#include <stdint.h>

struct buf;

/* The code point at s (len > 0 bytes left); `*used` is set to its bytes. */
uint32_t utf8_decode(const char *s, size_t len, size_t *used);
/* Columns of one code point: 0, 1 or 2. */
int utf8_columns(uint32_t cp);
/* Columns of a string. */
int utf8_width(const char *s);
/* Bytes of the longest head of s that is at most `cols` wide, with the
 * combining marks that follow it. */
size_t utf8_head(const char *s, int cols);
/* Where the longest tail of s that is at most `cols` wide begins. */
size_t utf8_tail(const char *s, int cols);

/* Append s, whole if it fits into `cols`, else its head and `mark` (which is
 * one column wide).  Appends at most `cols` columns; returns how many. */
int utf8_cut_right(struct buf *b, const char *s, int cols, const char *mark);
/* The same keeping the tail: mark first. */
int utf8_cut_left(struct buf *b, const char *s, int cols, const char *mark);

#endif
