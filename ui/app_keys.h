/*
 * The part of app.h that minds keys; called by app_event only.
 */
#ifndef UI_APP_KEYS_H
#define UI_APP_KEYS_H

#include <stdint.h>

#include "ui/app.h"

/* A key, wherever it goes. */
void app_key(struct app *a, struct key k, struct request *r);

/* What lies over the view: its keys, and how it is opened. */
void app_over_key(struct app *a, struct key k, struct request *r);
void app_open(struct app *a, enum app_over over);
void app_open_prompt(struct app *a, enum app_prompt which);

/* Time. */
void app_look_at(struct app *a, size_t point); /* index; the last: live */
void app_follow(struct app *a);                /* the newest from now on */
bool app_act_time(struct app *a, enum action action);
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

#endif
