/*
 * Files written from the screen: the report that is shown, in the format that
 * was chosen.
 */
#ifndef SCREEN_EXPORT_H
#define SCREEN_EXPORT_H

#include <stdbool.h>

struct app;
struct buf;
struct err;
struct report;
struct request;

/* Write what r->format says to r->file, or beside it if there is such a file.
 * `e` has the sentence to be shown in either case: "wrote X, 317 stacks".
 * 0 or -1. */
int screen_export(const struct report *report, const struct app *a,
    const struct request *r, bool ascii, struct err *e);

/* Make a new file; if there is one of that name, "name-2.txt" and so on.
 * 0 and its name in `e`, or -1 and a sentence. */
int screen_write(const char *name, const struct buf *text, struct err *e);

#endif
