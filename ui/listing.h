/*
 * Lines of the source around a frame, for the detail.
 *
 * The app holds the text around one place of one file (struct app_source);
 * it is asked for when the detail would show another (app_wants_source).
 */
#ifndef UI_LISTING_H
#define UI_LISTING_H

#include <stdbool.h>
#include <stdint.h>

#include "ui/grid.h"

struct app;
struct app_event;
struct app_source;

void listing_take(struct app *a, const struct app_event *e);
void listing_fini(struct app_source *s);

/* Whether there is text, or a sentence, for that line. */
bool listing_known(const struct app *a, const char *file, uint32_t line);
/* That line with `above` lines before it, or the sentence; false: there is
 * neither yet. */
bool listing_draw(const struct app *a, const char *file, uint32_t line,
    int above, struct grid *g, struct rect r);

#endif
