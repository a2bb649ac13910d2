/*
 * Watching a process that runs under libheaptop.so already: snapshots until
 * it ends or enough are out, or one report.
 */
#ifndef ATTACH_H
#define ATTACH_H

struct options;
struct sigstate;

/* MODE_ATTACH.  The exit status; dies of the signal that ended it. */
int attach_process(const struct options *o, const struct sigstate *signals);

#endif
