/*
 * What only the reader of dead tables asks of the decoder.
 *
 * A lenient decoder leaves out what refers to something that did not come (a
 * dying program may have scribbled over its table) and counts it, instead of
 * giving the whole dump up.
 */
#ifndef IO_DUMPREAD_INT_H
#define IO_DUMPREAD_INT_H

#include <stdbool.h>
#include <stdint.h>

struct dumpread;

void dumpread_lenient(struct dumpread *d, bool on);
uint64_t dumpread_skipped(const struct dumpread *d);

#endif
