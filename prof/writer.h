/*
 * Buffered text to a descriptor, gzipped on the way if wanted, without stdio
 * and without malloc.
 */
#ifndef PROF_WRITER_H
#define PROF_WRITER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct writer {
	int fd;
	int error;            /* errno of the first write that failed, 0 */
	struct deflate *gzip; /* NULL: as it is */
	size_t len;
	char buf[16384];
};

/* `gzip` is room for what packing needs, or NULL. */
struct deflate;
void writer_init(struct writer *w, int fd, struct deflate *gzip);
void writer_bytes(struct writer *w, const char *p, size_t n);
void writer_text(struct writer *w, const char *s);
void writer_number(struct writer *w, uint64_t n); /* decimal */
void writer_hex(struct writer *w, uint64_t n);    /* 0x..., as addresses are */
/* Everything out; 0 or the errno of the first failure. */
int writer_flush(struct writer *w);

#endif
