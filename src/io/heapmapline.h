/*
 * One line of a list of mappings: /proc/PID/maps, or "start-end: path", as
 * other tools cook it.
 */
#ifndef IO_HEAPMAPLINE_H
#define IO_HEAPMAPLINE_H

#include <stdbool.h>
#include <stdint.h>

struct heapmapline {
	uint64_t start, end, offset;
	bool exec;
	const char *path; /* "" if anonymous */
};

/* False if it is no such line.  The path is borrowed from it, escaped. */
bool heapmapline_parse(const char *line, struct heapmapline *out);
/* The path without the kernel's escapes; free it. */
char *heapmapline_path(const char *escaped);

#endif
