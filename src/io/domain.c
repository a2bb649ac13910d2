#include "io/domain.h"

#include <stddef.h>
#include <string.h>

#define MARK "[pool] " /* as prof/pool.h has it */

static const char *wanted;

void
domain_choose(const char *pool)
{
	wanted = pool;
}

const char *
domain_pool(void)
{
	return wanted;
}

bool
domain_is_pool(const char *path, bool *chosen)
{
	size_t n = strlen(MARK);

	*chosen = false;
	if (strncmp(path, MARK, n) != 0)
		return false;
	*chosen = wanted && strcmp(path + n, wanted) == 0;
	return true;
}
