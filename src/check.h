/*
 * `heaptop check`: whether a program or a process can be watched, and what is
 * to be known about it; one line a question, each `no` with what to do.
 */
#ifndef CHECK_H
#define CHECK_H

struct options;

/* MODE_CHECK.  The exit status: 0 it can be watched, 1 it can't, 2 there is no
 * such file or process. */
int check_run(const struct options *o);

#endif
