/*
 * The run that screens are tested with: "ingestd", 412.6 MiB live in 317
 * stacks 12:41 after its start, mark A at 8:02.
 *
 * Its 19 largest stacks are the table in ingestd.c; 298 small ones hold
 * 9.2 MiB in 134498 objects, 512 KiB of them since A.  All rows add up to the
 * exact totals.  There is a snapshot every 10 s and at 0:04, 5:00, 8:02, 9:15
 * (the peak, 438.1 MiB), 9:16, 12:40 and 12:41; cells changed at 0:04, 8:02
 * and 12:41 only.
 */
#ifndef INGESTD_H
#define INGESTD_H

#include <stdbool.h>
#include <stdint.h>

#include "ui/app.h"

struct grid;
struct profile;
struct report;

struct ingestd {
	struct profile *profile;
	struct report *report;
	struct app app;
	bool ascii;
};

#define INGESTD_START UINT64_C(1000000000)
#define INGESTD_AT(min, s) \
	(INGESTD_START + ((min)*UINT64_C(60) + (s)) * UINT64_C(1000000000))

struct profile *ingestd_profile(bool named);
/* With a profile, live and reported; mark A set if `marked`. */
void ingestd_open(struct ingestd *r, int width, int height, bool marked);
/* Before the first snapshot: no profile. */
void ingestd_open_waiting(struct ingestd *r, int width, int height);
void ingestd_close(struct ingestd *r);

/* Send one; rebuilds the report if it is wanted, and lets the source of
 * src/decode.c be read.  Returns the request. */
struct request ingestd_send(struct ingestd *r, const struct app_event *e);
/* It writes this to its terminal. */
void ingestd_prints(struct ingestd *r, const char *text);
/* Keys by their names, with blanks between; the last request. */
struct request ingestd_keys(struct ingestd *r, const char *names);
void ingestd_type(struct ingestd *r, const char *text);
void ingestd_resize(struct ingestd *r, int width, int height);
void ingestd_status(struct ingestd *r, enum app_connection c, uint64_t ns,
    const char *what, const char *sentence, const char *last_line);

/* The screen as text; free() it. */
char *ingestd_screen(const struct ingestd *r);
/* Its line y without blanks at the end; free() it. */
char *ingestd_line(const struct ingestd *r, int y);

#endif
