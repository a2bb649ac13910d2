/*
 * What the readers of dumps of addresses have in common: heap_v2,
 * gperftools' text, and either behind a symbol section.  A reader takes lines
 * from `in`, puts stacks and rows into `data` and mappings into `maps`; in
 * the end everything becomes one snapshot of the profile.
 */
#ifndef IO_HEAPREAD_H
#define IO_HEAPREAD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/buf.h"
#include "io/heapdata.h"
#include "io/heapnotes.h"
#include "model/profile.h"

struct err;
struct heapmaps;
struct heapsymbols;
struct infile;

/*
 * What one file of a series leaves to the next: stacks that are known, and a
 * profile that the next goes on with, as another snapshot, where its modules
 * are the same.  All zeros at first.
 */
struct heapread_kept {
	struct heapdata data;
	struct heapmaps *maps;
	struct buf key;          /* heapmaps_key */
	struct profile *profile; /* keeps no history */
	bool more;               /* the last file went on with it */
};

void heapread_kept_fini(struct heapread_kept *k); /* all zeros again */

struct heapread {
	struct infile *in;
	const char *path;
	struct profile *profile;
	struct heapdata data;
	struct heapmaps *maps;
	struct heapsymbols *symbols; /* NULL: the file has none */
	struct heapread_kept *kept;  /* NULL: none */
	struct heapnotes notes;
	/* What a file tells of its process; 0 or NULL: it does not. */
	struct profile_totals totals;
	uint64_t samples_told; /* since the start; rows may have fewer */
	uint64_t samples_live_told;
	uint32_t pid;
	uint64_t start_ns; /* CLOCK_REALTIME when the image began... */
	uint64_t image_ns; /* ...and CLOCK_MONOTONIC, as totals.now_ns */
	char *image, *command;
	bool active_told;
	bool in_maps;
	bool whole;    /* the list of mappings came, so nothing is cut off */
	bool negative; /* a figure was below 0, and that is said */
	bool large;    /* a figure was beyond 2^53, and that is said */
};

/* What the readers' functions of heapfile.h and so on are given. */
struct heapread_from {
	const char *path;
	const char *program;    /* that the user gave for the main image... */
	const char *lib_prefix; /* ...and as in symbols.h; NULL: none */
	struct buf *notes;      /* NULL: not wanted */
	struct heapread_kept *kept; /* goes there, not into the profile that is
	                             * given; NULL: there is no series */
};

/* Opens the file; 0, or -1 with a sentence.  Either way fini it. */
int heapread_init(struct heapread *r, const struct heapread_from *from,
    struct profile *p, struct err *e);
void heapread_fini(struct heapread *r);

/*
 * Reads lines to the end and gives each whole one to `take`, but those of
 * the list of mappings.  0; -1 if there was nothing to take before an error.
 */
int heapread_lines(struct heapread *r,
    void (*take)(void *arg, const char *line, uint64_t number), void *arg,
    struct err *e);

/* Is it the title of the list of mappings? */
bool heapread_maps_title(const char *line);

/* Gives the stack (heapdata.h) one more row; says what is odd about it. */
void heapread_row(struct heapread *r, uint32_t stack,
    const struct heap_row *row, uint64_t line);

/* Puts all that was read.  0; 1 if something of the file was left out; -1
 * with a sentence; HEAPREAD_OTHER if what was kept is of no use for it: then
 * nothing was put, and the file is to be read again without. */
#define HEAPREAD_OTHER 2
int heapread_put(struct heapread *r, struct err *e);

#endif
