/*
 * Which objects are read from streams and dumps: those of malloc, or those of
 * one pool of the program's own, see prof/pool.h.  A profile has one or the
 * other, so they are never added up.
 *
 * Belongs to the process: chosen once, by the command line.
 */
#ifndef IO_DOMAIN_H
#define IO_DOMAIN_H

#include <stdbool.h>

/* NULL: malloc's; borrowed. */
void domain_choose(const char *pool);
/* The pool's name, or NULL. */
const char *domain_pool(void);

/* Is a module of that path a pool, and is it the one that was chosen? */
bool domain_is_pool(const char *path, bool *chosen);

#endif
