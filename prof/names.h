/*
 * Names of threads, as the kernel has them, into the table's slots.
 */
#ifndef PROF_NAMES_H
#define PROF_NAMES_H

/* By the helper, at a pull: read the names of slots that have none, and of
 * all now and then, since a thread may name itself late. */
void names_refresh(void);

/* For a dump: read them all. */
void names_refresh_all(void);

#endif
