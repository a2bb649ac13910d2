/*
 * Making streams for tests: frames of prof/format.h put into a buffer.
 */
#ifndef TEST_STREAM_H
#define TEST_STREAM_H

#include <string.h>

#include "base/buf.h"
#include "prof/format.h"

static inline void
stream_frame(struct buf *b, unsigned kind, const void *data, size_t size)
{
	struct frame_head h = { (uint32_t)size, (uint16_t)kind, 0 };

	buf_put(b, &h, sizeof h);
	buf_put(b, data, size);
}

/* Image "/bin/x", command "x -y", build-id 01 02. */
static inline void
stream_hello(struct buf *b, unsigned kind, unsigned version)
{
	struct {
		struct hello h;
		char text[6 + 4 + 2];
	} f;

	memset(&f, 0, sizeof f);
	f.h.magic = FORMAT_MAGIC;
	f.h.version = (uint16_t)version;
	f.h.pid = 77;
	f.h.ppid = 1;
	f.h.image_ns = 5000;
	f.h.image_len = 6;
	f.h.command_len = 4;
	f.h.build_id_len = 2;
	memcpy(f.text, "/bin/xx\0-y\1\2", 12);
	stream_frame(b, kind, &f, sizeof f.h + 12);
}

static inline void
stream_module(struct buf *b, uint32_t id)
{
	struct {
		struct module_frame m;
		char text[8];
	} f;

	memset(&f, 0, sizeof f);
	f.m.id = id;
	f.m.path_len = 6;
	f.m.build_id_len = 2;
	f.m.start = 0x1000;
	f.m.end = 0x9000;
	f.m.bias = 0x1000;
	memcpy(f.text, "\1\2/bin/x", 8);
	stream_frame(b, FRAME_MODULE, &f, sizeof f.m + 8);
}

static inline void
stream_thread(struct buf *b, unsigned slot)
{
	struct {
		struct thread_frame t;
		char name[4];
	} f;

	memset(&f, 0, sizeof f);
	f.t.slot = (uint16_t)slot;
	f.t.name_len = 4;
	f.t.tid = 78;
	memcpy(f.name, "main", 4);
	stream_frame(b, FRAME_THREAD, &f, sizeof f);
}

/* Two frames: offsets 0x10 and 0x20 of the module. */
static inline void
stream_stack(struct buf *b, uint32_t id, uint32_t module)
{
	struct {
		struct stack_frame s;
		uint64_t at[2];
	} f;

	memset(&f, 0, sizeof f);
	f.s.id = id;
	f.s.count = 2;
	f.at[0] = (uint64_t)module << FRAME_OFFSET_BITS | 0x10;
	f.at[1] = (uint64_t)module << FRAME_OFFSET_BITS | 0x20;
	stream_frame(b, FRAME_STACK, &f, sizeof f);
}

static inline void
stream_ages(struct buf *b, uint32_t flags)
{
	struct ages_frame a = { 5000, 0, flags };

	stream_frame(b, FRAME_AGES, &a, sizeof a);
}

/* An exact object of the first stack in thread slot 3. */
static inline void
stream_birth(struct buf *b, uint32_t number, uint32_t birth, uint64_t size)
{
	struct birth_frame f = { number, 1, size, birth, 3, 0, 0 };

	stream_frame(b, FRAME_BIRTHS, &f, sizeof f);
}

static inline void
stream_death(struct buf *b, uint32_t number)
{
	stream_frame(b, FRAME_DEATHS, &number, sizeof number);
}

/* One cell with so many live bytes in as many objects. */
static inline void
stream_cell(struct buf *b, uint32_t stack, unsigned slot, uint64_t live)
{
	struct cell_frame c;

	memset(&c, 0, sizeof c);
	c.stack = stack;
	c.slot = (uint16_t)slot;
	c.live_raw_objects = c.alloc_raw_objects = 1;
	c.live_est_objects = c.alloc_est_objects = live << EST_OBJECT_SHIFT;
	c.live_est_bytes = c.alloc_est_bytes = live << EST_BYTE_SHIFT;
	stream_frame(b, FRAME_CELLS, &c, sizeof c);
}

static inline void
stream_totals(struct buf *b, uint64_t now_ns, uint64_t live)
{
	struct totals t;

	memset(&t, 0, sizeof t);
	t.now_ns = now_ns;
	t.exact_ns = now_ns;
	t.live_bytes = live;
	t.lg_sample = 16;
	t.active = 1;
	stream_frame(b, FRAME_TOTALS, &t, sizeof t);
}

static inline void
stream_end(struct buf *b, uint32_t modules, uint32_t threads, uint32_t stacks,
    uint32_t cells)
{
	struct end_frame e = { modules, threads, stacks, cells, 0, 0 };

	stream_frame(b, FRAME_END, &e, sizeof e);
}

static inline void
stream_end_births(struct buf *b, uint32_t cells, uint32_t births)
{
	struct end_frame e = { 0, 0, 0, cells, 0, births };

	stream_frame(b, FRAME_END, &e, sizeof e);
}

/* A whole first dump: one module, thread, stack and cell. */
static inline void
stream_dump(struct buf *b, uint64_t now_ns, uint64_t live)
{
	stream_hello(b, FRAME_HELLO, FORMAT_VERSION);
	stream_module(b, 1);
	stream_thread(b, 3);
	stream_stack(b, 1, 1);
	stream_cell(b, 1, 3, live);
	stream_totals(b, now_ns, live);
	stream_end(b, 1, 1, 1, 1);
}

/* A later one: the cell has changed. */
static inline void
stream_change(struct buf *b, uint64_t now_ns, uint64_t live)
{
	stream_hello(b, FRAME_HELLO, FORMAT_VERSION);
	stream_cell(b, 1, 3, live);
	stream_totals(b, now_ns, live);
	stream_end(b, 0, 0, 0, 1);
}

#endif
