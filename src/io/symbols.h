/*
 * Names for the places of a profile, found by a child process.
 *
 * The child (symbolize.h) parses ELF and DWARF, with limited memory; if it
 * dies or hangs it is replaced, what it was working at stays nameless, and
 * heaptop goes on.  Answers are events of the loop: first names from the
 * symbol tables, then lines and inlined functions.
 *
 * A file is used only if its build-id is the one that the process had; where
 * that is not known the path is trusted.  Candidates, first match wins:
 * /proc/PID/map_files while it lives, --lib_prefix paths, /proc/PID/root,
 * the plain path, the given program's path, the debug file by build-id.
 */
#ifndef IO_SYMBOLS_H
#define IO_SYMBOLS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

struct err;
struct loop;
struct profile;
struct symbols;

struct symbols_options {
	uint64_t memory_bytes;      /* of the child; 0: 4 GiB */
	const char *lib_prefix;     /* "A,B": prefixes for paths; NULL: none */
	bool names_only;            /* no lines, no inlines */
	void (*changed)(void *arg); /* names have come; may be NULL */
	void *arg;
};

struct symbols *symbols_new(struct loop *l, const struct symbols_options *o);
void symbols_free(struct symbols *s); /* NULL is fine; ends the child */

/* Start the child now, while this process is small: it is born with all the
 * memory that this one has.  Else it is started when it is needed. */
void symbols_start(struct symbols *s);

/* Give names to this profile's places too.  `pid` is its process as seen
 * from here while it lives, else 0; `program` a path for its main image,
 * or NULL.  The profile must be taken out before it is freed. */
void symbols_add(
    struct symbols *s, struct profile *p, pid_t pid, const char *program);
void symbols_remove(struct symbols *s, struct profile *p);
void symbols_dead(struct symbols *s, struct profile *p); /* pid is gone */

/* Ask for all places not asked for yet; call after each snapshot. */
void symbols_ask(struct symbols *s);

/* Ask, and wait until everything has its answer or `timeout_ms` is over
 * (< 0: for as long as it takes).  0; 1 if names are still missing; runs no
 * other callbacks of the loop. */
int symbols_finish(struct symbols *s, int timeout_ms);

/* Places asked for and answered so far. */
void symbols_progress(
    const struct symbols *s, uint32_t *answered, uint32_t *asked);

/* Why names of a module are missing and what to do, one sentence; "" if
 * nothing is wrong or nothing was asked yet.  Borrowed until the next
 * call of anything here. */
const char *symbols_note(
    const struct symbols *s, const struct profile *p, uint32_t module);

#endif
