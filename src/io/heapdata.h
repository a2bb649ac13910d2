/*
 * What the lines of a dump of addresses said, until its mappings are known:
 * the distinct stacks and their rows, as they are.
 *
 * Addresses are kept once, as *places*: return addresses become one less, to
 * lie in the call.  Memory is by distinct stacks; rows
 * of one stack and thread that unsample alike become one.
 */
#ifndef IO_HEAPDATA_H
#define IO_HEAPDATA_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/map.h"

struct err;
struct heapmaps;
struct heapsymbols;
struct profile;

#define HEAPDATA_ALL UINT32_MAX /* uid of the row t* */

/*
 * How the figures of one row become estimates: n objects of s bytes, R the
 * mean distance of samples, x = s / n.
 *
 * HEAP_V2: w = 1 / (1 - exp(-x / R)), n w objects, s w bytes: the chance that
 * a block of x bytes is sampled.  HEAP_V1: each block was sampled with a
 * chance of x / R, at most 1.  HEAP_UNSAMPLED: somebody has done what HEAP_V2
 * says, so n and s are the estimates, of n / w samples.  HEAP_EXACT: every
 * block is in the figures.
 */
enum heap_rule {
	HEAP_EXACT,
	HEAP_V1,
	HEAP_V2,
	HEAP_UNSAMPLED,
};

/* What addresses are: those of calls, or those behind them, to which calls
 * return. */
enum heap_addresses {
	HEAP_RETURNS_BUT_LEAF, /* the first one is as it is */
	HEAP_RETURNS,
	HEAP_CALLS,
};

/* One row; figures may be negative in files that others made. */
struct heap_row {
	uint32_t uid;
	uint32_t next; /* of the same stack: index + 1; 0: the last */
	double live_objects, live_bytes, alloc_objects, alloc_bytes;
};

struct heap_stack {
	size_t first;                 /* of frames */
	uint32_t count : 31;          /* of them */
	uint32_t put : 1;             /* the profile has it */
	uint32_t first_row, last_row; /* index + 1; 0: none yet */
};

struct heap_text; /* a line, see heapdata_again */
struct spot;

struct heapdata {
	enum heap_rule rule;
	double R;
	enum heap_addresses addresses;
	unsigned depth; /* stacks as deep as this are cut; 0: none are */
	uint64_t *places;
	size_t place_count, place_cap;
	struct map place_of; /* address -> index */
	uint32_t *frames;    /* indices into places, leaf first */
	size_t frame_count, frame_cap;
	struct heap_row *rows;
	size_t row_count, row_cap;
	struct heap_stack *stacks;
	size_t stack_count, stack_cap;
	struct map stack_of; /* hash of its frames -> index */
	bool again;         /* the next file is likely to have the same lines */
	struct map text_of; /* hash of a stack's line -> index */
	struct heap_text *texts;
	size_t text_count, text_cap;
	struct arena text;
	struct spot *spots; /* [place] where it is, as far as that is known */
	size_t spot_count, spot_cap;
};

void heapdata_fini(struct heapdata *d);

/* Another file of the same process follows, for the same profile with the same
 * modules: places and stacks stay, and lines that come again need not be read
 * again; the rest goes.  At first it makes ready for that. */
void heapdata_again(struct heapdata *d);

/* Take "address address...".  A stack that is there already is found again.
 * Its index + 1; 0 if an address cannot be read or there is too much. */
uint32_t heapdata_stack(struct heapdata *d, const char *addresses);
/* The same of addresses that are known. */
uint32_t heapdata_stack_of(
    struct heapdata *d, const uint64_t *addresses, size_t count);

/* Add a row to the stack; false if there is no room for more. */
bool heapdata_row(
    struct heapdata *d, uint32_t stack, const struct heap_row *row);
/* Forget what the stack, the newest, was given. */
void heapdata_drop(struct heapdata *d, uint32_t stack);

/* Put all stacks and their cells into the profile, whose modules are there,
 * but those that were put before; places get the names that the file itself has (`names` may be NULL).  The
 * sums of raw samples are added to *live and *alloc. */
int heapdata_put(struct heapdata *d, struct heapmaps *m,
    const struct heapsymbols *names, struct profile *p, uint64_t *live,
    uint64_t *alloc, struct err *e);

#endif
