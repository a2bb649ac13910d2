/*
 * `heaptop ctl`: read and write named values (jemalloc's mallctl names) of
 * running processes; dumps are written so, too.
 */
#ifndef CTL_H
#define CTL_H

struct options;

/* MODE_CTL.  The exit status: 0, 1 if a process or a value failed, 2 for bad
 * usage or if it is not clear which process is meant. */
int ctl_run(const struct options *o);

#endif
