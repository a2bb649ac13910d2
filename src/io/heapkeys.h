/*
 * What a dump of our own tells besides: lines "# heaptop KEY=VALUE", listed
 * in prof/dumpkeys.h.  Keys of tomorrow are passed over; what cannot be read
 * is as if it were not there.
 */
#ifndef IO_HEAPKEYS_H
#define IO_HEAPKEYS_H

#include <stdint.h>

struct heapread;

#define HEAPKEYS_MARK "# heaptop "

/* Takes "KEY=VALUE" of that line into what is known of the process. */
void heapkeys_take(struct heapread *r, const char *s, uint64_t line);

#endif
