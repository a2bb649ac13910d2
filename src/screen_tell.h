/*
 * What the screen is told of the process that is shown: who it is and how
 * it fares.
 */
#ifndef SCREEN_TELL_H
#define SCREEN_TELL_H

#include "ui/app.h"

struct watch;

/* Name and command of a process: arguments joined by blanks, of which the
 * first loses its directories. */
void tell_command(struct app_target *t, const char *command);

void tell_target(const struct watch *w, struct app_target *t);
void tell_status(const struct watch *w, struct app_status *s);

#endif
