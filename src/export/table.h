/*
 * The table of a report's rows for people: figures in fixed columns, the name
 * and its callers in the rest of the width, the remainder last.
 */
#ifndef EXPORT_TABLE_H
#define EXPORT_TABLE_H

struct buf;
struct export_options;
struct report;

/* Titles, at most o->top rows, and what is in none of them. */
void table_put(
    const struct report *r, const struct export_options *o, struct buf *b);

#endif
