/*
 * Lines of a source file around the one that is of interest.
 *
 * The name is as the debug information has it, often absolute, of the machine
 * that built the program.  Tried in this order: the name itself; below each
 * directory of HEAPTOP_SOURCE_PATH (separated by colons) the whole name, then
 * the name without its first component, and so on down to the file alone.
 * Only regular files are read, at most SOURCE_BYTES of the part wanted.
 */
#ifndef IO_SOURCE_H
#define IO_SOURCE_H

#include <stdbool.h>
#include <stdint.h>

#define SOURCE_LINES 100 /* to each side */
#define SOURCE_BYTES (1u << 20)

struct source {
	char *text;          /* NULL: there is none */
	uint32_t first_line; /* number of text's first line, from 1 */
	char why[256];       /* then a sentence */
};

/* The name under which the file can be read; false: it cannot. */
#define SOURCE_PATH 4096
bool source_find(const char *file, char path[SOURCE_PATH]);

void source_read(struct source *s, const char *file, uint32_t line);
void source_fini(struct source *s);

#endif
