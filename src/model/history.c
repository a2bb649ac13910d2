#include "model/history.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/vec.h"

#define FIELDS   10
#define NS_PER_S UINT64_C(1000000000)

_Static_assert(sizeof(struct history_values) == FIELDS * sizeof(int64_t),
    "history_values is read as an array of its fields");

/* Some changes of one cell.  A record is: snapshots since the record before
 * (of the first: since `first`, so 0), a bit for each field that changed, and
 * their differences in zigzag form; all varints.  The first record counts
 * from all zeros. */
struct block {
	snap_id first, last;
	uint16_t len, cap;
	uint8_t data[];
};

/* Large enough that the head is small beside it, small enough that finding
 * a moment decodes some dozen records at most. */
#define BLOCK_MIN 32u
#define BLOCK_MAX 256u

/* Bytes of a record at most: two short varints and FIELDS long ones. */
#define RECORD_MAX (5 + 2 + FIELDS * 10)

struct series {
	struct block **blocks; /* oldest first */
	size_t count, cap;
	struct history_values last;
	uint64_t first_ns;
};

struct history {
	struct snapshot *snaps; /* retained, oldest first */
	size_t count, cap;
	snap_id next;          /* id of the snapshot being made */
	struct series *series; /* [cell] */
	size_t cells, cell_cap;
	size_t block_bytes;
	size_t budget;
	size_t cursor;   /* next cell to compact */
	snap_id aged;    /* up to here nothing more is dropped by age */
	snap_id settled; /* and up to here the logs know it already */
	unsigned scale;  /* the steps of old snapshots are this much longer */
};

static int64_t
whole(double v)
{
	if (!(fabs(v) < 9e18))
		return v > 0 ? INT64_MAX / 2 : v < 0 ? -INT64_MAX / 2 : 0;
	return (int64_t)(v < 0 ? v - 0.5 : v + 0.5);
}

struct history_values
history_round(const struct cell_values *v)
{
	return (struct history_values){
		.live_bytes = whole(v->live_bytes),
		.live_objects = whole(v->live_objects),
		.alloc_bytes = whole(v->alloc_bytes),
		.alloc_objects = whole(v->alloc_objects),
		.live_samples = (int64_t)v->live_samples,
		.alloc_samples = (int64_t)v->alloc_samples,
		.live_sd_bytes = whole(sqrt(v->live_var_bytes)),
		.live_sd_objects = whole(sqrt(v->live_var_objects)),
		.alloc_sd_bytes = whole(sqrt(v->alloc_var_bytes)),
		.alloc_sd_objects = whole(sqrt(v->alloc_var_objects)),
	};
}

struct history *
history_new(void)
{
	struct history *h = xcalloc(1, sizeof *h);

	h->next = 1;
	h->budget = HISTORY_BUDGET;
	h->scale = 1;
	return h;
}

static void
free_blocks(struct history *h, const struct series *s)
{
	for (size_t i = 0; i < s->count; i++) {
		h->block_bytes -= sizeof(struct block) + s->blocks[i]->cap;
		free(s->blocks[i]);
	}
}

void
history_free(struct history *h)
{
	if (!h)
		return;
	for (size_t i = 0; i < h->cells; i++) {
		free_blocks(h, &h->series[i]);
		free(h->series[i].blocks);
	}
	free(h->series);
	free(h->snaps);
	free(h);
}

void
history_set_budget(struct history *h, size_t bytes)
{
	h->budget = bytes;
}

static size_t
put_varint(uint8_t *to, uint64_t v)
{
	size_t n = 0;

	for (; v >= 0x80; v >>= 7)
		to[n++] = (uint8_t)(v | 0x80);
	to[n++] = (uint8_t)v;
	return n;
}

/* Our own bytes: always well formed. */
static uint64_t
get_varint(const uint8_t **at)
{
	uint64_t v = 0;
	unsigned shift = 0;

	for (; **at & 0x80; (*at)++, shift += 7)
		v |= (uint64_t)(**at & 0x7f) << shift;
	v |= (uint64_t) * (*at)++ << shift;
	return v;
}

static size_t
encode(uint8_t *to, uint32_t gap, const struct history_values *was,
    const struct history_values *is)
{
	int64_t a[FIELDS], b[FIELDS];
	unsigned mask = 0;
	size_t n;

	memcpy(a, was, sizeof a);
	memcpy(b, is, sizeof b);
	for (unsigned i = 0; i < FIELDS; i++)
		mask |= (unsigned)(a[i] != b[i]) << i;
	n = put_varint(to, gap);
	n += put_varint(to + n, mask);
	for (unsigned i = 0; i < FIELDS; i++) {
		uint64_t d = (uint64_t)b[i] - (uint64_t)a[i];

		if (mask >> i & 1)
			n += put_varint(to + n, d << 1 ^ -(uint64_t)(d >> 63));
	}
	return n;
}

/* The next record; returns its gap. */
static uint32_t
decode(const uint8_t **at, struct history_values *v)
{
	uint32_t gap = (uint32_t)get_varint(at);
	unsigned mask = (unsigned)get_varint(at);
	int64_t a[FIELDS];

	memcpy(a, v, sizeof a);
	for (unsigned i = 0; i < FIELDS; i++) {
		if (mask >> i & 1) {
			uint64_t z = get_varint(at);
			uint64_t d = z >> 1 ^ -(z & 1);

			a[i] = (int64_t)((uint64_t)a[i] + d);
		}
	}
	memcpy(v, a, sizeof a);
	return gap;
}

/* The last block of the series with room for `need` more bytes. */
static struct block *
extend(struct history *h, struct series *s, size_t need)
{
	struct block *b = s->blocks[s->count - 1];
	size_t cap = b->cap;

	if (b->len + need <= cap)
		return b;
	while (cap < b->len + need)
		cap += cap / 2;
	if (cap > BLOCK_MAX)
		cap = BLOCK_MAX;
	h->block_bytes += cap - b->cap;
	b = xreallocarray(b, 1, sizeof *b + cap);
	b->cap = (uint16_t)cap;
	s->blocks[s->count - 1] = b;
	return b;
}

static struct block *
new_block(struct history *h, struct series *s, size_t need, snap_id id)
{
	size_t cap = need > BLOCK_MIN ? need : BLOCK_MIN;
	struct block *b = xmalloc(sizeof *b + cap);

	*b = (struct block){ .first = id, .last = id, .cap = (uint16_t)cap };
	h->block_bytes += sizeof *b + cap;
	VEC_ROOM(s->blocks, s->cap, s->count + 1);
	s->blocks[s->count++] = b;
	return b;
}

static void
append(struct history *h, struct series *s, snap_id id,
    const struct history_values *v)
{
	static const struct history_values none;
	uint8_t record[RECORD_MAX];
	struct block *b = s->count ? s->blocks[s->count - 1] : NULL;
	size_t n = 0;

	if (b)
		n = encode(record, id - b->last, &s->last, v);
	if (b && b->len + n <= BLOCK_MAX) {
		b = extend(h, s, n);
	} else {
		n = encode(record, 0, &none, v);
		b = new_block(h, s, n, id);
	}
	memcpy(b->data + b->len, record, n);
	b->len = (uint16_t)(b->len + n);
	b->last = id;
	s->last = *v;
}

void
history_put(struct history *h, uint32_t cell, uint64_t now_ns,
    const struct cell_values *v)
{
	struct history_values now = history_round(v);
	size_t old = h->cell_cap;

	VEC_ROOM(h->series, h->cell_cap, (size_t)cell + 1);
	if (h->cell_cap > old)
		memset(h->series + old, 0,
		    (h->cell_cap - old) * sizeof *h->series);
	if (cell >= h->cells)
		h->cells = (size_t)cell + 1;
	if (h->series[cell].count == 0)
		h->series[cell].first_ns = now_ns;
	if (memcmp(&h->series[cell].last, &now, sizeof now) != 0)
		append(h, &h->series[cell], h->next, &now);
}

/* Position of the oldest retained snapshot that is not older than `id`. */
static size_t
not_older(const struct history *h, snap_id id)
{
	size_t low = 0, high = h->count;

	while (low < high) {
		size_t mid = low + (high - low) / 2;

		if (h->snaps[mid].id < id)
			low = mid + 1;
		else
			high = mid;
	}
	return low;
}

/* The first `count` blocks of the old log as they are. */
static void
keep(struct series *s, const struct series *old, size_t count)
{
	const struct block *b;
	const uint8_t *at;

	if (count == 0)
		return;
	VEC_ROOM(s->blocks, s->cap, count);
	memcpy(s->blocks, old->blocks, count * sizeof *s->blocks);
	s->count = count;
	b = s->blocks[count - 1];
	for (at = b->data; at < b->data + b->len;)
		decode(&at, &s->last);
}

/* Write the cell's log anew: a change at a dropped snapshot moves to the next
 * retained one, and gives way to a later change that moves there too. */
static void
compact(struct history *h, struct series *s)
{
	struct series old = *s;
	struct history_values v = { 0 }, held = { 0 };
	snap_id held_id = 0;
	size_t from = 0;

	s->blocks = NULL;
	s->count = s->cap = 0;
	memset(&s->last, 0, sizeof s->last);
	for (; from < old.count && old.blocks[from]->last <= h->settled; from++)
		;
	keep(s, &old, from);
	for (size_t i = from; i < old.count; i++) {
		const struct block *b = old.blocks[i];
		const uint8_t *at = b->data;
		snap_id id = b->first;

		memset(&v, 0, sizeof v);
		while (at < b->data + b->len) {
			snap_id to;

			id += decode(&at, &v);
			to = h->snaps[not_older(h, id)].id;
			if (held_id && held_id != to)
				append(h, s, held_id, &held);
			held = v;
			held_id = to;
		}
	}
	if (held_id)
		append(h, s, held_id, &held);
	old.blocks += from;
	old.count -= from;
	free_blocks(h, &old);
	free(old.blocks - from);
}

/* How far apart snapshots of this age are kept. */
static uint64_t
step_ns(const struct history *h, uint64_t age_ns)
{
	const uint64_t s = NS_PER_S;

	if (age_ns <= 60 * s)
		return h->scale < 4 ? 0 : s / 4 * h->scale;
	return (age_ns <= 3600 * s ? 10 : 60) * s * h->scale;
}

/* Of the snapshots of one step the oldest stays, so that what is kept does
 * not change as time goes on. */
static void
thin(struct history *h)
{
	uint64_t now = h->snaps[h->count - 1].totals.now_ns;
	uint64_t kept_ns = h->snaps[0].totals.now_ns;
	size_t to = 1;

	for (size_t i = 1; i < h->count; i++) {
		uint64_t at = h->snaps[i].totals.now_ns;
		uint64_t step = step_ns(h, now > at ? now - at : 0);

		if (i + 2 < h->count && !h->snaps[i].pinned && step &&
		    at / step == kept_ns / step)
			continue;
		kept_ns = at;
		if (to != i)
			h->snaps[to] = h->snaps[i];
		to++;
	}
	h->count = to;
}

/* A part of the cells at each commit, so that the work is spread evenly and
 * each log is at most this many commits behind. */
#define COMPACT_PARTS 64
#define SCALE_MAX     65536u

/* All logs know what was dropped when this round began: what was old then
 * will not be dropped any more, unless the steps get longer. */
static void
end_round(struct history *h)
{
	uint64_t now = h->snaps[h->count - 1].totals.now_ns;
	uint64_t old = (3600 + 60 * (uint64_t)h->scale) * NS_PER_S;

	h->cursor = 0;
	h->settled = h->aged;
	h->aged = now > old ? history_id_at(h, now - old) : 0;
	if (history_bytes(h) > h->budget && h->scale < SCALE_MAX) {
		h->scale *= 2;
		h->aged = h->settled = 0;
	}
}

static void
compact_some(struct history *h)
{
	size_t n = h->cells / COMPACT_PARTS + 1;

	for (; n > 0 && h->cursor < h->cells; n--, h->cursor++) {
		struct series *s = &h->series[h->cursor];

		if (s->count &&
		    s->blocks[s->count - 1]->last != s->blocks[0]->first)
			compact(h, s);
	}
	if (h->cursor == h->cells)
		end_round(h);
}

void
history_commit(struct history *h, const struct profile_totals *t,
    const struct snapshot *sums)
{
	struct snapshot *s;

	VEC_ROOM(h->snaps, h->cap, h->count + 1);
	s = &h->snaps[h->count++];
	*s = *sums;
	s->id = h->next++;
	s->pinned = false;
	s->totals = *t;
	thin(h);
	compact_some(h);
}

void
history_pin(struct history *h, snap_id id, bool on)
{
	size_t i = not_older(h, id);

	if (i < h->count && h->snaps[i].id == id)
		h->snaps[i].pinned = on;
}

size_t
history_count(const struct history *h)
{
	return h->count;
}

const struct snapshot *
history_at(const struct history *h, size_t i)
{
	return &h->snaps[i];
}

size_t
history_index(const struct history *h, snap_id id)
{
	size_t i = not_older(h, id);

	if (i < h->count && h->snaps[i].id == id)
		return i;
	return i > 0 ? i - 1 : h->count;
}

snap_id
history_id_at(const struct history *h, uint64_t now_ns)
{
	for (size_t i = h->count; i-- > 0;) {
		if (h->snaps[i].totals.now_ns <= now_ns)
			return h->snaps[i].id;
	}
	return 0;
}

struct history_values
history_cell(const struct history *h, uint32_t cell, snap_id id)
{
	struct history_values v = { 0 }, next = { 0 };
	const struct series *s;
	const struct block *b;
	const uint8_t *at;
	size_t low = 0, high;
	snap_id seen;

	if (cell >= h->cells)
		return v;
	s = &h->series[cell];
	if (s->count && id >= s->blocks[s->count - 1]->last)
		return s->last;
	/* the last block that begins at or before id */
	for (high = s->count; low < high;) {
		size_t mid = low + (high - low) / 2;

		if (s->blocks[mid]->first <= id)
			low = mid + 1;
		else
			high = mid;
	}
	if (low == 0)
		return v;
	b = s->blocks[low - 1];
	seen = b->first;
	for (at = b->data; at < b->data + b->len; v = next) {
		seen += decode(&at, &next);
		if (seen > id)
			break;
	}
	return v;
}

snap_id
history_last(const struct history *h, uint32_t cell)
{
	const struct series *s;

	if (cell >= h->cells || h->series[cell].count == 0)
		return 0;
	s = &h->series[cell];
	return s->blocks[s->count - 1]->last;
}

uint64_t
history_first_ns(const struct history *h, uint32_t cell)
{
	return cell < h->cells ? h->series[cell].first_ns : 0;
}

size_t
history_bytes(const struct history *h)
{
	size_t bytes = h->block_bytes + h->cap * sizeof *h->snaps +
	    h->cell_cap * sizeof *h->series;

	for (size_t i = 0; i < h->cells; i++)
		bytes += h->series[i].cap * sizeof(struct block *);
	return bytes;
}
