#include "path.h"

#include <string.h>

bool
path_append(char *path, size_t cap, const char *s)
{
	size_t n = strlen(path), m = strlen(s);

	if (n + m >= cap)
		return false;
	memcpy(path + n, s, m + 1);
	return true;
}
