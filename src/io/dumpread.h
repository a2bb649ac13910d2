/*
 * The incremental decoder of the stream (prof/format.h): bytes in, calls of
 * profile_put_* out.
 *
 * The source may be a pipe, a recording or the table of a dead process.
 * Every byte is hostile: memory is bounded by one frame beside what the
 * profile keeps, and a stream cannot put in more than a table can hold.  The
 * first defect ends the reading with one sentence that says where it is;
 * after it every feed fails with the same sentence.  A dump counts when its
 * end frame has come and its counts are right: only then is it committed, so
 * the last whole snapshot stands whatever comes after it.
 */
#ifndef IO_DUMPREAD_H
#define IO_DUMPREAD_H

#include <stddef.h>
#include <stdint.h>

struct dumpread;
struct err;
struct profile;
struct profile_facts;

/* `source` names the stream in sentences ("process 123", a file name). */
struct dumpread *dumpread_new(struct profile *p, const char *source);
void dumpread_free(struct dumpread *d); /* NULL is fine */

/* Called after each commit. */
void dumpread_on_snapshot(struct dumpread *d, void (*fn)(void *arg), void *arg);
/* Called with the bytes of each dump after its commit, frame heads
 * included: what a recording is made of.  Costs memory for one dump. */
void dumpread_tap(struct dumpread *d,
    void (*fn)(void *arg, const void *data, size_t len), void *arg);

int dumpread_feed(
    struct dumpread *d, const void *data, size_t len, struct err *e);
/* The source has ended: -1 with a sentence if that is inside a dump, or if
 * there never was a whole one. */
int dumpread_finish(struct dumpread *d, struct err *e);

/* A dump is being read: bytes came after the last end frame. */
int dumpread_busy(const struct dumpread *d);
unsigned dumpread_snapshots(const struct dumpread *d); /* whole ones so far */

/* Forget a half-read dump and any error, expect a hello next: a new
 * connection to the same image goes on into the same profile. */
void dumpread_restart(struct dumpread *d);

/*
 * A hello's payload (struct hello and its strings) as facts.  The strings of
 * `out` point into `text`, which the caller keeps and frees.  `source` as
 * above.  -1 with a sentence that names it.
 */
struct hello_text {
	char *image, *command;
	uint8_t build_id[32];
};
int dumpread_hello(const void *payload, size_t size, const char *source,
    struct hello_text *text, struct profile_facts *out, struct err *e);
void hello_text_fini(struct hello_text *t);

#endif
