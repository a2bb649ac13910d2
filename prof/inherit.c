#include "inherit.h"

#include <string.h>

#include "cells.h"
#include "central.h"
#include "mirror.h"
#include "os.h"
#include "record.h"
#include "stacktab.h"
#include "tablewrite.h"
#include "thread.h"
#include "weigh.h"

/* The slot of a fork child that counts what it inherited: nobody's thread. */
#define INHERITED_SLOT 0

static struct {
	unsigned char *chunk[TABLE_CHUNKS];
	uint32_t chunks;    /* 0: no parent's table */
	uint32_t *stack_id; /* of a parent's stack: ours, 0 not copied yet */
	uint32_t stacks;
	uint32_t *module_id; /* likewise */
	uint32_t modules;
	uint64_t *frames; /* room for one stack */
} parent;

void
inherit_from(unsigned char *const *chunk, uint32_t chunks)
{
	memcpy(parent.chunk, chunk, chunks * sizeof *chunk);
	parent.chunks = chunks;
}

static const void *
parent_chunk(void *ctx, uint32_t i)
{
	(void)ctx;
	return i < parent.chunks ? parent.chunk[i] : NULL;
}

static const struct table_view parent_view = { parent_chunk, NULL };

/* Our id of a module of the parent, 0 if it cannot be copied. */
static uint32_t
module_of(uint32_t id)
{
	const struct table_module *m;
	const char *path;

	if (id == 0 || id > parent.modules)
		return 0;
	if (parent.module_id[id])
		return parent.module_id[id];
	m = table_module_at(&parent_view, id);
	if (!m)
		return 0;
	path = table_at(&parent_view, m->path, m->path_len);
	parent.module_id[id] =
	    stacktab_module(m->start, m->end, m->bias, m->build_id,
		m->build_id_len, path ? path : "", path ? m->path_len : 0);
	return parent.module_id[id];
}

/* A frame of the parent's table as one of ours. */
static uint64_t
frame_of(uint64_t frame)
{
	uint32_t id = (uint32_t)(frame >> FRAME_OFFSET_BITS);
	uint64_t off = frame & FRAME_OFFSET_MASK;
	const struct table_module *m;
	uint32_t ours;

	if (id == 0)
		return frame;
	ours = module_of(id);
	if (ours)
		return (uint64_t)ours << FRAME_OFFSET_BITS | off;
	m = table_module_at(&parent_view, id);
	return m ? (off + m->bias) & FRAME_OFFSET_MASK : off;
}

/* Our id of a stack of the parent, 0 if it cannot be copied. */
static uint32_t
stack_of(uint32_t id)
{
	const struct table_stack *s;
	const uint64_t *from;

	if (id == 0 || id > parent.stacks)
		return 0;
	if (parent.stack_id[id])
		return parent.stack_id[id];
	s = table_stack_at(&parent_view, id);
	from = s ? table_at(&parent_view, s->frames, s->count * sizeof *from)
		 : NULL;
	if (!from || s->count > FRAMES_MAX)
		return 0;
	for (unsigned i = 0; i < s->count; i++)
		parent.frames[i] = frame_of(from[i]);
	parent.stack_id[id] = stacktab_copy(parent.frames, s->count, s->flags);
	return parent.stack_id[id];
}

/* The stack of one of the parent's cells, which never changes. */
static uint32_t
stack_of_cell(uint32_t id)
{
	const struct table_cell *c = table_cell_at(&parent_view, id);

	return c ? stack_of(c->stack) : 0;
}

static void
freed_meanwhile(struct record *r, uint32_t cell, const struct weighed *w)
{
	uint32_t number = r->number;
	bool told = mirror_died(number, cell);

	cells_free(cell, w, 0);
	if (told)
		mirror_give(thread_self(), number);
}

static void
inherit_one(struct record *r)
{
	uint32_t old = __atomic_load_n(&r->cell, __ATOMIC_ACQUIRE);
	uint32_t stack, cell, now;
	struct weighed w;

	if (old == 0 || old >> RECORD_CELL_BITS == table_generation())
		return;
	stack = stack_of_cell(old & RECORD_CELL_MASK);
	cell = stack ? cells_get_in(stack, INHERITED_SLOT) : 0;
	if (cell == 0) {
		table_lost(LOST_TABLE_FULL);
		return;
	}
	weigh(r->size, r->lg_sample, &w);
	r->number =
	    mirror_born(thread_self(), cell, r->size, r->lg_sample, r->birth);
	cells_alloc(cell, &w);
	mirror_tell_born(r->number);
	now = (uint32_t)table_generation() << RECORD_CELL_BITS | cell;
	if (!__atomic_compare_exchange_n(
		&r->cell, &old, now, false, __ATOMIC_ACQ_REL, __ATOMIC_RELAXED))
		freed_meanwhile(r, cell, &w);
}

static void
inherit_span(struct span *s, struct record *r, uint32_t n, void *arg)
{
	(void)s;
	(void)arg;
	for (uint32_t i = 0; i < n; i++)
		inherit_one(&r[i]);
}

void
inherit_records(void)
{
	const struct table_head *h;
	struct table_head *ours = table_ptr(0);
	size_t stack_bytes, module_bytes;
	size_t frame_bytes = FRAMES_MAX * sizeof *parent.frames;

	if (parent.chunks == 0)
		return;
	ours->hello.flags |= HELLO_FORKED;
	h = table_head_at(&parent_view);
	parent.stacks = h ? h->stacks : 0;
	parent.modules = h ? h->modules : 0;
	stack_bytes = (parent.stacks + 1) * sizeof(uint32_t);
	module_bytes = (parent.modules + 1) * sizeof(uint32_t);
	parent.stack_id = os_map(stack_bytes);
	parent.module_id = os_map(module_bytes);
	parent.frames = os_map(frame_bytes);
	if (parent.stack_id && parent.module_id && parent.frames)
		central_sampled_foreach(inherit_span, NULL);
	if (parent.stack_id)
		os_unmap(parent.stack_id, stack_bytes);
	if (parent.module_id)
		os_unmap(parent.module_id, module_bytes);
	if (parent.frames)
		os_unmap(parent.frames, frame_bytes);
	for (uint32_t i = 0; i < parent.chunks; i++)
		os_unmap(parent.chunk[i], TABLE_CHUNK);
	parent.chunks = 0;
}
