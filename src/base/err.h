/*
 * One-sentence errors, by value: no allocation, no codes, no globals.
 *
 * A function that can fail for reasons of the world takes `struct err *` as
 * its last parameter and returns 0, or -1 after filling it with one sentence
 * that names the thing and the reason, without a final newline and without
 * the program's name.  The sentence is shown as it is.
 */
#ifndef BASE_ERR_H
#define BASE_ERR_H

#include <stdarg.h>

struct err {
	char msg[512]; /* "" when nothing failed; always terminated */
};

/* Fill `e` (may be NULL) and return -1.  What is too long loses its middle:
 * the thing stands at the beginning and the reason at the end. */
int err_set(struct err *e, const char *fmt, ...)
    __attribute__((format(printf, 2, 3)));
int err_vset(struct err *e, const char *fmt, va_list ap)
    __attribute__((format(printf, 2, 0)));

/* The same, with ": " and the text of errno appended. */
int err_sys(struct err *e, const char *fmt, ...)
    __attribute__((format(printf, 2, 3)));

#endif
