#include "encode.h"

#include <string.h>

enum stage {
	STAGE_HELLO,
	STAGE_MODULES,
	STAGE_THREADS,
	STAGE_STACKS,
	STAGE_CELLS,
	STAGE_TOTALS,
	STAGE_END,
	STAGE_DONE
};

/* A place to write frames into. */
struct out {
	unsigned char *p;
	size_t left;
};

#define LOAD(x)     __atomic_load_n(&(x), __ATOMIC_RELAXED)
#define LOAD_ACQ(x) __atomic_load_n(&(x), __ATOMIC_ACQUIRE)

/* Tries before a cell is taken as it is: a change is a few stores long. */
#define CELL_TRIES 64

const void *
table_at(const struct table_view *v, uint32_t off, size_t len)
{
	uint32_t in = off % TABLE_CHUNK;
	const unsigned char *c;

	if (off == 0 || len > TABLE_CHUNK - in)
		return NULL;
	c = v->chunk(v->ctx, off / TABLE_CHUNK);
	return c ? c + in : NULL;
}

const struct table_head *
table_head_at(const struct table_view *v)
{
	const struct table_head *h = v->chunk(v->ctx, 0);

	if (!h || h->magic != TABLE_MAGIC || h->version != FORMAT_VERSION)
		return NULL;
	return h;
}

/* Entry `index` of an array in segments of `seg` entries of `size` bytes. */
static const void *
entry_at(const struct table_view *v, const uint32_t *dir, uint32_t segs,
    uint32_t seg, size_t size, uint32_t index)
{
	uint32_t base;

	if (index / seg >= segs)
		return NULL;
	base = LOAD_ACQ(dir[index / seg]);
	if (base == 0 || base % 8 != 0)
		return NULL;
	/* the whole segment lies in one chunk, so this cannot wrap */
	if (base % TABLE_CHUNK + seg * size > TABLE_CHUNK)
		return NULL;
	return table_at(v, base + (uint32_t)(index % seg * size), size);
}

const struct table_module *
table_module_at(const struct table_view *v, uint32_t id)
{
	const struct table_head *h = table_head_at(v);

	if (!h || id == 0)
		return NULL;
	return entry_at(v, h->module_dir, MODULE_SEGS, MODULE_SEG,
	    sizeof(struct table_module), id - 1);
}

const struct table_stack *
table_stack_at(const struct table_view *v, uint32_t id)
{
	const struct table_head *h = table_head_at(v);

	if (!h || id == 0)
		return NULL;
	return entry_at(v, h->stack_dir, STACK_SEGS, STACK_SEG,
	    sizeof(struct table_stack), id - 1);
}

const struct table_cell *
table_cell_at(const struct table_view *v, uint32_t id)
{
	const struct table_head *h = table_head_at(v);

	if (!h || id == 0)
		return NULL;
	return entry_at(v, h->cell_dir, CELL_SEGS, CELL_SEG,
	    sizeof(struct table_cell), id - 1);
}

const struct table_slot *
table_slot_at(const struct table_view *v, uint32_t slot)
{
	const struct table_head *h = table_head_at(v);

	if (!h)
		return NULL;
	return entry_at(v, h->slot_dir, SLOT_SEGS, SLOT_SEG,
	    sizeof(struct table_slot), slot);
}

typedef uint32_t word __attribute__((may_alias));

void
table_slot_read(const struct table_slot *s, struct table_slot *out)
{
	const word *from = (const word *)(const void *)s;
	word *to = (word *)(void *)out;

	for (size_t i = 0; i < sizeof *s / sizeof *from; i++)
		to[i] = LOAD(from[i]);
}

static uint64_t
minus(uint64_t a, uint64_t b)
{
	return a > b ? a - b : 0;
}

static double
load_double(const double *p)
{
	double d;

	__atomic_load(p, &d, __ATOMIC_RELAXED);
	return d;
}

static double
minus_double(double a, double b)
{
	return a > b ? a - b : 0;
}

/* What was freed is read before what was allocated: an object is counted as
 * allocated before it can be freed, so live never comes out below 0. */
static void
cell_copy(const struct table_cell *c, struct cell_frame *o)
{
	uint64_t fo = LOAD(c->freed_objects), fb = LOAD(c->freed_bytes);
	uint64_t feo = LOAD(c->freed_est_objects);
	uint64_t feb = LOAD(c->freed_est_bytes);
	double fvb = load_double(&c->freed_var_bytes);
	double fvo = load_double(&c->freed_var_objects);

	__atomic_thread_fence(__ATOMIC_ACQUIRE);
	o->alloc_raw_objects = LOAD(c->alloc_objects);
	o->alloc_raw_bytes = LOAD(c->alloc_bytes);
	o->alloc_est_objects = LOAD(c->alloc_est_objects);
	o->alloc_est_bytes = LOAD(c->alloc_est_bytes);
	o->alloc_var_bytes = load_double(&c->alloc_var_bytes);
	o->alloc_var_objects = load_double(&c->alloc_var_objects);
	o->live_raw_objects = minus(o->alloc_raw_objects, fo);
	o->live_raw_bytes = minus(o->alloc_raw_bytes, fb);
	o->live_est_objects = minus(o->alloc_est_objects, feo);
	o->live_est_bytes = minus(o->alloc_est_bytes, feb);
	o->live_var_bytes = minus_double(o->alloc_var_bytes, fvb);
	o->live_var_objects = minus_double(o->alloc_var_objects, fvo);
	for (int i = 0; i < LIFE_BUCKETS; i++)
		o->life[i] = LOAD(c->life[i]);
}

void
table_cell_read(const struct table_cell *c, struct cell_frame *o)
{
	o->stack = LOAD(c->stack);
	o->slot = c->slot;
	o->zero = 0;
	for (int i = 0; i < CELL_TRIES; i++) {
		uint32_t done = LOAD_ACQ(c->done);

		cell_copy(c, o);
		__atomic_thread_fence(__ATOMIC_ACQUIRE);
		if (LOAD(c->begun) == done)
			break;
	}
	if (o->live_raw_objects == 0) {
		/* rounding of sums and differences, not a figure */
		o->live_var_bytes = 0;
		o->live_var_objects = 0;
	}
}

/* Room for a frame of `size` payload bytes; NULL if there is none.  `o` is
 * moved on. */
static unsigned char *
frame(struct out *o, enum frame_kind kind, size_t size)
{
	struct frame_head h = { (uint32_t)size, (uint16_t)kind, 0 };
	unsigned char *p = o->p;

	if (size > FRAME_MAX || o->left < sizeof h + size)
		return NULL;
	memcpy(p, &h, sizeof h);
	o->p += sizeof h + size;
	o->left -= sizeof h + size;
	return p + sizeof h;
}

static size_t
put_hello(const struct table_view *v, unsigned char *p, size_t cap,
    enum frame_kind kind)
{
	const struct table_head *h = table_head_at(v);
	struct out o = { p, cap };
	struct hello hello;
	const void *image, *command;

	if (!h)
		return 0;
	hello = h->hello;
	image = table_at(v, h->image, hello.image_len);
	if (!image || hello.image_len > PATH_BYTES)
		hello.image_len = 0;
	command = table_at(v, h->command, hello.command_len);
	if (!command || hello.command_len > PATH_BYTES)
		hello.command_len = 0;
	if (hello.build_id_len > BUILD_ID_MAX)
		hello.build_id_len = 0;
	p = frame(&o, kind,
	    sizeof hello + hello.image_len + hello.command_len +
		hello.build_id_len);
	if (!p)
		return 0;
	memcpy(p, &hello, sizeof hello);
	p += sizeof hello;
	memcpy(p, image ? image : "", hello.image_len);
	p += hello.image_len;
	memcpy(p, command ? command : "", hello.command_len);
	p += hello.command_len;
	memcpy(p, h->build_id, hello.build_id_len);
	return cap - o.left;
}

size_t
encode_hello(const struct table_view *v, void *buf, size_t cap)
{
	return put_hello(v, buf, cap, (enum frame_kind)MSG_HELLO);
}

static int
put_module(struct encoder *e, struct out *o, uint32_t id)
{
	const struct table_module *m = table_module_at(&e->view, id);
	struct module_frame f = { .id = id };
	const void *path;
	unsigned char *p;

	if (!m)
		return 1;
	f.path_len = m->path_len;
	path = table_at(&e->view, m->path, m->path_len);
	if (!path || f.path_len > PATH_BYTES)
		f.path_len = 0;
	if (m->build_id_len <= BUILD_ID_MAX)
		f.build_id_len = m->build_id_len;
	f.start = m->start;
	f.end = m->end;
	f.bias = m->bias;
	p = frame(o, FRAME_MODULE, sizeof f + f.build_id_len + f.path_len);
	if (!p)
		return 0;
	memcpy(p, &f, sizeof f);
	memcpy(p + sizeof f, m->build_id, f.build_id_len);
	memcpy(p + sizeof f + f.build_id_len, path ? path : "", f.path_len);
	e->sent.modules++;
	return 1;
}

static int
put_thread(struct encoder *e, struct out *o, uint32_t slot)
{
	const struct table_slot *at = table_slot_at(&e->view, slot);
	struct thread_frame f = { .slot = (uint16_t)slot };
	struct table_slot s;
	unsigned char *p;

	if (!at)
		return 1;
	table_slot_read(at, &s);
	if (s.state == SLOT_FREE || LOAD(at->stamp) < e->since)
		return 1;
	f.ended = s.state == SLOT_ENDED;
	f.tid = s.tid;
	if (s.name_len <= sizeof s.name)
		f.name_len = s.name_len;
	p = frame(o, FRAME_THREAD, sizeof f + f.name_len);
	if (!p)
		return 0;
	memcpy(p, &f, sizeof f);
	memcpy(p + sizeof f, s.name, f.name_len);
	e->sent.threads++;
	return 1;
}

static int
put_stack(struct encoder *e, struct out *o, uint32_t id)
{
	const struct table_stack *s = table_stack_at(&e->view, id);
	struct stack_frame f = { .id = id };
	uint32_t at;
	const void *frames;
	size_t size;
	unsigned char *p;

	if (!s || s->count == 0 || s->count > FRAMES_MAX)
		return 1;
	f.count = s->count;
	f.flags = s->flags;
	at = s->frames;
	size = f.count * sizeof(uint64_t);
	frames = table_at(&e->view, at, size);
	if (!frames)
		return 1;
	p = frame(o, FRAME_STACK, sizeof f + size);
	if (!p)
		return 0;
	memcpy(p, &f, sizeof f);
	memcpy(p + sizeof f, frames, size);
	e->sent.stacks++;
	return 1;
}

/* As many changed cells as fit into one frame. */
static int
put_cells(struct encoder *e, struct out *o)
{
	size_t room = o->left < sizeof(struct frame_head)
	    ? 0
	    : o->left - sizeof(struct frame_head);
	size_t max =
	    (room < FRAME_MAX ? room : FRAME_MAX) / sizeof(struct cell_frame);
	unsigned char *start = o->p + sizeof(struct frame_head);
	size_t n = 0;

	while (e->at <= e->last_cell && n < max) {
		const struct table_cell *c = table_cell_at(&e->view, e->at++);
		struct cell_frame f;

		if (!c)
			continue;
		table_cell_read(c, &f);
		e->sum.samples += f.alloc_raw_objects;
		e->sum.samples_live += f.live_raw_objects;
		if (LOAD(c->stamp) < e->since || f.stack == 0 ||
		    f.stack > e->last_stack)
			continue;
		memcpy(start + n++ * sizeof f, &f, sizeof f);
	}
	if (n > 0) {
		frame(o, FRAME_CELLS, n * sizeof(struct cell_frame));
		e->sent.cells += (uint32_t)n;
	}
	return e->at > e->last_cell;
}

/* The exact figures, if they can be read whole. */
static void
read_exact(const struct table_head *h, struct totals *t)
{
	for (int i = 0; i < CELL_TRIES; i++) {
		uint32_t seq = LOAD_ACQ(h->exact_seq);

		memcpy(t, &h->exact, sizeof *t);
		__atomic_thread_fence(__ATOMIC_ACQUIRE);
		if (seq % 2 == 0 && LOAD(h->exact_seq) == seq)
			return;
	}
	memset(t, 0, sizeof *t);
}

static int
put_totals(struct encoder *e, struct out *o)
{
	const struct table_head *h = table_head_at(&e->view);
	struct totals t = { 0 };
	unsigned char *p = frame(o, FRAME_TOTALS, sizeof t);

	if (!p)
		return 0;
	if (h) {
		read_exact(h, &t);
		t.lg_sample = h->lg_sample;
		t.active = h->active;
		t.rate_changes = h->rate_changes;
		for (int i = 0; i < 8; i++)
			t.lost[i] = LOAD(h->lost[i]);
	}
	t.now_ns = e->now_ns;
	t.samples = e->sum.samples;
	t.samples_live = e->sum.samples_live;
	t.stacks = e->last_stack;
	memcpy(p, &t, sizeof t);
	return 1;
}

static int
put_end(struct encoder *e, struct out *o)
{
	unsigned char *p = frame(o, FRAME_END, sizeof e->sent);

	if (!p)
		return 0;
	e->sent.seq = e->seq++;
	memcpy(p, &e->sent, sizeof e->sent);
	e->modules = e->last_module;
	e->stacks = e->last_stack;
	e->since = e->begun;
	return 1;
}

void
encoder_init(struct encoder *e, struct table_view view)
{
	memset(e, 0, sizeof *e);
	e->view = view;
	e->stage = STAGE_DONE;
}

static uint32_t
at_most(uint32_t n, uint32_t max)
{
	return n < max ? n : max;
}

void
encoder_begin(struct encoder *e, uint32_t pull, uint64_t now_ns, int whole)
{
	const struct table_head *h = table_head_at(&e->view);

	if (whole) {
		e->modules = 0;
		e->stacks = 0;
		e->since = 0;
	}
	memset(&e->sent, 0, sizeof e->sent);
	memset(&e->sum, 0, sizeof e->sum);
	e->begun = pull;
	e->now_ns = now_ns;
	e->stage = STAGE_HELLO;
	e->last_cell = e->last_stack = e->last_module = e->last_slot = 0;
	if (!h)
		return;
	/* the number of the pull was raised before any stamp is looked at */
	__atomic_thread_fence(__ATOMIC_SEQ_CST);
	/* what names comes before what is named: a cell counted here can
	 * only name stacks counted after it */
	e->last_cell = at_most(LOAD_ACQ(h->cells), CELL_SEG * CELL_SEGS);
	e->last_slot = at_most(LOAD_ACQ(h->slots), TABLE_SLOTS);
	e->last_stack = at_most(LOAD_ACQ(h->stacks), STACK_SEG * STACK_SEGS);
	e->last_module =
	    at_most(LOAD_ACQ(h->modules), MODULE_SEG * MODULE_SEGS);
}

/* One step of the current stage; 0 if there was no room for it. */
static int
step(struct encoder *e, struct out *o)
{
	size_t n;

	switch ((enum stage)e->stage) {
	case STAGE_HELLO:
		n = put_hello(&e->view, o->p, o->left, FRAME_HELLO);
		if (n == 0 && table_head_at(&e->view))
			return 0;
		o->p += n;
		o->left -= n;
		e->at = e->modules + 1;
		e->stage = STAGE_MODULES;
		return 1;
	case STAGE_MODULES:
		if (e->at <= e->last_module)
			return put_module(e, o, e->at) ? (e->at++, 1) : 0;
		e->at = 0;
		e->stage = STAGE_THREADS;
		return 1;
	case STAGE_THREADS:
		if (e->at < e->last_slot)
			return put_thread(e, o, e->at) ? (e->at++, 1) : 0;
		e->at = e->stacks + 1;
		e->stage = STAGE_STACKS;
		return 1;
	case STAGE_STACKS:
		if (e->at <= e->last_stack)
			return put_stack(e, o, e->at) ? (e->at++, 1) : 0;
		e->at = 1;
		e->stage = STAGE_CELLS;
		return 1;
	case STAGE_CELLS:
		if (!put_cells(e, o))
			return 0;
		e->stage = STAGE_TOTALS;
		return 1;
	case STAGE_TOTALS:
		if (!put_totals(e, o))
			return 0;
		e->stage = STAGE_END;
		return 1;
	case STAGE_END:
		if (!put_end(e, o))
			return 0;
		e->stage = STAGE_DONE;
		return 1;
	case STAGE_DONE: break;
	}
	return 0;
}

size_t
encoder_some(struct encoder *e, void *buf, size_t cap)
{
	struct out o = { buf, cap };

	while (e->stage != STAGE_DONE && step(e, &o))
		;
	return cap - o.left;
}
