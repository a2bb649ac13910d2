/*
 * What the nodes of a call tree are called.
 */
#ifndef MODEL_TREE_NAMES_H
#define MODEL_TREE_NAMES_H

#include <stdint.h>

struct report;

/* The function, file or library of a place, as the report is grouped. */
const char *tree_place_name(const struct report *r, uint32_t place);
/* The same where places are of one group, in every run: for paths. */
uint64_t tree_place_hash(const struct report *r, uint32_t place);

#endif
