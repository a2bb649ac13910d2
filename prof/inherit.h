/*
 * What a fork child takes over from its parent's table.
 *
 * Fork copies nothing: the child keeps reading the parent's chunks (stacks
 * and modules below the mark of the fork never change) until it opens a table of
 * its own.  Then the modules and stacks that its live records name are copied
 * in under new ids and its live cells are counted anew from the records,
 * which are private memory and so the truth of the child.  Accumulated figures
 * start at what is alive; births are those in the parent, as ticks of both
 * count from the same moment.
 */
#ifndef PROF_INHERIT_H
#define PROF_INHERIT_H

#include <stdbool.h>
#include <stdint.h>

#include "table.h"

/* In the child after a fork: these were the parent's chunks. */
void inherit_from(unsigned char *const *chunk, uint32_t chunks);

/* Copy what is alive into the table just opened, then let the parent's go.
 * Nothing to do where there was no parent's table. */
void inherit_records(void);

#endif
