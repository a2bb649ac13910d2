/*
 * How old what lives is, how long the others lived, and what of a generation
 * survives: sentences and figures for details and columns, of model/ages.h.
 *
 * Text is appended; what is not known is left out, and nothing is known of
 * moments without a time.  Where births are missing it is said: "known" and
 * "of those known".  A generation is what was born after mark A up to mark
 * B, or up to the moment that is shown if that is B; what of it lives is told
 * of the moment that is shown, C.
 */
#ifndef UI_DETAIL_AGES_H
#define UI_DETAIL_AGES_H

#include <stdbool.h>
#include <stdint.h>

#include "model/ages.h"
#include "ui/grid.h"

struct app;
struct buf;
struct report_row;

/* Of which objects; view NULL: of none. */
struct age_subject {
	struct age_view *view;
	enum ages_of of;
	uint32_t number;
};

/* Whether the report that is shown tells ages at all. */
bool ages_told(const struct app *a);
/* A row of the report, or the one a tree or flame has made. */
struct age_subject ages_subject(
    const struct app *a, const struct report_row *row);
/* The median age; false: it is not known. */
bool ages_median(const struct age_subject *s, uint64_t *ns);

/* Top and Threads show ages in place of the change, and do or do not from now
 * on. */
bool ages_in_column(const struct app *a);
void ages_change_column(struct app *a);

/* An age in `w` columns up to x + w, with the colour of old ones. */
void ages_draw(
    const struct app *a, uint64_t ns, struct grid *g, int x, int y, int w);
/* The column of a row of the report. */
void ages_draw_row(
    const void *app, struct grid *g, struct rect r, uint32_t row);

/* "oldest live 12m37s" */
void ages_oldest(const struct age_subject *s, struct buf *b);
/* "median 3m12s, youngest 2s" */
void ages_others(const struct age_subject *s, struct buf *b);
/* All three, as much of it as fits `w` columns. */
void ages_words(const struct age_subject *s, int w, struct buf *b);
/* "median 64ms-256ms  ▁▃█▂ 4ms to 4m22s" of those that were freed; x if
 * nothing is known, else the column behind it. */
int ages_draw_lives(
    const struct age_subject *s, struct grid *g, int x, int y, int w);

/* The interval that a generation was born in; false: there is none. */
bool ages_born_between(const struct app *a, uint64_t *from, uint64_t *to);
/* "of 22.5 MiB born since A 21.5 MiB lives ±1.2%", "... between A and B 21.5
 * MiB lives at 12:41", in `w` columns; row NULL: how much was born is left
 * out. */
void ages_generation_words(const struct app *a, const struct age_subject *s,
    const struct report_row *row, bool ascii, int w, struct buf *b);

/* Rows of a block of sizes with its title, at most; 0: there are none. */
#define AGES_SIZE_ROWS 5
/* "SIZE  LIVE  SHARE" and a row for each class, or for several; from r.y on.
 * How many rows. */
int ages_draw_sizes(const struct age_subject *s, struct grid *g, struct rect r);

#endif
