/*
 * gzip in one pass, for dumps with prof_compress.
 *
 * RFC 1951 and 1952: one block with the fixed codes, matches within 32 KiB
 * found by two tables of the last place of a hash, one of 4 bytes and one of
 * 12, since in a dump most addresses begin alike.  It packs dumps about as
 * zlib's fastest level does.
 *
 * All state is in the struct (some 200 KiB: the caller maps it); nothing is
 * called but the sink, nothing is allocated.  No errors of its own: what the
 * sink cannot do it must note itself.
 */
#ifndef PROF_DEFLATE_H
#define PROF_DEFLATE_H

#include <stddef.h>
#include <stdint.h>

#define DEFLATE_REACH  32768u /* how far back a match may lie */
#define DEFLATE_HASHES 16384u
#define DEFLATE_OUT    4096u

struct deflate {
	void (*sink)(void *to, const unsigned char *p, size_t n);
	void *to;
	uint32_t crc, total;
	uint32_t crc_of[16]; /* of each half byte */
	uint64_t bits; /* not yet in out; the first to come is the lowest */
	unsigned nbits;
	size_t at, end; /* in window: next byte to code, end of what is there */
	size_t nout;
	uint32_t near[DEFLATE_HASHES], far[DEFLATE_HASHES]; /* place + 1 */
	unsigned char window[2 * DEFLATE_REACH];
	unsigned char out[DEFLATE_OUT];
};

/* Begin a file whose bytes go to sink(to, ...). */
void deflate_begin(struct deflate *d,
    void (*sink)(void *to, const unsigned char *p, size_t n), void *to);
void deflate_bytes(struct deflate *d, const void *p, size_t n);
/* The file is complete when this returns. */
void deflate_end(struct deflate *d);

#endif
