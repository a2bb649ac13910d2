/*
 * A program on a terminal of its own, watched on the screen.
 *
 * The keeper (io/keeper.h) stands between: whatever becomes of heaptop, the
 * program runs on.  Leaving the screen leaves it running unless the user
 * wants it ended.
 */
#ifndef SCREEN_RUN_H
#define SCREEN_RUN_H

struct options;
struct sigstate;

/* MODE_LAUNCH with a screen.  The exit status; does not return if the program
 * died by a signal, which heaptop then dies of too. */
int screen_run(const struct options *o, const struct sigstate *signals);

#endif
