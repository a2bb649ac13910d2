/* needs: src/io/historyfile.c src/io/domain.c src/io/recordfile.c
 * src/io/infile.c src/io/progress.c src/io/dumpread.c src/model/profile.c
 * src/model/births.c
 * src/model/frames.c src/model/modules.c src/model/stacks.c
 * src/model/history.c src/model/history_log.c src/model/plumbing.c
 * src/model/name.c src/base/arena.c src/base/buf.c src/base/err.c
 * src/base/map.c src/base/mem.c src/base/strtab.c src/base/utf8.c */
/* libs: -lz */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/err.h"
#include "io/historyfile.h"
#include "io/recordfile.h"
#include "model/births.h"
#include "model/frames.h"
#include "model/history.h"
#include "model/modules.h"
#include "model/profile.h"
#include "model/stacks.h"

#define STACKS    500 /* more cells than a frame holds */
#define SNAPSHOTS 40

static char path[] = "/tmp/test-historyfile.XXXXXX";

static int
set_up(void **state)
{
	(void)state;
	return close(mkstemp(path));
}

static int
tear_down(void **state)
{
	(void)state;
	return unlink(path);
}

static void
cell(struct profile *p, uint32_t stack)
{
	struct cell_values v = { 0 };
	uint32_t life[PROFILE_LIVES] = { 0 };

	v.live_objects = rand() % 5;
	v.live_bytes = v.live_objects * (1 + rand() % 4096) / 3.0;
	v.alloc_objects = v.live_objects + rand() % 3;
	v.alloc_bytes = v.live_bytes * 2;
	v.live_var_bytes = v.live_bytes;
	v.alloc_var_objects = v.alloc_objects;
	v.live_samples = (uint64_t)v.live_objects;
	v.alloc_samples = (uint64_t)v.alloc_objects;
	life[rand() % PROFILE_LIVES] = (uint32_t)rand();
	assert_int_equal(
	    profile_put_cell(p, stack, (uint16_t)(stack % 3), &v, NULL), 0);
	profile_put_life(p, stack, (uint16_t)(stack % 3), life);
}

/* Births are told from the third snapshot on. */
static void
lives(struct profile *p, unsigned snapshot)
{
	struct births *b = profile_births(p);
	size_t n;
	const struct profile_cell *c = profile_cells(p, &n);

	if (snapshot < 3 || n == 0)
		return;
	births_begin(b, 12345, 0, snapshot == 3);
	for (unsigned i = 0; i < 100; i++) {
		struct birth_told t = { .number = (uint32_t)rand() % 300,
			.cell = (uint32_t)rand() % (uint32_t)n,
			.size = 1 + (uint64_t)rand(),
			.birth = snapshot * 10,
			.lg_sample = (uint8_t)(rand() % 20),
			.lg_thin = (uint8_t)(3 * (rand() % 4)) };

		/* what allocated nothing has none */
		if (c[t.cell].v.alloc_samples && rand() % 3)
			assert_true(births_put(b, &t));
		else
			assert_true(births_put_death(b, t.number));
	}
}

/* A process as a stream would tell of it: ever more stacks, some change. */
static struct profile *
run(void)
{
	const uint8_t build[] = { 1, 2, 3 };
	const struct profile_facts f = {
		.pid = 77,
		.ppid = 1,
		.start_ticks = 5,
		.image_ns = 5000000000,
		.wall_ns = 1700000000000000000,
		.flags = PROFILE_FORKED,
		.image = "/bin/x",
		.command = "x -y",
		.build_id = build,
		.build_id_len = sizeof build,
	};
	struct profile *p = profile_new();

	profile_put_facts(p, &f);
	profile_put_module(
	    p, 2, 0x1000, 0x9000, 0x1000, build, sizeof build, "/bin/x", NULL);
	profile_put_thread(p, 1, 78, 1, "main");
	for (unsigned i = 1; i <= SNAPSHOTS; i++) {
		struct profile_totals t = { .now_ns = f.image_ns + i * 100,
			.exact_ns = f.image_ns + i * 100,
			.live_bytes = 1000 + i,
			.samples = i,
			.lg_sample = 12,
			.rate_changes = 1,
			.active = 1,
			.lost = { 0, 1, 2, 3, 4, 5, 6, i } };

		for (unsigned k = 1; k <= STACKS * i / SNAPSHOTS; k++) {
			const struct profile_frame at[] = { { 2, 0x10 + k },
				{ 0, 0x7777 } };

			assert_int_equal(
			    profile_put_stack(p, 3 * k, k % 8, at, 2, NULL), 0);
			if (rand() % 4 == 0)
				cell(p, 3 * k);
		}
		lives(p, i);
		profile_put_totals(p, &t);
		profile_commit(p);
	}
	return p;
}

static struct profile *
replay(void)
{
	struct profile *p = profile_new();
	struct buf notes = BUF_INIT;
	struct err e;

	if (recordfile_read(path, p, &notes, &e) != 0)
		fail_msg("%s", notes.len ? buf_str(&notes) : e.msg);
	buf_fini(&notes);
	return p;
}

/* Where the other profile has that cell; its number of cells if nowhere. */
static size_t
find_cell(const struct profile *p, const struct profile_cell *c)
{
	const struct profile_cell *cells;
	size_t n, i;

	cells = profile_cells(p, &n);
	for (i = 0; i < n; i++)
		if (cells[i].stack == c->stack && cells[i].slot == c->slot)
			break;
	return i;
}

/* What lives at a snapshot, whatever the order: sums of what differs. */
static void
sum_births(const struct profile *p, snap_id at, uint64_t sum[5])
{
	size_t n, cells;
	const struct birth *b = births_all(profile_births(p), &n);
	const struct profile_cell *c = profile_cells(p, &cells);

	memset(sum, 0, 5 * sizeof *sum);
	for (size_t i = 0; i < n; i++) {
		if (!birth_lives(&b[i], at))
			continue;
		sum[0]++;
		sum[1] += birth_size(&b[i]);
		sum[2] += b[i].birth * birth_size(&b[i]);
		sum[3] += (c[b[i].cell].stack * 7 + c[b[i].cell].slot) *
		    birth_size(&b[i]);
		sum[4] += (b[i].lg_sample * 5 + b[i].thin) * birth_size(&b[i]);
	}
}

static void
compare_births(const struct profile *a, const struct profile *b)
{
	const struct history *was = profile_history(a);
	const struct history *is = profile_history(b);

	for (size_t i = 0; i < history_count(was); i++) {
		snap_id at = history_at(was, i)->id;
		snap_id then = history_at(is, i)->id;
		uint64_t x[5], y[5];

		assert_int_equal(births_known(profile_births(a), at),
		    births_known(profile_births(b), then));
		assert_int_equal(births_known(profile_births(a), at), i >= 2);
		sum_births(a, at, x);
		sum_births(b, then, y);
		assert_memory_equal(x, y, sizeof x);
		assert_true(i < 5 || x[0] > 50);
	}
	assert_int_equal(births_start_ns(profile_births(b)), 12345);
}

static void
compare_histories(const struct profile *a, const struct profile *b)
{
	const struct history *was = profile_history(a);
	const struct history *is = profile_history(b);
	const struct profile_cell *cells, *other;
	size_t n, m;

	assert_int_equal(history_count(is), history_count(was));
	cells = profile_cells(a, &n);
	other = profile_cells(b, &m);
	for (size_t i = 0; i < n; i++) {
		size_t k = find_cell(b, &cells[i]);

		assert_true(k < m);
		assert_true(fabs(cells[i].v.live_bytes -
				other[k].v.live_bytes) <= 1.0 / 256);
		assert_memory_equal(profile_life(a, (uint32_t)i),
		    profile_life(b, (uint32_t)k),
		    PROFILE_LIVES * sizeof(uint32_t));
		for (size_t at = 0; at < history_count(was); at++) {
			struct history_values x = history_cell(
			    was, (uint32_t)i, history_at(was, at)->id);
			struct history_values y = history_cell(
			    is, (uint32_t)k, history_at(is, at)->id);

			assert_memory_equal(&x, &y, sizeof x);
		}
	}
	for (size_t at = 0; at < history_count(was); at++)
		assert_memory_equal(&history_at(was, at)->totals,
		    &history_at(is, at)->totals, sizeof(struct profile_totals));
}

static void
test_same(void **state)
{
	struct profile *p, *again;
	const struct profile_facts *f;
	const struct stack *s;
	size_t dumps;

	(void)state;
	srand(4);
	p = run();
	assert_int_equal(historyfile_write(p, path, &dumps, NULL), 0);
	assert_int_equal(dumps, SNAPSHOTS);
	again = replay();
	compare_histories(p, again);
	compare_births(p, again);
	f = profile_facts(again);
	assert_int_equal(f->pid, 77);
	assert_int_equal(f->start_ticks, 5);
	assert_true(f->wall_ns == UINT64_C(1700000000000000000));
	assert_int_equal(f->flags, PROFILE_FORKED);
	assert_string_equal(f->image, "/bin/x");
	assert_string_equal(f->command, "x -y");
	assert_int_equal(f->build_id_len, 3);
	assert_int_equal(
	    modules_find(profile_modules(again), 2)->build_id_len, 3);
	assert_string_equal(profile_thread_name(again, 1), "main");
	assert_int_equal(profile_thread_tid(again, 1), 78);
	assert_int_equal(profile_thread_ended(again, 1), 1);
	s = stacks_at(profile_stacks(again), 7);
	assert_int_equal(s->flags, 7);
	assert_int_equal(s->count, 2);
	assert_int_equal(
	    frames_offset(profile_frames(again), s->frames[0]), 0x17);
	assert_int_equal(frames_module(profile_frames(again), s->frames[1]), 0);
	profile_free(p);
	/* what a recording says can be written again */
	assert_int_equal(historyfile_write(again, path, NULL, NULL), 0);
	p = replay();
	compare_histories(again, p);
	compare_births(again, p);
	profile_free(p);
	profile_free(again);
}

static void
test_refused(void **state)
{
	struct profile *p = profile_new();
	const struct profile_frame at = { 0, 1 };
	const struct cell_values v = { .live_bytes = 1 };
	struct err e;

	(void)state;
	assert_int_equal(historyfile_write(p, path, NULL, &e), -1);
	assert_non_null(strstr(e.msg, "no snapshot"));
	profile_commit(p);
	assert_int_equal(historyfile_write(p, "/nonexistent/x", NULL, &e), -1);
	assert_non_null(strstr(e.msg, "/nonexistent/x"));
	assert_int_equal(historyfile_write(p, path, NULL, &e), 0);
	assert_int_equal(profile_put_stack(p, 1, 0, &at, 1, NULL), 0);
	assert_int_equal(profile_put_cell(p, 1, 1024, &v, NULL), 0);
	profile_commit(p);
	assert_int_equal(historyfile_write(p, path, NULL, &e), -1);
	assert_non_null(strstr(e.msg, "threads"));
	profile_free(p);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_same),
		cmocka_unit_test(test_refused),
	};

	return cmocka_run_group_tests(tests, set_up, tear_down);
}
