/* needs: src/model/births.c src/model/history.c src/model/history_log.c
 * src/base/mem.c src/base/map.c src/base/err.c src/base/buf.c */
/* libs: -lm */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "model/births.h"
#include "model/history.h"

struct made {
	struct births *b;
	struct history *h;
	uint64_t now_s;
};

static int
setup(void **state)
{
	static struct made m;

	m = (struct made){ births_new(), history_new(), 1 };
	*state = &m;
	return 0;
}

static int
teardown(void **state)
{
	struct made *m = *state;

	births_free(m->b);
	history_free(m->h);
	return 0;
}

static void
begin(struct made *m, bool whole)
{
	births_begin(m->b, 1000, 0, whole);
}

/* One second on. */
static void
commit(struct made *m)
{
	struct profile_totals t = { .now_ns = m->now_s++ * 1000000000u };
	struct snapshot none = { 0 };

	history_commit(m->h, &t, &none);
	births_commit(m->b, m->h);
}

static void
put(struct made *m, uint32_t number, uint32_t cell, uint32_t birth)
{
	struct birth_told t = {
		.number = number, .cell = cell, .birth = birth, .size = 48
	};

	assert_true(births_put(m->b, &t));
}

static void
bury(struct made *m, uint32_t number)
{
	assert_true(births_put_death(m->b, number));
}

/* How many of a cell live at a snapshot. */
static unsigned
living(const struct made *m, uint32_t cell, uint32_t snapshot)
{
	size_t n;
	const struct birth *b = births_all(m->b, &n);
	unsigned live = 0;

	for (size_t i = 0; i < n; i++)
		live += b[i].cell == cell && birth_lives(&b[i], snapshot);
	return live;
}

static void
nothing_is_told(void **state)
{
	struct made *m = *state;

	commit(m);
	assert_false(births_told(m->b));
	assert_false(births_known(m->b, 1));
	begin(m, true);
	commit(m);
	assert_true(births_told(m->b));
	assert_true(births_known(m->b, 2));
	assert_false(births_known(m->b, 1));
	assert_int_equal(births_start_ns(m->b), 1000);
	assert_int_equal(births_now(m->b), 2);
	assert_false(births_short(m->b));
}

static void
lives_from_birth_to_death(void **state)
{
	struct made *m = *state;

	begin(m, true);
	put(m, 3, 7, 10);
	commit(m); /* 1 */
	begin(m, false);
	put(m, 4, 7, 20);
	commit(m); /* 2 */
	begin(m, false);
	bury(m, 3);
	bury(m, 9); /* nobody's */
	commit(m);  /* 3 */
	begin(m, false);
	put(m, 3, 8, 30);
	commit(m); /* 4 */

	assert_int_equal(living(m, 7, 1), 1);
	assert_int_equal(living(m, 7, 2), 2);
	assert_int_equal(living(m, 7, 3), 1);
	assert_int_equal(living(m, 7, 4), 1);
	assert_int_equal(living(m, 8, 3), 0);
	assert_int_equal(living(m, 8, 4), 1);
}

static void
a_number_is_used_again(void **state)
{
	struct made *m = *state;

	begin(m, true);
	put(m, 0, 1, 10);
	commit(m);
	begin(m, false);
	put(m, 0, 1, 10); /* nothing new */
	commit(m);
	assert_int_equal(living(m, 1, 2), 1);
	begin(m, false);
	put(m, 0, 1, 11); /* another one */
	commit(m);
	begin(m, false);
	put(m, 0, 2, 11); /* and another */
	commit(m);
	assert_int_equal(living(m, 1, 1), 1);
	assert_int_equal(living(m, 1, 3), 1);
	assert_int_equal(living(m, 1, 4), 0);
	assert_int_equal(living(m, 2, 4), 1);
}

/* A new connection tells of all that live; others have died meanwhile. */
static void
a_whole_dump_buries(void **state)
{
	struct made *m = *state;

	begin(m, true);
	put(m, 1, 1, 10);
	put(m, 2, 1, 10);
	put(m, 900, 1, 10);
	commit(m);
	begin(m, true);
	put(m, 2, 1, 10);
	put(m, 5, 1, 12);
	commit(m);
	assert_int_equal(living(m, 1, 1), 3);
	assert_int_equal(living(m, 1, 2), 2);
	/* one that was cut short changes nothing */
	begin(m, true);
	begin(m, false);
	commit(m);
	assert_int_equal(living(m, 1, 3), 2);
}

/*
 * At a rate of 2^12 an object of 4,096 bytes is sampled with a probability of
 * 1 - 1/e = 0.6321205588: it stands for 1.5819767069.  Told with a chance of 1
 * in 8, for 12.6558136550.  At rate 0 each stands for itself.
 */
static void
weights_are_unbiased(void **state)
{
	struct made *m = *state;
	static const struct birth_told told[] = {
		{ .number = 1, .size = 4096, .lg_sample = 12 },
		{ .number = 2, .size = 4096, .lg_sample = 12, .lg_thin = 3 },
		{ .number = 3, .size = 16 },
		{ .number = 4, .size = UINT64_C(3) << 30, .lg_sample = 19 },
	};
	static const double weight[] = { 1.5819767069, 12.6558136550, 1, 1 };
	const struct birth *b;
	size_t n;

	begin(m, true);
	for (size_t i = 0; i < 4; i++)
		assert_true(births_put(m->b, &told[i]));
	b = births_all(m->b, &n);
	assert_int_equal(n, 4);
	for (size_t i = 0; i < 4; i++) {
		assert_true(fabs(birth_weight(&b[i]) - weight[i]) < 1e-9);
		assert_int_equal(birth_size(&b[i]), told[i].size);
	}
}

static void
what_cannot_be_is_refused(void **state)
{
	struct made *m = *state;
	struct birth_told wrong[] = {
		{ .number = BIRTHS_NUMBERS, .size = 8 },
		{ .number = 1, .size = 0 },
		{ .number = 1, .size = 8, .lg_sample = 64 },
		{ .number = 1, .size = 8, .lg_thin = 4 },
		{ .number = 1, .size = 8, .cell = BIRTHS_CELLS },
	};
	size_t n;

	begin(m, true);
	for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++)
		assert_false(births_put(m->b, &wrong[i]));
	assert_false(births_put_death(m->b, BIRTHS_NUMBERS));
	births_all(m->b, &n);
	assert_int_equal(n, 0);
}

static void
more_than_there_is_room_for(void **state)
{
	struct made *m = *state;
	size_t n;

	births_set_kept(m->b, 100);
	begin(m, true);
	for (uint32_t i = 0; i < 150; i++)
		put(m, i, 1, 10);
	commit(m);
	births_all(m->b, &n);
	assert_int_equal(n, 100);
	assert_true(births_short(m->b));
	/* those that are there stay who they are */
	begin(m, false);
	for (uint32_t i = 0; i < 150; i++)
		bury(m, i);
	commit(m);
	assert_int_equal(living(m, 1, 2), 0);
	births_begin(m->b, 1000, 3, false);
	assert_true(births_short(m->b));
}

/* Ten live one second each, over and over: the oldest dead are forgotten, and
 * of moments they lived in nothing is claimed. */
static void
the_oldest_dead_are_forgotten(void **state)
{
	struct made *m = *state;
	size_t n;
	uint32_t known;

	births_set_kept(m->b, 200);
	begin(m, true);
	put(m, 100, 2, 1); /* lives all the time */
	for (uint32_t s = 1; s <= 50; s++) {
		for (uint32_t i = 0; i < 10; i++)
			put(m, i, 1, s);
		commit(m);
		begin(m, false);
	}
	births_all(m->b, &n);
	assert_true(n <= 200);
	assert_true(births_known(m->b, 50));
	for (known = 50; births_known(m->b, known - 1); known--)
		;
	assert_in_range(known, 31, 46); /* 5 to 20 seconds are there */
	for (uint32_t s = known; s <= 50; s++) {
		assert_int_equal(living(m, 1, s), 10);
		assert_int_equal(living(m, 2, s), 1);
	}
}

/* Of what is older than a minute history retains one in ten seconds: who lived
 * in between only goes, and nothing is unknown for it. */
static void
the_unasked_go_first(void **state)
{
	struct made *m = *state;
	size_t n, i;

	births_set_kept(m->b, 1200);
	begin(m, true);
	for (uint32_t s = 1; s <= 600; s++) {
		for (i = 0; i < 5; i++)
			put(m, (uint32_t)i, 1, s);
		commit(m);
		begin(m, false);
	}
	births_all(m->b, &n);
	assert_true(n < 1050); /* of 3,000 */
	for (i = 0; i < history_count(m->h); i++) {
		snap_id id = history_at(m->h, i)->id;

		assert_true(births_known(m->b, id));
		assert_int_equal(living(m, 1, id), 5);
	}
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, setup, teardown)

int
main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(nothing_is_told),
		TEST(lives_from_birth_to_death),
		TEST(a_number_is_used_again),
		TEST(a_whole_dump_buries),
		TEST(weights_are_unbiased),
		TEST(what_cannot_be_is_refused),
		TEST(more_than_there_is_room_for),
		TEST(the_oldest_dead_are_forgotten),
		TEST(the_unasked_go_first),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
