/*
 * The process as a whole in a report, and the one line on what the report did
 * not see.  Called by report_build.
 */
#ifndef MODEL_NOTES_H
#define MODEL_NOTES_H

struct report;

/* Fills totals, before, have_*, now_ns, base_ns and notes. */
void notes_build(struct report *r);

#endif
