/*
 * What a view shows, as sentences for screen_plain.c: rows of a report, its
 * tree, the moments, and one row with its stack.
 *
 * All append lines to `b`.
 */
#ifndef SCREEN_PLAIN_ROWS_H
#define SCREEN_PLAIN_ROWS_H

#include <stddef.h>

struct app;
struct buf;
struct report_row;

/* What is looked at: "Top: live bytes by stack at 12:41, 412.6 MiB..." */
void plain_head(const struct app *a, struct buf *b);
/* Rows `from` and on, `count` of them; the row behind the last one put. */
size_t plain_rows(
    const struct app *a, size_t from, size_t count, struct buf *b);
/* How many there are. */
size_t plain_row_count(const struct app *a);
/* One of a view that has rows of the report. */
const struct report_row *plain_row_at(const struct app *a, size_t i);
/* Row `i` with all that is known of it. */
void plain_row(const struct app *a, size_t i, struct buf *b);
/* How the process is. */
void plain_status(const struct app *a, struct buf *b);

#endif
