/*
 * The ways to export that the screen offers: the reports of options.h, each
 * with a letter, an ending for its file, and a word on what it is for.
 */
#ifndef SCREEN_FORMATS_H
#define SCREEN_FORMATS_H

#include <stddef.h>

#include "options.h"

struct app_format;

/* For app.formats; "recording" is among them. */
const struct app_format *screen_formats(size_t *count);
/* REPORT_NONE: it is none, but a recording. */
enum report_kind screen_format_kind(size_t format);

#endif
