/*
 * What the exporters share: names and figures in jeprof's notation.
 */
#ifndef EXPORT_LABEL_H
#define EXPORT_LABEL_H

#include <stdbool.h>
#include <stdint.h>

struct buf;
struct export_options;
struct figures;
struct report;
struct report_row;
struct tree_node;

/* A row's name by the report's grouping: function; function file:line; file;
 * library; address function file:line; thread. */
void label_row(
    struct buf *b, const struct report *r, const struct report_row *row);

/* The same for a node of the tree; "all" for its root. */
void label_node(
    struct buf *b, const struct report *r, const struct tree_node *n);

/* What labels leave out: the whole name of a function, with its parameters,
 * at most `cols` columns of it; nothing if the label has it all, or if rows
 * and nodes are no functions. */
void label_more(
    struct buf *b, const struct report *r, const char *function, int cols);

/* A figure as jeprof writes it: MB with one decimal, or whole bytes (with
 * show_bytes) or objects. */
struct fmt label_figure(
    const struct report *r, const struct export_options *o, double value);
/* "MB", "B" or "objects". */
const char *label_unit(const struct report *r, const struct export_options *o);
/* "12.3%"; "nan" if the whole is 0. */
struct fmt label_percent(double part, double whole);

/* Whether the report was asked to compare two moments or profiles. */
bool label_compares(const struct report *r);
/* What share of a figure, the larger one of then and now, came or went: from
 * -1, all gone, to 1, all new.  Of a difference only the sign is known. */
double label_growth(const struct report *r, const struct figures *f);
/* "#rrggbb", a background for black letters: from cool (-1) by nearly white
 * (0) to warm (1). */
struct fmt label_shade(double share);

#endif
