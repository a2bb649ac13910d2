/*
 * Asking on the terminal which process to watch.
 */
#ifndef PICK_H
#define PICK_H

#include <sys/types.h>

/*
 * The process that the user picks from a numbered list; if there is only one,
 * that one, and it is said.  0; -1 after a sentence: no terminal (bad usage,
 * 2), nothing to pick from (1), or the user would rather not (1); the status
 * is in *status then.
 */
int pick_process(pid_t *pid, int *status);

#endif
