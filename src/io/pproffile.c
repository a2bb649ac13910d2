#include "io/pproffile.h"

#include <inttypes.h>
#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/err.h"
#include "base/mem.h"
#include "io/heapmaps.h"
#include "io/heapname.h"
#include "io/heapnotes.h"
#include "io/heapread.h"
#include "io/infile.h"
#include "io/pprofdata.h"
#include "model/frames.h"
#include "model/profile.h"

#define MESSAGE_MAX (64u << 20)
#define FRAMES_MAX  4096
#define NAMES_MAX   256
#define NO_ADDRESS  (UINT64_C(1) << 63) /* no process has code there */

struct reader {
	struct infile *in;
	struct profile *profile;
	struct heapnotes notes;
	struct heapmaps *maps;
	struct pprofdata data;
	uint8_t *message;
	size_t message_cap;
	int live_bytes, live_objects, alloc_bytes, alloc_objects; /* or -1 */
	struct profile_frame *frames; /* [location] */
	uint8_t *inside;  /* [location] in an allocator's own library */
	double distance;  /* mean, of samples; 0: not told */
	uint64_t missing; /* names and functions that are referred to */
};

/* ---- bytes ---- */

/* 1; 0 if the file ends first; -1 with a sentence. */
static int
read_all(struct reader *r, uint8_t *to, size_t len, struct err *e)
{
	while (len > 0) {
		long n = infile_read(r->in, to, len, e);

		if (n <= 0)
			return (int)n;
		to += n;
		len -= (size_t)n;
	}
	return 1;
}

static int
read_varint(struct reader *r, uint64_t *v, struct err *e)
{
	uint8_t bytes[10];
	const uint8_t *p = bytes;
	size_t n = 0;
	int got;

	do {
		got = read_all(r, &bytes[n++], 1, e);
		if (got <= 0)
			return got;
	} while (bytes[n - 1] >= 0x80 && n < sizeof bytes);
	if (pprofdata_varint(&p, bytes + n, v))
		return 1;
	return err_set(e, "a number does not end");
}

static int
read_message(struct reader *r, uint64_t len, struct err *e)
{
	if (len > MESSAGE_MAX)
		return err_set(
		    e, "a message of %" PRIu64 " bytes is too long", len);
	if (r->message == NULL || len > r->message_cap) {
		r->message_cap = (size_t)len;
		r->message = xreallocarray(r->message, (size_t)len + 1, 1);
	}
	return read_all(r, r->message, (size_t)len, e);
}

static int
read_field(struct reader *r, uint64_t key, struct err *e)
{
	unsigned number = key >> 3 < 4096 ? (unsigned)(key >> 3) : 0;
	uint8_t fixed[8];
	uint64_t v;
	int n;

	if (key >> 3 == 0)
		return err_set(e, "there is no field 0");
	switch (key & 7) {
	case 0:
		n = read_varint(r, &v, e);
		if (n > 0)
			pprofdata_number(&r->data, number, v);
		return n;
	case 1: return read_all(r, fixed, 8, e);
	case 5: return read_all(r, fixed, 4, e);
	case 2:
		n = read_varint(r, &v, e);
		if (n > 0)
			n = read_message(r, v, e);
		if (n > 0)
			pprofdata_bytes(
			    &r->data, number, r->message, (size_t)v);
		return n;
	default:
		return err_set(
		    e, "there is no field of kind %u", (unsigned)(key & 7));
	}
}

/* Everything that is whole. */
static void
read_fields(struct reader *r)
{
	struct err why = { "" };
	uint64_t key;
	int n;

	do {
		int next = infile_peek(r->in, &why);

		if (next > 255)
			return;
		n = next < 0 ? -1 : read_varint(r, &key, &why);
		if (n > 0)
			n = read_field(r, key, &why);
	} while (n > 0);
	if (n == 0)
		heapnotes_lost(&r->notes, 0,
		    "the file is cut; what is whole before is used");
	else
		heapnotes_lost(&r->notes, 0,
		    "the file is damaged, and what follows is left out: %s",
		    why.msg);
}

/* ---- what is measured ---- */

static int
find_type(const struct pprofdata *d, const char *name)
{
	for (size_t i = 0; i < d->type_count; i++)
		if (strcmp(pprofdata_string(d, d->types[i].type), name) == 0)
			return (int)i;
	return -1;
}

static int
find_either(const struct pprofdata *d, const char *name, const char *other)
{
	int at = find_type(d, name);

	return at >= 0 ? at : find_type(d, other);
}

static int
find_types(struct reader *r, struct err *e)
{
	const struct pprofdata *d = &r->data;
	const char *first;

	r->live_bytes = find_either(d, "inuse_space", "space");
	r->live_objects = find_either(d, "inuse_objects", "objects");
	r->alloc_bytes = find_either(d, "alloc_space", "allocated_space");
	r->alloc_objects = find_either(d, "alloc_objects", "allocated_objects");
	if (r->live_bytes >= 0 || r->live_objects >= 0 || r->alloc_bytes >= 0 ||
	    r->alloc_objects >= 0)
		return 0;
	if (d->type_count == 0 || d->string_count == 0)
		return err_set(e,
		    "%s is cut or damaged: it does not tell what it measures",
		    r->notes.path);
	first = pprofdata_string(d, d->types[0].type);
	return err_set(e,
	    "%s is no profile of a heap: it measures %.60s, not inuse_space "
	    "or alloc_space",
	    r->notes.path, *first ? first : "nothing that has a name");
}

static double
value(const double *values, int type)
{
	return type >= 0 ? values[type] : 0;
}

static void
add_error(const struct reader *r, double objects, double bytes,
    double *var_objects, double *var_bytes, uint64_t *samples)
{
	double x, w;

	if (r->distance <= 1 || objects <= 0 || bytes <= 0)
		return;
	x = bytes / objects;
	w = 1 / -expm1(-x / r->distance);
	*var_objects = objects * (w - 1);
	*var_bytes = *var_objects * x * x;
	*samples = (uint64_t)(objects / w + .5);
}

static void
values_of(const struct reader *r, const double *in, struct cell_values *v)
{
	memset(v, 0, sizeof *v);
	v->live_bytes = value(in, r->live_bytes);
	v->live_objects = value(in, r->live_objects);
	v->alloc_bytes = value(in, r->alloc_bytes);
	v->alloc_objects = value(in, r->alloc_objects);
	add_error(r, v->live_objects, v->live_bytes, &v->live_var_objects,
	    &v->live_var_bytes, &v->live_samples);
	add_error(r, v->alloc_objects, v->alloc_bytes, &v->alloc_var_objects,
	    &v->alloc_var_bytes, &v->alloc_samples);
}

static void
find_distance(struct reader *r)
{
	const struct pprofdata *d = &r->data;
	const char *unit = pprofdata_string(d, d->period_type.unit);

	if (strcmp(unit, "bytes") == 0 && d->period < UINT64_C(1) << 62)
		r->distance = (double)d->period;
}

/* ---- places ---- */

static unsigned
hex_digit(char c)
{
	return c >= '0' && c <= '9' ? (unsigned)(c - '0')
	    : c >= 'a' && c <= 'f'  ? (unsigned)(c - 'a') + 10
	    : c >= 'A' && c <= 'F'  ? (unsigned)(c - 'A') + 10
				    : 16;
}

/* A build-id in hexadecimal; others (Go's) are of no use here. */
static size_t
read_build_id(const char *s, uint8_t out[32])
{
	size_t n = strlen(s) / 2;

	if (strlen(s) % 2 != 0 || n > 32)
		return 0;
	for (size_t i = 0; i < n; i++) {
		unsigned hi = hex_digit(s[2 * i]), lo = hex_digit(s[2 * i + 1]);

		if (hi > 15 || lo > 15)
			return 0;
		out[i] = (uint8_t)(hi << 4 | lo);
	}
	return n;
}

/* A string that should be there. */
static const char *
string(struct reader *r, uint64_t index)
{
	r->missing += index >= r->data.string_count;
	return pprofdata_string(&r->data, index);
}

static void
add_mappings(struct reader *r)
{
	for (size_t i = 0; i < r->data.mapping_count; i++) {
		const struct pprof_mapping *m = &r->data.mappings[i];
		uint8_t id[32];
		struct heapmaps_code c = { m->start, m->limit, m->offset,
			string(r, m->file), id, 0 };

		c.build_id_len = read_build_id(string(r, m->build_id), id);
		if (m->limit > m->start && c.path[0] != 0)
			heapmaps_code(r->maps, &c);
	}
}

static unsigned
names_of(struct reader *r, const struct pprof_location *l,
    struct frame_name out[NAMES_MAX])
{
	unsigned n = 0;

	for (uint32_t i = 0; i < l->lines && n < NAMES_MAX; i++) {
		const struct pprof_line *line =
		    &r->data.lines[l->first_line + i];
		const struct pprof_function *f =
		    pprofdata_function(&r->data, line->function);
		const char *name;

		if (f == NULL) {
			r->missing++;
			continue;
		}
		name = string(r, f->name);
		if (*name == 0)
			name = string(r, f->system_name);
		if (*name == 0)
			continue;
		out[n].function = name;
		out[n].file = string(r, f->file);
		out[n++].line =
		    line->line < UINT32_MAX ? (uint32_t)line->line : 0;
	}
	return n;
}

/* Where a file tells no address, equal names are the same place. */
static uint64_t
address_of(
    const struct pprof_location *l, const struct frame_name *names, unsigned n)
{
	uint64_t h = l->id;

	if (l->address != 0)
		return l->address;
	for (unsigned i = 0; i < n; i++) {
		h = i == 0 ? names[i].line : map_mix(h ^ names[i].line);
		for (const char *s = names[i].function; *s != 0; s++)
			h = map_mix(h ^ (unsigned char)*s);
	}
	return map_mix(h) | NO_ADDRESS;
}

static void
place_location(struct reader *r, size_t i)
{
	const struct pprof_location *l = &r->data.locations[i];
	struct frames *f = profile_frames(r->profile);
	struct frame_name names[NAMES_MAX];
	unsigned n = names_of(r, l, names);

	r->inside[i] =
	    heapmaps_frame(r->maps, address_of(l, names, n), &r->frames[i]);
	if (n > 0)
		frames_set_names(f,
		    frames_add(f, r->frames[i].module, r->frames[i].offset),
		    names, n);
}

/* Leading frames inside the allocator are left out, but not everything. */
static size_t
frames_of(const struct reader *r, const struct pprof_stack *s,
    struct profile_frame *out, unsigned *flags)
{
	uint32_t inner = MAP_NONE;
	size_t n = 0;

	*flags = 0;
	for (uint32_t i = 0; i < s->count; i++) {
		uint32_t at =
		    map_find(&r->data.location_of, r->data.ids[s->first + i]);

		if (at == MAP_NONE)
			continue;
		if (n == 0 && r->inside[at])
			inner = at;
		else if (n < FRAMES_MAX)
			out[n++] = r->frames[at];
		else
			*flags = PROFILE_STACK_CUT_DEPTH;
	}
	if (n == 0 && inner != MAP_NONE)
		out[n++] = r->frames[inner];
	return n;
}

static int
put_stacks(struct reader *r, struct profile_totals *t, struct err *e)
{
	struct profile_frame *frames = xcalloc(FRAMES_MAX, sizeof *frames);
	const struct pprofdata *d = &r->data;
	struct cell_values v;
	uint64_t lost = 0;
	int ret = 0;

	profile_put_thread(r->profile, 65535, 0, 0, "threads not told apart");
	for (size_t i = 0; i < d->stack_count && ret == 0; i++) {
		unsigned flags;
		size_t n = frames_of(r, &d->stacks[i], frames, &flags);

		if (n == 0) {
			lost++;
			continue;
		}
		values_of(r, d->values[i], &v);
		t->samples += v.alloc_samples;
		t->samples_live += v.live_samples;
		ret = profile_put_stack(
		    r->profile, (uint32_t)i + 1, flags, frames, n, e);
		if (ret == 0)
			ret = profile_put_cell(
			    r->profile, (uint32_t)i + 1, 65535, &v, e);
	}
	free(frames);
	if (lost > 0)
		heapnotes_lost(&r->notes, 0,
		    "%" PRIu64 " stacks are of places that it does not have; "
		    "they are left out",
		    lost);
	return ret;
}

/* Nobody shall name places of another build. */
static void
check_files(struct reader *r)
{
	struct frames *f = profile_frames(r->profile);

	for (size_t i = 0; i < r->data.location_count; i++)
		if (!heapmaps_used(r->maps, &r->frames[i]))
			frames_set_names(f,
			    frames_add(
				f, r->frames[i].module, r->frames[i].offset),
			    NULL, 0);
}

static void
put_facts(struct reader *r, struct profile_totals *t)
{
	struct profile_facts f = { .source = r->notes.path,
		.command = "",
		.rule = "unsampled by who wrote the file" };
	struct stat st;

	f.pid = heapname_pid(r->notes.path);
	f.image = heapmaps_image(r->maps);
	f.wall_ns = r->data.time_ns;
	if (f.wall_ns == 0 && stat(r->notes.path, &st) == 0 &&
	    st.st_mtim.tv_sec > 0)
		f.wall_ns = (uint64_t)st.st_mtim.tv_sec * 1000000000u +
		    (uint64_t)st.st_mtim.tv_nsec;
	f.image_ns = f.wall_ns;
	t->now_ns = f.wall_ns;
	t->lg_sample =
	    r->distance > 1 ? (uint32_t)lround(log2(r->distance)) : 0;
	t->active = 1;
	profile_put_facts(r->profile, &f);
	profile_put_totals(r->profile, t);
	profile_commit(r->profile);
}

static int
put_all(struct reader *r, struct err *e)
{
	size_t n = r->data.location_count;
	struct profile_totals t = { 0 };

	if (find_types(r, e) < 0)
		return -1;
	find_distance(r);
	add_mappings(r);
	if (heapmaps_finish(r->maps, r->profile, e) < 0)
		return -1;
	r->frames = xcalloc(n + 1, sizeof *r->frames);
	r->inside = xcalloc(n + 1, 1);
	for (size_t i = 0; i < n; i++)
		place_location(r, i);
	if (put_stacks(r, &t, e) < 0)
		return -1;
	check_files(r);
	put_facts(r, &t);
	heapmaps_tell(r->maps, &r->notes);
	if (r->missing > 0)
		heapnotes_lost(&r->notes, 0,
		    "it lacks %" PRIu64 " names that it refers to: it is cut",
		    r->missing);
	if (r->data.left_out > 0)
		heapnotes_lost(&r->notes, 0,
		    "%" PRIu64 " of its messages make no sense and are left "
		    "out",
		    r->data.left_out);
	return r->notes.partial;
}

int
pproffile_read(
    const struct heapread_from *from, struct profile *p, struct err *e)
{
	struct reader r = { .profile = p,
		.notes = { .path = from->path, .to = from->notes } };
	int ret = -1;

	r.in = infile_open(from->path, e);
	if (r.in == NULL)
		return -1;
	r.maps = heapmaps_new(from->program, from->lib_prefix);
	read_fields(&r);
	ret = put_all(&r, e);
	heapnotes_end(&r.notes);
	heapmaps_free(r.maps);
	pprofdata_fini(&r.data);
	free(r.message);
	free(r.frames);
	free(r.inside);
	infile_close(r.in);
	return ret;
}
