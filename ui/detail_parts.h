/*
 * Sentences and figures about one row, shared by detail.c and
 * detail_full.c.  Text is appended; what is not known is left out.
 */
#ifndef UI_DETAIL_PARTS_H
#define UI_DETAIL_PARTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "model/history.h"
#include "ui/grid.h"

struct app;
struct buf;
struct place;
struct report_row;

/* Rows above the stack over the whole screen, and those kept below it: for
 * source, or for a whole name only. */
#define PARTS_FULL_HEAD 5
#define PARTS_AGES_HEAD 7 /* with ages, in a body that is so high: */
#define PARTS_AGES_FROM 17
#define PARTS_LEAST     1 /* where these do not fit */
#define PARTS_FULL_TAIL 8
#define PARTS_NAME_TAIL 6

/* Of the rows in the body, those above the stack. */
int parts_head(const struct app *a);
/* Frames seen at once. */
size_t parts_page(const struct app *a);
/* The frame selected, of a row that may have fewer than the one before. */
uint32_t parts_selected(const struct app *a, const struct report_row *row);
/* Whether a frame of it has a file and a line. */
bool parts_has_source(const struct app *a, const struct report_row *row);
/* Text in row y of r, if it is there; the buffer is empty then. */
void parts_line(
    struct grid *g, struct rect r, int y, enum role role, struct buf *b);
/* r is the selected frame's line: park the cursor there. */
void parts_mark(struct grid *g, struct rect r);

/* "118.4 MiB live, 312k objects, 398 B avg": bytes, `between`, objects,
 * `before_avg`, the average. */
void parts_amount(const struct report_row *row, bool ascii, const char *between,
    const char *before_avg, struct buf *b);
/* "+21.5 MiB since A", "no change since A". */
void parts_change(const struct app *a, const struct report_row *row, bool ascii,
    struct buf *b);
/* "78.9 KiB/s"; "" if the change is within its noise or 0. */
void parts_rate(const struct app *a, const struct report_row *row, bool sign,
    struct buf *b);
/* "42% of growth" */
void parts_share(
    const struct app *a, const struct report_row *row, struct buf *b);
/* "first seen 0:04" */
void parts_first(
    const struct app *a, const struct report_row *row, struct buf *b);
/* "+57k objects"; "" if that is not known or nothing changed. */
void parts_new_objects(const struct app *a, const struct report_row *row,
    bool ascii, struct buf *b);
/* "22.5 MiB allocated, 1.0 MiB freed since A" */
void parts_churn(const struct app *a, const struct report_row *row, bool ascii,
    struct buf *b);
/* How much of a row that is a stack was allocated from mark A on, up to a
 * snapshot (0: the one that is shown), in bytes or objects; false: that is not
 * known. */
bool parts_born(const struct app *a, const struct report_row *row, bool bytes,
    snap_id to, double *born);
/* Of a row of functions, files...: "176.5 MiB with what it called, in 3
 * stacks". */
void parts_with_callees(const struct app *a, const struct report_row *row,
    bool ascii, struct buf *b);
/* "231 samples  ±6.6%" */
void parts_samples(const struct report_row *row, bool ascii, struct buf *b);

/* "+21.5 MiB since A, 78.9 KiB/s, 42% of growth", as much of it as fits. */
void parts_growth(const struct app *a, const struct report_row *row, bool ascii,
    int w, struct buf *b);
/* "first seen 0:04, 12m37s ago", or what was called of a function's row. */
void parts_age(const struct app *a, const struct report_row *row, bool ascii,
    struct buf *b);
/* Take the ", " at the end away if nothing came behind it. */
void parts_comma(struct buf *b, size_t before);

/* In columns: "118.4 MiB ±6.6%    312k objects   398 B avg" and
 * "+21.5 MiB since A  +57k objects   78.9 KiB/s". */
void parts_amount_wide(const struct app *a, const struct report_row *row,
    bool ascii, struct buf *b);
void parts_change_wide(const struct app *a, const struct report_row *row,
    bool ascii, struct buf *b);

/* What the row was over the last `ns` in `n` steps, in its metric; false if
 * that is not known for such a row. */
bool parts_trend(const struct app *a, const struct report_row *row,
    double *values, int n, uint64_t *ns);

/* "src/decode.c:214" or "" */
void parts_place(const struct place *p, struct buf *b);
const char *parts_name(const struct app *a, const struct report_row *row);
/* One frame in columns that fit `w`; returns false behind the last. */
bool parts_frame(const struct app *a, const struct report_row *row,
    uint32_t frame, struct grid *g, int x, int y, int w);

/* Whether that leaves out a part of the function's name. */
bool parts_shortened(const struct place *p, int w, bool ascii);

#endif
