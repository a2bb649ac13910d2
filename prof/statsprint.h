/*
 * The figures of stats.h for people and for programs: malloc_stats_print().
 *
 * A line of them, or, with a J among the options, an object of JSON with
 * jemalloc's names.  jemalloc's other letters leave out parts that are not
 * here.
 */
#ifndef PROF_STATSPRINT_H
#define PROF_STATSPRINT_H

/* `write` NULL: to the standard error.  `opts` may be NULL. */
void stats_print(
    void (*write)(void *arg, const char *text), void *arg, const char *opts);

#endif
