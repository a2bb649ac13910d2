/*
 * The rows of a report: stacks grouped, compared, sorted and cut.  Called by
 * report_build once stacks and places are there.
 */
#ifndef MODEL_ROWS_H
#define MODEL_ROWS_H

struct report;

/* Fills rows, row_count, remainder, remainder_count, group_count. */
void rows_build(struct report *r);

#endif
