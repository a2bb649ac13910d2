#include "synth.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/buf.h"
#include "base/err.h"
#include "base/mem.h"
#include "io/dumpread.h"
#include "model/frames.h"
#include "model/profile.h"
#include "prof/format.h"

#define FUNCTIONS       4000u
#define SITES           5u
#define DEPTH_MAX       40u
#define FRAME_CELLS_MAX (FRAME_MAX / sizeof(struct cell_frame))
#define S               UINT64_C(1000000000)

/* One (stack, thread) of the program. */
struct cell {
	uint32_t live, allocated; /* samples */
	uint32_t size;
};

static struct cell *cells;
static uint32_t all, *numbers; /* of them; those that change */
static struct dumpread *reader;
static uint64_t seed = 42;
static struct buf out;
static struct end_frame sent;

uint32_t
synth_draw(uint32_t below)
{
	seed ^= seed << 13;
	seed ^= seed >> 7;
	seed ^= seed << 17;
	return (uint32_t)((seed >> 16) % below);
}

double
synth_cpu(void)
{
	struct timespec t;

	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
	return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

/* ---- the stream -------------------------------------------------------------- */

static void
frame(unsigned kind, const void *data, size_t size)
{
	struct frame_head h = { (uint32_t)size, (uint16_t)kind, 0 };

	buf_put(&out, &h, sizeof h);
	buf_put(&out, data, size);
}

static void
hello(void)
{
	struct hello h = { .magic = FORMAT_MAGIC,
		.version = FORMAT_VERSION,
		.pid = 77,
		.image_ns = S };

	memset(&sent, 0, sizeof sent);
	frame(FRAME_HELLO, &h, sizeof h);
}

static void
module(void)
{
	struct {
		struct module_frame m;
		char text[8];
	} f = { .m = { .id = 1,
		    .path_len = 6,
		    .build_id_len = 2,
		    .start = 0x400000,
		    .end = 0x400000 + UINT64_C(256) * FUNCTIONS,
		    .bias = 0x400000 } };

	memcpy(f.text, "\1\2/bin/x", 8);
	frame(FRAME_MODULE, &f, sizeof f);
	sent.modules++;
}

static void
thread(unsigned slot)
{
	struct {
		struct thread_frame t;
		char name[8];
	} f = { .t = { .slot = (uint16_t)slot, .name_len = 8, .tid = slot } };

	memcpy(f.name, "worker-x", 8);
	frame(FRAME_THREAD, &f, sizeof f);
	sent.threads++;
}

static uint64_t
place(void)
{
	return UINT64_C(1) << FRAME_OFFSET_BITS |
	    (uint64_t)(synth_draw(FUNCTIONS) * 256 + synth_draw(SITES) * 16 +
		1);
}

/* Leaf first; `paths` holds those before, root first. */
static void
stack(uint32_t id, uint64_t (*paths)[DEPTH_MAX + 1])
{
	struct {
		struct stack_frame s;
		uint64_t at[DEPTH_MAX];
	} f;
	uint64_t *mine = paths[id];
	unsigned n = 0;

	if (id > 1) {
		const uint64_t *from = paths[1 + synth_draw(id - 1)];
		unsigned cut = 1 + synth_draw(8);

		n = (unsigned)from[DEPTH_MAX];
		n = n > cut ? n - cut : 1;
		memcpy(mine, from, n * sizeof *mine);
	}
	for (unsigned more = 1 + synth_draw(8); more > 0 || n < 10; n++) {
		if (n == DEPTH_MAX)
			break;
		mine[n] = place();
		more -= more > 0;
	}
	mine[DEPTH_MAX] = n;
	f.s = (struct stack_frame){ id, (uint16_t)n, 0 };
	for (unsigned i = 0; i < n; i++)
		f.at[i] = mine[n - 1 - i];
	frame(FRAME_STACK, &f, sizeof f.s + n * sizeof f.at[0]);
	sent.stacks++;
}

static void
all_stacks(const struct synth *s)
{
	uint64_t(*paths)[DEPTH_MAX + 1] =
	    xcalloc((size_t)s->stacks + 1, sizeof *paths);

	for (uint32_t id = 1; id <= s->stacks; id++)
		stack(id, paths);
	free(paths);
}

static void
put_cell(const struct synth *s, struct cell_frame *to, uint32_t number)
{
	const struct cell *c = &cells[number];
	uint64_t each = c->size < 65536 ? 65536 : c->size;
	double objects = (double)each / c->size;

	memset(to, 0, sizeof *to);
	to->stack = number / s->threads + 1;
	to->slot = (uint16_t)(number % s->threads + 1);
	to->live_raw_objects = c->live;
	to->alloc_raw_objects = c->allocated;
	to->live_raw_bytes = (uint64_t)c->live * c->size;
	to->alloc_raw_bytes = (uint64_t)c->allocated * c->size;
	to->live_est_bytes = (c->live * each) << EST_BYTE_SHIFT;
	to->alloc_est_bytes = (c->allocated * each) << EST_BYTE_SHIFT;
	to->live_est_objects = (uint64_t)(c->live * objects * 65536);
	to->alloc_est_objects = (uint64_t)(c->allocated * objects * 65536);
	to->live_var_bytes = c->live * (double)each * (double)each;
	to->live_var_objects = c->live * objects * objects;
	to->alloc_var_bytes = c->allocated * (double)each * (double)each;
	to->alloc_var_objects = c->allocated * objects * objects;
}

/* Some seconds of a cell's life. */
static void
step(const struct synth *s, uint32_t number)
{
	struct cell *c = &cells[number];
	uint32_t more = 1 + synth_draw(4);

	c->allocated += more;
	c->live += more;
	if (number / s->threads % 100 != 0)
		c->live -= synth_draw(c->live / 2 + more + 1) % (c->live + 1);
}

static void
send_cells(const struct synth *s, const uint32_t *which, uint32_t count)
{
	static struct cell_frame f[FRAME_CELLS_MAX];

	for (uint32_t i = 0; i < count;) {
		size_t n = 0;

		for (; i < count && n < FRAME_CELLS_MAX; i++)
			put_cell(s, &f[n++], which ? which[i] : i);
		frame(FRAME_CELLS, f, n * sizeof f[0]);
		sent.cells += (uint32_t)n;
	}
}

static void
finish_dump(uint64_t second)
{
	struct totals t = { .now_ns = second * S,
		.exact_ns = second * S,
		.lg_sample = 16,
		.active = 1 };

	frame(FRAME_TOTALS, &t, sizeof t);
	frame(FRAME_END, &sent, sizeof sent);
}

static int
ascending(const void *a, const void *b)
{
	uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;

	return (x > y) - (x < y);
}

/* What changes in a second, each cell once, in order. */
static uint32_t
choose(const struct synth *s, uint32_t *to)
{
	uint32_t n = (uint32_t)((uint64_t)all * s->permille / 1000), kept = 0;

	for (uint32_t i = 0; i < n; i++) {
		bool busy = !s->uniform && i % 4 != 0;

		to[i] = busy ? synth_draw(all / 10 + 1) * 10 % all
			     : synth_draw(all);
	}
	qsort(to, n, sizeof *to, ascending);
	for (uint32_t i = 0; i < n; i++) {
		if (kept == 0 || to[kept - 1] != to[i])
			to[kept++] = to[i];
	}
	return kept;
}

static void
feed(void)
{
	struct err e;

	if (dumpread_feed(reader, out.data, out.len, &e) < 0) {
		fprintf(stderr, "synth: %s\n", e.msg);
		exit(1);
	}
	buf_clear(&out);
}

static void
give_names(struct profile *p)
{
	struct frames *f = profile_frames(p);

	for (frame_id id = 1; id <= frames_count(f); id++) {
		uint64_t at = frames_offset(f, id) / 256;
		char name[64], file[64];
		struct frame_name n = { name, file,
			1 + (uint32_t)(frames_offset(f, id) % 256) };

		snprintf(name, sizeof name, "part%u::function_%u(int)",
		    (unsigned)(at % 50), (unsigned)at);
		snprintf(file, sizeof file, "part%u/file%u.cc",
		    (unsigned)(at % 50), (unsigned)(at / 10));
		frames_set_names(f, id, &n, 1);
	}
}

void
synth_begin(struct synth *s)
{
	s->profile = profile_new();
	reader = dumpread_new(s->profile, "the benchmark");
	all = s->stacks * s->threads;
	cells = xcalloc(all, sizeof *cells);
	numbers = xcalloc((size_t)all + 1, sizeof *numbers);
	for (uint32_t i = 0; i < all; i++)
		cells[i].size = 16u << synth_draw(14);
	hello();
	module();
	for (unsigned t = 1; t <= s->threads; t++)
		thread(t);
	all_stacks(s);
	send_cells(s, NULL, all);
	finish_dump(1);
	feed();
	buf_fini(&out); /* it was large */
	give_names(s->profile);
}

void
synth_second(struct synth *s, uint64_t second)
{
	uint32_t n = choose(s, numbers);
	double from;

	for (uint32_t i = 0; i < n; i++)
		step(s, numbers[i]);
	hello();
	send_cells(s, numbers, n);
	finish_dump(second);
	from = synth_cpu();
	feed();
	s->feed_s = synth_cpu() - from;
}

void
synth_end(struct synth *s)
{
	dumpread_free(reader);
	profile_free(s->profile);
	buf_fini(&out);
	free(cells);
	free(numbers);
}
