/*
 * Names of other people's programs, written so that a format can't take them
 * for its own words.
 *
 * What comes out is well-formed UTF-8 without control characters: those are
 * spelled \n, \t or \x1b, bytes that are no UTF-8 and characters that turn
 * the direction of text round become U+FFFD.  Everything a name says stays
 * readable; nothing of it is markup.
 */
#ifndef EXPORT_ESCAPE_H
#define EXPORT_ESCAPE_H

struct buf;

/* For text and quoted attributes of XML 1.0. */
void escape_xml(struct buf *b, const char *s);
/* For the inside of a quoted string of graphviz' language, where it is an
 * escString with entities (label, tooltip). */
void escape_dot(struct buf *b, const char *s);

/* The same for text of ours in several lines, which stay lines. */
void escape_xml_lines(struct buf *b, const char *s);
void escape_dot_lines(struct buf *b, const char *s);

/* Append a name of at most `cols` columns: whole, or as name_fit shortens
 * it.  Still to be escaped. */
void escape_fit(struct buf *b, const char *name, int cols);

#endif
