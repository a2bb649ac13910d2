/*
 * The name of a file in its path.
 */
#ifndef BASE_PATH_H
#define BASE_PATH_H

#include <string.h>

/* Behind the last slash; the whole if there is none.  Points into `path`. */
static inline const char *
path_base(const char *path)
{
	const char *slash = strrchr(path, '/');

	return slash ? slash + 1 : path;
}

#endif
