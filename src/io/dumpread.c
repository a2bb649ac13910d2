#include "io/dumpread.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/err.h"
#include "base/map.h"
#include "base/mem.h"
#include "io/domain.h"
#include "io/dumpread_int.h"
#include "model/births.h"
#include "model/profile.h"
#include "model/stacks.h"
#include "prof/format.h"
#include "prof/table.h"

/* No table holds more than this. */
#define STACK_BYTES_MAX ((uint64_t)TABLE_CHUNK * TABLE_CHUNKS)
#define CELLS_MAX       ((uint64_t)CELL_SEG * CELL_SEGS)

struct dumpread {
	struct profile *profile;
	char *source;
	void (*on_snapshot)(void *);
	void *snapshot_arg;
	void (*tap)(void *, const void *, size_t);
	void *tap_arg;
	struct buf taped; /* the dump so far, for the tap */

	struct frame_head head;
	size_t have;       /* bytes of head and payload read so far */
	uint64_t at;       /* bytes of the stream read so far */
	uint64_t frame_at; /* where this frame began */
	unsigned char payload[FRAME_MAX];
	struct profile_frame frames[FRAMES_MAX];

	bool in_dump; /* after a hello, before its end */
	bool lenient;
	bool named; /* pid and image below are known */
	uint32_t pid;
	uint64_t image_ns;
	struct end_frame seen;
	bool totals_seen, ages_seen;
	uint64_t stack_bytes; /* of all stacks put in */
	unsigned snapshots;
	uint64_t skipped; /* what a lenient reader left out */
	/* pools by module: 1 the one that was chosen, 0 another; and stacks
	 * that are not of the domain that is read */
	struct map pools, hidden;

	bool failed;
	struct err error;
};

struct dumpread *
dumpread_new(struct profile *p, const char *source)
{
	struct dumpread *d = xcalloc(1, sizeof *d);

	d->profile = p;
	d->source = xstrdup(source);
	return d;
}

void
dumpread_free(struct dumpread *d)
{
	if (d == NULL)
		return;
	buf_fini(&d->taped);
	map_fini(&d->pools);
	map_fini(&d->hidden);
	free(d->source);
	free(d);
}

void
dumpread_on_snapshot(struct dumpread *d, void (*fn)(void *), void *arg)
{
	d->on_snapshot = fn;
	d->snapshot_arg = arg;
}

void
dumpread_tap(
    struct dumpread *d, void (*fn)(void *, const void *, size_t), void *arg)
{
	d->tap = fn;
	d->tap_arg = arg;
	buf_clear(&d->taped);
}

void
dumpread_lenient(struct dumpread *d, bool on)
{
	d->lenient = on;
}

uint64_t
dumpread_skipped(const struct dumpread *d)
{
	return d->skipped;
}

int
dumpread_busy(const struct dumpread *d)
{
	return d->in_dump || d->have > 0;
}

unsigned
dumpread_snapshots(const struct dumpread *d)
{
	return d->snapshots;
}

void
dumpread_restart(struct dumpread *d)
{
	d->have = 0;
	d->at = 0;
	d->in_dump = false;
	d->failed = false;
	d->error.msg[0] = 0;
	buf_clear(&d->taped);
}

static int
damaged(struct dumpread *d, struct err *e, const char *what)
{
	return err_set(e, "the stream of %s is damaged at byte %llu: %s",
	    d->source, (unsigned long long)d->frame_at, what);
}

/* A string of `len` bytes as a C string: a NUL inside ends it. */
static char *
text_of(const unsigned char *p, size_t len)
{
	return xstrndup((const char *)p, len);
}

/* Arguments separated by NUL bytes, joined by blanks. */
static char *
command_of(const unsigned char *p, size_t len)
{
	char *s;

	while (len > 0 && p[len - 1] == 0)
		len--;
	s = xmalloc(len + 1);
	for (size_t i = 0; i < len; i++)
		s[i] = p[i] == 0 ? ' ' : (char)p[i];
	s[len] = 0;
	return s;
}

void
hello_text_fini(struct hello_text *t)
{
	free(t->image);
	free(t->command);
	t->image = t->command = NULL;
}

int
dumpread_hello(const void *payload, size_t size, const char *source,
    struct hello_text *text, struct profile_facts *out, struct err *e)
{
	const unsigned char *p =
	    (const unsigned char *)payload + sizeof(struct hello);
	struct hello h;

	text->image = text->command = NULL;
	if (size < sizeof h)
		return err_set(e, "the greeting of %s is too short", source);
	memcpy(&h, payload, sizeof h);
	if (h.magic != FORMAT_MAGIC)
		return err_set(e, "%s does not speak heaptop's stream", source);
	if (h.version != FORMAT_VERSION)
		return err_set(e,
		    "%s speaks version %u of the stream and this heaptop "
		    "version %u: use heaptop and libheaptop.so of one release",
		    source, (unsigned)h.version, FORMAT_VERSION);
	if (h.image_len > PATH_BYTES || h.command_len > PATH_BYTES ||
	    h.build_id_len > BUILD_ID_MAX ||
	    size != sizeof h + h.image_len + h.command_len + h.build_id_len)
		return err_set(e,
		    "the greeting of %s has lengths that do not fit", source);
	memset(out, 0, sizeof *out);
	text->image = text_of(p, h.image_len);
	text->command = command_of(p + h.image_len, h.command_len);
	memset(text->build_id, 0, sizeof text->build_id);
	memcpy(text->build_id, p + h.image_len + h.command_len, h.build_id_len);
	out->pid = h.pid;
	out->ppid = h.ppid;
	out->start_ticks = h.start_ticks;
	out->image_ns = h.image_ns;
	out->wall_ns = h.wall_ns;
	out->flags = h.flags;
	out->image = text->image;
	out->command = text->command;
	out->build_id = text->build_id;
	out->build_id_len = h.build_id_len;
	out->source = "stream";
	return 0;
}

static int
take_hello(struct dumpread *d, size_t size, struct err *e)
{
	struct hello_text text;
	struct profile_facts f;
	int r = -1;

	if (d->in_dump)
		return damaged(d, e, "a dump begins inside another");
	if (dumpread_hello(d->payload, size, d->source, &text, &f, e) < 0)
		return -1;
	if (d->named && (f.pid != d->pid || f.image_ns != d->image_ns)) {
		damaged(d, e, "another process follows in it");
		goto out;
	}
	d->named = true;
	d->pid = f.pid;
	d->image_ns = f.image_ns;
	d->in_dump = true;
	d->totals_seen = d->ages_seen = false;
	memset(&d->seen, 0, sizeof d->seen);
	profile_put_facts(d->profile, &f);
	r = 0;
out:
	hello_text_fini(&text);
	return r;
}

static int
take_totals(struct dumpread *d, size_t size, struct err *e)
{
	struct profile_totals t = { 0 };
	struct totals w;

	if (size != sizeof w)
		return damaged(d, e, "totals of a wrong size");
	memcpy(&w, d->payload, sizeof w);
	if (w.lg_sample > 63)
		return damaged(d, e, "a sampling rate beyond 2^63");
	t.now_ns = w.now_ns;
	t.exact_ns = w.exact_ns;
	t.live_bytes = w.live_bytes;
	t.live_objects = w.live_objects;
	t.alloc_bytes = w.alloc_bytes;
	t.mapped_bytes = w.mapped_bytes;
	t.cached_bytes = w.cached_bytes;
	t.dirty_bytes = w.dirty_bytes;
	t.meta_bytes = w.meta_bytes;
	t.samples = w.samples;
	t.samples_live = w.samples_live;
	t.inactive_ns = w.inactive_ns;
	t.lg_sample = w.lg_sample;
	t.rate_changes = w.rate_changes;
	t.active = w.active != 0;
	for (int i = 0; i < LOSS_COUNT; i++)
		t.lost[i] = w.lost[i];
	d->totals_seen = true;
	/* what was counted exactly is malloc's */
	if (domain_pool())
		t.exact_ns = t.live_bytes = t.live_objects = t.alloc_bytes = 0;
	profile_put_totals(d->profile, &t);
	return 0;
}

/* A refusal of the profile: a defect, or left out by a lenient reader. */
static int
refused(struct dumpread *d, const struct err *why, struct err *e)
{
	if (!d->lenient)
		return damaged(d, e, why->msg);
	d->skipped++;
	return 0;
}

static int
take_module(struct dumpread *d, size_t size, struct err *e)
{
	const unsigned char *p = d->payload;
	struct module_frame m;
	struct err why;
	bool chosen;
	char *path;
	int r;

	if (size < sizeof m)
		return damaged(d, e, "a module of a wrong size");
	memcpy(&m, p, sizeof m);
	p += sizeof m;
	if (m.build_id_len > BUILD_ID_MAX || m.path_len > PATH_BYTES ||
	    size != sizeof m + m.build_id_len + m.path_len)
		return damaged(d, e, "a module of a wrong size");
	if (m.id > MODULE_SEG * MODULE_SEGS)
		return damaged(d, e, "more modules than a table can hold");
	path = text_of(p + m.build_id_len, m.path_len);
	if (m.start == m.end && domain_is_pool(path, &chosen))
		*map_put(&d->pools, m.id) = chosen;
	r = profile_put_module(d->profile, m.id, m.start, m.end, m.bias, p,
	    m.build_id_len, path, &why);
	free(path);
	d->seen.modules++;
	return r < 0 ? refused(d, &why, e) : 0;
}

static int
take_thread(struct dumpread *d, size_t size, struct err *e)
{
	struct thread_frame t;
	char *name;

	if (size < sizeof t)
		return damaged(d, e, "a thread of a wrong size");
	memcpy(&t, d->payload, sizeof t);
	if (size != sizeof t + t.name_len)
		return damaged(d, e, "a thread of a wrong size");
	if (t.slot >= TABLE_SLOTS)
		return damaged(d, e, "a thread slot that does not exist");
	name = text_of(d->payload + sizeof t, t.name_len);
	profile_put_thread(d->profile, t.slot, t.tid, t.ended, name);
	free(name);
	d->seen.threads++;
	return 0;
}

/* A stack of a pool ends in its module, which is no frame.  False if it is not
 * of the domain that is read. */
static bool
of_domain(const struct dumpread *d, struct stack_frame *s)
{
	uint32_t pool;

	if (!(s->flags & STACK_POOL))
		return !domain_pool();
	pool = map_find(&d->pools, d->frames[s->count - 1].module);
	s->flags &= (uint16_t)~STACK_POOL;
	return s->count-- > 1 && pool == 1;
}

static int
take_stack(struct dumpread *d, size_t size, struct err *e)
{
	struct stack_frame s;
	uint32_t before;
	struct err why;

	if (size < sizeof s)
		return damaged(d, e, "a stack of a wrong size");
	memcpy(&s, d->payload, sizeof s);
	if (s.count == 0 || s.count > FRAMES_MAX ||
	    size != sizeof s + s.count * sizeof(uint64_t))
		return damaged(d, e, "a stack of a wrong size");
	for (size_t i = 0; i < s.count; i++) {
		uint64_t w;

		memcpy(&w, d->payload + sizeof s + i * sizeof w, sizeof w);
		d->frames[i].module = (uint32_t)(w >> FRAME_OFFSET_BITS);
		d->frames[i].offset = w & FRAME_OFFSET_MASK;
	}
	d->seen.stacks++;
	if (!of_domain(d, &s)) {
		*map_put(&d->hidden, s.id) = 1;
		return 0;
	}
	before = stacks_count(profile_stacks(d->profile));
	if (profile_put_stack(
		d->profile, s.id, s.flags, d->frames, s.count, &why) < 0)
		return refused(d, &why, e);
	if (stacks_count(profile_stacks(d->profile)) == before)
		return 0;
	d->stack_bytes += size;
	if (d->stack_bytes > STACK_BYTES_MAX)
		return damaged(d, e, "more stacks than a table can hold");
	return 0;
}

/* A variance as it may stand in the model: what is no number is 0. */
static double
variance(double v)
{
	return isfinite(v) && v > 0 ? v : 0;
}

static int
take_cell(struct dumpread *d, const struct cell_frame *c, struct err *e)
{
	const double object = 1u << EST_OBJECT_SHIFT;
	const double byte = 1u << EST_BYTE_SHIFT;
	struct cell_values v;
	struct err why;

	if (c->slot >= TABLE_SLOTS)
		return damaged(d, e, "a thread slot that does not exist");
	if (map_find(&d->hidden, c->stack) != MAP_NONE)
		return 0;
	v.live_bytes = (double)c->live_est_bytes / byte;
	v.live_objects = (double)c->live_est_objects / object;
	v.alloc_bytes = (double)c->alloc_est_bytes / byte;
	v.alloc_objects = (double)c->alloc_est_objects / object;
	v.live_var_bytes = variance(c->live_var_bytes);
	v.live_var_objects = variance(c->live_var_objects);
	v.alloc_var_bytes = variance(c->alloc_var_bytes);
	v.alloc_var_objects = variance(c->alloc_var_objects);
	v.live_samples = c->live_raw_objects;
	v.alloc_samples = c->alloc_raw_objects;
	v.live_raw_bytes = c->live_raw_bytes;
	v.alloc_raw_bytes = c->alloc_raw_bytes;
	if (profile_put_cell(d->profile, c->stack, c->slot, &v, &why) < 0)
		return refused(d, &why, e);
	profile_put_life(d->profile, c->stack, c->slot, c->life);
	return 0;
}

static int
take_cells(struct dumpread *d, size_t size, struct err *e)
{
	struct cell_frame c;

	if (size == 0 || size % sizeof c != 0)
		return damaged(d, e, "cells of a wrong size");
	for (size_t at = 0; at < size; at += sizeof c) {
		memcpy(&c, d->payload + at, sizeof c);
		if (d->seen.cells == CELLS_MAX)
			return damaged(
			    d, e, "more cells than a table can hold");
		d->seen.cells++;
		if (take_cell(d, &c, e) < 0)
			return -1;
	}
	return 0;
}

static int
take_ages(struct dumpread *d, size_t size, struct err *e)
{
	struct ages_frame a;

	if (size != sizeof a)
		return damaged(d, e, "ages of a wrong size");
	memcpy(&a, d->payload, sizeof a);
	d->ages_seen = true;
	births_begin(profile_births(d->profile), a.start_ns, a.untold,
	    a.flags & AGES_WHOLE);
	return 0;
}

static int
impossible(struct dumpread *d, uint32_t number, struct err *e)
{
	struct err why;

	err_set(&why, "%u is not a possible object", number);
	return refused(d, &why, e);
}

static int
take_death(struct dumpread *d, uint32_t number, struct err *e)
{
	d->seen.births++;
	if (!births_put_death(profile_births(d->profile), number))
		return impossible(d, number, e);
	return 0;
}

static int
take_deaths(struct dumpread *d, size_t size, struct err *e)
{
	uint32_t number;

	if (size == 0 || size % sizeof number != 0 || !d->ages_seen)
		return damaged(d, e, "deaths of a wrong size, or no ages");
	for (size_t at = 0; at < size; at += sizeof number) {
		memcpy(&number, d->payload + at, sizeof number);
		if (take_death(d, number, e) < 0)
			return -1;
	}
	return 0;
}

static int
take_birth(struct dumpread *d, const struct birth_frame *b, struct err *e)
{
	struct birth_told t = { .number = b->number,
		.cell = profile_find_cell(d->profile, b->stack, b->slot),
		.size = b->size,
		.birth = b->birth,
		.lg_sample = b->lg_sample,
		.lg_thin = b->lg_thin };

	/* who had the number before is no more */
	if (map_find(&d->hidden, b->stack) != MAP_NONE)
		return take_death(d, b->number, e);
	d->seen.births++;
	if (t.cell == UINT32_MAX || !births_put(profile_births(d->profile), &t))
		return impossible(d, b->number, e);
	return 0;
}

static int
take_births(struct dumpread *d, size_t size, struct err *e)
{
	struct birth_frame b;

	if (size == 0 || size % sizeof b != 0 || !d->ages_seen)
		return damaged(d, e, "births of a wrong size, or no ages");
	for (size_t at = 0; at < size; at += sizeof b) {
		memcpy(&b, d->payload + at, sizeof b);
		if (take_birth(d, &b, e) < 0)
			return -1;
	}
	return 0;
}

static int
take_end(struct dumpread *d, size_t size, struct err *e)
{
	struct end_frame end;

	if (size != sizeof end)
		return damaged(d, e, "an end of a wrong size");
	memcpy(&end, d->payload, sizeof end);
	if (end.modules != d->seen.modules || end.threads != d->seen.threads ||
	    end.stacks != d->seen.stacks || end.cells != d->seen.cells ||
	    end.births != d->seen.births)
		return damaged(d, e, "frames of the dump are missing");
	if (!d->totals_seen)
		return damaged(d, e, "a dump without totals");
	d->in_dump = false;
	d->snapshots++;
	profile_commit(d->profile);
	return 0;
}

static int
take_frame(struct dumpread *d, struct err *e)
{
	size_t size = d->head.size;

	if (d->head.kind == FRAME_HELLO)
		return take_hello(d, size, e);
	if (!d->in_dump)
		return damaged(d, e, "a dump without its beginning");
	switch (d->head.kind) {
	case FRAME_TOTALS: return take_totals(d, size, e);
	case FRAME_MODULE: return take_module(d, size, e);
	case FRAME_THREAD: return take_thread(d, size, e);
	case FRAME_STACK: return take_stack(d, size, e);
	case FRAME_CELLS: return take_cells(d, size, e);
	case FRAME_AGES: return take_ages(d, size, e);
	case FRAME_DEATHS: return take_deaths(d, size, e);
	case FRAME_BIRTHS: return take_births(d, size, e);
	case FRAME_END: return take_end(d, size, e);
	}
	return 0; /* of a later version: skipped */
}

/* The frame is whole: take it, tell those who want to know. */
static int
finish_frame(struct dumpread *d, struct err *e)
{
	d->have = 0;
	if (take_frame(d, e) < 0)
		return -1;
	if (d->tap != NULL) {
		buf_put(&d->taped, &d->head, sizeof d->head);
		buf_put(&d->taped, d->payload, d->head.size);
	}
	if (d->head.kind != FRAME_END)
		return 0;
	if (d->tap != NULL) {
		d->tap(d->tap_arg, d->taped.data, d->taped.len);
		buf_clear(&d->taped);
	}
	if (d->on_snapshot != NULL)
		d->on_snapshot(d->snapshot_arg);
	return 0;
}

/* Move up to `want` bytes on; how many there were. */
static size_t
take_bytes(struct dumpread *d, void *to, size_t want, const unsigned char **p,
    size_t *left)
{
	size_t n = *left < want ? *left : want;

	memcpy(to, *p, n);
	*p += n;
	*left -= n;
	d->have += n;
	d->at += n;
	return n;
}

static int
feed(struct dumpread *d, const unsigned char *p, size_t left, struct err *e)
{
	const size_t head = sizeof d->head;

	while (left > 0) {
		if (d->have < head) {
			if (d->have == 0)
				d->frame_at = d->at;
			take_bytes(d, (unsigned char *)&d->head + d->have,
			    head - d->have, &p, &left);
			if (d->have < head)
				return 0;
			if (d->head.size > FRAME_MAX || d->head.zero != 0)
				return damaged(d, e, "no frame begins here");
		}
		take_bytes(d, d->payload + (d->have - head),
		    d->head.size - (d->have - head), &p, &left);
		if (d->have == head + d->head.size && finish_frame(d, e) < 0)
			return -1;
	}
	return 0;
}

int
dumpread_feed(struct dumpread *d, const void *data, size_t len, struct err *e)
{
	if (!d->failed && feed(d, data, len, &d->error) < 0)
		d->failed = true;
	return d->failed ? err_set(e, "%s", d->error.msg) : 0;
}

int
dumpread_finish(struct dumpread *d, struct err *e)
{
	if (d->failed)
		return err_set(e, "%s", d->error.msg);
	if (dumpread_busy(d))
		return err_set(e,
		    "the stream of %s ends inside a dump, at byte %llu",
		    d->source, (unsigned long long)d->at);
	if (d->snapshots == 0)
		return err_set(e, "the stream of %s holds no dump", d->source);
	return 0;
}
