#include "io/source.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/buf.h"

/* A regular file opened for reading, or NULL. */
static FILE *
open_file(const char *path)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
	struct stat st;
	FILE *f;

	if (fd < 0)
		return NULL;
	if (fstat(fd, &st) < 0 || !S_ISREG(st.st_mode)) {
		close(fd);
		return NULL;
	}
	f = fdopen(fd, "re");
	if (!f)
		close(fd);
	return f;
}

/* `file` below a directory: all of it, then less and less. */
static FILE *
open_below(
    const char *dir, size_t len, const char *file, char path[SOURCE_PATH])
{
	FILE *f = NULL;

	while (!f && file) {
		file += strspn(file, "/");
		if (snprintf(path, SOURCE_PATH, "%.*s/%s", (int)len, dir,
			file) < SOURCE_PATH)
			f = open_file(path);
		file = strchr(file, '/');
	}
	return f;
}

/* `path` is the name under which it was opened. */
static FILE *
find(const char *file, char path[SOURCE_PATH])
{
	const char *dirs = getenv("HEAPTOP_SOURCE_PATH");
	FILE *f = open_file(file);

	snprintf(path, SOURCE_PATH, "%s", file);

	while (!f && dirs && *dirs) {
		size_t len = strcspn(dirs, ":");

		if (len > 0)
			f = open_below(dirs, len, file, path);
		dirs += len + (dirs[len] == ':');
	}
	return f;
}

/* Lines first to last of the file; what is beyond the limit is left out. */
static void
read_lines(FILE *f, uint32_t first, uint32_t last, struct buf *b)
{
	uint32_t line = 1;
	int c;

	while (line <= last && b->len < SOURCE_BYTES && (c = getc(f)) != EOF) {
		if (line >= first)
			buf_putc(b, c ? (char)c : ' ');
		line += c == '\n';
	}
}

bool
source_find(const char *file, char path[SOURCE_PATH])
{
	FILE *f = find(file, path);

	if (f)
		fclose(f);
	return f != NULL;
}

void
source_read(struct source *s, const char *file, uint32_t line)
{
	char path[SOURCE_PATH];
	FILE *f = find(file, path);
	struct buf b = BUF_INIT;

	memset(s, 0, sizeof *s);
	if (!f) {
		snprintf(s->why, sizeof s->why,
		    "%.160s is not here; set HEAPTOP_SOURCE_PATH to where "
		    "its source is",
		    file);
		return;
	}
	s->first_line = line > SOURCE_LINES ? line - SOURCE_LINES : 1;
	read_lines(f, s->first_line, line + SOURCE_LINES, &b);
	fclose(f);
	if (b.len == 0) {
		snprintf(s->why, sizeof s->why,
		    "%.160s has no line %u any more", file, line);
		buf_fini(&b);
		return;
	}
	buf_putc(&b, '\0');
	s->text = b.data;
}

void
source_fini(struct source *s)
{
	free(s->text);
	s->text = NULL;
}
