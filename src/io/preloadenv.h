/*
 * The environment of a program that is to run under libheaptop.so: ours, with
 * LD_PRELOAD, HEAPTOP_SOCKET, HEAPTOP_DEFAULTS and HEAPTOP_CONF as the launch
 * options say.  Where the library's path cannot stand in LD_PRELOAD, a link
 * in the runtime directory does.
 */
#ifndef IO_PRELOADENV_H
#define IO_PRELOADENV_H

struct err;
struct launch_options;

/* A NULL-terminated array to be freed with preloadenv_free.  `library` is the
 * path to preload; NULL: none, the environment is ours.  0 or -1. */
int preloadenv_make(const struct launch_options *o, const char *library,
    char ***env, struct err *e);
void preloadenv_free(char **env); /* NULL is fine */

#endif
