/*
 * What the exporters share: names and figures in jeprof's notation.
 */
#ifndef EXPORT_LABEL_H
#define EXPORT_LABEL_H

#include <stdint.h>

struct buf;
struct export_options;
struct report;
struct report_row;

/* A row's name by the report's grouping: function; function file:line; file;
 * library; address function file:line; thread. */
void label_row(
    struct buf *b, const struct report *r, const struct report_row *row);

/* A figure as jeprof writes it: MB with one decimal, or whole bytes (with
 * show_bytes) or objects. */
struct fmt label_figure(
    const struct report *r, const struct export_options *o, double value);
/* "MB", "B" or "objects". */
const char *label_unit(const struct report *r, const struct export_options *o);
/* "12.3%"; "nan" if the whole is 0. */
struct fmt label_percent(double part, double whole);

#endif
