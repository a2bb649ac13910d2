/*
 * Processes that are preloaded make a tree: what is said of options is said by
 * its first one.
 */
#ifndef PROF_TREE_H
#define PROF_TREE_H

#include <stdbool.h>

/*
 * Whether the parent was not started preloaded, by its environment in /proc;
 * true also where that cannot be read.  For the start of an image: files of
 * /proc are read, once.  An image that another one was replaced by (exec)
 * cannot be told from a first one.
 */
bool tree_begins(void);

#endif
