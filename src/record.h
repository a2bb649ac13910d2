/*
 * Recording a target while it is watched: io/recordfile.h, begun at any
 * moment.
 *
 * A recording is whole by itself.  Of a target that has told something
 * already, the first dump is therefore made here, from the memory file of its
 * table and without asking it; after that comes every dump that reaches the
 * target's profile, also what a table read says (a silent helper, the last
 * moment of a process that died).  What happened before it began is not in
 * it, but for what was still live then.
 *
 * A recording borrows its target: stop it when the target has ended (its
 * last dump is in then) and before the target is freed.  One at a time for
 * each target.
 */
#ifndef RECORD_H
#define RECORD_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

struct err;
struct record;
struct target;

/* A name for a recording of the process that no file has yet:
 * "heaptop-PID.htd.gz", "heaptop-PID.2.htd.gz"...; free it. */
char *record_name(pid_t pid);

/* Makes or replaces the file.  NULL with a sentence. */
struct record *record_start(struct target *t, const char *path, struct err *e);

const char *record_path(const struct record *r);
/* Dumps in the file so far, and their bytes before compression. */
uint64_t record_dumps(const struct record *r);
uint64_t record_bytes(const struct record *r);

/* Something could not be written: nothing is written any more.  `e` (may be
 * NULL) says what. */
bool record_failed(const struct record *r, struct err *e);

/* Ends the file and frees `r`.  -1 with a sentence if the file is not whole,
 * also when record_failed said so before. */
int record_stop(struct record *r, struct err *e);

#endif
