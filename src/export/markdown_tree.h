/*
 * The main branches of a call tree, for a report in Markdown.
 */
#ifndef EXPORT_MARKDOWN_TREE_H
#define EXPORT_MARKDOWN_TREE_H

struct buf;
struct export_options;
struct place;
struct report;

/* Branches below this share of the whole are left out. */
#define MARKDOWN_TREE_SHARE 0.05

/* Nodes indented below their callers; chains of only children in one line.
 * The report must have a tree. */
void markdown_tree(
    const struct report *r, const struct export_options *o, struct buf *b);

/* The name of a place, at most so many columns; without an address where it
 * has none, as that says nothing to others. */
void markdown_name(struct buf *b, const struct report *r, const struct place *p,
    int cols, const struct export_options *o);

#endif
