/*
 * A sentence on the program's standard error, where nobody else can say it.
 *
 * One write(2), prefix "heaptop: ", a newline at the end, at most 500 bytes;
 * no stdio, no allocation, errno kept.
 */
#ifndef PROF_SAY_H
#define PROF_SAY_H

#include <stdint.h>

/* The strings given, up to a NULL, one after the other. */
void say(const char *first, ...) __attribute__((sentinel));

/* A number as text, for say(); the buffer is given back. */
struct say_number {
	char text[24];
};
const char *say_number(struct say_number *buf, uint64_t n);

#endif
