#include "model/trend_track.h"

#include <stdlib.h>
#include <string.h>

#include "base/map.h"
#include "base/mem.h"
#include "model/frames.h"
#include "model/profile.h"
#include "model/report.h"

#define NS_PER_S  UINT64_C(1000000000)
#define NO_ROW    UINT32_MAX
#define NO_REPORT (UINT32_MAX - 1) /* in none of the report's stacks */
/* Cells that are neighbours are near each other in history. */
#define BLOCK 512

_Static_assert(TREND_SNAPSHOTS <= 32, "`missing` has a bit for each");

/* ---- which snapshots ------------------------------------------------------- */

/* Spans of time of which there are no more than there is room for. */
static uint64_t
span_ns(uint64_t whole)
{
	static const unsigned seconds[] = { 1, 2, 5, 10, 20, 30, 60, 120, 300,
		600, 1200, 1800, 3600, 7200, 14400, 43200, 86400 };
	size_t n = sizeof seconds / sizeof seconds[0], i = 0;
	uint64_t span;

	while (
	    i + 1 < n && whole / (seconds[i] * NS_PER_S) > TREND_SNAPSHOTS - 4)
		i++;
	for (span = seconds[i] * NS_PER_S; whole / span > TREND_SNAPSHOTS - 4;)
		span *= 2;
	return span;
}

static void
put(struct trends *t, const struct history *h, size_t i)
{
	t->ids[t->steps++] = history_at(h, i)->id;
}

/* The first of each span but where A or B is near. */
static void
choose_by_time(
    struct trends *t, const struct history *h, size_t from, size_t last)
{
	uint64_t span = span_ns(t->to_ns - t->from_ns), before = t->from_ns;

	for (size_t i = from + 1; i < last; i++) {
		uint64_t at = history_at(h, i)->totals.now_ns;

		if (at / span == before / span)
			continue;
		before = at;
		if (at - t->from_ns >= span / 2 && t->to_ns >= at + span / 2 &&
		    t->steps + 1 < TREND_SNAPSHOTS)
			put(t, h, i);
	}
}

static void
choose(struct trends *t, const struct history *h, size_t from, size_t last,
    bool timed)
{
	size_t n = last - from, most = TREND_SNAPSHOTS - 1;

	put(t, h, from);
	if (n > most && timed)
		choose_by_time(t, h, from, last);
	else if (n > most)
		for (size_t i = 1; i < most; i++)
			put(t, h, from + i * n / most);
	else
		for (size_t i = from + 1; i < last; i++)
			put(t, h, i);
	if (last > from)
		put(t, h, last);
	t->steps--;
}

void
trend_choose(struct trends *t, bool timed)
{
	const struct report *r = t->report;
	const struct history *h = profile_history(r->profiles[0]);
	const struct query *q = &r->query;
	size_t n = history_count(h), last = n, from;

	if (n == 0)
		return;
	if (q->at)
		last = history_index(h, q->at);
	last = last < n ? last : n - 1;
	from = q->base && !q->since_start ? history_index(h, q->base) : 0;
	if (from > last)
		from = last; /* A is after B: there is nothing between */
	t->snapshots = last - from + 1;
	t->from_ns = history_at(h, from)->totals.now_ns;
	t->to_ns = history_at(h, last)->totals.now_ns;
	t->timed = timed && t->to_ns > t->from_ns;
	choose(t, h, from, last, t->timed);
	for (size_t i = 0; i <= t->steps; i++) {
		size_t at = history_index(h, t->ids[i]);
		uint64_t ns = history_at(h, at)->totals.now_ns;

		t->ns[i] = ns;
		t->t[i] = t->timed
		    ? ((double)ns - (double)t->from_ns) / (double)NS_PER_S
		    : (double)(at - from);
	}
}

/* ---- which question -------------------------------------------------------- */

static uint64_t
mix_text(uint64_t h, const struct pattern *p)
{
	h = map_mix(h);
	for (const char *s = p ? p->text : ""; *s; s++)
		h = map_mix(h ^ (unsigned char)*s);
	return p ? h + 1 : h;
}

uint64_t
trend_question(const struct report *r)
{
	const struct query *q = &r->query;
	uint64_t h = map_mix((uint64_t)(uintptr_t)r->profiles[0]);
	bool named =
	    q->grouping != GROUP_STACKS && q->grouping != GROUP_THREADS;

	h = map_mix(h ^ (uint64_t)q->metric << 16 ^ (uint64_t)q->grouping << 8 ^
	    (uint64_t)q->cut);
	h = map_mix(h ^ (uint64_t)(uint32_t)q->thread);
	h = mix_text(mix_text(h, q->focus), q->ignore);
	h = mix_text(mix_text(h, q->show), q->hide);
	/* names say what is in a row; by sizes that changes all the time */
	if (named || q->focus || q->ignore || q->show || q->hide)
		h = map_mix(
		    h ^ frames_version(profile_frames_const(r->profiles[0])));
	return q->min_size > 0 || q->max_size > 0 ? 0 : h | 1;
}

/* ---- which row a cell is in ------------------------------------------------ */

struct rows {
	uint32_t *of; /* [index into report.stacks, or slot] */
	size_t count;
	bool threads;
};

static uint32_t
largest_slot(const struct report *r)
{
	const struct profile_owner *c = profile_owners(r->profiles[0]);
	uint32_t most = 0;
	size_t n;

	profile_cells(r->profiles[0], &n);
	for (size_t i = 0; i < n; i++)
		most = c[i].slot > most ? c[i].slot : most;
	return most;
}

static void
map_groups(const struct report *r, struct rows *rows)
{
	uint32_t *row_of = xcalloc(r->place_groups, sizeof *row_of);

	memset(row_of, 0xff, r->place_groups * sizeof *row_of);
	for (uint32_t i = 0; i < r->row_count; i++) {
		uint32_t group = r->places[r->rows[i].places[0]].group;

		if (group < r->place_groups)
			row_of[group] = i;
	}
	for (size_t i = 0; i < r->stack_count; i++) {
		uint32_t group = r->places[r->stacks[i].places[0]].group;

		if (group < r->place_groups)
			rows->of[i] = row_of[group];
	}
	free(row_of);
}

static struct rows
map_rows(const struct report *r)
{
	bool threads = r->query.grouping == GROUP_THREADS;
	struct rows rows = { .threads = threads,
		.count =
		    threads ? (size_t)largest_slot(r) + 1 : r->stack_count };

	rows.of = xreallocarray(NULL, rows.count + 1, sizeof *rows.of);
	memset(rows.of, 0xff, rows.count * sizeof *rows.of);
	if (!threads && r->query.grouping != GROUP_STACKS) {
		map_groups(r, &rows);
		return rows;
	}
	for (uint32_t i = 0; i < r->row_count; i++) {
		uint64_t at = threads ? r->rows[i].key : r->rows[i].stack;

		if (at < rows.count)
			rows.of[at] = i;
	}
	return rows;
}

/* ---- reading --------------------------------------------------------------- */

/* Where the numbers of a metric are among those of history. */
struct fields {
	enum history_field value, sd, also, samples, alloc, alloc_sd;
};

static struct fields
fields_of(enum metric m)
{
	bool bytes = metric_is_bytes(m), live = metric_is_live(m);
	struct fields f = {
		.alloc = bytes ? HISTORY_ALLOC_BYTES : HISTORY_ALLOC_OBJECTS,
		.alloc_sd =
		    bytes ? HISTORY_ALLOC_SD_BYTES : HISTORY_ALLOC_SD_OBJECTS,
		.samples = live ? HISTORY_LIVE_SAMPLES : HISTORY_ALLOC_SAMPLES,
	};

	f.value = !live ? f.alloc
	    : bytes     ? HISTORY_LIVE_BYTES
			: HISTORY_LIVE_OBJECTS;
	f.also = live && bytes ? HISTORY_LIVE_OBJECTS
	    : live             ? HISTORY_LIVE_BYTES
	    : bytes            ? HISTORY_ALLOC_OBJECTS
			       : HISTORY_ALLOC_BYTES;
	f.sd = !live ? f.alloc_sd
	    : bytes  ? HISTORY_LIVE_SD_BYTES
		     : HISTORY_LIVE_SD_OBJECTS;
	return f;
}

static void
add_values(struct trend_point *p, const struct history_values *v,
    const struct fields *f)
{
	int64_t n[HISTORY_FIELDS];

	memcpy(n, v, sizeof n);
	p->value += (double)n[f->value];
	p->var += (double)n[f->sd] * (double)n[f->sd];
	p->also += (double)n[f->also];
	p->alloc += (double)n[f->alloc];
	p->alloc_var += (double)n[f->alloc_sd] * (double)n[f->alloc_sd];
	p->samples += (double)n[f->samples];
	p->alloc_samples += (double)n[HISTORY_ALLOC_SAMPLES];
}

/* Cells that are wanted, and the tracks they add to; all near each other. */
struct block {
	uint32_t cell[BLOCK];
	struct trend_track *track[BLOCK];
	uint32_t missing; /* of any of them */
	size_t count;
};

static void
read_block(const struct trends *t, struct block *b, const struct fields *f,
    struct trend_track *all)
{
	const struct history *h = profile_history(t->report->profiles[0]);

	for (size_t k = 0; b->count > 0 && k <= t->steps; k++) {
		if (!all && !(b->missing >> k & 1))
			continue;
		for (size_t i = 0; i < b->count; i++) {
			struct trend_track *track = b->track[i];
			struct history_values v;

			if (!all && !(track->missing >> k & 1))
				continue;
			v = history_cell(h, b->cell[i], t->ids[k]);
			if (track && track->missing >> k & 1)
				add_values(&track->p[k], &v, f);
			if (all)
				add_values(&all->p[k], &v, f);
		}
	}
	b->count = 0;
	b->missing = 0;
}

void
trend_map(struct trends *t)
{
	const struct report *r = t->report;
	struct rows rows = map_rows(r);
	const struct profile_owner *c = profile_owners(r->profiles[0]);
	size_t n;

	profile_cells(r->profiles[0], &n);
	t->row_of = xreallocarray(NULL, n + 1, sizeof *t->row_of);
	t->cells = n;
	for (size_t i = 0; i < n; i++) {
		uint32_t stack = r->stack_index[0][c[i].stack], at;

		t->row_of[i] = NO_REPORT;
		if (!stack ||
		    (r->query.thread >= 0 && c[i].slot != r->query.thread))
			continue;
		at = rows.threads ? c[i].slot : stack - 1;
		t->row_of[i] = at < rows.count ? rows.of[at] : NO_ROW;
	}
	free(rows.of);
}

/* The track of a row that is read, or NULL. */
static struct trend_track *
track_of(const struct trends *t, uint32_t row, size_t from)
{
	uint32_t at = row >= NO_REPORT ? UINT32_MAX : t->at[row];

	return at == UINT32_MAX || at < from ? NULL
					     : &t->tracks[at - t->track_from];
}

void
trend_read(struct trends *t, size_t from, struct trend_track *all)
{
	struct fields f = fields_of(t->report->query.metric);
	struct block *b = xcalloc(1, sizeof *b);

	for (size_t i = 0; i < t->cells; i++) {
		struct trend_track *track;

		if (i % BLOCK == 0)
			read_block(t, b, &f, all);
		if (t->row_of[i] == NO_REPORT)
			continue;
		track = track_of(t, t->row_of[i], from);
		if (!all && !(track && track->missing))
			continue;
		b->cell[b->count] = (uint32_t)i;
		b->missing |= track ? track->missing : 0;
		b->track[b->count++] = track;
	}
	read_block(t, b, &f, all);
	for (size_t i = from; i < t->count; i++)
		t->tracks[i - t->track_from].missing = 0;
	free(b);
}

/* A cell at a moment: from what was unpacked, if it has changed since. */
static void
add_end(struct trend_point *p, const struct fields *f, const struct history *h,
    uint32_t cell, snap_id id, const struct history_columns *c)
{
	struct history_values v;
	int64_t n[HISTORY_FIELDS] = { 0 };

	if (history_last(h, cell) <= id || cell >= c->count) {
		v = history_cell(h, cell, id);
		add_values(p, &v, f);
		return;
	}
	n[f->value] = c->field[f->value][cell];
	n[f->sd] = c->field[f->sd][cell];
	n[f->alloc] = c->field[f->alloc][cell];
	n[f->alloc_sd] = c->field[f->alloc_sd][cell];
	memcpy(&v, n, sizeof v);
	add_values(p, &v, f);
}

void
trend_read_ends(
    const struct trends *t, const uint32_t *which, struct trend_point *ends)
{
	const struct history *h = profile_history(t->report->profiles[0]);
	struct fields f = fields_of(t->report->query.metric);
	unsigned mask =
	    1u << f.value | 1u << f.sd | 1u << f.alloc | 1u << f.alloc_sd;
	size_t newest = history_count(h) - 1;
	snap_id first = t->ids[0], last = t->ids[t->steps];
	struct history_columns was = history_columns(h, first, mask), is = was;

	/* as of the newest no cell has to be unpacked */
	if (last != history_at(h, newest)->id)
		is = history_columns(h, last, mask);
	for (size_t i = 0; i < t->cells; i++) {
		uint32_t row = t->row_of[i], cell = (uint32_t)i;
		struct trend_point *to;

		if (row >= NO_REPORT || which[row] == UINT32_MAX)
			continue;
		to = &ends[2 * which[row]];
		add_end(&to[0], &f, h, cell, first, &was);
		add_end(&to[1], &f, h, cell, last, &is);
	}
}
