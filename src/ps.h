/*
 * `heaptop ps`: the preloaded processes that this user may watch, and how
 * much each of them keeps; the same list for whoever has to choose one.
 *
 * The live bytes are exact, asked of each process; one that does not answer
 * is listed with the reason where its sampling rate would be.
 */
#ifndef PS_H
#define PS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

struct buf;
struct options;

struct ps_row {
	pid_t pid, parent;
	bool known; /* it answered: the next two are its */
	uint64_t live_bytes;
	char sampling[48]; /* "1/64 KiB", "off", or why it is not known */
	uint64_t rss_bytes;
	char name[64]; /* as procfs_find takes it */
	char *command; /* without control characters */
};

/* All of them, by pid; rows are the caller's, see ps_free. */
size_t ps_list(struct ps_row **rows);
void ps_free(struct ps_row *rows, size_t n);

/* A table with a heading; `numbered`: rows are counted from 1.  No line is
 * wider than `columns`, 0: as wide as need be. */
void ps_table(struct buf *b, const struct ps_row *rows, size_t n, bool numbered,
    int columns);

/* Width of the terminal at fd, 0 if it is none. */
int ps_columns(int fd);

/* MODE_PS.  The exit status: 0, or 1 if the list could not be written. */
int ps_run(const struct options *o);

#endif
