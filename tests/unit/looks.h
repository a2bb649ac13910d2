/*
 * A look at mappings, from a file: lines "# heap START-END" and "# own ..."
 * say whose addresses are whose, "# faults MINOR MAJOR" how often; then the
 * text of smaps.
 */
#ifndef LOOKS_H
#define LOOKS_H

struct memory_seen;

/* All but the moment and the totals. */
void looks_read(const char *text, struct memory_seen *seen);

#endif
