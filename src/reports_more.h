/*
 * What some reports want to know besides the profile: lines of source files,
 * what /proc says, where the report is from.
 */
#ifndef REPORTS_MORE_H
#define REPORTS_MORE_H

#include <stdbool.h>

#include "base/buf.h"
#include "export/export.h"
#include "io/source.h"

struct options;
struct procfs_memory;
struct profile;

struct reports_more {
	struct export_resident resident;
	struct export_origin origin;
	struct source source; /* as last read */
	struct buf lines;     /* some of its, for the renderer */
	char system[512];
	struct buf sampled;
};

/* Fills in of `x` what o->report wants.  `remarks` are sentences, each a
 * line; they and the profile are borrowed. */
void reports_more_init(struct reports_more *m, const struct options *o,
    const struct profile *p, const char *remarks, struct export_options *x);
void reports_more_fini(struct reports_more *m);

/* Of a report on a running process: what /proc says of it now. */
bool reports_more_process(const struct options *o, struct procfs_memory *now);

#endif
