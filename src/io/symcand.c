#include "io/symcand.h"

#include <dirent.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/mem.h"
#include "base/path.h"
#include "model/modules.h"

#define DELETED " (deleted)"

static void __attribute__((format(printf, 2, 3)))
add(struct symcand *c, const char *fmt, ...)
{
	char path[8192];
	va_list ap;
	int n;

	va_start(ap, fmt);
	n = vsnprintf(path, sizeof path, fmt, ap);
	va_end(ap);
	if (n <= 0 || (size_t)n >= sizeof path || c->count == SYMCAND_MAX)
		return;
	for (size_t i = 0; i < c->count; i++)
		if (strcmp(c->path[i], path) == 0)
			return;
	c->path[c->count++] = xstrdup(path);
}

char *
symcand_plain(const char *path)
{
	size_t len = strlen(path), cut = strlen(DELETED);

	if (len > cut && strcmp(path + len - cut, DELETED) == 0)
		len -= cut;
	return xstrndup(path, len);
}

/* The kernel's link to the mapped file itself, whatever became of its name.
 * Needs privileges; without them it is not found. */
static void
add_mapped(struct symcand *c, const struct module *m, pid_t pid)
{
	char dir[64], start[32];
	const struct dirent *d;
	DIR *list;

	snprintf(dir, sizeof dir, "/proc/%d/map_files", (int)pid);
	snprintf(start, sizeof start, "%llx-", (unsigned long long)m->start);
	list = opendir(dir);
	if (list == NULL)
		return;
	while ((d = readdir(list)) != NULL)
		if (strncmp(d->d_name, start, strlen(start)) == 0)
			add(c, "%s/%s", dir, d->d_name);
	closedir(list);
}

/* Below each prefix: the whole path, then with leading directories left out
 * one by one, as jeprof does. */
static void
add_prefixed(struct symcand *c, const char *prefixes, const char *path)
{
	while (*prefixes != 0) {
		int len = (int)strcspn(prefixes, ",");

		for (const char *p = path; len > 0 && p != NULL;
		     p = strchr(p + 1, '/'))
			add(c, "%.*s%s", len, prefixes, p);
		prefixes += len;
		prefixes += *prefixes == ',';
	}
}

static void
add_by_build_id(struct symcand *c, const struct module *m)
{
	char hex[2 * sizeof m->build_id + 1];

	if (m->build_id_len < 2)
		return;
	for (size_t i = 0; i < m->build_id_len; i++)
		snprintf(hex + 2 * i, 3, "%02x", m->build_id[i]);
	add(c, "/usr/lib/debug/.build-id/%.2s/%s.debug", hex, hex + 2);
}

void
symcand_find(struct symcand *c, const struct module *m, pid_t pid,
    const char *image, const char *program, const char *lib_prefix)
{
	char *path = symcand_plain(m->path), *main_path = symcand_plain(image);
	bool is_main = main_path[0] != 0 && strcmp(main_path, path) == 0;

	c->count = 0;
	if (path[0] == '[') {
		if (strcmp(path, "[vdso]") == 0)
			add(c, "%s", path);
		goto out;
	}
	if (program != NULL && strcmp(path_base(program), path_base(path)) == 0)
		is_main = true;
	if (pid > 0)
		add_mapped(c, m, pid);
	if (pid > 0 && is_main)
		add(c, "/proc/%d/exe", (int)pid);
	if (is_main && program != NULL)
		add(c, "%s", program);
	if (path[0] == '/' && lib_prefix != NULL)
		add_prefixed(c, lib_prefix, path);
	if (path[0] == '/' && pid > 0)
		add(c, "/proc/%d/root%s", (int)pid, path);
	if (path[0] == '/')
		add(c, "%s", path);
	add_by_build_id(c, m);
out:
	free(path);
	free(main_path);
}

void
symcand_fini(struct symcand *c)
{
	while (c->count > 0)
		free(c->path[--c->count]);
}
