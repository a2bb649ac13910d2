/*
 * The environment for programs that heaptop runs for itself: its own without
 * what makes a program run under libheaptop.so.
 */
#ifndef IO_CLEANENV_H
#define IO_CLEANENV_H

/* NULL-terminated; free the array, not the strings. */
char **cleanenv_make(void);

#endif
