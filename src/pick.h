/*
 * Asking on the terminal which process to watch.
 */
#ifndef PICK_H
#define PICK_H

#include <sys/types.h>

/*
 * The process that the user picks from a numbered list on the terminal; if
 * there is only one, that one, and it is said.  0 and *pid; else -1 and the
 * exit status in *status: 2 there is no terminal (bad usage), 1 there is
 * nothing to pick from, both said, or the user would rather not.
 */
int pick_process(pid_t *pid, int *status);

#endif
