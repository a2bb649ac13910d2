#include "model/history_log.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/vec.h"

/* Cells are listed two bytes each, or as a map of bits, or not at all where
 * they are the first ones. */
enum form {
	FORM_LIST,
	FORM_BITS,
	FORM_FIRST,
};

struct piece {
	uint16_t count;
	uint16_t form;
	uint8_t data[]; /* cells, fields, SLACK bytes */
};

#define BITS_BYTES (LOG_CELLS / 8)
/* Values are read eight bytes at a time. */
#define SLACK 8

/* What is asked for most stands first, so that who wants only that reads one
 * stretch of memory: the live bytes with their deviation, samples and objects
 * (enum history_field). */
static const uint8_t order[LOG_FIELDS] = { 0, 6, 4, 1, 7, 2, 8, 3, 9, 5 };

_Static_assert(
    sizeof(struct piece) == 4 && SLACK == 8, "LOG_PIECE_MAX counts with them");

/* A whole stands where the changes since the one before take so many times
 * its bytes; it goes where they take less than the second. */
#define WHOLE_EVERY 2
#define WHOLE_LEAST 1

void
log_fini(struct log *l)
{
	for (size_t i = 0; i < l->count; i++)
		free(l->changes[i].piece);
	for (size_t i = 0; i < l->whole_count; i++)
		free(l->wholes[i].piece);
	free(l->changes);
	free(l->wholes);
	*l = (struct log){ 0 };
}

/* ---- packing --------------------------------------------------------------- */

static uint64_t
zigzag(int64_t v)
{
	return (uint64_t)v << 1 ^ -((uint64_t)v >> 63);
}

static unsigned
bytes_of(uint64_t z)
{
	return z ? (71u - (unsigned)__builtin_clzll(z)) / 8 : 0;
}

static uint8_t *
pack_field(uint8_t *at, const int64_t *values, size_t n)
{
	uint64_t all = 0;
	uint8_t *bits, *data;
	unsigned width;
	size_t len;

	for (size_t i = 0; i < n; i++)
		all |= zigzag(values[i]);
	width = bytes_of(all);
	*at = (uint8_t)width;
	if (width == 0)
		return at + 1;
	bits = at + 3;
	data = bits + (n + 3) / 4;
	memset(bits, 0, (n + 3) / 4);
	for (size_t i = 0; i < n; i++) {
		uint64_t z = zigzag(values[i]);
		unsigned need = bytes_of(z), code = need < 3 ? need : 3;

		bits[i / 4] |= (uint8_t)(code << i % 4 * 2);
		memcpy(data, &z, sizeof z);
		data += code < 3 ? code : width;
	}
	len = (size_t)(data - bits);
	at[1] = (uint8_t)len;
	at[2] = (uint8_t)(len >> 8);
	return data;
}

static uint8_t *
pack_cells(struct piece *p, const struct batch *b)
{
	size_t n = b->count;

	p->count = (uint16_t)n;
	p->form = FORM_LIST;
	if (n && b->cell[n - 1] == n - 1) {
		p->form = FORM_FIRST;
		return p->data;
	}
	if (n * 2 <= BITS_BYTES) {
		memcpy(p->data, b->cell, n * 2);
		return p->data + n * 2;
	}
	p->form = FORM_BITS;
	memset(p->data, 0, BITS_BYTES);
	for (size_t i = 0; i < n; i++)
		p->data[b->cell[i] / 8] |= (uint8_t)(1u << b->cell[i] % 8);
	return p->data + BITS_BYTES;
}

/* The batch in `s`.  The piece is made there: how long it gets is not known
 * before. */
static struct log_entry
pack(struct log *l, uint32_t id, struct log_scratch *s)
{
	struct piece *room = (struct piece *)s->piece, *p;
	const struct batch *b = &s->batch;
	uint8_t *at = pack_cells(room, b);
	size_t size;

	for (unsigned i = 0; i < LOG_FIELDS; i++)
		at = pack_field(at, b->field[order[i]], b->count);
	memset(at, 0, SLACK);
	size = (size_t)(at + SLACK - (uint8_t *)room);
	p = xmalloc(size);
	memcpy(p, room, size);
	l->bytes += size;
	return (struct log_entry){ id, (uint32_t)size, p };
}

static void
drop(struct log *l, const struct log_entry *e)
{
	l->bytes -= e->size;
	free(e->piece);
}

/* ---- unpacking ------------------------------------------------------------- */

static const uint8_t *
unpack_cells(const struct piece *p, uint16_t *cells)
{
	size_t n = 0;

	switch ((enum form)p->form) {
	case FORM_FIRST:
		for (; n < p->count; n++)
			cells[n] = (uint16_t)n;
		return p->data;
	case FORM_LIST: break;
	case FORM_BITS:
		for (unsigned i = 0; i < LOG_CELLS; i += 64) {
			uint64_t bits;

			memcpy(&bits, p->data + i / 8, sizeof bits);
			for (; bits; bits &= bits - 1)
				cells[n++] = (uint16_t)(i +
				    (unsigned)__builtin_ctzll(bits));
		}
		return p->data + BITS_BYTES;
	}
	memcpy(cells, p->data, p->count * 2u);
	return p->data + p->count * 2u;
}

static inline void
add_value(const uint8_t *at, uint64_t mask, int64_t *to)
{
	uint64_t z;

	memcpy(&z, at, sizeof z);
	z &= mask;
	*to = (int64_t)((uint64_t)*to + (z >> 1 ^ -(z & 1)));
}

/* Four codes of two bits, one in each byte. */
static uint32_t
spread(uint8_t codes)
{
	uint32_t x = codes;

	x = (x | x << 12) & 0x000f000f;
	return (x | x << 6) & 0x03030303;
}

/* Where the values of four codes end: the bytes of the result, as each byte
 * of the product is the sum of those up to it. */
static uint32_t
ends(uint32_t codes, unsigned width)
{
	uint32_t wide = codes & codes >> 1 & 0x01010101; /* code 3 */

	return (codes - 3 * wide + width * wide) * 0x01010101u;
}

/* Four values at a time, whose places do not depend on one another.  What is
 * beyond n has code 0, so it adds 0 to cell 0. */
static void
add_field(const uint8_t *at, const uint16_t *cells, size_t n, int64_t *to)
{
	unsigned width = *at;
	const uint64_t masks[4] = { 0, 0xff, 0xffff,
		~UINT64_C(0) >> (64 - 8 * width) };
	const uint8_t *bits = at + 3, *data = bits + (n + 3) / 4;

	for (size_t i = 0; i < n; i += 4) {
		uint32_t codes = spread(bits[i / 4]), end = ends(codes, width);

		add_value(data, masks[codes & 3], &to[cells[i]]);
		add_value(data + (end & 0xff), masks[codes >> 8 & 3],
		    &to[cells[i + 1]]);
		add_value(data + (end >> 8 & 0xff), masks[codes >> 16 & 3],
		    &to[cells[i + 2]]);
		add_value(data + (end >> 16 & 0xff), masks[codes >> 24],
		    &to[cells[i + 3]]);
		data += end >> 24;
	}
}

static void
add(const struct piece *p, unsigned mask, const log_columns to)
{
	uint16_t cells[LOG_CELLS + 4];
	const uint8_t *at = unpack_cells(p, cells);

	memset(cells + p->count, 0, 4 * sizeof *cells);

	for (unsigned i = 0; mask; i++) {
		unsigned f = order[i], asked = mask >> f & 1;

		mask &= ~(1u << f);
		if (*at == 0) {
			at++;
			continue;
		}
		if (asked)
			add_field(at, cells, p->count, to[f]);
		at += 3 + (at[1] | at[2] << 8);
	}
}

/* ---- the log --------------------------------------------------------------- */

void
log_append(struct log *l, uint32_t id, struct log_scratch *s)
{
	VEC_ROOM(l->changes, l->cap, l->count + 1);
	l->changes[l->count++] = pack(l, id, s);
}

/* How many entries are not newer than `id`. */
static size_t
up_to(const struct log_entry *e, size_t n, uint32_t id)
{
	size_t low = 0;

	while (low < n) {
		size_t mid = low + (n - low) / 2;

		if (e[mid].id <= id)
			low = mid + 1;
		else
			n = mid;
	}
	return low;
}

/* Pieces are short and lie anywhere: most of the time of reading them is
 * waiting for memory, unless that is asked for so many of them before. */
#define FETCH 8

static void
fetch(const struct piece *p)
{
	__builtin_prefetch(p);
	__builtin_prefetch((const char *)p + 64);
}

void
log_advance(const struct log *l, uint32_t from, uint32_t id, unsigned mask,
    const log_columns to)
{
	size_t i = up_to(l->changes, l->count, from);

	for (; i < l->count && l->changes[i].id <= id; i++) {
		if (i + FETCH < l->count)
			fetch(l->changes[i + FETCH].piece);
		add(l->changes[i].piece, mask, to);
	}
}

void
log_read(const struct log *l, uint32_t id, unsigned mask, const log_columns to)
{
	size_t whole = up_to(l->wholes, l->whole_count, id);

	for (unsigned f = 0; f < LOG_FIELDS; f++) {
		if (mask >> f & 1)
			memset(to[f], 0, LOG_CELLS * sizeof *to[f]);
	}
	if (whole > 0)
		add(l->wholes[whole - 1].piece, mask, to);
	log_advance(l, whole ? l->wholes[whole - 1].id : 0, id, mask, to);
}

/* What is not 0 of all cells. */
static void
gather(struct batch *b)
{
	int64_t any[LOG_CELLS] = { 0 };
	size_t n = 0;

	for (unsigned f = 0; f < LOG_FIELDS; f++) {
		for (unsigned c = 0; c < LOG_CELLS; c++)
			any[c] |= b->field[f][c];
	}
	for (unsigned c = 0; c < LOG_CELLS; c++) {
		if (any[c])
			b->cell[n++] = (uint16_t)c;
	}
	b->count = n;
	if (n == LOG_CELLS)
		return;
	for (unsigned f = 0; f < LOG_FIELDS; f++) {
		for (size_t i = 0; i < n; i++)
			b->field[f][i] = b->field[f][b->cell[i]];
	}
}

static void
columns_of(struct batch *b, log_columns to)
{
	for (unsigned f = 0; f < LOG_FIELDS; f++)
		to[f] = b->field[f];
}

/* The sum of changes [from, to), as one of snapshot `id`; it may be that
 * nothing is left of them. */
static void
merge_run(struct log *l, size_t from, size_t to, uint32_t id, size_t *kept,
    struct log_scratch *s)
{
	struct log_entry *e = l->changes;
	log_columns columns;

	if (to - from == 1) {
		e[from].id = id;
		e[(*kept)++] = e[from];
		return;
	}
	memset(s->batch.field, 0, sizeof s->batch.field);
	columns_of(&s->batch, columns);
	for (size_t i = from; i < to; i++) {
		add(e[i].piece, LOG_ALL, columns);
		drop(l, &e[i]);
	}
	gather(&s->batch);
	if (s->batch.count)
		e[(*kept)++] = pack(l, id, s);
}

/* A whole is true only as long as its own moment can be asked for: later
 * changes would count twice. */
static void
drop_wholes(struct log *l, const uint32_t *ids, size_t n)
{
	size_t kept = 0, at = 0;

	for (size_t i = 0; i < l->whole_count; i++) {
		while (at < n && ids[at] < l->wholes[i].id)
			at++;
		if (at < n && ids[at] == l->wholes[i].id)
			l->wholes[kept++] = l->wholes[i];
		else
			drop(l, &l->wholes[i]);
	}
	l->whole_count = kept;
}

/* In place `at` among the wholes. */
static void
make_whole(struct log *l, uint32_t id, size_t at, struct log_scratch *s)
{
	log_columns columns;

	columns_of(&s->batch, columns);
	log_read(l, id, LOG_ALL, columns);
	gather(&s->batch);
	VEC_ROOM(l->wholes, l->whole_cap, l->whole_count + 1);
	memmove(l->wholes + at + 1, l->wholes + at,
	    (l->whole_count - at) * sizeof *l->wholes);
	l->wholes[at] = pack(l, id, s);
	l->whole_count++;
}

static void
remove_whole(struct log *l, size_t at)
{
	drop(l, &l->wholes[at]);
	l->whole_count--;
	memmove(l->wholes + at, l->wholes + at + 1,
	    (l->whole_count - at) * sizeof *l->wholes);
}

/* Wholes at the right distances: measured in bytes to read. */
static void
place_wholes(struct log *l, uint32_t old, struct log_scratch *s)
{
	size_t since = 0, at = 0, size = 0;

	for (size_t i = 0; i < l->count && l->changes[i].id <= old; i++) {
		uint32_t id = l->changes[i].id;

		since += l->changes[i].size;
		for (; at < l->whole_count && l->wholes[at].id < id; at++) {
			size = l->wholes[at].size;
			since = l->changes[i].size;
		}
		if (at < l->whole_count && l->wholes[at].id == id) {
			if (since < WHOLE_LEAST * l->wholes[at].size)
				remove_whole(l, at);
			continue;
		}
		if (since < WHOLE_EVERY * size || since < 4096)
			continue;
		make_whole(l, id, at, s);
		size = l->wholes[at++].size;
		since = 0;
	}
}

void
log_merge(struct log *l, const uint32_t *ids, size_t n, uint32_t old,
    struct log_scratch *s)
{
	size_t kept = 0, at = 0, end;

	drop_wholes(l, ids, n);
	for (size_t i = 0; i < l->count; i = end) {
		while (at + 1 < n && ids[at] < l->changes[i].id)
			at++;
		for (end = i + 1; end < l->count; end++) {
			if (l->changes[end].id > ids[at])
				break;
		}
		merge_run(l, i, end, ids[at], &kept, s);
	}
	l->count = kept;
	place_wholes(l, old, s);
}
