/*
 * The rows of a report: stacks grouped, compared, sorted and cut.  Called by
 * report_build once stacks and places are there.
 */
#ifndef MODEL_ROWS_H
#define MODEL_ROWS_H

struct report;
struct row_source;

/* Fills rows, row_count, remainder, remainder_count, group_count; or
 * row_source instead of rows, where they are asked for in pieces. */
void rows_build(struct report *r);
void row_source_free(struct row_source *s); /* NULL is fine */

#endif
