/*
 * What the screen does itself of what is asked: files, the clipboard, the
 * editor, settings.
 */
#ifndef SCREEN_SERVE_H
#define SCREEN_SERVE_H

#include <stdbool.h>

struct request;
struct screen;

/* False: it is for the owner. */
bool serve_request(struct screen *s, const struct request *r);
/* The user's settings of keys, and what was wrong with them. */
void serve_settings(struct screen *s);
void serve_close(struct screen *s);

#endif
