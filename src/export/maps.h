/*
 * The modules of a profile as /proc/PID/maps would tell of them: one
 * executable mapping for each.
 *
 * Readers compute addresses in the file from start - offset.  A module is
 * known by its whole extent, which begins with the start of the file; where a
 * source knew only a part of it, the bias says how far in that is.  Programs
 * at fixed addresses (bias 0) are linked to begin at 4 MiB.
 */
#ifndef EXPORT_MAPS_H
#define EXPORT_MAPS_H

#include <stdint.h>

struct buf;
struct module;
struct modules;

/* Where in the file the module's mapping begins. */
uint64_t maps_offset(const struct module *m);

/* A line for each module that has a path and an extent. */
void maps_put(struct buf *b, const struct modules *modules);

#endif
