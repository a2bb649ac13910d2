#include "io/demangle.h"

#include <stdlib.h>
#include <string.h>

#include <libiberty/demangle.h>

/* libiberty.h declares xmalloc and its like, too. */
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wredundant-decls"
#include "base/mem.h"
#pragma GCC diagnostic pop

/*
 * libiberty calls xmalloc and its like, and thereby gets those of base/mem.c;
 * this one is not among them, and without it the linker would take libiberty's
 * own, and all of them twice.
 */
void *
xrealloc(void *p, size_t n)
{
	return xreallocarray(p, n, 1);
}

/* A version behind @, as the linker leaves it in symbol tables. */
static size_t
plain_length(const char *name)
{
	const char *at = strchr(name + (name[0] != 0), '@');

	return at != NULL ? (size_t)(at - name) : strlen(name);
}

/* "f(int) [clone .cold]" is f(int). */
static void
cut_clones(char *s)
{
	char *clone = strstr(s, " [clone ");

	if (clone != NULL && clone != s)
		*clone = 0;
}

char *
demangle(const char *name)
{
	size_t len = plain_length(name);
	char *plain, *full;

	if (len > DEMANGLE_MAX)
		return xstrndup(name, DEMANGLE_OUT_MAX);
	plain = xstrndup(name, len);
	full = cplus_demangle(plain, DMGL_PARAMS | DMGL_ANSI | DMGL_AUTO);
	/* D's scheme is not among those tried by themselves. */
	if (full == NULL && plain[0] == '_' && plain[1] == 'D')
		full =
		    cplus_demangle(plain, DMGL_PARAMS | DMGL_ANSI | DMGL_DLANG);
	if (full == NULL)
		return plain;
	free(plain);
	cut_clones(full);
	if (strlen(full) > DEMANGLE_OUT_MAX)
		full[DEMANGLE_OUT_MAX] = 0;
	return full;
}
