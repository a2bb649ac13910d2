/*
 * Assertions for a library without stdio.
 *
 * CHECK(cond) is nothing unless the library is compiled with -DCHECK=1; then
 * a false condition is told on fd 2 with its place, and the process aborts.
 * It is for our own mistakes, never for what the program hands us.
 */
#ifndef PROF_CHECK_H
#define PROF_CHECK_H

#include <stdlib.h>

#include "os.h"

#if defined CHECK && CHECK
#	undef CHECK
#	define CHECK_ENABLED 1
#else
#	undef CHECK
#	define CHECK_ENABLED 0
#endif

#define CHECK_TEXT_(x) #x
#define CHECK_TEXT(x)  CHECK_TEXT_(x)

static inline void
check_failed(const char *what, size_t len)
{
	os_write(2, what, len);
	abort();
}

#if CHECK_ENABLED
#	define CHECK(cond)                                  \
		((cond) ? (void)0                            \
			: check_failed(CHECK_SENTENCE(cond), \
			      sizeof CHECK_SENTENCE(cond) - 1))
#	define CHECK_SENTENCE(cond) \
		"heaptop: " __FILE__ \
		":" CHECK_TEXT(__LINE__) ": not true: " #cond "\n"
#else
#	define CHECK(cond) ((void)0)
#endif

#endif
