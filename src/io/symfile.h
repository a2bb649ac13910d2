/*
 * Reader of symbolized profiles, as jeprof and pprof write them with --raw
 * and --symbolize: a section "--- symbol" with the names of addresses, then
 * "--- heap" (or growth, profile...) with a dump, whose names they are.  They
 * go before those that a program on this machine would give.
 *
 * The dump is heap_v2, gperftools' text, or, what google-pprof makes of
 * either, words of 8 bytes: 0 3 0 period 0, for each stack its value, depth
 * and addresses (of calls), and 0 1 0 or nothing at the end.  The values are then bytes
 * and no longer sampled.
 */
#ifndef IO_SYMFILE_H
#define IO_SYMFILE_H

struct err;
struct heapread_from;
struct profile;

/* As heapfile_read. */
int symfile_read(
    const struct heapread_from *from, struct profile *p, struct err *e);

#endif
