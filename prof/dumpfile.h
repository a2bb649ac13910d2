/*
 * Dump files of the library: heap_v2 text that jeprof reads.
 *
 * A row carries the pair of whole numbers that jeprof's formula turns into
 * our unbiased figures at the header's R (heapv2.h), so rows sampled at
 * different rates are right.  What jeprof has no place for stands in lines
 * `# heaptop KEY=VALUE` after the first one.  Addresses are return
 * addresses, but the leaf of a stack is one less (`leaf=call`), because
 * jeprof takes one off all others only.  A file appears whole or not at all:
 * it is written under a temporary name and renamed.
 */
#ifndef PROF_DUMPFILE_H
#define PROF_DUMPFILE_H

/* The dump at exit, if anything was ever sampled: <prefix>.<pid>.<seq>.f.heap,
 * or in a directory <program>.<pid>.<unix seconds>.f.heap.  Says in a
 * sentence if it cannot be written. */
void dumpfile_final(void);

/* A dump of this moment to `path`; the exact figures are what the table has.
 * 0 or an errno value.  By the helper, too. */
int dumpfile_write(const char *path);

#endif
