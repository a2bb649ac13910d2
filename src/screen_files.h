/*
 * Saved dumps or a recording on the screen: each dump is a moment, mark A is
 * the first and mark B the last.
 */
#ifndef SCREEN_FILES_H
#define SCREEN_FILES_H

struct options;

/* MODE_DUMPS with a screen.  The exit status. */
int screen_files(const struct options *o);

#endif
