#include "io/heapmaps.h"

#include <ctype.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/mem.h"
#include "base/vec.h"
#include "io/elfpeek.h"
#include "io/ranges.h"
#include "io/symcand.h"
#include "model/modules.h"
#include "model/profile.h"

#define MODULES_MAX 65535u

struct file {
	char *path;
	uint64_t start, end;
	uint64_t code, code_offset; /* its first executable mapping */
	uint64_t last_offset;
	uint64_t bias;
	bool has_code;
	bool allocator;
	uint8_t build_id[32];
	size_t build_id_len;
};

struct heapmaps {
	const char *program, *lib_prefix;
	struct file *files;
	size_t count, cap;
	struct ranges ranges; /* of mappings; value: index of the file */
	size_t image; /* index + 1 of the main image */
};

struct heapmaps *
heapmaps_new(const char *program, const char *lib_prefix)
{
	struct heapmaps *m = xcalloc(1, sizeof *m);

	m->program = program;
	m->lib_prefix = lib_prefix;
	return m;
}

void
heapmaps_free(struct heapmaps *m)
{
	if (m == NULL)
		return;
	for (size_t i = 0; i < m->count; i++)
		free(m->files[i].path);
	free(m->files);
	ranges_fini(&m->ranges);
	free(m);
}

static const char *
base_name(const char *path)
{
	const char *slash = strrchr(path, '/');

	return slash != NULL ? slash + 1 : path;
}

static bool
starts(const char *s, const char *with)
{
	return strncmp(s, with, strlen(with)) == 0;
}

static bool
is_allocator(const char *path)
{
	const char *name = base_name(path);

	return starts(name, "libjemalloc") || starts(name, "libheaptop") ||
	    starts(name, "libtcmalloc") || starts(name, "libmimalloc");
}

/* The kernel writes a newline in a path as \012. */
static char *
unescape(const char *s)
{
	char *out = xstrdup(s), *to = out;

	for (; *s != 0; s++) {
		if (starts(s, "\\012")) {
			*to++ = '\n';
			s += 3;
		} else {
			*to++ = *s;
		}
	}
	*to = 0;
	return out;
}

struct mapping {
	uint64_t start, end, offset;
	bool exec;
	const char *path; /* "" if anonymous */
};

static bool
hex(const char **s, uint64_t *v)
{
	char *end;

	if (!isxdigit((unsigned char)**s))
		return false;
	*v = strtoull(*s, &end, 16);
	*s = end;
	return true;
}

/* Skip the blanks and then one word. */
static const char *
skip_word(const char *s)
{
	s += strspn(s, " \t");
	return s + strcspn(s, " \t");
}

static bool
parse(const char *s, struct mapping *out)
{
	const char *flags;

	s += strspn(s, " \t");
	if (!hex(&s, &out->start) || *s++ != '-' || !hex(&s, &out->end) ||
	    out->end < out->start)
		return false;
	flags = s + strspn(s, " \t");
	if (strcspn(flags, " \t") != 4)
		return false;
	out->exec = flags[2] == 'x';
	s = flags + 4;
	s += strspn(s, " \t");
	if (!hex(&s, &out->offset))
		return false;
	s = skip_word(skip_word(s)); /* device and inode */
	out->path = s + strspn(s, " \t");
	return true;
}

/* The file that the mapping continues, or a new one. */
static struct file *
file_of(struct heapmaps *m, const struct mapping *map, const char *path)
{
	struct file *f = m->count > 0 ? &m->files[m->count - 1] : NULL;

	if (f != NULL && strcmp(f->path, path) == 0 &&
	    map->offset >= f->last_offset && map->start >= f->end)
		return f;
	if (m->count == MODULES_MAX)
		return NULL;
	VEC_ROOM(m->files, m->cap, m->count + 1);
	f = &m->files[m->count++];
	memset(f, 0, sizeof *f);
	f->path = xstrdup(path);
	f->start = map->start;
	f->allocator = is_allocator(path);
	return f;
}

int
heapmaps_line(struct heapmaps *m, const char *line)
{
	struct mapping map;
	struct file *f;
	char *path;

	if (!parse(line, &map))
		return -1;
	/* Memory without a file has no names; the vdso has. */
	if (map.path[0] != '/' && strcmp(map.path, "[vdso]") != 0)
		return 0;
	path = unescape(map.path);
	f = file_of(m, &map, path);
	free(path);
	if (f == NULL)
		return 0;
	f->end = map.end;
	f->last_offset = map.offset;
	if (map.exec && !f->has_code) {
		f->has_code = true;
		f->code = map.start;
		f->code_offset = map.offset;
	}
	ranges_add(&m->ranges, map.start, map.end, 0, (uint32_t)(m->count - 1));
	return 0;
}

/* "libx.so", "libx.so.1": not the main image. */
static bool
is_library(const char *path)
{
	const char *so = strstr(base_name(path), ".so");

	return so != NULL && (so[3] == 0 || so[3] == '.');
}

/* The program itself: the file of the name that the user gave, else the
 * first that is no library. */
static size_t
find_image(const struct heapmaps *m)
{
	for (size_t i = 0; m->program != NULL && i < m->count; i++) {
		char *plain = symcand_plain(m->files[i].path);
		bool same =
		    strcmp(base_name(plain), base_name(m->program)) == 0;

		free(plain);
		if (same)
			return i + 1;
	}
	for (size_t i = 0; i < m->count; i++)
		if (m->files[i].has_code && m->files[i].path[0] == '/' &&
		    !is_library(m->files[i].path))
			return i + 1;
	return 0;
}

static bool
read_headers(const char *path, struct elfpeek *peek)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	struct stat st;
	bool ok;

	if (fd < 0)
		return false;
	ok = fstat(fd, &st) == 0 && S_ISREG(st.st_mode) &&
	    elfpeek_headers(fd, peek) == 0 && peek->segments > 0;
	close(fd);
	return ok;
}

/* Place the file's own addresses: bias, and the build-id of the file that is
 * there now, the only one there is. */
static void
place(struct heapmaps *m, struct file *f, const char *image)
{
	struct module mod = { .path = f->path, .start = f->start };
	struct symcand cand;
	struct elfpeek peek;
	uint64_t vaddr = 0;
	bool found = false;

	f->bias = f->has_code ? f->code - f->code_offset : f->start;
	symcand_find(&cand, &mod, 0, image, m->program, m->lib_prefix);
	for (size_t i = 0; i < cand.count && !found; i++)
		found = read_headers(cand.path[i], &peek) &&
		    elfpeek_address(&peek, f->code_offset, &vaddr);
	symcand_fini(&cand);
	if (!found || !f->has_code)
		return;
	f->bias = f->code - vaddr;
	memcpy(f->build_id, peek.build_id, sizeof f->build_id);
	f->build_id_len = peek.build_id_len;
}

int
heapmaps_finish(struct heapmaps *m, struct profile *p, struct err *e)
{
	ranges_sort(&m->ranges);
	m->image = find_image(m);
	for (size_t i = 0; i < m->count; i++) {
		struct file *f = &m->files[i];

		place(m, f, heapmaps_image(m));
		if (profile_put_module(p, (uint32_t)i + 1, f->start, f->end,
			f->bias, f->build_id, f->build_id_len, f->path, e) < 0)
			return -1;
	}
	return 0;
}

const char *
heapmaps_image(const struct heapmaps *m)
{
	return m->image != 0 ? m->files[m->image - 1].path : "";
}

bool
heapmaps_frame(
    const struct heapmaps *m, uint64_t address, struct profile_frame *out)
{
	size_t i = ranges_find(&m->ranges, address, RANGES_END);
	const struct file *f;

	if (i == RANGES_END) {
		out->module = 0;
		out->offset = address;
		return false;
	}
	f = &m->files[m->ranges.items[i].value];
	out->module = m->ranges.items[i].value + 1;
	out->offset = address - f->bias;
	return f->allocator;
}
