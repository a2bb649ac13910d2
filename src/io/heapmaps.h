/*
 * The mapping section of a dump: lines of /proc/PID/maps in, modules out.
 *
 * Consecutive mappings of one file are one module.  Its bias comes from the
 * program headers of a file whose segments lie as the mappings do (or, where
 * the dump tells build-ids, that has the same one): the user's program in the
 * place of the main image, whatever its name; --lib_prefix; the own path.  A
 * stripped program and its debug file are twins in this sense.  Where none
 * fits it is as if addresses were file offsets, unless the dump tells it.
 *
 * "Cooked" lines, "start-end: path" and "build=DIRECTORY", that other tools
 * write, are understood.
 */
#ifndef IO_HEAPMAPS_H
#define IO_HEAPMAPS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct buf;
struct err;
struct heapmaps;
struct heapnotes;
struct profile;
struct profile_frame;

/* `program` (where the user says that the main image is) and `lib_prefix`
 * may be NULL; both are borrowed. */
struct heapmaps *heapmaps_new(const char *program, const char *lib_prefix);
void heapmaps_free(struct heapmaps *m);

/* 0; -1 if it is no line of maps. */
int heapmaps_line(struct heapmaps *m, const char *line);
/* An executable mapping that a format tells otherwise; addresses in order. */
struct heapmaps_code {
	uint64_t start, end, offset;
	const char *path;
	const uint8_t *build_id;
	size_t build_id_len;
};
void heapmaps_code(struct heapmaps *m, const struct heapmaps_code *c);

/* A file that the dump tells of besides: its build-id, and what is to be taken
 * off its addresses.  One that is not among the mappings was unmapped before
 * the dump, and lies where nothing else does.  Strings are copied. */
struct heapmaps_module {
	uint64_t start, end, bias;
	const char *path;
	const uint8_t *build_id;
	size_t build_id_len;
};
void heapmaps_module(struct heapmaps *m, const struct heapmaps_module *t);

/* The dump says that this is the main image; borrowed up to finish. */
void heapmaps_expect(struct heapmaps *m, const char *image);

/* Places of stacks that lie in the mappings or modules, behind each of which a
 * call ends: they tell builds apart.  After the last line, before finish. */
void heapmaps_places(struct heapmaps *m, const uint64_t *places, size_t n);

/* All that the modules with code are made of, but for the files that are there
 * now, as bytes: who has the same has the same modules.  After the last line
 * and heapmaps_expect, before heapmaps_places. */
void heapmaps_key(const struct heapmaps *m, struct buf *b);

/* Puts the modules into the profile; after the last line. */
int heapmaps_finish(struct heapmaps *m, struct profile *p, struct err *e);

/* The path of the main image, "" if not known; after finish. */
const char *heapmaps_image(const struct heapmaps *m);

/* Where an address lies; module 0 if in none.  True if that is inside an
 * allocator's own library. */
bool heapmaps_frame(
    const struct heapmaps *m, uint64_t address, struct profile_frame *out);

/* The place is in a stack: it matters whether its file is the right one.
 * False if it is not, so that it must name nothing. */
bool heapmaps_used(struct heapmaps *m, const struct profile_frame *at);
/* Says which files are another build than what was mapped, each once. */
void heapmaps_tell(struct heapmaps *m, struct heapnotes *n);

#endif
