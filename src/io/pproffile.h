/*
 * Reader of pprof's profile.proto, gzipped or not: heap profiles that others
 * made, or heaptop's own --pprof.
 *
 * The values alloc_objects, alloc_space, inuse_objects and inuse_space (or
 * objects and space, which are what is in use) are no longer sampled and are
 * taken as they are.  Where the period tells the mean distance R of samples,
 * the error follows from it: with x the average size and w as in heapdata.h,
 * N objects came from N / w samples, so the variance is N (w - 1) objects^2
 * and N (w - 1) x^2 bytes^2.
 *
 * Names are those of the file; a place without one is looked up in its
 * mapping's file, by build-id if the file tells it.
 */
#ifndef IO_PPROFFILE_H
#define IO_PPROFFILE_H

struct err;
struct heapread_from;
struct profile;

/* As heapfile_read. */
int pproffile_read(
    const struct heapread_from *from, struct profile *p, struct err *e);

#endif
