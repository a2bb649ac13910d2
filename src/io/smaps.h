/*
 * /proc/PID/smaps: what of each mapping of a process is resident.
 *
 * The text is another's and taken as hostile: lines of any length, numbers of
 * any size, at most SMAPS_MOST mappings; what is not understood is left out.
 *
 * A look says whose each piece is.  The allocator's page heap and the
 * library's own data come from the table of the process (prof/table.h); as
 * the kernel joins mappings that touch, one may be of several owners, and then
 * /proc/PID/pagemap tells how much of it is whose.  Without a table these
 * stay unnamed anonymous memory.  The other kinds are told by their names,
 * and
 *
 *	code            a file that is mapped executable somewhere, and the
 *	                anonymous memory right behind its writable mapping, of
 *	                libraries up to SMAPS_ZEROS bytes: what is larger is
 *	                another's, joined to it or not
 *	threads' stacks [stack], and writable memory right above an
 *	                inaccessible mapping of at most SMAPS_GUARD bytes
 *
 * Looking costs what reading smaps costs: the kernel walks the page tables, a
 * mapping at a time, with the process's memory map held for reading meanwhile.
 * That is a tenth of a millisecond for a small process, and some 10 ms a GiB
 * that is resident in pages of 4 KiB: not to be done many times a second.
 */
#ifndef IO_SMAPS_H
#define IO_SMAPS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "base/buf.h"

struct err;
struct memory_seen;
struct memory_sum;

#define SMAPS_MOST  262144u
#define SMAPS_GUARD (UINT64_C(1) << 20)
#define SMAPS_ZEROS (UINT64_C(256) << 10)

struct smaps_entry {
	uint64_t start, end, inode;
	bool read, write, exec, shared;
	size_t name; /* place in smaps.names */
	uint64_t rss, pss, dirty, swap;
};

struct smaps {
	struct smaps_entry *entries;
	size_t count, cap;
	struct buf names; /* each ends with a NUL byte */
	/* where the reader is */
	bool open; /* lines are of the last entry */
	struct buf line;
};

/* Zeroed at first. */
void smaps_feed(struct smaps *s, const char *text, size_t len);
void smaps_end(struct smaps *s); /* of the text */
void smaps_fini(struct smaps *s);
const char *smaps_name(const struct smaps *s, const struct smaps_entry *e);

struct smaps_range {
	uint64_t start, end;
};

/* Ranges of a kind, ascending. */
struct smaps_owned {
	struct smaps_range *at;
	size_t count;
};

/* Resident pages of a range, in bytes, and swapped ones. */
struct smaps_pages {
	uint64_t present, swapped;
};
typedef bool smaps_pages_fn(
    void *arg, uint64_t start, uint64_t end, struct smaps_pages *out);

/* Says of each piece what it is.  `heap` and `own` may be empty; `pages` is
 * asked about parts of mappings with several owners. */
void smaps_classify(const struct smaps *s, const struct smaps_owned *heap,
    const struct smaps_owned *own, smaps_pages_fn *pages, void *arg,
    struct memory_sum *to);

/* A look at a process; `table` is the memory file of its table, or -1.
 * Everything in `to` but the totals.  0, or -1 with a sentence. */
int smaps_look(pid_t pid, int table, struct memory_seen *to, struct err *e);

#endif
