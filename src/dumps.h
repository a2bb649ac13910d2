/*
 * Reading saved dumps and recordings: a report of them, or each as text.
 *
 * Dumps of one process are a series, of which a report takes the last and
 * says so; different processes add up; --sum adds all.  Whose dump a file is
 * is told by the process id and start it carries; files that do not say are
 * taken for a series.
 */
#ifndef DUMPS_H
#define DUMPS_H

struct options;

/* MODE_DUMPS.  0; 1 if not all could be done; 2 if a file is missing. */
int dumps_read(const struct options *o);

#endif
