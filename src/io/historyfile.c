#include "io/historyfile.h"

#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/err.h"
#include "base/mem.h"
#include "io/recordfile.h"
#include "model/births.h"
#include "model/frames.h"
#include "model/history.h"
#include "model/modules.h"
#include "model/profile.h"
#include "model/stacks.h"
#include "prof/format.h"
#include "prof/table.h"

/* Cells of a frame; births of one, and deaths. */
#define CELLS_MAX  (FRAME_MAX / sizeof(struct cell_frame))
#define LIVES_MAX  (FRAME_MAX / sizeof(struct birth_frame))
#define DEATHS_MAX (FRAME_MAX / sizeof(uint32_t))

#define ALL_FIELDS ((1u << HISTORY_FIELDS) - 1)

struct writer {
	const struct profile *p;
	struct buf out;  /* the dump so far */
	struct buf body; /* the frame that is being made */
	struct end_frame sent;
	struct cell_frame cells[CELLS_MAX];
	size_t cell_count;
	uint8_t *told;  /* [cell]: it has been written */
	uint8_t *alive; /* [birth]: it has been written, and not its death */
	bool ages;      /* births have been written at all */
};

static void
end_frame(struct writer *w, enum frame_kind kind)
{
	struct frame_head h = { (uint32_t)w->body.len, (uint16_t)kind, 0 };

	buf_put(&w->out, &h, sizeof h);
	buf_put(&w->out, w->body.data, w->body.len);
	buf_clear(&w->body);
}

static size_t
length(const char *s, size_t max)
{
	return strnlen(s, max);
}

static void
put_hello(struct writer *w)
{
	const struct profile_facts *f = profile_facts(w->p);
	size_t image = length(f->image, PATH_BYTES);
	size_t command = length(f->command, PATH_BYTES);
	size_t build_id =
	    f->build_id_len <= BUILD_ID_MAX ? f->build_id_len : BUILD_ID_MAX;
	struct hello h = {
		.magic = FORMAT_MAGIC,
		.version = FORMAT_VERSION,
		.flags = f->flags,
		.pid = f->pid,
		.ppid = f->ppid,
		.start_ticks = f->start_ticks,
		.image_ns = f->image_ns,
		.wall_ns = f->wall_ns,
		.image_len = (uint16_t)image,
		.command_len = (uint16_t)command,
		.build_id_len = (uint8_t)build_id,
	};

	buf_put(&w->body, &h, sizeof h);
	buf_put(&w->body, f->image, image);
	buf_put(&w->body, f->command, command);
	buf_put(&w->body, f->build_id, build_id);
	end_frame(w, FRAME_HELLO);
}

static void
put_modules(struct writer *w)
{
	const struct modules *modules = profile_modules(w->p);

	for (uint32_t id = 1; id <= modules_max(modules); id++) {
		const struct module *m = modules_find(modules, id);
		struct module_frame f = { .id = id };

		if (!m)
			continue;
		f.path_len = (uint16_t)length(m->path, PATH_BYTES);
		f.build_id_len = (uint8_t)m->build_id_len;
		f.start = m->start;
		f.end = m->end;
		f.bias = m->bias;
		buf_put(&w->body, &f, sizeof f);
		buf_put(&w->body, m->build_id, m->build_id_len);
		buf_put(&w->body, m->path, f.path_len);
		end_frame(w, FRAME_MODULE);
		w->sent.modules++;
	}
}

static void
put_threads(struct writer *w)
{
	uint32_t slots = profile_thread_slots(w->p);

	for (uint32_t i = 0; i < slots && i < TABLE_SLOTS; i++) {
		uint16_t slot = (uint16_t)i;
		const char *name = profile_thread_name(w->p, slot);
		struct thread_frame f = { .slot = slot };

		f.tid = profile_thread_tid(w->p, slot);
		if (!*name && !f.tid)
			continue;
		f.ended = profile_thread_ended(w->p, slot) != 0;
		f.name_len = (uint8_t)length(name, UINT8_MAX);
		buf_put(&w->body, &f, sizeof f);
		buf_put(&w->body, name, f.name_len);
		end_frame(w, FRAME_THREAD);
		w->sent.threads++;
	}
}

static void
put_stacks(struct writer *w)
{
	const struct stacks *stacks = profile_stacks(w->p);
	const struct frames *frames = profile_frames_const(w->p);

	for (stack_id id = 1; id <= stacks_count(stacks); id++) {
		const struct stack *s = stacks_at(stacks, id);
		struct stack_frame f = { .id = id };

		f.count =
		    (uint16_t)(s->count < FRAMES_MAX ? s->count : FRAMES_MAX);
		f.flags = (uint16_t)s->flags;
		buf_put(&w->body, &f, sizeof f);
		for (uint32_t i = 0; i < f.count; i++) {
			uint64_t at = frames_offset(frames, s->frames[i]);
			uint64_t in = frames_module(frames, s->frames[i]);

			at = (at & FRAME_OFFSET_MASK) | in << FRAME_OFFSET_BITS;
			buf_put(&w->body, &at, sizeof at);
		}
		end_frame(w, FRAME_STACK);
		w->sent.stacks++;
	}
}

/* ---- figures ---- */

static uint64_t
fixed(double v, unsigned shift)
{
	double scaled = ldexp(v, (int)shift);

	return scaled >= 18e18 ? UINT64_C(18000000000000000000)
	    : scaled > 0       ? (uint64_t)(scaled + 0.5)
			       : 0;
}

static void
end_cells(struct writer *w)
{
	if (w->cell_count == 0)
		return;
	buf_put(&w->body, w->cells, w->cell_count * sizeof w->cells[0]);
	end_frame(w, FRAME_CELLS);
	w->sent.cells += (uint32_t)w->cell_count;
	w->cell_count = 0;
}

static void
put_values(struct writer *w, const struct profile_cell *c,
    const struct cell_values *v, const uint32_t *life)
{
	struct cell_frame f = { .stack = c->stack, .slot = c->slot };

	f.live_raw_objects = v->live_samples;
	f.live_raw_bytes = v->live_raw_bytes;
	f.live_est_objects = fixed(v->live_objects, EST_OBJECT_SHIFT);
	f.live_est_bytes = fixed(v->live_bytes, EST_BYTE_SHIFT);
	f.alloc_raw_objects = v->alloc_samples;
	f.alloc_raw_bytes = v->alloc_raw_bytes;
	f.alloc_est_objects = fixed(v->alloc_objects, EST_OBJECT_SHIFT);
	f.alloc_est_bytes = fixed(v->alloc_bytes, EST_BYTE_SHIFT);
	f.live_var_bytes = v->live_var_bytes;
	f.live_var_objects = v->live_var_objects;
	f.alloc_var_bytes = v->alloc_var_bytes;
	f.alloc_var_objects = v->alloc_var_objects;
	if (life)
		memcpy(f.life, life, sizeof f.life);
	w->cells[w->cell_count++] = f;
	if (w->cell_count == CELLS_MAX)
		end_cells(w);
}

static void
put_cell(struct writer *w, const struct profile_cell *c,
    const struct cell_values *v, const uint32_t *life)
{
	size_t n;
	const struct profile_cell *first = profile_cells(w->p, &n);

	w->told[c - first] = 1;
	put_values(w, c, v, life);
}

static int64_t
value(const struct history_columns *c, unsigned field, size_t cell)
{
	return cell < c->count ? c->field[field][cell] : 0;
}

static double
squared(int64_t v)
{
	return (double)v * (double)v;
}

/* As history keeps it. */
static void
put_past(struct writer *w, const struct history_columns *c,
    const struct profile_cell *cell, size_t i)
{
	struct cell_values v = { 0 };

	v.live_bytes = (double)value(c, HISTORY_LIVE_BYTES, i);
	v.live_objects = (double)value(c, HISTORY_LIVE_OBJECTS, i);
	v.alloc_bytes = (double)value(c, HISTORY_ALLOC_BYTES, i);
	v.alloc_objects = (double)value(c, HISTORY_ALLOC_OBJECTS, i);
	v.live_samples = (uint64_t)value(c, HISTORY_LIVE_SAMPLES, i);
	v.alloc_samples = (uint64_t)value(c, HISTORY_ALLOC_SAMPLES, i);
	v.live_var_bytes = squared(value(c, HISTORY_LIVE_SD_BYTES, i));
	v.live_var_objects = squared(value(c, HISTORY_LIVE_SD_OBJECTS, i));
	v.alloc_var_bytes = squared(value(c, HISTORY_ALLOC_SD_BYTES, i));
	v.alloc_var_objects = squared(value(c, HISTORY_ALLOC_SD_OBJECTS, i));
	put_cell(w, cell, &v, NULL);
}

static bool
changed(const struct history_columns *was, const struct history_columns *is,
    size_t cell)
{
	for (unsigned f = 0; f < HISTORY_FIELDS; f++)
		if (value(was, f, cell) != value(is, f, cell))
			return true;
	return false;
}

static void
put_changes(struct writer *w, snap_id before, snap_id at)
{
	const struct history *h = profile_history(w->p);
	struct history_columns was = { .count = 0 }, is;
	const struct profile_cell *cells;
	size_t n;

	cells = profile_cells(w->p, &n);
	if (before)
		was = history_columns(h, before, ALL_FIELDS);
	is = history_columns(h, at, ALL_FIELDS);
	for (size_t i = 0; i < n && i < is.count; i++)
		if (changed(&was, &is, i))
			put_past(w, &is, &cells[i], i);
	end_cells(w);
}

/* The newest is known as it was told, lifetimes and all. */
static void
put_newest(struct writer *w)
{
	const struct profile_cell *cells;
	size_t n;

	cells = profile_cells(w->p, &n);
	for (size_t i = 0; i < n; i++)
		put_cell(
		    w, &cells[i], &cells[i].v, profile_life(w->p, (uint32_t)i));
	end_cells(w);
}

/* ---- births ---- */

static void
put_death(struct writer *w, uint32_t number)
{
	buf_put(&w->body, &number, sizeof number);
	w->sent.births++;
	if (w->body.len == DEATHS_MAX * sizeof number)
		end_frame(w, FRAME_DEATHS);
}

static void
put_deaths(struct writer *w, snap_id at)
{
	size_t n;
	const struct birth *all = births_all(profile_births(w->p), &n);

	for (size_t i = 0; i < n; i++) {
		if (!w->alive[i] || birth_lives(&all[i], at))
			continue;
		w->alive[i] = 0;
		put_death(w, (uint32_t)i);
	}
	if (w->body.len > 0)
		end_frame(w, FRAME_DEATHS);
}

static void
put_birth(struct writer *w, uint32_t number, const struct birth *b)
{
	size_t n;
	const struct profile_cell *c = &profile_cells(w->p, &n)[b->cell];
	struct birth_frame f = { .number = number,
		.stack = c->stack,
		.size = birth_size(b),
		.birth = b->birth,
		.slot = c->slot,
		.lg_sample = (uint8_t)b->lg_sample,
		.lg_thin = (uint8_t)(3 * b->thin) };

	buf_put(&w->body, &f, sizeof f);
	w->sent.births++;
	if (w->body.len == LIVES_MAX * sizeof f)
		end_frame(w, FRAME_BIRTHS);
}

/* Those whose cells have not been written wait for them. */
static void
put_births(struct writer *w, snap_id at)
{
	size_t n;
	const struct birth *all = births_all(profile_births(w->p), &n);

	for (size_t i = 0; i < n; i++) {
		if (w->alive[i] || !birth_lives(&all[i], at) ||
		    !w->told[all[i].cell])
			continue;
		w->alive[i] = 1;
		put_birth(w, (uint32_t)i, &all[i]);
	}
	if (w->body.len > 0)
		end_frame(w, FRAME_BIRTHS);
}

/* From the first snapshot on of which all that lived are known.  An index is
 * the number here. */
static void
put_ages(struct writer *w, snap_id at)
{
	const struct births *b = profile_births(w->p);
	struct ages_frame f = {
		.start_ns = births_start_ns(b),
		.untold = births_short(b),
		.flags = w->ages ? 0 : AGES_WHOLE,
	};

	if (!births_known(b, at))
		return;
	w->ages = true;
	buf_put(&w->body, &f, sizeof f);
	end_frame(w, FRAME_AGES);
	put_deaths(w, at);
	put_births(w, at);
}

static void
put_totals(struct writer *w, const struct profile_totals *t)
{
	struct totals f = {
		.now_ns = t->now_ns,
		.exact_ns = t->exact_ns,
		.live_bytes = t->live_bytes,
		.live_objects = t->live_objects,
		.alloc_bytes = t->alloc_bytes,
		.mapped_bytes = t->mapped_bytes,
		.cached_bytes = t->cached_bytes,
		.dirty_bytes = t->dirty_bytes,
		.meta_bytes = t->meta_bytes,
		.samples = t->samples,
		.samples_live = t->samples_live,
		.inactive_ns = t->inactive_ns,
		.lg_sample = t->lg_sample,
		.rate_changes = t->rate_changes,
		.active = t->active != 0,
		.stacks = stacks_count(profile_stacks(w->p)),
	};

	for (unsigned i = 0; i < LOSS_COUNT; i++)
		f.lost[i] = t->lost[i];
	buf_put(&w->body, &f, sizeof f);
	end_frame(w, FRAME_TOTALS);
}

static void
make_dump(struct writer *w, size_t i)
{
	const struct history *h = profile_history(w->p);
	const struct snapshot *s = history_at(h, i);

	memset(&w->sent, 0, sizeof w->sent);
	w->sent.seq = (uint32_t)i;
	buf_clear(&w->out);
	put_hello(w);
	if (i == 0) {
		put_modules(w);
		put_threads(w);
		put_stacks(w);
	}
	if (i + 1 == history_count(h))
		put_newest(w);
	else
		put_changes(w, i ? history_at(h, i - 1)->id : 0, s->id);
	put_ages(w, s->id);
	put_totals(w, &s->totals);
	buf_put(&w->body, &w->sent, sizeof w->sent);
	end_frame(w, FRAME_END);
}

static struct writer *
writer_new(const struct profile *p)
{
	struct writer *w = xcalloc(1, sizeof *w);
	size_t n;

	w->p = p;
	profile_cells(p, &n);
	w->told = xcalloc(n + 1, 1);
	births_all(profile_births(p), &n);
	w->alive = xcalloc(n + 1, 1);
	return w;
}

static void
writer_free(struct writer *w)
{
	buf_fini(&w->out);
	buf_fini(&w->body);
	free(w->told);
	free(w->alive);
	free(w);
}

static int
write_all(struct writer *w, struct recordfile *file, struct err *e)
{
	size_t n = history_count(profile_history(w->p));

	for (size_t i = 0; i < n; i++) {
		make_dump(w, i);
		if (recordfile_put(file, w->out.data, w->out.len, e) < 0)
			return -1;
	}
	return 0;
}

static int
check(const struct profile *p, const char *path, struct err *e)
{
	const struct profile_cell *cells;
	size_t n;

	if (history_count(profile_history(p)) == 0)
		return err_set(e,
		    "there is no snapshot that could be written to %s", path);
	cells = profile_cells(p, &n);
	for (size_t i = 0; i < n; i++)
		if (cells[i].slot >= TABLE_SLOTS)
			return err_set(e,
			    "%s cannot be written: dumps of another profiler "
			    "have threads that a recording has no place for",
			    path);
	return 0;
}

int
historyfile_write(
    const struct profile *p, const char *path, size_t *dumps, struct err *e)
{
	struct writer *w;
	struct recordfile *file;
	int r;

	if (check(p, path, e) < 0)
		return -1;
	file = recordfile_create(path, e);
	if (!file)
		return -1;
	w = writer_new(p);
	r = write_all(w, file, e);
	if (recordfile_close(file, r < 0 ? NULL : e) < 0)
		r = -1;
	if (dumps)
		*dumps = history_count(profile_history(p));
	writer_free(w);
	return r;
}
