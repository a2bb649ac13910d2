/*
 * The table under many threads: some count and free samples, end and begin
 * again, while others encode.  Made for ThreadSanitizer, and at the end what
 * each viewer has seen must be the truth to the last byte.
 *
 * What lies around the table in the library is played here: the helper that
 * offers a memfd, the modules, the unwinder's epoch.
 */
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "prof/cells.h"
#include "prof/conf.h"
#include "prof/control.h"
#include "prof/encode.h"
#include "prof/facts.h"
#include "prof/inherit.h"
#include "prof/init.h"
#include "prof/meta.h"
#include "prof/mirror.h"
#include "prof/modinfo.h"
#include "prof/names.h"
#include "prof/stacktab.h"
#include "prof/tablewrite.h"
#include "prof/thread.h"
#include "prof/unwind.h"
#include "prof/weigh.h"

#define WORKERS 6
#define LIVES   30   /* threads each worker is, one after the other */
#define ROUNDS  1000 /* samples in one life */
#define VIEWERS 2
#define STACKS  700
#define HELD    4096 /* places for live samples */
#define CELLS   (1u << 20)

#define CHECK(x)                                                        \
	do {                                                            \
		if (!(x)) {                                             \
			fprintf(stderr, "line %d: %s\n", __LINE__, #x); \
			exit(1);                                        \
		}                                                       \
	} while (0)

/* ---- what the table stands on ---- */

struct conf conf = { .lg_sample = 12, .prof_active = true };
struct unwind_ranges unwind_ranges;

static pthread_t helper;
static _Atomic uint64_t epoch;

static void *
helper_main(void *arg)
{
	uint64_t size = (uint64_t)TABLE_CHUNK * TABLE_CHUNKS;
	int fd = memfd_create("table", 0);

	(void)arg;
	if (fd < 0 || ftruncate(fd, (off_t)size) != 0 || !table_adopt(fd, size))
		table_refuse();
	CHECK(table_wait_ready());
	return NULL;
}

bool
control_start(void)
{
	return pthread_create(&helper, NULL, helper_main, NULL) == 0;
}

void
control_wait_handed(void)
{
}

bool
control_lives(void)
{
	return true;
}

bool
control_is_silent(void)
{
	return false;
}

bool
control_vforked(void)
{
	return false;
}

void
facts_fill(struct table_head *h)
{
	h->hello =
	    (struct hello){ .magic = FORMAT_MAGIC, .version = FORMAT_VERSION };
}

/* The name of a thread: its number. */
uint32_t
facts_read(const char *path, char *buf, uint32_t cap)
{
	(void)path;
	return (uint32_t)snprintf(buf, cap, "worker\n");
}

void
inherit_from(unsigned char *const *chunk, uint32_t chunks)
{
	(void)chunk;
	(void)chunks;
}

void
inherit_records(void)
{
}

void
meta_note(const void *p, size_t size)
{
	(void)p;
	(void)size;
}

void
meta_unnote(const void *p, size_t size)
{
	(void)p;
	(void)size;
}

uint64_t
init_ticks_start_ns(void)
{
	return 1;
}

uint64_t
unwind_epoch(void)
{
	return epoch;
}

/* 16 modules of 64 KiB; every fourth one may be closed. */
bool
modinfo_find(uint64_t pc, struct modinfo *m)
{
	memset(m, 0, sizeof *m);
	m->start = pc & ~UINT64_C(0xffff);
	m->end = m->start + 0x10000;
	m->bias = m->start;
	m->closeable = (pc >> 16) % 4 == 0;
	strcpy(m->path, "/some/module");
	return (pc >> 16) % 16 != 15;
}

/* ---- those who count ---- */

/* cell << 36 | number << 16 | size, 0: none */
static _Atomic uint64_t held[HELD];
static _Atomic uint64_t allocs, alloc_bytes, alloc_est, frees, free_bytes,
    free_est;
static _Atomic uint32_t tids, running = WORKERS;

static uint32_t
next(uint64_t *rng)
{
	*rng = *rng * UINT64_C(6364136223846793005) + 1442695040888963407;
	return (uint32_t)(*rng >> 33);
}

static unsigned
make_stack(uint32_t n, uint64_t *pcs)
{
	uint64_t rng = n;
	unsigned depth = 1 + next(&rng) % 12;

	for (unsigned i = 0; i < depth; i++)
		pcs[i] = 0x400000 + next(&rng) % (16 << 16);
	return depth;
}

static uint32_t
cell_of(uint64_t sample)
{
	return (uint32_t)(sample >> 36);
}

static uint32_t
number_of(uint64_t sample)
{
	return (uint32_t)(sample >> 16) & 0xfffff;
}

static void
let_go(struct thread *t, uint64_t sample, uint32_t age)
{
	uint32_t cell = cell_of(sample), number = number_of(sample);
	struct weighed w;

	if (sample == 0)
		return;
	weigh(sample & 0xffff, 12, &w);
	CHECK(mirror_died(number, cell));
	cells_free(cell, &w, age);
	mirror_give(t, number);
	frees++;
	free_bytes += w.bytes;
	free_est += w.est_bytes;
}

static void
one_sample(struct thread *t, uint64_t *rng)
{
	uint64_t pcs[16], frames[16];
	uint32_t size = 16 + next(rng) % 20000, stack, cell;
	unsigned n = make_stack(next(rng) % STACKS, pcs);
	uint32_t number;
	struct weighed w;

	CHECK(table_open());
	stack = stacktab_intern(pcs, n, 0, frames);
	CHECK(stack != 0);
	cell = cells_get(t, stack);
	CHECK(cell != 0);
	weigh(size, 12, &w);
	number = mirror_born(t, cell, size, 12, next(rng) % 1000);
	CHECK(number != 0 && number <= 0xfffff);
	cells_alloc(cell, &w);
	mirror_tell_born(number);
	allocs++;
	alloc_bytes += w.bytes;
	alloc_est += w.est_bytes;
	let_go(t,
	    atomic_exchange(&held[next(rng) % HELD],
		(uint64_t)cell << 36 | (uint64_t)number << 16 | size),
	    next(rng) % 1000);
}

static void *
work(void *arg)
{
	uint64_t rng = (uint64_t)(uintptr_t)arg;

	for (int life = 0; life < LIVES; life++) {
		struct thread t = { .tid = ++tids };

		for (int i = 0; i < ROUNDS; i++) {
			one_sample(&t, &rng);
			if (next(&rng) % 4 == 0)
				/* some as if by a signal handler */
				let_go(next(&rng) % 4 ? &t : NULL,
				    atomic_exchange(
					&held[next(&rng) % HELD], 0),
				    1);
			if (next(&rng) % 5000 == 0)
				epoch++;
		}
		cells_thread_end(&t);
		mirror_thread_end(&t);
	}
	running--;
	return NULL;
}

/* ---- those who look on ---- */

struct viewer {
	struct encoder encoder;
	struct cell_frame *cell; /* what was last said of each */
	uint32_t cells;
	uint32_t index[CELLS]; /* stack and slot to cell, open addressing */
	struct thread_frame slot[TABLE_SLOTS];
	uint32_t stacks;                      /* seen */
	struct birth_frame birth[BIRTHS_MAX]; /* stack 0: nobody's */
	uint64_t cells_seen, births_seen, deaths_seen, pulls;
};

static struct viewer viewer[VIEWERS];

static void
take_cell(struct viewer *v, const struct cell_frame *c)
{
	uint32_t i = (c->stack * 2654435761u) ^ (c->slot * 40503u);

	CHECK(c->stack <= v->stacks && c->slot < TABLE_SLOTS);
	CHECK(c->live_raw_objects <= c->alloc_raw_objects);
	v->cells_seen++;
	for (;; i++) {
		uint32_t n = v->index[i % CELLS];

		if (n == 0)
			break;
		if (v->cell[n].stack == c->stack &&
		    v->cell[n].slot == c->slot) {
			v->cell[n] = *c;
			return;
		}
	}
	CHECK(v->cells + 1 < CELLS / 2);
	v->index[i % CELLS] = ++v->cells;
	v->cell[v->cells] = *c;
}

static void
take_frame(struct viewer *v, const struct frame_head *h, const void *p)
{
	struct thread_frame t;
	struct cell_frame c;
	struct stack_frame s;
	struct birth_frame b;
	uint32_t number;

	switch (h->kind) {
	case FRAME_STACK:
		memcpy(&s, p, sizeof s);
		CHECK(s.id == ++v->stacks);
		break;
	case FRAME_THREAD:
		memcpy(&t, p, sizeof t);
		v->slot[t.slot] = t;
		break;
	case FRAME_CELLS:
		for (size_t at = 0; at < h->size; at += sizeof c) {
			memcpy(&c, (const char *)p + at, sizeof c);
			take_cell(v, &c);
		}
		break;
	case FRAME_BIRTHS:
		for (size_t at = 0; at < h->size; at += sizeof b) {
			memcpy(&b, (const char *)p + at, sizeof b);
			CHECK(b.number < BIRTHS_MAX && b.stack <= v->stacks);
			CHECK(b.lg_sample == 12 && b.lg_thin == 0);
			v->birth[b.number] = b;
			v->births_seen++;
		}
		break;
	case FRAME_DEATHS:
		for (size_t at = 0; at < h->size; at += sizeof number) {
			memcpy(&number, (const char *)p + at, sizeof number);
			CHECK(number < BIRTHS_MAX);
			v->birth[number].stack = 0;
			v->deaths_seen++;
		}
		break;
	default: break;
	}
}

static void
pull(struct viewer *v)
{
	static _Thread_local unsigned char buf[ENCODE_ROOM];
	struct frame_head h;
	size_t n;

	if (!table_head())
		return;
	if (v == viewer)
		names_refresh();
	encoder_begin(&v->encoder,
	    __atomic_fetch_add(&table_head()->pull, 1, __ATOMIC_SEQ_CST), 0, 0);
	while ((n = encoder_some(&v->encoder, buf, sizeof buf)) > 0)
		for (size_t at = 0; at < n; at += sizeof h + h.size) {
			memcpy(&h, buf + at, sizeof h);
			take_frame(v, &h, buf + at + sizeof h);
		}
	v->pulls++;
}

static void *
look_on(void *arg)
{
	struct viewer *v = arg;

	while (running > 0)
		pull(v);
	return NULL;
}

/* Who lives, and nobody else. */
static void
knows_births(const struct viewer *v)
{
	struct table_view view = table_view();
	size_t lives = 0, known = 0;

	for (size_t i = 0; i < HELD; i++) {
		const struct birth_frame *b = &v->birth[number_of(held[i])];
		const struct table_cell *c;

		if (held[i] == 0)
			continue;
		c = table_cell_at(&view, cell_of(held[i]));
		CHECK(b->stack == c->stack && b->slot == c->slot);
		CHECK(b->size == (held[i] & 0xffff));
		lives++;
	}
	for (size_t i = 0; i < BIRTHS_MAX; i++)
		known += v->birth[i].stack != 0;
	CHECK(known == lives && table_births_at(&view)->untold == 0);
	printf("%zu live, %llu births and %llu deaths seen, %u numbers\n",
	    lives, (unsigned long long)v->births_seen,
	    (unsigned long long)v->deaths_seen, table_births_at(&view)->count);
}

static void
has_seen_the_truth(const struct viewer *v)
{
	struct table_view view = table_view();
	uint64_t a = 0, ab = 0, ae = 0, l = 0, lb = 0, le = 0, ended = 0;

	for (uint32_t i = 1; i <= v->cells; i++) {
		const struct cell_frame *c = &v->cell[i];

		a += c->alloc_raw_objects;
		ab += c->alloc_raw_bytes;
		ae += c->alloc_est_bytes;
		l += c->live_raw_objects;
		lb += c->live_raw_bytes;
		le += c->live_est_bytes;
		for (int k = 0; k < LIFE_BUCKETS; k++)
			ended += c->life[k];
	}
	CHECK(a == allocs && ab == alloc_bytes && ae == alloc_est);
	CHECK(l == allocs - frees && lb == alloc_bytes - free_bytes);
	CHECK(le == alloc_est - free_est);
	CHECK(ended == frees);
	CHECK(v->stacks == table_head()->stacks);
	for (uint32_t i = 1; i < table_head()->slots; i++) {
		const struct table_slot *s = table_slot_at(&view, i);

		if (s->state == SLOT_FREE)
			continue;
		CHECK(v->slot[i].tid == s->tid);
		CHECK(v->slot[i].ended == (s->state == SLOT_ENDED));
	}
	printf("%llu pulls, %llu cells seen, %u cells, %u slots\n",
	    (unsigned long long)v->pulls, (unsigned long long)v->cells_seen,
	    table_head()->cells, table_head()->slots);
}

int
main(void)
{
	pthread_t worker[WORKERS], watcher[VIEWERS];

	for (uintptr_t i = 0; i < VIEWERS; i++) {
		viewer[i].cell = calloc(CELLS / 2, sizeof(struct cell_frame));
		CHECK(viewer[i].cell);
		encoder_init(&viewer[i].encoder, table_view());
		CHECK(!pthread_create(&watcher[i], NULL, look_on, &viewer[i]));
	}
	for (uintptr_t i = 0; i < WORKERS; i++)
		CHECK(!pthread_create(&worker[i], NULL, work, (void *)(i + 1)));
	for (int i = 0; i < WORKERS; i++)
		pthread_join(worker[i], NULL);
	for (int i = 0; i < VIEWERS; i++)
		pthread_join(watcher[i], NULL);
	pthread_join(helper, NULL);
	for (int i = 0; i < VIEWERS; i++) {
		pull(&viewer[i]);
		has_seen_the_truth(&viewer[i]);
		knows_births(&viewer[i]);
	}
	/* what lives is freed: everything is 0 again */
	for (int i = 0; i < HELD; i++)
		let_go(NULL, atomic_exchange(&held[i], 0), 0);
	pull(&viewer[0]);
	has_seen_the_truth(&viewer[0]);
	knows_births(&viewer[0]);
	CHECK(allocs == frees && alloc_est == free_est);
	return 0;
}
