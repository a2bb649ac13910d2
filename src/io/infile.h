/*
 * An input file read front to back, plain or gzipped, by bytes or by lines.
 *
 * A line is at most INFILE_LINE_MAX bytes; a longer one is an error that the
 * reader can skip.  NUL bytes are kept.  CR LF counts as LF.  A long read
 * shows its progress (progress.h).
 */
#ifndef IO_INFILE_H
#define IO_INFILE_H

#include <stddef.h>
#include <stdint.h>

struct err;
struct infile;

#define INFILE_LINE_MAX 1048576u

/* What a file is, told by its first bytes. */
enum file_kind {
	FILE_OTHER,      /* none of these: a program, perhaps */
	FILE_HEAP_V2,    /* heap_v2/..., ours or jemalloc's */
	FILE_STREAM,     /* a recording (prof/format.h) */
	FILE_GPERF,      /* "heap profile: ..." of gperftools */
	FILE_SYMBOLIZED, /* "--- symbol" */
	FILE_PPROF,      /* profile.proto */
	FILE_REPORT      /* a saved --text report (textfile.h) */
};

/* FILE_OTHER also for what cannot be read, is no regular file, or is empty;
 * opens FIFOs never. */
enum file_kind infile_kind(const char *path);

/* NULL with a sentence.  "-" is stdin. */
struct infile *infile_open(const char *path, struct err *e);
void infile_close(struct infile *f); /* NULL is fine */

/* Up to `size` bytes; 0 at the end, -1 with a sentence (a damaged gzip). */
long infile_read(struct infile *f, void *out, size_t size, struct err *e);

/* The next byte, which stays; 256 at the end, -1 with a sentence. */
int infile_peek(struct infile *f, struct err *e);

/* The next line without its end, NUL-terminated, borrowed until the next
 * call, and its length.  1; 0 at the end; -1 with a sentence.  A line too
 * long is cut, *len is INFILE_LINE_MAX and its rest is skipped. */
int infile_line(
    struct infile *f, const char **line, size_t *len, struct err *e);
uint64_t infile_line_number(const struct infile *f); /* of the last, from 1 */
/* The last line had a line end (a cut file's last line has none). */
int infile_line_whole(const struct infile *f);

#endif
