/*
 * The end of the process, when it comes by exit().
 */
#ifndef PROF_FINISH_H
#define PROF_FINISH_H

#include <stdbool.h>

/* From the destructor: the exact figures go into the table, a dump is
 * written if it was asked for, what was made in the file system is removed.
 * True: the program is to end with an error for what it leaked. */
bool finish(void);

#endif
