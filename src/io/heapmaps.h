/*
 * The mapping section of a dump: lines of /proc/PID/maps in, modules out.
 *
 * Consecutive mappings of one file are one module.  Its bias comes from the
 * file's program headers, where the file can be found (the user's program,
 * --lib_prefix, its own path), else it is as if addresses were file offsets.
 */
#ifndef IO_HEAPMAPS_H
#define IO_HEAPMAPS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct err;
struct heapmaps;
struct profile;
struct profile_frame;

/* `program` (where the user says that the main image is) and `lib_prefix`
 * may be NULL; both are borrowed. */
struct heapmaps *heapmaps_new(const char *program, const char *lib_prefix);
void heapmaps_free(struct heapmaps *m);

/* 0; -1 if it is no line of maps. */
int heapmaps_line(struct heapmaps *m, const char *line);

/* Puts the modules into the profile; after the last line. */
int heapmaps_finish(struct heapmaps *m, struct profile *p, struct err *e);

/* The path of the main image, "" if not known; after finish. */
const char *heapmaps_image(const struct heapmaps *m);

/* Where an address lies; module 0 if in none.  True if that is inside an
 * allocator's own library. */
bool heapmaps_frame(
    const struct heapmaps *m, uint64_t address, struct profile_frame *out);

#endif
