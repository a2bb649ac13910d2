#include "model/history.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/vec.h"
#include "model/history_log.h"

#define NS_PER_S UINT64_C(1000000000)

_Static_assert(HISTORY_FIELDS == LOG_FIELDS &&
	sizeof(struct history_values) == LOG_FIELDS * sizeof(int64_t),
    "history_values is read as an array of its fields");

/* What is known of a cell beside its log. */
struct latest {
	struct history_values v; /* as of the newest snapshot */
	uint64_t first_ns;
	snap_id changed; /* when it last did; 0: never */
};

/* A cell that changes in the snapshot being made. */
struct change {
	uint32_t cell;
	struct history_values v;
};

/* One log unpacked at one moment, for questions about single cells. */
#define CURSORS 8
struct cursor {
	uint64_t used; /* when; 0: holds nothing */
	size_t log;
	snap_id id;
	int64_t *values; /* [field][cell of the log] */
};

/* All cells unpacked at one moment, the fields of `mask`. */
struct unpacked {
	uint64_t used; /* when; 0: holds nothing */
	snap_id id;
	unsigned mask;
	size_t count;
	int64_t *field[LOG_FIELDS];
};

struct cache {
	uint64_t clock; /* counts questions */
	struct cursor cursors[CURSORS];
	struct unpacked columns[HISTORY_COLUMNS];
};

struct history {
	struct snapshot *snaps; /* retained, oldest first */
	snap_id *ids;           /* theirs, close together */
	size_t count, cap, id_cap;
	snap_id next;     /* id of the snapshot being made */
	snap_id peak;     /* the one with the most live bytes */
	double peak_live; /* those */
	struct log *logs; /* [cell / LOG_CELLS] */
	size_t log_count, log_cap;
	struct latest *latest; /* [cell] */
	size_t cells, cell_cap;
	struct change *changes; /* of the snapshot being made */
	size_t change_count, change_cap;
	size_t log_bytes;
	size_t budget;  /* 0: as many cells want */
	size_t cursor;  /* next log to merge, in 1/MERGE_PARTS of a log */
	unsigned scale; /* the steps of old snapshots are this much longer */
	struct cache *cache;
	struct log_scratch *scratch;
};

struct history_values
history_round(const struct cell_values *v)
{
	return (struct history_values){
		.live_bytes = history_whole(v->live_bytes),
		.live_objects = history_whole(v->live_objects),
		.alloc_bytes = history_whole(v->alloc_bytes),
		.alloc_objects = history_whole(v->alloc_objects),
		.live_samples = (int64_t)v->live_samples,
		.alloc_samples = (int64_t)v->alloc_samples,
		.live_sd_bytes = history_whole(sqrt(v->live_var_bytes)),
		.live_sd_objects = history_whole(sqrt(v->live_var_objects)),
		.alloc_sd_bytes = history_whole(sqrt(v->alloc_var_bytes)),
		.alloc_sd_objects = history_whole(sqrt(v->alloc_var_objects)),
	};
}

struct history *
history_new(void)
{
	struct history *h = xcalloc(1, sizeof *h);

	h->next = 1;
	h->scale = 1;
	h->cache = xcalloc(1, sizeof *h->cache);
	h->scratch = xmalloc(sizeof *h->scratch);
	return h;
}

static void
free_cache(struct cache *c)
{
	for (size_t i = 0; i < CURSORS; i++)
		free(c->cursors[i].values);
	for (size_t i = 0; i < HISTORY_COLUMNS; i++) {
		for (unsigned f = 0; f < LOG_FIELDS; f++)
			free(c->columns[i].field[f]);
	}
	free(c);
}

void
history_free(struct history *h)
{
	if (!h)
		return;
	for (size_t i = 0; i < h->log_count; i++)
		log_fini(&h->logs[i]);
	free(h->logs);
	free(h->latest);
	free(h->changes);
	free(h->snaps);
	free(h->ids);
	free_cache(h->cache);
	free(h->scratch);
	free(h);
}

void
history_set_budget(struct history *h, size_t bytes)
{
	h->budget = bytes;
}

/* ---- a snapshot is made ---------------------------------------------------- */

static void
add_cells(struct history *h, size_t cells)
{
	size_t logs = (cells + LOG_CELLS - 1) / LOG_CELLS;

	if (cells <= h->cells)
		return;
	VEC_ROOM(h->latest, h->cell_cap, cells);
	memset(h->latest + h->cells, 0, (cells - h->cells) * sizeof *h->latest);
	h->cells = cells;
	VEC_ROOM(h->logs, h->log_cap, logs);
	for (; h->log_count < logs; h->log_count++)
		h->logs[h->log_count] = (struct log){ 0 };
}

void
history_put(struct history *h, uint32_t cell, uint64_t now_ns,
    const struct cell_values *v)
{
	struct history_values now = history_round(v);
	struct latest *l;

	add_cells(h, (size_t)cell + 1);
	l = &h->latest[cell];
	if (l->changed == 0)
		l->first_ns = now_ns;
	if (memcmp(&l->v, &now, sizeof now) == 0)
		return;
	l->changed = h->next;
	VEC_ROOM(h->changes, h->change_cap, h->change_count + 1);
	h->changes[h->change_count++] = (struct change){ cell, now };
}

static int
by_cell(const void *va, const void *vb)
{
	const struct change *a = va, *b = vb;

	return (a->cell > b->cell) - (a->cell < b->cell);
}

/* They mostly come in order. */
static void
sort_changes(struct history *h)
{
	for (size_t i = 1; i < h->change_count; i++) {
		if (h->changes[i - 1].cell > h->changes[i].cell) {
			qsort(h->changes, h->change_count, sizeof *h->changes,
			    by_cell);
			return;
		}
	}
}

static void
put_difference(struct batch *b, struct latest *l, const struct change *c)
{
	int64_t was[LOG_FIELDS], is[LOG_FIELDS];

	memcpy(was, &l->v, sizeof was);
	memcpy(is, &c->v, sizeof is);
	for (unsigned f = 0; f < LOG_FIELDS; f++)
		b->field[f][b->count] =
		    (int64_t)((uint64_t)is[f] - (uint64_t)was[f]);
	b->cell[b->count++] = (uint16_t)(c->cell % LOG_CELLS);
	l->v = c->v;
}

static void
append_changes(struct history *h)
{
	struct batch *b = &h->scratch->batch;

	sort_changes(h);
	for (size_t i = 0; i < h->change_count;) {
		size_t n = h->changes[i].cell / LOG_CELLS;
		struct log *l = &h->logs[n];
		size_t before = l->bytes;

		for (b->count = 0;
		     i < h->change_count && h->changes[i].cell / LOG_CELLS == n;
		     i++)
			put_difference(
			    b, &h->latest[h->changes[i].cell], &h->changes[i]);
		log_append(l, h->next, h->scratch);
		h->log_bytes += l->bytes - before;
	}
	/* The first snapshot has all cells, the others have few. */
	if (h->change_cap > 4096 && h->change_count < h->change_cap / 8) {
		free(h->changes);
		h->changes = NULL;
		h->change_cap = 0;
	}
	h->change_count = 0;
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

/* ---- snapshots age --------------------------------------------------------- */

/* How far apart snapshots of this age are kept. */
static uint64_t
step_ns(const struct history *h, uint64_t age_ns)
{
	const uint64_t s = NS_PER_S;

	if (age_ns <= 60 * s)
		return h->scale < 128 ? 0 : s / 64 * h->scale;
	if (age_ns <= 3600 * s)
		return 10 * s * (h->scale < 8 ? 1 : h->scale / 8);
	return 60 * s * h->scale;
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
		    h->snaps[i].id != h->peak && at / step == kept_ns / step)
			continue;
		kept_ns = at;
		if (to != i)
			h->snaps[to] = h->snaps[i];
		to++;
	}
	h->count = to;
}

/* The logs are told one after the other what was dropped, so that the work is
 * spread evenly: each is at most this many commits behind. */
#define MERGE_PARTS 64
#define SCALE_MAX   65536u

static size_t
budget(const struct history *h)
{
	size_t most = HISTORY_BUDGET + h->cells * HISTORY_BUDGET_CELL;

	if (h->budget)
		return h->budget;
	return most < HISTORY_BUDGET_MAX ? most : HISTORY_BUDGET_MAX;
}

/* What can be made smaller. */
static size_t
thinnable(const struct history *h)
{
	return h->log_bytes + h->count * sizeof *h->snaps;
}

static void
merge_log(struct history *h, struct log *l)
{
	uint64_t now = h->snaps[h->count - 1].totals.now_ns;
	/* Wholes among snapshots that are dropped soon would not last. */
	snap_id old =
	    now > 120 * NS_PER_S ? history_id_at(h, now - 120 * NS_PER_S) : 0;
	size_t before = l->bytes;

	log_merge(l, h->ids, h->count, old, h->scratch);
	h->log_bytes -= before;
	h->log_bytes += l->bytes;
}

static void
merge_some(struct history *h)
{
	size_t from = h->cursor / MERGE_PARTS, to;

	/* They go on from moments that may go now. */
	for (size_t i = 0; i < CURSORS; i++)
		h->cache->cursors[i].used = 0;
	h->cursor += h->log_count;
	to = h->cursor / MERGE_PARTS;
	for (; from < to && from < h->log_count; from++)
		merge_log(h, &h->logs[from]);
	if (to < h->log_count)
		return;
	h->cursor = 0;
	if (thinnable(h) > budget(h) && h->scale < SCALE_MAX)
		h->scale *= 2;
}

bool
history_crowded(const struct history *h)
{
	return thinnable(h) > budget(h);
}

void
history_halve(struct history *h)
{
	size_t to = 0;

	for (size_t i = 0; i < h->count; i++) {
		if (i % 2 && i + 1 < h->count && h->snaps[i].id != h->peak)
			continue;
		h->snaps[to] = h->snaps[i];
		h->ids[to++] = h->snaps[i].id;
	}
	h->count = to;
	for (size_t i = 0; i < CURSORS; i++)
		h->cache->cursors[i].used = 0;
	for (size_t i = 0; to && i < h->log_count; i++)
		merge_log(h, &h->logs[i]);
}

/* Counted exactly where the target did. */
static void
note_peak(struct history *h, const struct snapshot *s)
{
	double live =
	    s->totals.exact_ns ? (double)s->totals.live_bytes : s->live_bytes;

	if (h->peak && live <= h->peak_live)
		return;
	h->peak = s->id;
	h->peak_live = live;
}

void
history_commit(struct history *h, const struct profile_totals *t,
    const struct snapshot *sums)
{
	struct snapshot *s;

	append_changes(h);
	VEC_ROOM(h->snaps, h->cap, h->count + 1);
	s = &h->snaps[h->count++];
	*s = *sums;
	s->id = h->next++;
	s->pinned = false;
	s->totals = *t;
	note_peak(h, s);
	thin(h);
	VEC_ROOM(h->ids, h->id_cap, h->count);
	for (size_t i = 0; i < h->count; i++)
		h->ids[i] = h->snaps[i].id;
	merge_some(h);
}

void
history_reopen(struct history *h)
{
	h->count--;
	h->next--;
	if (h->peak == h->next)
		h->peak = 0;
}

void
history_set_totals(struct history *h, const struct profile_totals *t)
{
	if (h->count > 0)
		h->snaps[h->count - 1].totals = *t;
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

/* ---- the past is asked ----------------------------------------------------- */

static void
columns_at(int64_t *values, log_columns to)
{
	for (unsigned f = 0; f < LOG_FIELDS; f++)
		to[f] = values + f * LOG_CELLS;
}

/* The one of this log that is nearest before, or else one used long ago. */
static struct cursor *
find_cursor(struct cache *c, size_t log, snap_id id)
{
	struct cursor *best = NULL, *oldest = &c->cursors[0];

	for (size_t i = 0; i < CURSORS; i++) {
		struct cursor *k = &c->cursors[i];

		if (k->used && k->log == log && k->id <= id &&
		    (!best || k->id > best->id))
			best = k;
		if (k->used < oldest->used)
			oldest = k;
	}
	return best ? best : oldest;
}

struct history_values
history_cell(const struct history *h, uint32_t cell, snap_id id)
{
	size_t n = cell / LOG_CELLS;
	int64_t values[LOG_FIELDS];
	struct history_values v = { 0 };
	struct cursor *k;
	log_columns to;

	if (cell >= h->cells || id == 0)
		return v;
	if (id >= h->latest[cell].changed)
		return h->latest[cell].v;
	k = find_cursor(h->cache, n, id);
	if (!k->values)
		k->values = xreallocarray(
		    NULL, LOG_FIELDS * LOG_CELLS, sizeof *k->values);
	columns_at(k->values, to);
	if (k->used && k->log == n && k->id <= id)
		log_advance(&h->logs[n], k->id, id, LOG_ALL, to);
	else
		log_read(&h->logs[n], id, LOG_ALL, to);
	k->used = ++h->cache->clock;
	k->log = n;
	k->id = id;
	for (unsigned f = 0; f < LOG_FIELDS; f++)
		values[f] = to[f][cell % LOG_CELLS];
	memcpy(&v, values, sizeof v);
	return v;
}

/* The one of this moment, or else one used long ago. */
static struct unpacked *
find_columns(struct cache *c, snap_id id)
{
	struct unpacked *oldest = &c->columns[0];

	for (size_t i = 0; i < HISTORY_COLUMNS; i++) {
		struct unpacked *u = &c->columns[i];

		if (u->used && u->id == id)
			return u;
		if (u->used < oldest->used)
			oldest = u;
	}
	oldest->used = 0;
	return oldest;
}

static void
make_room(struct unpacked *u, size_t cells, unsigned mask)
{
	size_t room = (cells + LOG_CELLS - 1) / LOG_CELLS * LOG_CELLS;

	for (unsigned f = 0; f < LOG_FIELDS; f++) {
		if (u->count < cells || !(mask >> f & 1)) {
			free(u->field[f]);
			u->field[f] = NULL;
		}
		if (mask >> f & 1 && !u->field[f])
			u->field[f] =
			    xreallocarray(NULL, room, sizeof *u->field[f]);
	}
	u->count = cells;
}

struct history_columns
history_columns(const struct history *h, snap_id id, unsigned mask)
{
	struct unpacked *u = find_columns(h->cache, id);
	struct history_columns out;

	if (!u->used || mask & ~u->mask) {
		if (u->used)
			mask |= u->mask;
		make_room(u, h->cells, mask);
		for (size_t i = 0; i < h->log_count; i++) {
			log_columns to;

			for (unsigned f = 0; f < LOG_FIELDS; f++)
				to[f] = u->field[f]
				    ? u->field[f] + i * LOG_CELLS
				    : NULL;
			log_read(&h->logs[i], id, mask, to);
		}
		u->id = id;
		u->mask = mask;
	}
	u->used = ++h->cache->clock;
	memcpy(out.field, u->field, sizeof out.field);
	out.count = u->count;
	return out;
}

snap_id
history_last(const struct history *h, uint32_t cell)
{
	return cell < h->cells ? h->latest[cell].changed : 0;
}

uint64_t
history_first_ns(const struct history *h, uint32_t cell)
{
	return cell < h->cells ? h->latest[cell].first_ns : 0;
}

static size_t
cache_bytes(const struct cache *c)
{
	size_t bytes = sizeof *c;

	for (size_t i = 0; i < CURSORS; i++) {
		if (c->cursors[i].values)
			bytes += sizeof(int64_t) * LOG_FIELDS * LOG_CELLS;
	}
	for (size_t i = 0; i < HISTORY_COLUMNS; i++) {
		for (unsigned f = 0; f < LOG_FIELDS; f++) {
			if (c->columns[i].field[f])
				bytes += sizeof(int64_t) * c->columns[i].count;
		}
	}
	return bytes;
}

size_t
history_bytes(const struct history *h)
{
	size_t bytes = h->log_bytes + sizeof *h->scratch +
	    h->cap * sizeof *h->snaps + h->id_cap * sizeof *h->ids +
	    h->cell_cap * sizeof *h->latest +
	    h->change_cap * sizeof *h->changes + h->log_cap * sizeof *h->logs +
	    cache_bytes(h->cache);

	for (size_t i = 0; i < h->log_count; i++)
		bytes += (h->logs[i].cap + h->logs[i].whole_cap) *
		    sizeof(struct log_entry);
	return bytes;
}
