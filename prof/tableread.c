#include "tableread.h"

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

const struct table_births *
table_births_at(const struct table_view *v)
{
	const struct table_head *h = table_head_at(v);

	if (!h || h->births % 8 != 0)
		return NULL;
	return table_at(v, h->births, sizeof(struct table_births));
}

const struct table_birth *
table_birth_at(const struct table_view *v, uint32_t number)
{
	const struct table_births *b = table_births_at(v);

	if (!b)
		return NULL;
	return entry_at(v, b->dir, BIRTH_SEGS, BIRTH_SEG,
	    sizeof(struct table_birth), number);
}

/* Twice the same is whole: `cell` is 0 while the rest is written, and what it
 * was before cannot come again together with all the rest. */
void
table_birth_read(const struct table_birth *b, struct table_birth *out)
{
	struct table_birth again;

	out->stamp = 0;
	for (int i = 0; i < 2; i++) {
		again.cell = LOAD_ACQ(b->cell);
		again.birth = LOAD(b->birth);
		again.size = LOAD(b->size);
		__atomic_thread_fence(__ATOMIC_ACQUIRE);
		if (i > 0 &&
		    (again.cell != out->cell || again.birth != out->birth ||
			again.size != out->size))
			again.cell = 0;
		out->cell = again.cell;
		out->birth = again.birth;
		out->size = again.size;
	}
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
