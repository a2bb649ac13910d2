/* needs: src/base/mem.c ui/snapshot_rows.c */
#include "ui/snapshot_rows.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "model/profile.h"
#include "ui/app.h"

#define S UINT64_C(1000000000)

struct run {
	struct app_point points[3000];
	struct snapshot_row *rows;
	size_t count, cap;
};

/* `n` snapshots a second apart, all with 100 bytes. */
static struct run *
flat(size_t n)
{
	struct run *l = calloc(1, sizeof *l);

	for (size_t i = 0; i < n; i++)
		l->points[i] = (struct app_point){ .id = (snap_id)i + 1,
			.ns = (i + 1) * S,
			.live_bytes = 100,
			.lg_sample = 19,
			.active = true };
	return l;
}

static void
build(struct run *l, size_t n, size_t height, uint64_t keep,
    const struct snapshot_span *open)
{
	struct snapshot_ask q = { .points = l->points,
		.count = n,
		.keep_ns = { 0, keep },
		.open = open,
		.open_count = open != NULL,
		.height = height };

	l->count = snapshot_rows(&q, &l->rows, &l->cap);
}

static void
drop(struct run *l)
{
	free(l->rows);
	free(l);
}

static void
assert_row(const struct run *l, size_t i, size_t point, size_t hidden)
{
	assert_true(i < l->count);
	assert_int_equal(l->rows[i].point, point);
	assert_int_equal(l->rows[i].hidden, hidden);
}

/* Whatever is asked for: all snapshots, newest first, each in one row. */
static void
assert_all_there(const struct run *l, size_t n)
{
	size_t next = n;

	for (size_t i = 0; i < l->count; i++) {
		const struct snapshot_row *r = &l->rows[i];

		assert_int_equal(r->point, next - 1);
		assert_int_not_equal(r->hidden, 1);
		assert_true(r->hidden == 0 || r->why == 0);
		next -= r->hidden ? r->hidden : 1;
	}
	assert_int_equal(next, 0);
}

/* 20 rows of room for 100 snapshots, one of which is the first: 17 of the
 * newest, a gap of the 82 between, the first; a blank row stays. */
static void
fills_the_room(void **state)
{
	struct run *l = flat(100);

	(void)state;
	build(l, 100, 20, 0, NULL);
	assert_int_equal(l->count, 19);
	assert_row(l, 0, 99, 0);
	assert_row(l, 16, 83, 0);
	assert_row(l, 17, 82, 82);
	assert_row(l, 18, 0, 0);
	assert_int_equal(l->rows[18].why, SNAPSHOT_FIRST | SNAPSHOT_PEAK);
	build(l, 100, 1, 0, NULL); /* four at least */
	assert_int_equal(l->count, 6);
	build(l, 100, 200, 0, NULL); /* there is room for all */
	assert_int_equal(l->count, 100);
	build(l, 0, 20, 0, NULL);
	assert_int_equal(l->count, 0);
	drop(l);
}

static void
what_says_something_stands_there(void **state)
{
	struct run *l = flat(100);

	(void)state;
	for (size_t i = 50; i < 100; i++)
		l->points[i].lg_sample = 16;
	for (size_t i = 40; i < 45; i++)
		l->points[i].active = false;
	for (size_t i = 30; i < 100; i++)
		l->points[i].lost[LOSS_TABLE_FULL] = 2;
	l->points[20].live_bytes = 200;
	build(l, 100, 0, 11 * S, NULL);
	/* the newest four, then 50, 45, 40, 30, 21, 20, 10 and 0, between
	 * which are six gaps: not between 21 and 20 */
	assert_all_there(l, 100);
	assert_int_equal(l->count, 4 + 8 + 7);
	assert_row(l, 5, 50, 0);
	assert_int_equal(l->rows[5].why, SNAPSHOT_RATE);
	assert_int_equal(l->rows[7].why, SNAPSHOT_ON);
	assert_int_equal(l->rows[9].why, SNAPSHOT_OFF);
	assert_row(l, 11, 30, 0);
	assert_int_equal(l->rows[11].why, SNAPSHOT_LOST);
	assert_int_equal(l->rows[13].why, SNAPSHOT_DROP);
	assert_int_equal(l->rows[14].why, SNAPSHOT_PEAK);
	assert_row(l, 16, 10, 0);
	assert_int_equal(l->rows[16].why, SNAPSHOT_KEPT);
	drop(l);
}

/* 4 of 100 bytes are less than a twentieth, 5 are not. */
static void
small_drops_are_no_word(void **state)
{
	struct run *l = flat(100);

	(void)state;
	l->points[50].live_bytes = 96;
	build(l, 100, 0, 0, NULL);
	assert_int_equal(l->count, 6);
	l->points[50].live_bytes = 95;
	build(l, 100, 0, 0, NULL);
	assert_int_equal(l->count, 8);
	assert_int_equal(l->rows[5].why, SNAPSHOT_DROP);
	drop(l);
}

static void
says_what_was_lost(void **state)
{
	struct run *l = flat(3);
	unsigned reason;

	(void)state;
	l->points[0].lost[LOSS_STARTING] = 7;
	l->points[1] = l->points[0];
	l->points[1].lost[LOSS_NOMEM] = 3;
	l->points[1].lost[LOSS_NESTED] = 1;
	assert_int_equal(snapshot_lost(l->points, 0, &reason), 7);
	assert_int_equal(reason, LOSS_STARTING);
	assert_int_equal(snapshot_lost(l->points, 1, &reason), 4);
	assert_int_equal(reason, LOSS_NOMEM);
	/* a counter that went back has lost nothing */
	assert_int_equal(snapshot_lost(l->points, 2, &reason), 0);
	drop(l);
}

static void
gaps_unfold(void **state)
{
	const struct snapshot_span some = { 20 * S, 29 * S };
	const struct snapshot_span all = { 0, UINT64_MAX };
	struct run *l = flat(100);

	(void)state;
	/* 19..28 with gaps at both ends */
	build(l, 100, 0, 0, &some);
	assert_all_there(l, 100);
	assert_int_equal(l->count, 4 + 1 + 10 + 1 + 1);
	assert_row(l, 4, 95, 67);
	assert_row(l, 5, 28, 0);
	assert_row(l, 15, 18, 18);
	build(l, 100, 0, 0, &all);
	assert_int_equal(l->count, 100);
	drop(l);
}

/* Losses and switches all the time do not fill the list: the eight largest
 * losses, sixteen switches. */
static void
much_trouble_is_bounded(void **state)
{
	struct run *l = flat(3000);

	(void)state;
	for (size_t i = 0; i < 3000; i++) {
		l->points[i].active = i % 2;
		l->points[i].lost[0] = i * i;
	}
	build(l, 3000, 0, 0, NULL);
	assert_all_there(l, 3000);
	assert_true(l->count < 40);
	drop(l);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(fills_the_room),
		cmocka_unit_test(what_says_something_stands_there),
		cmocka_unit_test(small_drops_are_no_word),
		cmocka_unit_test(says_what_was_lost),
		cmocka_unit_test(gaps_unfold),
		cmocka_unit_test(much_trouble_is_bounded),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
