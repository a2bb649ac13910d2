/*
 * --growth of saved dumps: what their series has to tell.
 */
#ifndef GROWTH_H
#define GROWTH_H

struct options;

/* MODE_DUMPS with REPORT_GROWTH.  Exit status as dumps_read's. */
int growth_read(const struct options *o);

#endif
