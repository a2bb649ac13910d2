/*
 * Graphs drawn by graphviz' program dot.
 *
 * It gets the text on its standard input and an environment without
 * libheaptop.so, and is killed when it passes its limits.  The caller waits.
 * No signal's action is touched and no other child is reaped.
 */
#ifndef IO_GRAPHVIZ_H
#define IO_GRAPHVIZ_H

struct buf;
struct err;

struct graphviz_limits {
	unsigned seconds;
	unsigned mib; /* of what it draws */
};

/* 120 s, 256 MiB. */
extern const struct graphviz_limits graphviz_usual;

/* Append what `dot -Tformat` makes of the text to *out: "svg", "pdf", "ps2",
 * "png".  0; -1 and a sentence, *out as it was. */
int graphviz_draw(const char *format, const struct buf *text,
    const struct graphviz_limits *limits, struct buf *out, struct err *e);

#endif
