#include "encode.h"

#include <string.h>

enum stage {
	STAGE_HELLO,
	STAGE_MODULES,
	STAGE_THREADS,
	STAGE_STACKS,
	STAGE_CELLS,
	STAGE_AGES,
	STAGE_DEATHS,
	STAGE_BIRTHS,
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

/* Tries before the exact figures are given up. */
#define EXACT_TRIES 64

static uint32_t
at_most(uint32_t n, uint32_t max)
{
	return n < max ? n : max;
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

/* How many entries of a size fit into the next frame. */
static size_t
room_for(const struct out *o, size_t size)
{
	size_t head = sizeof(struct frame_head);
	size_t room = o->left < head ? 0 : o->left - head;

	return (room < FRAME_MAX ? room : FRAME_MAX) / size;
}

/* As many changed cells as fit into one frame. */
static int
put_cells(struct encoder *e, struct out *o)
{
	size_t max = room_for(o, sizeof(struct cell_frame));
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

static int
put_ages(struct encoder *e, struct out *o)
{
	const struct table_births *b = table_births_at(&e->view);
	struct ages_frame f = { .flags = e->whole ? AGES_WHOLE : 0 };
	unsigned char *p;

	if (!b)
		return 1;
	f.start_ns = b->start_ns;
	f.untold = LOAD(b->untold);
	p = frame(o, FRAME_AGES, sizeof f);
	if (!p)
		return 0;
	memcpy(p, &f, sizeof f);
	e->last_birth = at_most(LOAD_ACQ(b->count), BIRTHS_MAX);
	return 1;
}

/* The next birth that has changed, at e->at or behind it; NULL after the
 * last. */
static const struct table_birth *
next_birth(struct encoder *e)
{
	const struct table_births *all = table_births_at(&e->view);

	while (e->at < e->last_birth) {
		const struct table_birth *b;

		if (LOAD(all->stamp[e->at / BIRTH_SEG]) < e->since) {
			e->at = (e->at / BIRTH_SEG + 1) * BIRTH_SEG;
			continue;
		}
		b = table_birth_at(&e->view, e->at);
		if (b && LOAD(b->stamp) >= e->since)
			return b;
		e->at++;
	}
	return NULL;
}

/* As many as fit into one frame: numbers that are nobody's any more. */
static int
put_deaths(struct encoder *e, struct out *o)
{
	unsigned char *to = o->p + sizeof(struct frame_head);
	size_t n = 0, max = room_for(o, sizeof e->at);
	const struct table_birth *b;

	while (n < max && (b = next_birth(e)) != NULL) {
		if (LOAD(b->cell) == 0)
			memcpy(to + n++ * sizeof e->at, &e->at, sizeof e->at);
		e->at++;
	}
	if (n > 0)
		frame(o, FRAME_DEATHS, n * sizeof e->at);
	e->sent.births += (uint32_t)n;
	return e->at >= e->last_birth;
}

/* False if it is nobody's, or names what this dump does not tell of. */
static int
read_birth(
    const struct encoder *e, const struct table_birth *b, struct birth_frame *f)
{
	struct table_birth copy;
	const struct table_cell *c;

	table_birth_read(b, &copy);
	if (copy.cell == 0 || birth_cell(copy.cell) > e->last_cell)
		return 0;
	c = table_cell_at(&e->view, birth_cell(copy.cell));
	if (!c)
		return 0;
	*f = (struct birth_frame){ .number = e->at,
		.stack = LOAD(c->stack),
		.size = birth_unpack(copy.size),
		.birth = copy.birth,
		.slot = c->slot,
		.lg_sample = (uint8_t)birth_lg_sample(copy.cell),
		.lg_thin = (uint8_t)birth_lg_thin(copy.cell) };
	return f->stack != 0 && f->stack <= e->last_stack;
}

static int
put_births(struct encoder *e, struct out *o)
{
	struct birth_frame f;
	unsigned char *to = o->p + sizeof(struct frame_head);
	size_t n = 0, max = room_for(o, sizeof f);
	const struct table_birth *b;

	while (n < max && (b = next_birth(e)) != NULL) {
		if (read_birth(e, b, &f))
			memcpy(to + n++ * sizeof f, &f, sizeof f);
		e->at++;
	}
	if (n > 0)
		frame(o, FRAME_BIRTHS, n * sizeof f);
	e->sent.births += (uint32_t)n;
	return e->at >= e->last_birth;
}

/* The exact figures, if they can be read whole. */
static void
read_exact(const struct table_head *h, struct totals *t)
{
	for (int i = 0; i < EXACT_TRIES; i++) {
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
	e->whole = 0;
	return 1;
}

void
encoder_init(struct encoder *e, struct table_view view)
{
	memset(e, 0, sizeof *e);
	e->view = view;
	e->stage = STAGE_DONE;
	e->whole = 1;
}

void
encoder_begin(struct encoder *e, uint32_t pull, uint64_t now_ns, int whole)
{
	const struct table_head *h = table_head_at(&e->view);

	if (whole) {
		e->whole = 1;
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
	e->last_birth = 0;
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
		e->stage = STAGE_AGES;
		return 1;
	case STAGE_AGES:
		if (!put_ages(e, o))
			return 0;
		e->at = e->whole ? e->last_birth : 0;
		e->stage = STAGE_DEATHS;
		return 1;
	case STAGE_DEATHS:
		if (!put_deaths(e, o))
			return 0;
		e->at = 0;
		e->stage = STAGE_BIRTHS;
		return 1;
	case STAGE_BIRTHS:
		if (!put_births(e, o))
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
