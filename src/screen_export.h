/*
 * Files written from the screen: the report that is shown, in the format that
 * was chosen, and other text.
 *
 * A name may begin with "~/".  A file is there whole or not at all: it is
 * written under another name beside it and renamed.  What is there already
 * stays, unless `overwrite`: then it is replaced, and what a link points to
 * rather than the link; what is no regular file is written into.
 */
#ifndef SCREEN_EXPORT_H
#define SCREEN_EXPORT_H

#include <stdbool.h>

struct app;
struct buf;
struct err;
struct options;
struct report;
struct request;

/* Write what r->format says to r->file.  `e` has the sentence to be shown in
 * either case: "wrote X, 317 stacks".  0 or -1. */
int screen_export(const struct report *report, const struct app *a,
    const struct options *o, const struct request *r, bool ascii,
    struct err *e);

/* Whether there is such a file. */
bool screen_file_exists(const char *name);

/* 0, or -1 and a sentence. */
int screen_write(
    const char *name, bool overwrite, const struct buf *text, struct err *e);

#endif
