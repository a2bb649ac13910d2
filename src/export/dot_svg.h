/*
 * The last touch on a graph that graphviz drew as SVG from export_picture's
 * text: boxes and arrows get titles that say what they are (name; flat, cum,
 * objects, share) where graphviz writes its own names for them, and a browser
 * can zoom and pan.
 *
 * The program that drew it is not trusted to write what we expect: what is
 * not understood is passed on as it is.
 */
#ifndef EXPORT_DOT_SVG_H
#define EXPORT_DOT_SVG_H

#include <stddef.h>

struct buf;
struct export_options;
struct report;

/* The same report and options that the graph was made with. */
void export_dot_svg(const struct report *r, const struct export_options *o,
    const char *svg, size_t len, struct buf *b);

#endif
