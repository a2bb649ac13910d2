#include "io/pprofdata.h"

#include <stdlib.h>
#include <string.h>

#include "base/vec.h"

#define STACKS_MAX (UINT64_C(1) << 24)
#define IDS_MAX    (UINT64_C(1) << 28)
#define TABLE_MAX  (UINT64_C(1) << 26)
#define DEPTH_MAX  65536u

void
pprofdata_fini(struct pprofdata *d)
{
	buf_fini(&d->text);
	free(d->strings);
	free(d->mappings);
	free(d->functions);
	map_fini(&d->function_of);
	free(d->lines);
	free(d->locations);
	map_fini(&d->location_of);
	free(d->ids);
	free(d->stacks);
	free(d->values);
	map_fini(&d->stack_of);
	memset(d, 0, sizeof *d);
}

bool
pprofdata_varint(const uint8_t **p, const uint8_t *end, uint64_t *v)
{
	uint64_t out = 0;

	for (unsigned shift = 0; shift < 64; shift += 7) {
		uint8_t byte;

		if (*p == end)
			return false;
		byte = *(*p)++;
		out |= (uint64_t)(byte & 0x7f) << shift;
		if (byte < 0x80) {
			*v = out;
			return true;
		}
	}
	return false;
}

/* One field of a message. */
struct field {
	unsigned number;
	uint64_t v;       /* of a number */
	const uint8_t *p; /* of bytes, else NULL */
	size_t len;
};

/* 1; 0 at the end; -1 if it is damaged. */
static int
next_field(const uint8_t **p, const uint8_t *end, struct field *f)
{
	uint64_t key, len;

	if (*p == end)
		return 0;
	if (!pprofdata_varint(p, end, &key) || key >> 3 > 4096)
		return -1;
	memset(f, 0, sizeof *f);
	f->number = (unsigned)(key >> 3);
	switch (key & 7) {
	case 0: return pprofdata_varint(p, end, &f->v) ? 1 : -1;
	case 1: len = 8; break;
	case 5: len = 4; break;
	case 2:
		if (!pprofdata_varint(p, end, &len))
			return -1;
		break;
	default: return -1;
	}
	if (len > (size_t)(end - *p))
		return -1;
	f->p = *p;
	f->len = (size_t)len;
	*p += len;
	return 1;
}

/* Fields of small messages: numbers into places that `at` gives, NULL for
 * those of no use.  False if it is damaged. */
static bool
take_numbers(const uint8_t *p, size_t len, uint64_t *const *at, unsigned max)
{
	const uint8_t *end = p + len;
	struct field f;
	int n;

	while ((n = next_field(&p, end, &f)) > 0)
		if (f.p == NULL && f.number <= max && at[f.number] != NULL)
			*at[f.number] = f.v;
	return n == 0;
}

static bool
take_type(const uint8_t *p, size_t len, struct pprof_type *t)
{
	uint64_t *const at[] = { NULL, &t->type, &t->unit };

	memset(t, 0, sizeof *t);
	return take_numbers(p, len, at, 2);
}

static bool
add_type(struct pprofdata *d, const uint8_t *p, size_t len)
{
	return d->type_count == PPROF_TYPES ||
	    take_type(p, len, &d->types[d->type_count++]);
}

static bool
add_mapping(struct pprofdata *d, const uint8_t *p, size_t len)
{
	struct pprof_mapping m = { 0 };
	uint64_t *const at[] = { NULL, &m.id, &m.start, &m.limit, &m.offset,
		&m.file, &m.build_id };

	if (!take_numbers(p, len, at, 6) || d->mapping_count >= 65535)
		return false;
	VEC_ROOM(d->mappings, d->mapping_cap, d->mapping_count + 1);
	d->mappings[d->mapping_count++] = m;
	return true;
}

static bool
add_function(struct pprofdata *d, const uint8_t *p, size_t len)
{
	struct pprof_function fn = { 0 };
	uint64_t *const at[] = { NULL, &fn.id, &fn.name, &fn.system_name,
		&fn.file };

	if (!take_numbers(p, len, at, 4) || d->function_count >= TABLE_MAX)
		return false;
	*map_put(&d->function_of, fn.id) = (uint32_t)d->function_count;
	VEC_ROOM(d->functions, d->function_cap, d->function_count + 1);
	d->functions[d->function_count++] = fn;
	return true;
}

static bool
add_line(
    struct pprofdata *d, struct pprof_location *l, const uint8_t *p, size_t len)
{
	struct pprof_line line = { 0 };
	uint64_t *const at[] = { NULL, &line.function, &line.line };

	if (!take_numbers(p, len, at, 2) || d->line_count >= TABLE_MAX ||
	    l->lines >= 256)
		return false;
	VEC_ROOM(d->lines, d->line_cap, d->line_count + 1);
	d->lines[d->line_count++] = line;
	l->lines++;
	return true;
}

static bool
add_location(struct pprofdata *d, const uint8_t *p, size_t len)
{
	const uint8_t *end = p + len;
	struct pprof_location l = { .first_line = d->line_count };
	struct field f;
	int n;

	while ((n = next_field(&p, end, &f)) > 0) {
		if (f.number == 1 && f.p == NULL)
			l.id = f.v;
		else if (f.number == 2 && f.p == NULL)
			l.mapping = f.v;
		else if (f.number == 3 && f.p == NULL)
			l.address = f.v;
		else if (f.number == 4 && f.p != NULL &&
		    !add_line(d, &l, f.p, f.len))
			return false;
	}
	if (n < 0 || d->location_count >= TABLE_MAX)
		return false;
	*map_put(&d->location_of, l.id) = (uint32_t)d->location_count;
	VEC_ROOM(d->locations, d->location_cap, d->location_count + 1);
	d->locations[d->location_count++] = l;
	return true;
}

/* ---- samples ---- */

static bool
add_id(struct pprofdata *d, size_t first, uint64_t id)
{
	if (d->id_count - first >= DEPTH_MAX || d->id_count >= IDS_MAX)
		return false;
	VEC_ROOM(d->ids, d->id_cap, d->id_count + 1);
	d->ids[d->id_count++] = id;
	return true;
}

/* A repeated number, packed or not. */
static bool
add_ids(struct pprofdata *d, size_t first, const struct field *f)
{
	const uint8_t *p = f->p;
	uint64_t v;

	if (p == NULL)
		return add_id(d, first, f->v);
	while (p < f->p + f->len)
		if (!pprofdata_varint(&p, f->p + f->len, &v) ||
		    !add_id(d, first, v))
			return false;
	return true;
}

static bool
add_values(double *values, size_t *n, const struct field *f)
{
	const uint8_t *p = f->p;
	uint64_t v;

	if (p == NULL) {
		if (*n < PPROF_TYPES)
			values[(*n)++] = (double)(int64_t)f->v;
		return true;
	}
	while (p < f->p + f->len) {
		if (!pprofdata_varint(&p, f->p + f->len, &v))
			return false;
		if (*n < PPROF_TYPES)
			values[(*n)++] = (double)(int64_t)v;
	}
	return true;
}

static bool
same_stack(const struct pprofdata *d, uint32_t stack, size_t first)
{
	const struct pprof_stack *s = &d->stacks[stack];

	return s->count == d->id_count - first &&
	    memcmp(d->ids + s->first, d->ids + first,
		s->count * sizeof *d->ids) == 0;
}

/* The stack of the ids behind `first`, which are given up if it is known. */
static size_t
intern(struct pprofdata *d, size_t first)
{
	uint64_t key = d->id_count - first;
	uint32_t *at;

	for (size_t i = first; i < d->id_count; i++)
		key = map_mix(key ^ d->ids[i]);
	for (;; key = map_mix(key)) {
		at = map_put(&d->stack_of, key);
		if (*at == MAP_NONE)
			break;
		if (same_stack(d, *at, first)) {
			d->id_count = first;
			return *at;
		}
	}
	*at = (uint32_t)d->stack_count;
	VEC_ROOM(d->stacks, d->stack_cap, d->stack_count + 1);
	VEC_ROOM(d->values, d->value_cap, d->stack_count + 1);
	d->stacks[d->stack_count] =
	    (struct pprof_stack){ first, (uint32_t)(d->id_count - first) };
	memset(d->values[d->stack_count], 0, sizeof d->values[0]);
	return d->stack_count++;
}

static bool
add_sample(struct pprofdata *d, const uint8_t *p, size_t len)
{
	const uint8_t *end = p + len;
	double values[PPROF_TYPES] = { 0 };
	size_t count = 0, first = d->id_count, stack;
	struct field f;
	int n;

	while ((n = next_field(&p, end, &f)) > 0) {
		bool ok = f.number == 1 ? add_ids(d, first, &f)
		    : f.number == 2     ? add_values(values, &count, &f)
					: true;

		if (!ok)
			break;
	}
	if (n != 0 || d->id_count == first || d->stack_count >= STACKS_MAX) {
		d->id_count = first;
		return false;
	}
	stack = intern(d, first);
	for (size_t i = 0; i < count; i++)
		d->values[stack][i] += values[i];
	return true;
}

static bool
add_string(struct pprofdata *d, const uint8_t *p, size_t len)
{
	if (d->string_count >= TABLE_MAX)
		return false;
	VEC_ROOM(d->strings, d->string_cap, d->string_count + 1);
	d->strings[d->string_count++] = d->text.len;
	buf_put(&d->text, p, len);
	buf_putc(&d->text, '\0');
	return true;
}

void
pprofdata_bytes(
    struct pprofdata *d, unsigned number, const uint8_t *p, size_t len)
{
	bool ok = true;

	switch (number) {
	case 1: ok = add_type(d, p, len); break;
	case 2: ok = add_sample(d, p, len); break;
	case 3: ok = add_mapping(d, p, len); break;
	case 4: ok = add_location(d, p, len); break;
	case 5: ok = add_function(d, p, len); break;
	case 6: ok = add_string(d, p, len); break;
	case 11: ok = take_type(p, len, &d->period_type); break;
	default: break;
	}
	d->left_out += !ok;
}

void
pprofdata_number(struct pprofdata *d, unsigned number, uint64_t v)
{
	if (number == 9)
		d->time_ns = v;
	else if (number == 12)
		d->period = v;
}

const char *
pprofdata_string(const struct pprofdata *d, uint64_t index)
{
	return index < d->string_count ? d->text.data + d->strings[index] : "";
}

const struct pprof_function *
pprofdata_function(const struct pprofdata *d, uint64_t id)
{
	uint32_t at = map_find(&d->function_of, id);

	return at == MAP_NONE ? NULL : &d->functions[at];
}

const struct pprof_location *
pprofdata_location(const struct pprofdata *d, uint64_t id)
{
	uint32_t at = map_find(&d->location_of, id);

	return at == MAP_NONE ? NULL : &d->locations[at];
}
