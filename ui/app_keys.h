/*
 * The part of app.h that minds keys; called by app_event only.
 */
#ifndef UI_APP_KEYS_H
#define UI_APP_KEYS_H

#include <stdint.h>

#include "ui/app.h"

/* A key, wherever it goes. */
void app_key(struct app *a, struct key k, struct request *r);

/* What waited for all rows. */
void app_act_pending(struct app *a);

/* What lies over the view: its keys, and how it is opened. */
void app_over_key(struct app *a, struct key k, struct request *r);
void app_open(struct app *a, enum app_over over);
void app_open_prompt(struct app *a, enum app_prompt which);

/* Time. */
/* The newest point that is not newer than a moment; the number of points if
 * there is none. */
size_t app_point_at(const struct app *a, uint64_t ns);
void app_look_at(struct app *a, size_t point); /* index; the last: live */
void app_follow(struct app *a);                /* the newest from now on */
void app_look_away(struct app *a);             /* back to B, or to that */
/* Mark A (0) or B there; the same again takes the mark away. */
void app_mark_point(struct app *a, int which, size_t point);
void app_compare(struct app *a, size_t from, size_t to); /* as A and B */
bool app_act_time(struct app *a, enum action action);
/* The same moments are other snapshots now, of these points. */
void app_renumber(struct app *a, const struct app_point *points, size_t n);
/* The pause is over: the points are those that came meanwhile. */
void app_thaw(struct app *a);

/* Filters: `text` becomes the passing one, or a kept one ("!text" hides,
 * "" ends both). */
void app_set_filter(struct app *a, const char *text);
void app_set_kept(struct app *a, const char *text);

/* Patterns no report uses any more; all of them. */
void app_free_old(struct app *a);
void app_fini_query(struct app *a);

/* Leave, or ask first. */
void app_quit(struct app *a, struct request *r);

/* What is asked of the session, or opened over the view; false: the action
 * is another. */
bool app_output_act(struct app *a, enum action action, struct request *r);
/* Rows are another thing from now on; app_query_changed follows. */
void app_group(struct app *a, enum grouping grouping);

#endif
