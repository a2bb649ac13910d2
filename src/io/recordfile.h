/*
 * Recordings: the stream's bytes, gzipped, dump after dump.
 *
 * Written so that a recording is of use whenever its writer dies: after each
 * dump the compressor is flushed, so a cut file holds all dumps but perhaps
 * the last.
 */
#ifndef IO_RECORDFILE_H
#define IO_RECORDFILE_H

#include <stdbool.h>
#include <stddef.h>

struct buf;
struct err;
struct profile;
struct recordfile;

/* Makes or replaces the file (mode 0600).  NULL with a sentence. */
struct recordfile *recordfile_create(const char *path, struct err *e);
/* Add one dump (what dumpread_tap gives). */
int recordfile_put(
    struct recordfile *r, const void *data, size_t len, struct err *e);
/* Are these the bytes of a dump that tells everything: from its hello on, and
 * the first of its connection? */
bool recordfile_whole(const void *data, size_t len);
/* Ends and frees it; -1 if something could not be written. */
int recordfile_close(struct recordfile *r, struct err *e);

/* Replay a recording into an empty profile: every dump is a snapshot.
 * result and `notes` as in heapfile_read; -1 if there is no whole dump in
 * it. */
int recordfile_read(
    const char *path, struct profile *p, struct buf *notes, struct err *e);

#endif
