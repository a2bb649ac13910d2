/*
 * From profiles to text: the query that the options ask, the report, and the
 * renderer that was chosen.
 */
#ifndef REPORTS_H
#define REPORTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct buf;
struct options;
struct procfs_memory;
struct profile;
struct report;
struct symbols;

/*
 * The report that o->report names, of n >= 1 profiles added up, compared with
 * the file that o->base names; and the gates, which are judged by the same.
 * `program` is the title of graphs; `base` a snapshot of the first profile
 * that is taken off, 0 for none.  Says on stderr if there is nothing in it,
 * and what the filters took away.
 *
 * 0; 1 if it could not be made, or a part of the base was left out, which is
 * said; 3 if a gate failed.
 */
int reports_render(const struct options *o,
    const struct profile *const *profiles, size_t n, uint32_t base,
    const char *program, struct buf *b);

/* The same of a profile whose snapshots are a series of dumps; `untimed`:
 * when they were made is not known. */
int reports_render_series(const struct options *o, const struct profile *p,
    bool untimed, const char *program, struct buf *b);

/* Before anything is started or read: what can be known now to be in vain.
 * 0, or the exit status, which was said. */
int reports_check(const struct options *o);

/* One block of batch mode; `m` is what /proc says of the process now, NULL
 * if nothing. */
void reports_snapshot(const struct options *o, const struct profile *p,
    const struct procfs_memory *m, struct buf *b);

/* Whoever filters should know that most is not in what is left: says so.
 * True if nothing is. */
bool reports_say_filtered(const struct report *r);
/* An empty table needs a word, lest it be taken for a failure. */
void reports_say_empty(const struct report *r);

/* On stderr, each line as a sentence. */
void reports_say_lines(const char *lines);

/* Says on stderr why names are missing in these profiles, a sentence for
 * each module, the first few. */
void reports_say_nameless(
    const struct symbols *s, const struct profile *const *profiles, size_t n);

#endif
