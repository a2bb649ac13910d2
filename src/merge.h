/*
 * One profile made of several: the newest state of each becomes a snapshot.
 *
 * What is the same gets the same id, wherever the process was loaded: modules
 * by path and build-id, and by their size, for a dump's build-id is that of
 * the file which is there now; stacks by their frames; threads by slot, tid
 * and name.  What a later profile does not have is 0 in its snapshot.
 * Snapshots are pinned.  Work is proportional to what the profiles hold,
 * memory to the distinct stacks and the changes of their figures.
 */
#ifndef MERGE_H
#define MERGE_H

#include <stdbool.h>
#include <stdint.h>

struct merge;
struct profile;

/* `sizes`: the sizes of modules are comparable (all come from lists of
 * mappings, or none does). */
struct merge *merge_new(bool sizes);

/* Take `p` as it was at `wall_ns`; its process began at `began_ns`, 0 if that
 * is not told (both CLOCK_REALTIME).  It may be freed then.  Moments only go
 * forward: an earlier one is put just behind the last.  0; 1 if there was too
 * much of it and some stacks are left out. */
int merge_add(struct merge *m, const struct profile *p, uint64_t began_ns,
    uint64_t wall_ns);

/* The same of the profile that was taken last, which has another snapshot
 * since: its modules and stacks are those of before, and perhaps more. */
int merge_more(struct merge *m, const struct profile *p, uint64_t began_ns,
    uint64_t wall_ns);

/* Before all others: modules, stacks and frames of `p`, a profile that came of
 * a merge, get the ids they have there. */
void merge_seed(struct merge *m, const struct profile *p);

/* If history is larger than its budget it loses every second snapshot, and
 * that is true. */
bool merge_bound(struct merge *m);

/* Names that `from` has, for the same places of `to`, which was seeded with
 * it. */
void merge_names(struct profile *to, const struct profile *from);

/* The profile, the caller's to free; its clock is CLOCK_REALTIME.  Frees
 * `m`. */
struct profile *merge_finish(struct merge *m);

#endif
