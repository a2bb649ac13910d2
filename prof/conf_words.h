/*
 * The words of an option string, and what they can be.  Each function is
 * false where the word is none such, and leaves `out` as it is.
 */
#ifndef PROF_CONF_WORDS_H
#define PROF_CONF_WORDS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A piece of a string that somebody else keeps. */
struct word {
	const char *p;
	size_t len;
};

bool conf_is(struct word w, const char *s);
/* C syntax, as jemalloc takes it: decimal, 0x, 0. */
bool conf_number(struct word w, int64_t min, int64_t max, int64_t *out);
bool conf_u32(struct word w, int64_t min, int64_t max, uint32_t *out);
bool conf_boolean(struct word w, bool *out); /* true or false */
/* Copied into `cap` bytes, with a NUL. */
bool conf_text(struct word w, char *out, size_t cap);

#endif
