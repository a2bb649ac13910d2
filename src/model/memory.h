/*
 * What resident memory is made of: parts that add up to it.
 *
 * Two sources.  The totals say what the allocator keeps: live objects, free
 * ones, free pages, its own data.  A look at the process's mappings says what
 * of each of them is resident, and whose it is.  With both, the parts are
 * disjoint and their sum is the RSS of that moment:
 *
 *	of the page heap's resident bytes H, live objects L come first, then
 *	free pages D, then free objects C; what is left of H is room lost
 *	between objects.  Where L + D + C is more than H, the last ones are
 *	taken for not resident: memory that was never touched, or is swapped.
 *
 * Without a look only the totals' figures and RSS are known; what they leave
 * is one part, which is negative if they count more than is resident.
 *
 * Pure; all is bytes.  struct memory_seen is a plain value.
 */
#ifndef MODEL_MEMORY_H
#define MODEL_MEMORY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "model/profile.h"

/* What a piece of the address space is. */
enum memory_kind {
	MEMORY_HEAP,   /* the allocator's page heap */
	MEMORY_OWN,    /* the library's own data and the table */
	MEMORY_ANON,   /* private memory of nobody's file */
	MEMORY_STACK,  /* threads' stacks */
	MEMORY_CODE,   /* programs and libraries, with their variables */
	MEMORY_FILE,   /* other mapped files */
	MEMORY_SHARED, /* shared memory */
	MEMORY_KERNEL, /* vdso and its like */
	MEMORY_KINDS
};

struct memory_piece {
	uint64_t start, end;
	enum memory_kind kind;
	const char *name; /* path, "[heap]"..., "": none */
	uint64_t rss, pss, dirty, swap;
};

#define MEMORY_LARGEST 40
#define MEMORY_NAME    128

/* Pieces that are one thing to a reader: all of the heap, of a file. */
struct memory_mapping {
	char name[MEMORY_NAME]; /* "": none; the end of a long one */
	enum memory_kind kind;
	uint32_t pieces;
	uint64_t start, end; /* of the first */
	uint64_t size, rss, pss, dirty, swap;
};

/* A look at the mappings of a process. */
struct memory_seen {
	uint64_t ns; /* CLOCK_MONOTONIC; 0: there was none */
	/* Whose memory is whose is known; else the heap and the library's own
	 * data count as MEMORY_ANON. */
	bool heap_known;
	uint64_t kind[MEMORY_KINDS]; /* resident bytes */
	uint64_t rss, pss, dirty, swap, size;
	uint64_t major_faults, minor_faults;
	uint32_t mappings; /* as the kernel has them */
	uint32_t stacks;   /* how many threads' stacks */
	/* The largest by what is resident, and how many others there are, and
	 * what they hold. */
	struct memory_mapping largest[MEMORY_LARGEST];
	uint32_t largest_count, others;
	uint64_t others_rss, others_size;
	struct profile_totals totals; /* the newest at that moment */
};

/* Puts pieces, ascending by address, together. */
struct memory_sum;
struct memory_sum *memory_sum_new(void);
void memory_sum_add(struct memory_sum *s, const struct memory_piece *p);
/* Fills in all but ns, heap_known, faults, mappings and totals; frees. */
void memory_sum_finish(struct memory_sum *s, struct memory_seen *to);

/* The look is not much older than a snapshot with these totals: what both
 * say can be said together. */
bool memory_seen_fits(
    const struct memory_seen *s, const struct profile_totals *t);

enum memory_part_kind {
	PART_LIVE,
	PART_FREE,  /* objects in caches and slabs */
	PART_PAGES, /* free pages */
	PART_WASTE, /* room lost in slabs */
	PART_OWN,
	PART_ANON,
	PART_STACKS,
	PART_CODE,
	PART_FILES,
	PART_SHARED,
	PART_REST,
	PART_COUNT
};

struct memory_part {
	enum memory_part_kind kind;
	double bytes;
	const char *label; /* "live objects" */
	char what[160];    /* a sentence; ASCII */
};

struct memory_parts {
	struct memory_part part[PART_COUNT]; /* those that there are */
	size_t count;
	double sum; /* of the parts: RSS if that is known */
	bool known; /* it is */
	/* Not in the parts: live bytes that are not resident. */
	double away;
};

/* Live bytes, and whether they were counted. */
struct memory_live {
	double bytes;
	bool exact;
};

/* `t` are the totals of the moment; rss, file and shared bytes in them count
 * where there was no look.  `seen` may be NULL: else its totals count, and
 * `live` is of that moment. */
void memory_parts(struct memory_parts *m, const struct profile_totals *t,
    const struct memory_live *live, const struct memory_seen *seen);

/* What a part is, in some sentences; ASCII. */
const char *memory_part_text(enum memory_part_kind k);

/* "page heap", "anonymous", "stack"...: what a mapping without a name is. */
const char *memory_kind_label(enum memory_kind k);

#endif
