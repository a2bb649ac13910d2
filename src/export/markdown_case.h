/*
 * What a report in Markdown is written from: the question asked anew in the
 * forms that its parts need, and what the rows did.
 */
#ifndef EXPORT_MARKDOWN_CASE_H
#define EXPORT_MARKDOWN_CASE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct buf;
struct export_options;
struct report;
struct report_row;
struct trend;
struct trends;

struct markdown_case {
	const struct report *asked;
	const struct export_options *o;
	bool compared;         /* it is about a change */
	struct report *rows;   /* now and before; not of differences */
	struct report *tree;   /* differences, if it is about a change */
	struct trends *trends; /* of rows; NULL: not a series */
	double grown;          /* what the rows that grew grew by, together */
};

void markdown_case_init(struct markdown_case *c, const struct report *r,
    const struct export_options *o);
void markdown_case_fini(struct markdown_case *c);

/* What the report is about: the change, or what is there. */
double markdown_value(
    const struct markdown_case *c, const struct report_row *row);
/* Its 95 % half width. */
double markdown_error(
    const struct markdown_case *c, const struct report_row *row);
/* NULL where there is no series. */
const struct trend *markdown_trend(
    const struct markdown_case *c, const struct report_row *row);

/* The section on whom to suspect, worded as such. */
void markdown_suspects(const struct markdown_case *c, struct buf *b);

#endif
