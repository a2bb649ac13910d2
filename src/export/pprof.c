/*
 * pprof's profile.proto, gzipped: what `go tool pprof' reads.
 *
 * Field numbers and meanings are those of github.com/google/pprof,
 * proto/profile.proto.  Each sample has four values: what was allocated and
 * what is in use, objects and bytes; default_sample_type says which of them
 * was asked for.  They are estimates already, so the period only tells how
 * they were found; it is 1 where everything was counted.
 *
 * A location is a frame with all its functions, the inlined ones first, or
 * those that filters left of them.  A function is called by the name that
 * other reports show; the whole one is its system_name.  Places without a name
 * are called module+0xoffset, so that they stay apart.
 */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/map.h"
#include "base/mem.h"
#include "base/strtab.h"
#include "base/vec.h"
#include "export/amounts.h"
#include "export/carry.h"
#include "export/export.h"
#include "export/json_text.h"
#include "export/maps.h"
#include "export/pprof_wire.h"
#include "model/frames.h"
#include "model/modules.h"
#include "model/name.h"
#include "model/profile.h"
#include "model/report.h"

enum field {
	PROFILE_SAMPLE_TYPE = 1,
	PROFILE_SAMPLE = 2,
	PROFILE_MAPPING = 3,
	PROFILE_LOCATION = 4,
	PROFILE_FUNCTION = 5,
	PROFILE_STRING = 6,
	PROFILE_TIME = 9,
	PROFILE_PERIOD_TYPE = 11,
	PROFILE_PERIOD = 12,
	PROFILE_COMMENT = 13,
	PROFILE_DEFAULT_TYPE = 14,

	TYPE_NAME = 1,
	TYPE_UNIT = 2,

	SAMPLE_LOCATIONS = 1,
	SAMPLE_VALUES = 2,

	MAPPING_ID = 1,
	MAPPING_START = 2,
	MAPPING_LIMIT = 3,
	MAPPING_OFFSET = 4,
	MAPPING_FILE = 5,
	MAPPING_BUILD_ID = 6,
	MAPPING_HAS_FUNCTIONS = 7, /* and files, lines, inlines: 8, 9, 10 */
	MAPPING_HAS_LAST = 10,

	LOCATION_ID = 1,
	LOCATION_MAPPING = 2,
	LOCATION_ADDRESS = 3,
	LOCATION_LINE = 4,
	LINE_FUNCTION = 1,
	LINE_NUMBER = 2,

	FUNCTION_ID = 1,
	FUNCTION_NAME = 2,
	FUNCTION_SYSTEM_NAME = 3,
	FUNCTION_FILE = 4,
};

/* In the order that Go's own heap profiles have. */
static const struct type {
	enum metric metric;
	const char *name, *unit;
} types[METRIC_COUNT] = {
	{ METRIC_ALLOC_OBJECTS, "alloc_objects", "count" },
	{ METRIC_ALLOC_BYTES, "alloc_space", "bytes" },
	{ METRIC_LIVE_OBJECTS, "inuse_objects", "count" },
	{ METRIC_LIVE_BYTES, "inuse_space", "bytes" },
};

struct pprof {
	const struct report *r;
	struct buf out, message, part;
	struct strtab *strings;
	struct map function_of; /* name, file -> id */
	uint32_t functions;
	/* Locations by what they are made of: each place leads from what came
	 * before to a node, and a node may be a location. */
	struct map node_of;
	uint32_t nodes;
	uint32_t *locations; /* [node] -> id, 0: none */
	size_t location_cap;
	uint32_t location_count;
	uint32_t **mappings; /* [profile][module] -> id, 0: none */
	uint32_t mapping_count;
	struct carry carries[METRIC_COUNT];
};

static str_id
string(struct pprof *p, const char *s)
{
	struct buf clean = BUF_INIT;
	str_id id;

	json_utf8(&clean, s);
	id = strtab_add(p->strings, buf_str(&clean));
	buf_fini(&clean);
	return id;
}

/* ---- head ---- */

static void
put_type(struct pprof *p, enum field field, const struct type *t)
{
	wire_number(&p->message, TYPE_NAME, string(p, t->name));
	wire_number(&p->message, TYPE_UNIT, string(p, t->unit));
	wire_message(&p->out, field, &p->message);
}

static void
put_comment(struct pprof *p, const char *title, const char *s)
{
	struct buf line = BUF_INIT;

	if (*s) {
		buf_printf(&line, "%s%s", title, s);
		wire_number(
		    &p->out, PROFILE_COMMENT, string(p, buf_str(&line)));
	}
	buf_fini(&line);
}

/* The wall clock at the moment that is shown; 0 if it is not known. */
static uint64_t
wall_clock(const struct report *r)
{
	const struct profile_facts *f = profile_facts(r->profiles[0]);

	if (!f->wall_ns || r->now_ns < f->image_ns)
		return 0;
	return f->wall_ns + (r->now_ns - f->image_ns);
}

static void
put_head(struct pprof *p)
{
	static const struct type period = { METRIC_LIVE_BYTES, "space",
		"bytes" };
	const struct profile_facts *f = profile_facts(p->r->profiles[0]);
	uint32_t lg = p->r->totals.lg_sample;

	for (int i = 0; i < METRIC_COUNT; i++) {
		put_type(p, PROFILE_SAMPLE_TYPE, &types[i]);
		if (types[i].metric == p->r->query.metric)
			wire_number(&p->out, PROFILE_DEFAULT_TYPE,
			    string(p, types[i].name));
	}
	put_type(p, PROFILE_PERIOD_TYPE, &period);
	wire_number(
	    &p->out, PROFILE_PERIOD, UINT64_C(1) << (lg < 62 ? lg : 62));
	wire_number(&p->out, PROFILE_TIME, wall_clock(p->r));
	put_comment(p, "command: ", f->command);
	put_comment(p, "heaptop: ", p->r->notes);
}

/* ---- mappings ---- */

static void
put_mapping(struct pprof *p, const struct module *m)
{
	struct buf id = BUF_INIT;

	for (size_t i = 0; i < m->build_id_len; i++)
		buf_printf(&id, "%02x", m->build_id[i]);
	wire_number(&p->message, MAPPING_ID, ++p->mapping_count);
	wire_number(&p->message, MAPPING_START, m->start);
	wire_number(&p->message, MAPPING_LIMIT, m->end);
	wire_number(&p->message, MAPPING_OFFSET, maps_offset(m));
	wire_number(&p->message, MAPPING_FILE, string(p, m->path));
	wire_number(&p->message, MAPPING_BUILD_ID, string(p, buf_str(&id)));
	for (unsigned has = MAPPING_HAS_FUNCTIONS; has <= MAPPING_HAS_LAST;
	     has++)
		wire_number(&p->message, has, 1);
	wire_message(&p->out, PROFILE_MAPPING, &p->message);
	buf_fini(&id);
}

/* Readers take the first mapping for the program. */
static void
put_mappings(struct pprof *p, size_t k, bool program)
{
	const struct modules *all = profile_modules(p->r->profiles[k]);
	const char *image = profile_facts(p->r->profiles[k])->image;

	for (uint32_t id = 1; id <= modules_max(all); id++) {
		const struct module *m = modules_find(all, id);

		if (!m || program != (strcmp(m->path, image) == 0))
			continue;
		put_mapping(p, m);
		p->mappings[k][id] = p->mapping_count;
	}
}

static void
put_all_mappings(struct pprof *p)
{
	size_t n = p->r->profile_count + (p->r->query.base_profile != NULL);

	p->mappings = xcalloc(n, sizeof *p->mappings);
	for (size_t k = 0; k < n; k++)
		p->mappings[k] = xcalloc(
		    (size_t)modules_max(profile_modules(p->r->profiles[k])) + 1,
		    sizeof **p->mappings);
	for (size_t k = 0; k < n; k++) {
		put_mappings(p, k, true);
		put_mappings(p, k, false);
	}
}

/* ---- functions and locations ---- */

/* `part` holds a message that is under way; this writes one of its own. */
static uint32_t
function_of(struct pprof *p, const struct place *at)
{
	str_id whole = string(p, at->function), file = string(p, at->file);
	uint32_t *id = map_put(&p->function_of, (uint64_t)whole << 32 | file);
	struct buf name = BUF_INIT;
	str_id shown;

	if (*id != MAP_NONE)
		return *id;
	*id = ++p->functions;
	name_clean(&name, at->function);
	shown = string(p, buf_str(&name));
	buf_fini(&name);
	wire_number(&p->message, FUNCTION_ID, *id);
	wire_number(&p->message, FUNCTION_NAME, shown);
	/* where both are the same pprof would shorten the name */
	wire_number(
	    &p->message, FUNCTION_SYSTEM_NAME, shown == whole ? 0 : whole);
	wire_number(&p->message, FUNCTION_FILE, file);
	wire_message(&p->out, PROFILE_FUNCTION, &p->message);
	return *id;
}

/* Those of `places` that one location stands for: a frame's functions,
 * outwards.  At least one. */
static uint32_t
location_length(const struct report *r, const uint32_t *places, uint32_t left)
{
	uint32_t n = 1;

	for (; n < left; n++) {
		const struct report_place *a = &r->places[places[n - 1]];
		const struct report_place *b = &r->places[places[n]];

		if (a->profile != b->profile || a->frame != b->frame ||
		    b->level <= a->level)
			break;
	}
	return n;
}

static void
put_location(struct pprof *p, uint32_t id, const uint32_t *places, uint32_t n)
{
	struct buf lines = BUF_INIT;
	struct place at;

	for (uint32_t i = 0; i < n; i++) {
		uint32_t function;

		at = report_place(p->r, places[i]);
		function = function_of(p, &at);
		wire_number(&p->part, LINE_FUNCTION, function);
		wire_number(&p->part, LINE_NUMBER, at.line);
		wire_message(&lines, LOCATION_LINE, &p->part);
	}
	at = report_place(p->r, places[0]);
	wire_number(&p->message, LOCATION_ID, id);
	wire_number(&p->message, LOCATION_MAPPING,
	    p->mappings[at.profile][frames_module(
		profile_frames_const(p->r->profiles[at.profile]), at.frame)]);
	wire_number(&p->message, LOCATION_ADDRESS, at.address);
	buf_put(&p->message, buf_str(&lines), lines.len);
	wire_message(&p->out, PROFILE_LOCATION, &p->message);
	buf_fini(&lines);
}

static uint32_t
location_of(struct pprof *p, const uint32_t *places, uint32_t n)
{
	uint32_t node = 0;

	for (uint32_t i = 0; i < n; i++) {
		uint32_t *next =
		    map_put(&p->node_of, (uint64_t)node << 32 | places[i]);

		if (*next == MAP_NONE) {
			*next = ++p->nodes;
			VEC_ROOM(p->locations, p->location_cap,
			    (size_t)p->nodes + 1);
			p->locations[p->nodes] = 0;
		}
		node = *next;
	}
	if (!p->locations[node]) {
		p->locations[node] = ++p->location_count;
		put_location(p, p->location_count, places, n);
	}
	return p->locations[node];
}

/* ---- samples ---- */

static void
put_locations(struct pprof *p, const struct report_stack *s)
{
	struct buf ids = BUF_INIT;
	uint32_t n;

	for (uint32_t i = 0; i < s->count; i += n) {
		n = location_length(p->r, s->places + i, s->count - i);
		wire_varint(&ids, location_of(p, s->places + i, n));
	}
	wire_message(&p->message, SAMPLE_LOCATIONS, &ids);
	buf_fini(&ids);
}

static void
put_sample(struct pprof *p, const struct amounts *a, size_t stack)
{
	double values[METRIC_COUNT];
	struct buf packed = BUF_INIT;
	bool any = false;

	for (int i = 0; i < METRIC_COUNT; i++) {
		values[i] =
		    carry_next(&p->carries[i], a->of[types[i].metric][stack]);
		wire_varint(&packed, (uint64_t)(int64_t)values[i]);
		any |= values[i] != 0;
	}
	if (any) {
		put_locations(p, &p->r->stacks[stack]);
		wire_message(&p->message, SAMPLE_VALUES, &packed);
		wire_message(&p->out, PROFILE_SAMPLE, &p->message);
	}
	buf_fini(&packed);
}

static void
put_strings(struct pprof *p)
{
	for (str_id i = 0; i < strtab_count(p->strings); i++) {
		const char *s = strtab_at(p->strings, i);

		wire_bytes(&p->out, PROFILE_STRING, s, strlen(s));
	}
}

static void
pprof_fini(struct pprof *p)
{
	size_t n = p->r->profile_count + (p->r->query.base_profile != NULL);

	for (size_t k = 0; k < n; k++)
		free(p->mappings[k]);
	free(p->mappings);
	free(p->locations);
	map_fini(&p->node_of);
	map_fini(&p->function_of);
	strtab_free(p->strings);
	buf_fini(&p->out);
	buf_fini(&p->message);
	buf_fini(&p->part);
}

void
export_pprof(
    const struct report *r, const struct export_options *o, struct buf *b)
{
	struct pprof p = { .strings = strtab_new() };
	struct amounts a;

	(void)o;
	amounts_take(&a, r, true);
	p.r = a.r;
	put_head(&p);
	put_all_mappings(&p);
	for (size_t i = 0; i < a.r->stack_count; i++)
		put_sample(&p, &a, i);
	put_strings(&p);
	wire_gzip(b, buf_str(&p.out), p.out.len);
	pprof_fini(&p);
	amounts_fini(&a);
}
