/*
 * Where heaptop's own words go: sentences on stderr, and snapshots and
 * reports on one descriptor.
 *
 * Each piece goes out with one write(2) where the system takes it whole, so
 * that it does not mix with what the program writes there.  When writing
 * fails it is said once; later pieces are dropped.
 */
#ifndef OUTPUT_H
#define OUTPUT_H

#include <stdbool.h>

struct buf;
struct err;

struct output {
	int fd;
	bool owned;       /* fd is ours to close */
	bool whole;       /* each piece takes the place of the one before */
	bool failed;      /* something could not be written */
	const char *name; /* in sentences */
};

/* `path` if not NULL, else `fd`.  0 or -1. */
int output_open(struct output *o, const char *path, int fd, struct err *e);
/* The same for a file that is to hold one piece, the last one put, whole at
 * any moment: it is written under another name and renamed.  What was there
 * stays until the first.  Of what is no regular file this makes no
 * difference. */
int output_open_whole(struct output *o, const char *path, struct err *e);
void output_put(struct output *o, const struct buf *b);
/* Closes what was opened; afterwards `failed` is final. */
void output_close(struct output *o);

/* One sentence on stderr, with the program's name before it. */
void say(const char *fmt, ...) __attribute__((format(printf, 1, 2)));

/* While a screen is up: sentences go to `fn` instead; NULL: stderr again. */
void say_to(void (*fn)(void *arg, const char *sentence), void *arg);

/*
 * Puts something on descriptors 0 to 2 where heaptop was started without
 * them, so that no socket of ours gets such a number; a program does not
 * inherit it.
 */
void output_reserve(void);

#endif
