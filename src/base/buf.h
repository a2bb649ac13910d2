/*
 * A growable byte buffer with printf: what every exporter writes into.
 *
 * Embedded in its owner; BUF_INIT or all zeros is an empty buffer.  `data` is
 * always followed by a NUL byte once anything was written, so it can be read
 * as a string.  Grows without limit; ends the program when memory runs out.
 *
 * Who fills it and has very much to say offers now and then what is in it; if
 * its owner has set a drain, that takes it away.
 */
#ifndef BASE_BUF_H
#define BASE_BUF_H

#include <stddef.h>
#include <stdint.h>

struct buf;
struct err;

struct buf_drain {
	void (*take)(void *arg, const struct buf *b);
	void *arg;
};

struct buf {
	char *data; /* NULL until the first write */
	size_t len; /* bytes written, without the NUL */
	size_t cap;
	const struct buf_drain *drain; /* NULL: all stays */
};

#define BUF_INIT                 \
	{                        \
		NULL, 0, 0, NULL \
	}

void buf_fini(struct buf *b);  /* frees; the buffer is empty and usable */
void buf_clear(struct buf *b); /* length 0, memory kept */
void buf_cut(struct buf *b, size_t len); /* to what it was, len <= b->len */
void buf_put(struct buf *b, const void *data, size_t len);
void buf_puts(struct buf *b, const char *s);
void buf_putc(struct buf *b, char c);
void buf_put_word(struct buf *b, const char *word); /* quoted for a shell */
void buf_pad(struct buf *b, char c, size_t n);      /* n times c */
void buf_printf(struct buf *b, const char *fmt, ...)
    __attribute__((format(printf, 2, 3)));

/* What is in it may go to the drain; it does if it is much. */
void buf_offer(struct buf *b);

/* The contents as a string, "" if nothing was written; until the next write. */
const char *buf_str(const struct buf *b);

/* Write all of it to `fd`, whatever write(2) takes at a time.  0 or -1. */
int buf_write(const struct buf *b, int fd, const char *what, struct err *e);

#endif
