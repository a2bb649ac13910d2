/*
 * Where libheaptop.so writes the dump at a program's end, told from its
 * options: the rules of prof/conf.h and prof/dumpfile.h, seen from outside.
 */
#ifndef PLACE_H
#define PLACE_H

#include <stdbool.h>
#include <stddef.h>

struct place {
	bool prof, final;
	char prefix[1024]; /* as written, perhaps relative; "" none */
};

/* From strings of options, later ones over earlier ones; NULL is none. */
void place_read(struct place *p, const char *const *sources, size_t n);

#endif
