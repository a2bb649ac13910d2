/*
 * The call tree of a report: stacks merged by the groups of their places,
 * from the root, or from the site when inverted.  Called by report_build.
 */
#ifndef MODEL_TREE_H
#define MODEL_TREE_H

struct report;

/* Fills tree and tree_count. */
void tree_build(struct report *r);

#endif
