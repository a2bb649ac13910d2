/*
 * Dumps: writing one, now, under a name of the program's or of our own.
 *
 * One at a time, whoever writes; a thread that asks for another from within,
 * as from a signal handler, is refused.  What could not be written is
 * counted, and told in a sentence, once for each reason.  trigger.h has what
 * makes the library write dumps by itself.
 */
#ifndef PROF_DUMP_H
#define PROF_DUMP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Bytes of a dump's path, at most, with its NUL. */
#define DUMP_PATH 1408

/* In the constructor: look whether dumps can be written, and tell if not.
 * Where the program links a jemalloc that reads the same options, ours take
 * another name than its own. */
void dump_start(void);

/* A dump under the next name of that type (i, u, m, f); the name goes into
 * `path` of `cap` bytes unless that is NULL.  Opens the table if need be,
 * unless the caller is the helper.  0 or an errno value: EFAULT without a
 * prefix, EPERM after a filter was set, EDEADLK from within. */
int dump_auto(char type, char *path, size_t cap);

/* A dump to that path, packed if it ends in .gz; likewise. */
int dump_to(const char *path);

/* At exit: the last dump, if one is wanted and sampling was ever on; what is
 * left (leak.h); how many could not be written.  True: the program is to end
 * with an error for what it leaked. */
bool dump_finish(void);

/* May this process write dumps unasked?  Not a child without
 * prof_children. */
bool dump_may(void);

/* Set the prefix, seen from the present directory.  0, ENAMETOOLONG, or
 * EDEADLK. */
int dump_set_prefix(const char *prefix);

/* prof.reset, with a new rate unless lg is negative: 0 or as above. */
int dump_reset(int lg);

uint64_t dump_failures(void);
/* Dumps that could not even be tried: no helper. */
void dump_lost(void);

/* In the child after a fork. */
void dump_forked(void);

#endif
