/*
 * A process that runs already, on the screen.
 */
#ifndef SCREEN_ATTACH_H
#define SCREEN_ATTACH_H

struct options;
struct sigstate;

/* MODE_ATTACH with a screen.  The exit status. */
int screen_attach(const struct options *o, const struct sigstate *signals);

#endif
