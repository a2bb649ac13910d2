/*
 * What the reports for people share: figures in columns, sites, sentences.
 */
#ifndef EXPORT_STATS_WORDS_H
#define EXPORT_STATS_WORDS_H

#include <stdbool.h>

#include "base/fmt.h"

struct buf;
struct export_options;
struct place;
struct report;
struct report_row;

/* A figure of the report's metric; a change has a sign.  Plain numbers with
 * o->show_bytes. */
struct fmt stats_amount(
    const struct report *r, const struct export_options *o, double v);
struct fmt stats_change(
    const struct report *r, const struct export_options *o, double v);
/* Columns that the two take. */
int stats_columns(const struct report *r, const struct export_options *o);

/* A 95 % half width relative to its value, "" where it is exact; plain with
 * o->show_bytes. */
struct fmt stats_error(const struct export_options *o, double half, double v);
/* "+280.0 MiB (+37.5%)"; no share of next to nothing. */
void stats_put_delta(struct buf *b, const struct report *r,
    const struct export_options *o, double from, double to);

/* Right aligned in so many columns. */
void stats_put_right(struct buf *b, const char *s, int width);
/* A row's name and its callers, as far as they go in `cols` columns. */
void stats_put_site(struct buf *b, const struct report *r,
    const struct report_row *row, int cols, bool ascii);

/* The line on what was not seen, if there is one, and what to do about few
 * samples. */
void stats_put_notes(struct buf *b, const struct report *r);

/* What to do where the report rests on few samples: one sentence, without a
 * newline.  Nothing where it does not. */
void stats_put_hint(struct buf *b, const struct report *r);

/* Live bytes of the processes; exact where they were counted. */
struct stats_live {
	double bytes;
	bool exact;
	double half; /* 95 % half width; 0: exact, or not known */
};
struct stats_live stats_live(const struct report *r);

#endif
