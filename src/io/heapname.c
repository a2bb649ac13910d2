#include "io/heapname.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

/* Take ".suffix" off the end of a name of *len bytes. */
static bool
take_suffix(const char *name, size_t *len, const char *suffix)
{
	size_t n = strlen(suffix);

	if (*len < n || strncmp(name + *len - n, suffix, n) != 0)
		return false;
	*len -= n;
	return true;
}

/* The last part between dots, which is taken off; NULL if there is none. */
static const char *
last_part(const char *name, size_t *len, size_t *part)
{
	size_t end = *len, at = end;

	while (at > 0 && name[at - 1] != '.')
		at--;
	if (at == 0)
		return NULL;
	*part = end - at;
	*len = at - 1;
	return name + at;
}

static bool
all_digits(const char *s, size_t n)
{
	return n > 0 && n < 11 && strspn(s, "0123456789") >= n;
}

uint32_t
heapname_pid(const char *path)
{
	const char *slash = strrchr(path, '/');
	const char *name = slash != NULL ? slash + 1 : path, *p;
	size_t len = strlen(name), n = 0;
	unsigned long pid;

	take_suffix(name, &len, ".gz");
	if (!take_suffix(name, &len, ".heap"))
		return 0;
	p = last_part(name, &len, &n);
	if (p == NULL || n == 0 || strchr("iumf", p[0]) == NULL ||
	    (n > 1 && !all_digits(p + 1, n - 1)))
		return 0;
	p = last_part(name, &len, &n);
	if (p == NULL || !all_digits(p, n))
		return 0;
	p = last_part(name, &len, &n);
	if (p == NULL || !all_digits(p, n))
		return 0;
	pid = strtoul(p, NULL, 10);
	return pid > 0x7fffffff ? 0 : (uint32_t)pid;
}
