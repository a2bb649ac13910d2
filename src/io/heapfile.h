/*
 * Reader of heap_v2 profiles: jemalloc's and our own.
 *
 * The text:  "heap_v2/R", rows "  t*: objects: bytes [objects: bytes]" for
 * the process and each thread, then "@ address..." for each stack with rows
 * of its own, then MAPPED_LIBRARIES: and a copy of /proc/PID/maps.  Lines
 * "# heaptop KEY=VALUE" are ours.
 *
 * Figures.  With R the header's mean sampling distance and n, s one row's
 * count and bytes, x = s / n and w = 1 / (1 - exp(-x / R)), the estimates
 * are n w objects and s w bytes (the formula of jeprof), applied once to each
 * row; the row t* gives a stack's figures, and those of its threads are
 * scaled so that they add up to it (jemalloc rounds each row).  Variance, as
 * if all n were of the average size: n w (w - 1) objects^2 and
 * n x^2 w (w - 1) bytes^2 (see prof/sample.h).
 *
 * Addresses behind the first of a stack are return addresses and become one
 * less; the first is taken as it is, as jeprof does (in jemalloc's files it
 * lies in jemalloc, in ours it is inside the call already).
 * Leading frames inside the allocator's own library are left out.  Addresses
 * become (module, offset) by the maps: the offset is in the file's own
 * address space as its program headers say, or by the file offset if the
 * file cannot be read.
 */
#ifndef IO_HEAPFILE_H
#define IO_HEAPFILE_H

struct buf;
struct err;
struct profile;

/*
 * Read the file into an empty profile as one snapshot.  `program` is the path
 * the user gave for the main image, NULL if none; `lib_prefix` as in
 * symbols.h.  0; -1 with a sentence that names file and line, the profile is
 * then of no use.  What could be read of a cut or partly damaged file is
 * used: then 1, and `notes` (may be NULL) has a line of text for each such
 * fact.
 */
int heapfile_read(const char *path, const char *program, const char *lib_prefix,
    struct profile *p, struct buf *notes, struct err *e);

#endif
