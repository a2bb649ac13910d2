#include "io/preloadenv.h"

#include <limits.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/err.h"
#include "base/mem.h"
#include "io/launch.h"
#include "io/rundir.h"

/* ld.so splits LD_PRELOAD at blanks and colons and expands $. */
#define BAD_BYTES " \t\n\v\f\r:$"

/* FNV-1a: different libraries get different links. */
static uint64_t
hash(const char *s)
{
	uint64_t h = UINT64_C(0xcbf29ce484222325);

	for (; *s != 0; s++)
		h = (h ^ (unsigned char)*s) * UINT64_C(0x100000001b3);
	return h;
}

/* A name for the library that LD_PRELOAD can hold. */
static int
link_library(char **path, const struct rundir *r, struct err *e)
{
	char name[64], target[PATH_MAX], temporary[96], *link;
	size_t size;
	ssize_t n;

	if (r == NULL || strpbrk(r->path, BAD_BYTES) != NULL)
		return err_set(e,
		    "%s cannot stand in LD_PRELOAD: move heaptop to a path "
		    "without blanks and colons",
		    *path);
	snprintf(name, sizeof name, "libheaptop-%016llx.so",
	    (unsigned long long)hash(*path));
	n = readlinkat(r->fd, name, target, sizeof target - 1);
	target[n > 0 ? n : 0] = 0;
	if (strcmp(target, *path) != 0) {
		snprintf(
		    temporary, sizeof temporary, "%s.%d", name, (int)getpid());
		unlinkat(r->fd, temporary, 0);
		if (symlinkat(*path, r->fd, temporary) < 0 ||
		    renameat(r->fd, temporary, r->fd, name) < 0)
			return err_sys(e, "cannot make a link in %s", r->path);
	}
	size = strlen(r->path) + sizeof name + 1;
	link = xmalloc(size);
	snprintf(link, size, "%s/%s", r->path, name);
	free(*path);
	*path = link;
	return 0;
}

/* "NAME=a<sep>b", or "NAME=a" if b is NULL or empty. */
static char *
setting(const char *name, const char *a, char sep, const char *b)
{
	const char *more = b != NULL ? b : "";
	size_t size = strlen(name) + strlen(a) + strlen(more) + 3;
	char *s = xmalloc(size);

	if (more[0] != 0)
		snprintf(s, size, "%s=%s%c%s", name, a, sep, more);
	else
		snprintf(s, size, "%s=%s", name, a);
	return s;
}

/* Replace the variable of the same name, or add one; s is owned. */
static void
put(char **env, size_t *n, char *s)
{
	size_t len = (size_t)(strchr(s, '=') - s) + 1;

	for (size_t i = 0; i < *n; i++) {
		if (strncmp(env[i], s, len) != 0)
			continue;
		free(env[i]);
		env[i] = s;
		return;
	}
	env[(*n)++] = s;
}

static void
drop(char **env, size_t *n, const char *name)
{
	size_t len = strlen(name), kept = 0;

	for (size_t i = 0; i < *n; i++) {
		if (strncmp(env[i], name, len) == 0 && env[i][len] == '=')
			free(env[i]);
		else
			env[kept++] = env[i];
	}
	*n = kept;
}

/* `conf` goes behind what HEAPTOP_CONF holds already: later ones win. */
static char *
conf_setting(const char *conf)
{
	const char *old = getenv("HEAPTOP_CONF");

	if (old == NULL || *old == 0)
		return setting("HEAPTOP_CONF", conf, 0, NULL);
	return setting("HEAPTOP_CONF", old, ',', conf);
}

/* The library first, unless it stands there already. */
static char *
preload_setting(const char *library)
{
	const char *old = getenv("LD_PRELOAD");
	size_t len = strlen(library);

	if (old != NULL && strncmp(old, library, len) == 0 &&
	    (old[len] == 0 || strchr(BAD_BYTES, old[len]) != NULL))
		return setting("LD_PRELOAD", old, 0, NULL);
	return setting("LD_PRELOAD", library, ':', old);
}

int
preloadenv_make(const struct launch_options *o, const char *path, char ***out,
    struct err *e)
{
	char **env, *library = path != NULL ? xstrdup(path) : NULL;
	size_t n = 0;

	*out = NULL;
	if (library != NULL && strpbrk(library, BAD_BYTES) != NULL &&
	    link_library(&library, o->rundir, e) < 0) {
		free(library);
		return -1;
	}
	while (environ != NULL && environ[n] != NULL)
		n++;
	env = xcalloc(n + 5, sizeof *env);
	for (size_t i = 0; i < n; i++)
		env[i] = xstrdup(environ[i]);
	if (library != NULL) {
		put(env, &n, preload_setting(library));
		if (o->socket != NULL)
			put(env, &n,
			    setting("HEAPTOP_SOCKET", o->socket, 0, NULL));
		else
			drop(env, &n, "HEAPTOP_SOCKET");
		if (o->defaults != NULL)
			put(env, &n,
			    setting("HEAPTOP_DEFAULTS", o->defaults, 0, NULL));
		if (o->conf != NULL && o->conf[0] != 0)
			put(env, &n, conf_setting(o->conf));
	}
	env[n] = NULL;
	free(library);
	*out = env;
	return 0;
}

void
preloadenv_free(char **env)
{
	for (size_t i = 0; env != NULL && env[i] != NULL; i++)
		free(env[i]);
	free(env);
}
