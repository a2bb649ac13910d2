#include "io/heapmaps.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/mem.h"
#include "base/path.h"
#include "base/vec.h"
#include "io/elfpeek.h"
#include "io/heapfit.h"
#include "io/heapmapline.h"
#include "io/heapnotes.h"
#include "io/ranges.h"
#include "io/symcand.h"
#include "model/modules.h"
#include "model/profile.h"

#define MODULES_MAX 65535u
#define PLACES_KEPT 64 /* per file */

struct file {
	char *path;
	struct heapfit_mapped at;
	uint64_t end, last_offset;
	uint64_t bias;
	bool allocator;
	bool used; /* by a stack */
	bool said; /* that it is another build */
	bool told; /* the dump has told its bias */
	enum heapfit fit;
	uint64_t *places; /* some in it, see heapmaps_places */
	size_t place_count, place_cap;
};

/* See heapmaps_module. */
struct told {
	char *path;
	uint64_t start, end, bias;
	uint8_t build_id[32];
	size_t build_id_len;
	bool unmapped;
};

struct heapmaps {
	const char *program, *lib_prefix;
	const char *told; /* of the main image, by the dump; or NULL */
	char *build;      /* what $build stands for in cooked lines, or NULL */
	struct file *files;
	size_t count, cap;
	struct told *modules;
	size_t module_count, module_cap;
	struct ranges ranges; /* of mappings; value: index of the file */
	size_t image;         /* index + 1 of the main image */
	bool program_read;    /* it is an ELF file... */
	struct elfpeek peek;  /* ...and this is in it */
	bool program_fits;    /* the main image */
	bool image_differs;   /* from PROGRAM, in its build-id */
	bool any_used;        /* there is a stack */
	bool program_said;    /* what there is to say of PROGRAM */
};

struct heapmaps *
heapmaps_new(const char *program, const char *lib_prefix)
{
	struct heapmaps *m = xcalloc(1, sizeof *m);

	m->program = program;
	m->lib_prefix = lib_prefix;
	return m;
}

static void
free_file(struct file *f)
{
	free(f->path);
	free(f->places);
}

void
heapmaps_free(struct heapmaps *m)
{
	if (m == NULL)
		return;
	for (size_t i = 0; i < m->count; i++)
		free_file(&m->files[i]);
	free(m->files);
	for (size_t i = 0; i < m->module_count; i++)
		free(m->modules[i].path);
	free(m->modules);
	ranges_fini(&m->ranges);
	free(m->build);
	free(m);
}

static bool
starts(const char *s, const char *with)
{
	return strncmp(s, with, strlen(with)) == 0;
}

static bool
is_allocator(const char *path)
{
	const char *name = path_base(path);

	return starts(name, "libjemalloc") || starts(name, "libheaptop") ||
	    starts(name, "libtcmalloc") || starts(name, "libmimalloc");
}

/* The file that the mapping continues, or a new one. */
static struct file *
file_of(struct heapmaps *m, const struct heapmapline *map, const char *path)
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
	f->at.start = map->start;
	f->at.first_offset = map->offset;
	f->allocator = is_allocator(path);
	return f;
}

/* The mapping is the file's newest. */
static void
extend(struct file *f, const struct heapmapline *map)
{
	if (map->exec && !f->at.has_code) {
		f->at.has_code = true;
		f->at.code = map->start;
		f->at.code_end = map->end;
		f->at.code_offset = map->offset;
	} else if (map->exec && map->start == f->at.code_end) {
		f->at.code_end = map->end; /* mprotect had split it */
	}
	f->end = map->end;
	f->last_offset = map->offset;
}

static struct file *
add_mapping(struct heapmaps *m, const struct heapmapline *map, const char *path)
{
	struct file *f = file_of(m, map, path);

	if (f == NULL)
		return NULL;
	extend(f, map);
	ranges_add(
	    &m->ranges, map->start, map->end, 0, (uint32_t)(m->count - 1));
	return f;
}

/* "build=DIRECTORY" in front of cooked lines. */
static bool
take_build(struct heapmaps *m, const char *line)
{
	line += strspn(line, " \t");
	if (!starts(line, "build="))
		return false;
	free(m->build);
	m->build = xstrdup(line + 6);
	return true;
}

static char *
with_build(const struct heapmaps *m, const char *path)
{
	const char *at = strstr(path, "$build");
	struct buf b = BUF_INIT;
	char *out;

	if (m->build == NULL || at == NULL)
		return heapmapline_path(path);
	buf_put(&b, path, (size_t)(at - path));
	buf_puts(&b, m->build);
	buf_puts(&b, at + 6);
	out = heapmapline_path(buf_str(&b));
	buf_fini(&b);
	return out;
}

int
heapmaps_line(struct heapmaps *m, const char *line)
{
	struct heapmapline map;
	char *path;

	if (take_build(m, line))
		return 0;
	if (!heapmapline_parse(line, &map))
		return -1;
	path = with_build(m, map.path);
	/* Memory without a file has no names; the vdso has. */
	if (path[0] == '/' || strcmp(path, "[vdso]") == 0)
		add_mapping(m, &map, path);
	free(path);
	return 0;
}

void
heapmaps_code(struct heapmaps *m, const struct heapmaps_code *c)
{
	struct heapmapline map = { c->start, c->end, c->offset, true, c->path };
	struct file *f = add_mapping(m, &map, c->path);

	if (f == NULL || c->build_id_len == 0)
		return;
	f->at.build_id_len = c->build_id_len < sizeof f->at.build_id
	    ? c->build_id_len
	    : sizeof f->at.build_id;
	memcpy(f->at.build_id, c->build_id, f->at.build_id_len);
}

void
heapmaps_module(struct heapmaps *m, const struct heapmaps_module *t)
{
	struct told *to;

	if (m->module_count == MODULES_MAX || t->start >= t->end)
		return;
	VEC_ROOM(m->modules, m->module_cap, m->module_count + 1);
	to = &m->modules[m->module_count++];
	memset(to, 0, sizeof *to);
	to->path = xstrdup(t->path);
	to->start = t->start;
	to->end = t->end;
	to->bias = t->bias;
	to->build_id_len = t->build_id_len < sizeof to->build_id
	    ? t->build_id_len
	    : sizeof to->build_id;
	if (to->build_id_len > 0)
		memcpy(to->build_id, t->build_id, to->build_id_len);
}

static void
tell_file(struct file *f, const struct told *t)
{
	f->told = true;
	f->bias = t->bias;
	f->at.build_id_len = t->build_id_len;
	memcpy(f->at.build_id, t->build_id, sizeof f->at.build_id);
}

/* It was there and is no more: its addresses tell what it was. */
static void
add_unmapped(struct heapmaps *m, const struct told *t)
{
	struct file *f;

	if (m->count == MODULES_MAX)
		return;
	VEC_ROOM(m->files, m->cap, m->count + 1);
	f = &m->files[m->count++];
	memset(f, 0, sizeof *f);
	f->path = xstrdup(t->path);
	f->at.start = t->start;
	f->end = t->end;
	f->allocator = is_allocator(t->path);
	tell_file(f, t);
	ranges_add(&m->ranges, t->start, t->end, 0, (uint32_t)(m->count - 1));
}

static bool
is_mapped(const struct heapmaps *m, uint64_t address)
{
	return ranges_find(&m->ranges, address, RANGES_END) != RANGES_END;
}

/* The mappings' paths are the kernel's, those told the loader's: what begins
 * at the same address is the same.  Of two there the later one. */
static void
take_module(struct heapmaps *m, struct told *t)
{
	size_t at = ranges_find(&m->ranges, t->start, RANGES_END);
	struct file *f;

	t->unmapped = at == RANGES_END && !is_mapped(m, t->end - 1);
	if (at == RANGES_END)
		return;
	f = &m->files[m->ranges.items[at].value];
	if (f->at.start == t->start)
		tell_file(f, t);
}

static void
take_modules(struct heapmaps *m)
{
	ranges_sort(&m->ranges);
	for (size_t i = 0; i < m->module_count; i++)
		take_module(m, &m->modules[i]);
	for (size_t i = 0; i < m->module_count; i++)
		if (m->modules[i].unmapped)
			add_unmapped(m, &m->modules[i]);
	ranges_sort(&m->ranges);
}

static void
put_text(struct buf *b, const char *s)
{
	if (s != NULL)
		buf_puts(b, s);
	buf_putc(b, 0);
}

static void
put_told(struct buf *b, const struct told *t)
{
	const uint64_t where[] = { t->start, t->end, t->bias, t->build_id_len };

	put_text(b, t->path);
	buf_put(b, where, sizeof where);
	buf_put(b, t->build_id, sizeof t->build_id);
}

void
heapmaps_key(const struct heapmaps *m, struct buf *b)
{
	put_text(b, m->program);
	put_text(b, m->told);
	for (size_t i = 0; i < m->module_count; i++)
		put_told(b, &m->modules[i]);
	for (size_t i = 0; i < m->ranges.count; i++) {
		const struct range *r = &m->ranges.items[i];
		const struct file *f = &m->files[r->value];
		const uint64_t where[] = { r->lo, r->hi, f->at.start,
			f->at.first_offset, f->at.code, f->at.code_end,
			f->at.code_offset };

		if (!f->at.has_code)
			continue;
		put_text(b, f->path);
		buf_put(b, where, sizeof where);
		buf_put(b, f->at.build_id, f->at.build_id_len);
	}
}

/* "libx.so", "libx.so.1": not the main image. */
static bool
is_library(const char *path)
{
	const char *so = strstr(path_base(path), ".so");

	return so != NULL && (so[3] == 0 || so[3] == '.');
}

static bool
has_name_of(const struct file *f, const char *program)
{
	char *plain = symcand_plain(f->path);
	bool same = strcmp(path_base(plain), path_base(program)) == 0;

	free(plain);
	return same;
}

static enum heapfit
fits(const struct file *f, const char *path, const struct elfpeek *peek,
    uint64_t *bias)
{
	size_t n = f->at.build_id_len;

	if (f->told && n > 0 && peek->build_id_len > 0) {
		*bias = f->bias;
		return n == peek->build_id_len &&
			memcmp(f->at.build_id, peek->build_id, n) == 0
		    ? FIT_SAME
		    : FIT_OTHER;
	}
	return heapfit(&f->at, path, peek, f->places, f->place_count, bias);
}

/* The main image: what the dump says; else the file of PROGRAM's name, else
 * the first with its layout; else the first that is no library. */
static size_t
find_image(const struct heapmaps *m)
{
	uint64_t bias;

	for (size_t i = 0; m->told != NULL && i < m->count; i++)
		if (strcmp(m->files[i].path, m->told) == 0)
			return i + 1;

	for (size_t i = 0; m->program != NULL && i < m->count; i++)
		if (has_name_of(&m->files[i], m->program))
			return i + 1;
	for (size_t i = 0; m->program_read && i < m->count; i++)
		if (!is_library(m->files[i].path) &&
		    fits(&m->files[i], m->program, &m->peek, &bias) == FIT_SAME)
			return i + 1;
	for (size_t i = 0; i < m->count; i++)
		if (m->files[i].at.has_code && m->files[i].path[0] == '/' &&
		    !is_library(m->files[i].path))
			return i + 1;
	return 0;
}

static void
take_file(struct file *f, const struct elfpeek *peek, uint64_t bias)
{
	f->fit = FIT_SAME;
	if (!f->told)
		f->bias = bias;
	if (f->at.build_id_len > 0)
		return;
	memcpy(f->at.build_id, peek->build_id, sizeof f->at.build_id);
	f->at.build_id_len = peek->build_id_len;
}

/* PROGRAM in the place of the main image. */
static void
place_program(struct heapmaps *m, struct file *f)
{
	struct elfpeek own;
	uint64_t bias;
	char *plain;

	if (fits(f, m->program, &m->peek, &bias) != FIT_SAME)
		return;
	plain = symcand_plain(f->path);
	m->image_differs = f->at.build_id_len == 0 &&
	    m->peek.build_id_len > 0 && heapfit_read(plain, &own) &&
	    own.build_id_len > 0 &&
	    (own.build_id_len != m->peek.build_id_len ||
		memcmp(own.build_id, m->peek.build_id, own.build_id_len) != 0);
	free(plain);
	m->program_fits = true;
	take_file(f, &m->peek, bias);
}

/* Place the file's own addresses: bias, and, unless the dump tells, the
 * build-id of the file that is there now, the only one there is. */
static void
place(struct heapmaps *m, struct file *f, const char *image)
{
	struct module mod = { .path = f->path, .start = f->at.start };
	struct symcand cand;
	struct elfpeek peek;
	uint64_t bias = 0, near = 0;

	if (!f->told)
		f->bias = f->at.has_code ? f->at.code - f->at.code_offset
					 : f->at.start;
	if (m->program_read && m->image > 0 && f == &m->files[m->image - 1])
		place_program(m, f);
	symcand_find(&cand, &mod, 0, image, NULL, m->lib_prefix);
	for (size_t i = 0; i < cand.count && f->fit != FIT_SAME; i++) {
		if (!heapfit_read(cand.path[i], &peek))
			continue;
		if (fits(f, cand.path[i], &peek, &bias) == FIT_SAME) {
			take_file(f, &peek, bias);
		} else if (f->fit == FIT_NO_FILE) {
			f->fit = FIT_OTHER;
			near = bias;
		}
	}
	if (f->fit == FIT_OTHER && near != 0 && !f->told)
		f->bias = near;
	symcand_fini(&cand);
}

void
heapmaps_places(struct heapmaps *m, const uint64_t *places, size_t n)
{
	take_modules(m);
	for (size_t i = 0; i < n; i++) {
		size_t at = ranges_find(&m->ranges, places[i], RANGES_END);
		struct file *f;

		if (at == RANGES_END)
			continue;
		f = &m->files[m->ranges.items[at].value];
		if (f->place_count == PLACES_KEPT)
			continue;
		VEC_ROOM(f->places, f->place_cap, f->place_count + 1);
		f->places[f->place_count++] = places[i];
	}
}

void
heapmaps_expect(struct heapmaps *m, const char *image)
{
	m->told = image;
}

int
heapmaps_finish(struct heapmaps *m, struct profile *p, struct err *e)
{
	ranges_sort(&m->ranges);
	m->program_read =
	    m->program != NULL && heapfit_read(m->program, &m->peek);
	m->image = find_image(m);
	for (size_t i = 0; i < m->count; i++) {
		struct file *f = &m->files[i];

		place(m, f, heapmaps_image(m));
		if (profile_put_module(p, (uint32_t)i + 1, f->at.start, f->end,
			f->bias, f->at.build_id, f->at.build_id_len, f->path,
			e) < 0)
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

static bool
is_image(const struct heapmaps *m, const struct file *f)
{
	return m->image > 0 && f == &m->files[m->image - 1];
}

bool
heapmaps_used(struct heapmaps *m, const struct profile_frame *at)
{
	struct file *f;

	m->any_used = true;
	if (at->module == 0 || at->module > m->count)
		return true;
	f = &m->files[at->module - 1];
	f->used = true;
	/* Without a build-id symbols.h would ask PROGRAM. */
	return f->fit == FIT_SAME ||
	    (f->fit == FIT_NO_FILE && !(is_image(m, f) && m->program_read));
}

static void
tell_program(struct heapmaps *m, struct heapnotes *n)
{
	const char *image = heapmaps_image(m);

	if (m->program == NULL || !m->any_used || m->program_said)
		return;
	m->program_said = true;
	if (!m->program_read)
		heapnotes_lost(n, 0,
		    "%s is no program that can be read, so it names nothing",
		    m->program);
	else if (m->image == 0)
		heapnotes_say(n, 0,
		    "no program is among its mappings, so %s names nothing",
		    m->program);
	else if (!m->program_fits)
		heapnotes_lost(n, 0,
		    "%s is another build than the %s of this dump, so it "
		    "names nothing; give the build that ran",
		    m->program, image);
	else if (m->image_differs)
		heapnotes_say(n, 0,
		    "%s names the places of %s, which is another build now",
		    m->program, image);
}

void
heapmaps_tell(struct heapmaps *m, struct heapnotes *n)
{
	tell_program(m, n);
	for (size_t i = 0; i < m->count; i++) {
		struct file *f = &m->files[i];

		if (!f->used || f->said || f->fit != FIT_OTHER ||
		    (m->program_read && is_image(m, f)))
			continue;
		f->said = true;
		heapnotes_say(n, 0,
		    "%s is another build now than the one of this dump, so "
		    "it names nothing%s",
		    f->path,
		    is_image(m, f) ? "; give the build that ran before the dump"
				   : "");
	}
}
