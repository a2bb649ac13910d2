#include "io/cleanenv.h"

#include <string.h>
#include <unistd.h>

#include "base/mem.h"

char **
cleanenv_make(void)
{
	size_t n = 0, kept = 0;
	char **env;

	while (environ[n])
		n++;
	env = xcalloc(n + 1, sizeof *env);
	for (size_t i = 0; i < n; i++)
		if (strncmp(environ[i], "LD_PRELOAD=", 11) != 0 &&
		    strncmp(environ[i], "HEAPTOP_", 8) != 0)
			env[kept++] = environ[i];
	return env;
}
