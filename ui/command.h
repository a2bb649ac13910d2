/*
 * What is typed behind ':', made into a request.
 *
 *	sample 4K          one sample in about so many bytes; exact: all
 *	active on|off      switch sampling on or off
 *	interval 500ms     time between snapshots
 *	snapshot           take one now
 *	record FILE        write a recording; without FILE end it
 *	quit
 *
 * Words may be cut short as long as it is clear what is meant.
 */
#ifndef UI_COMMAND_H
#define UI_COMMAND_H

#define COMMAND_WORDS "sample, active, interval, snapshot, record, quit"

struct err;
struct request;

/* 0, or -1 with a sentence.  An empty line is no request. */
int command_parse(const char *text, struct request *r, struct err *e);

#endif
