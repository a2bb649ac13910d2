/*
 * The last profile of a process that died: the encoder that its helper would
 * have run, run here over the memory file of its table.
 *
 * The file is read with pread(2) and never mapped, so whoever still writes to
 * it cannot fault us.  Call it after the process is gone (or its helper is
 * silent); a table that still changes gives figures that may disagree with
 * each other, never a crash.
 */
#ifndef IO_AFTERDEATH_H
#define IO_AFTERDEATH_H

struct dumpread;
struct err;

/* Feeds one whole dump into `d` (which is restarted first): stacks and cells
 * in full.  `table` stays open.  -1 with a sentence. */
int afterdeath_read(int table, struct dumpread *d, struct err *e);

#endif
