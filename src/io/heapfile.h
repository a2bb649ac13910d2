/*
 * Reader of heap_v2 profiles: jemalloc's and our own.
 *
 * The text:  "heap_v2/R", rows "  t*: objects: bytes [objects: bytes]" for
 * the process and each thread, then "@ address..." for each stack with rows
 * of its own, then MAPPED_LIBRARIES: and a copy of /proc/PID/maps.  Lines
 * "# heaptop KEY=VALUE" are ours.
 *
 * Figures.  With R the header's mean sampling distance each row is unsampled
 * once, by the rule HEAP_V2 of heapdata.h (the formula of jeprof); the row t*
 * gives a stack's figures, and those of its threads are scaled so that they
 * add up to it (jemalloc rounds each row).  Variance, as if all n were of the
 * average size x: n w (w - 1) objects^2 and n x^2 w (w - 1) bytes^2 (see
 * prof/sample.h).
 *
 * Addresses behind the first of a stack are return addresses and become one
 * less; the first is taken as it is, as jeprof does (in jemalloc's files it
 * lies in jemalloc, in ours it is inside the call already).
 * Leading frames inside the allocator's own library are left out.  Addresses
 * become (module, offset) by the maps, see heapmaps.h.
 */
#ifndef IO_HEAPFILE_H
#define IO_HEAPFILE_H

struct err;
struct heapread;
struct heapread_from;
struct profile;

#define HEAPFILE_MARK "heap_v2/"

/*
 * Read the file into an empty profile as one snapshot.  0; -1 with a sentence
 * that names file and line, the profile is then of no use.  What could be
 * read of a cut or partly damaged file is used: then 1, and the notes have a
 * line of text for each such fact.
 */
int heapfile_read(
    const struct heapread_from *from, struct profile *p, struct err *e);

/* Read on behind the header line, which begins with HEAPFILE_MARK.  0, or -1
 * with a sentence; nothing is put yet. */
int heapfile_body(struct heapread *r, const char *header, struct err *e);

#endif
