/*
 * What a profile.proto holds, as it is read: strings, functions, mappings,
 * locations and the distinct stacks with their sums.  Messages may come in
 * any order, so ids are looked up in the end.
 *
 * The wire format (protocol buffers) and the field numbers are those of
 * github.com/google/pprof/proto/profile.proto.
 */
#ifndef IO_PPROFDATA_H
#define IO_PPROFDATA_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/buf.h"
#include "base/map.h"

#define PPROF_TYPES 16 /* kinds of values; more are left out */

struct pprof_type {
	uint64_t type, unit; /* strings */
};

struct pprof_mapping {
	uint64_t id, start, limit, offset, file, build_id;
};

struct pprof_function {
	uint64_t id, name, system_name, file;
};

struct pprof_line {
	uint64_t function, line;
};

struct pprof_location {
	uint64_t id, mapping, address;
	size_t first_line; /* innermost first */
	uint32_t lines;
};

struct pprof_stack {
	size_t first;   /* of `ids` */
	uint32_t count; /* of locations, leaf first */
};

struct pprofdata {
	struct buf text;
	size_t *strings; /* offsets in text */
	size_t string_count, string_cap;
	struct pprof_type types[PPROF_TYPES];
	size_t type_count;
	struct pprof_mapping *mappings;
	size_t mapping_count, mapping_cap;
	struct pprof_function *functions;
	size_t function_count, function_cap;
	struct map function_of; /* id -> index */
	struct pprof_line *lines;
	size_t line_count, line_cap;
	struct pprof_location *locations;
	size_t location_count, location_cap;
	struct map location_of; /* id -> index */
	uint64_t *ids;          /* of locations, of all stacks */
	size_t id_count, id_cap;
	struct pprof_stack *stacks;
	double (*values)[PPROF_TYPES]; /* [stack] sums */
	size_t stack_count, stack_cap, value_cap;
	struct map stack_of;
	struct pprof_type period_type;
	uint64_t period, time_ns;
	uint64_t left_out; /* messages that make no sense */
};

void pprofdata_fini(struct pprofdata *d);

/* One field of the outermost message; `number` is its field number.  What is
 * no use is passed over. */
void pprofdata_bytes(
    struct pprofdata *d, unsigned number, const uint8_t *p, size_t len);
void pprofdata_number(struct pprofdata *d, unsigned number, uint64_t v);

/* "" if there is no such string. */
const char *pprofdata_string(const struct pprofdata *d, uint64_t index);
const struct pprof_function *pprofdata_function(
    const struct pprofdata *d, uint64_t id); /* or NULL */
const struct pprof_location *pprofdata_location(
    const struct pprofdata *d, uint64_t id); /* or NULL */

/* A varint at *p; false if it does not end before `end`. */
bool pprofdata_varint(const uint8_t **p, const uint8_t *end, uint64_t *v);

#endif
