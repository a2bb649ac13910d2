/* needs: src/base/ src/model/ */
/* libs: -lm */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "model/ages.h"
#include "model/births.h"
#include "model/report.h"
#include "profile_fixture.h"

#define S UINT64_C(1000000000)

/* Ticks count from second 1 on: tick 100 is second 2. */
#define START_NS (1 * S)

struct object {
	uint32_t number, stack;
	uint16_t slot;
	uint32_t tick;
	uint64_t size;
	uint8_t lg_sample, lg_thin;
};

static void
put(struct profile *p, const struct object *o)
{
	struct birth_told t = { .number = o->number,
		.cell = profile_find_cell(p, o->stack, o->slot),
		.size = o->size,
		.birth = o->tick,
		.lg_sample = o->lg_sample,
		.lg_thin = o->lg_thin };

	assert_true(births_put(profile_births(p), &t));
}

/*
 * Stack 1 (decode) in thread 1: 100 B born at 2 s, 300 B at 4 s, 8 B at 4.5 s;
 * stack 2 (index) in thread 2: one of 4,096 B at 3 s, at a rate of 2^12, and
 * one of 1 MiB at 4 s, at 2^12; stack 3 (grow) in thread 1: none is told of.
 * Snapshots at 5 and 15 s.  At 15 s, the first of decode is gone and one of
 * 200 B has come at 10 s.
 */
static const struct object objects[] = {
	{ 1, 1, 1, 100, 100, 0, 0 },
	{ 2, 1, 1, 300, 300, 0, 0 },
	{ 3, 1, 1, 350, 8, 0, 0 },
	{ 4, 2, 2, 200, 4096, 12, 0 },
	{ 5, 2, 2, 300, 1 << 20, 12, 0 },
};
static const struct object later = { 1, 1, 1, 900, 200, 0, 0 };

static void
cells(struct profile *p)
{
	fixture_cell(p, 1, 1, 408, 3, 900, 9, 0);
	fixture_cell(p, 2, 2, 1055000, 2, 2000000, 3, 100);
	fixture_cell(p, 3, 1, 100, 1, 100, 1, 0);
}

static struct profile *
make(uint64_t untold)
{
	struct profile *p = fixture_empty();
	static const uint32_t life[PROFILE_LIVES] = { 1, 0, 2, 4 };

	cells(p);
	profile_put_life(p, 1, 1, life);
	births_begin(profile_births(p), START_NS, untold, true);
	for (size_t i = 0; i < sizeof objects / sizeof objects[0]; i++)
		put(p, &objects[i]);
	fixture_commit(p, 5);
	cells(p);
	births_begin(profile_births(p), START_NS, untold, false);
	put(p, &later);
	fixture_commit(p, 15);
	return p;
}

static struct report *
ask(struct profile *p, enum grouping by, snap_id at)
{
	const struct profile *list[1] = { p };
	struct query q;

	query_init(&q);
	q.grouping = by;
	q.at = at;
	return report_build(list, 1, &q);
}

static uint32_t
row(const struct report *r, const char *name)
{
	for (uint32_t i = 0; i < r->row_count; i++) {
		if (strcmp(r->rows[i].name, name) == 0)
			return i;
	}
	fail_msg("no row %s", name);
	return 0;
}

static void
near(double is, double want)
{
	if (fabs(is - want) > 1e-6 * (1 + fabs(want)))
		fail_msg("%.9g is not %.9g", is, want);
}

/* At 5 s decode's are 3, 1 and 0.5 s old: half of three is reached with the
 * second. */
static void
ages_at_a_moment(void **state)
{
	struct profile *p = make(0);
	struct report *r = ask(p, GROUP_FUNCTIONS, 1);
	struct age_view *v = ages_new(r);
	struct ages a = ages_at(v, AGES_ROW, row(r, "decode"));

	(void)state;
	assert_true(ages_known(v));
	assert_true(a.known && a.exact && !a.part);
	assert_int_equal(a.samples, 3);
	assert_int_equal(a.oldest_ns, 3 * S);
	assert_int_equal(a.median_ns, 1 * S);
	assert_int_equal(a.youngest_ns, S / 2);
	near(a.objects, 3);
	near(a.bytes, 408);
	/* nothing is told of those, though something lives */
	a = ages_at(v, AGES_ROW, row(r, "grow"));
	assert_false(a.known);
	ages_free(v);
	report_free(r);
	profile_free(p);
}

/* At 15 s the first is gone: 11, 10.5 and 5 s. */
static void
ages_now(void **state)
{
	struct profile *p = make(0);
	struct report *r = ask(p, GROUP_FUNCTIONS, 0);
	struct age_view *v = ages_new(r);
	struct ages a = ages_at(v, AGES_ROW, row(r, "decode"));
	struct ages again =
	    ages_at(v, AGES_ROW_ID, ages_row_id(v, &r->rows[row(r, "decode")]));

	(void)state;
	assert_int_equal(a.oldest_ns, 11 * S);
	assert_int_equal(a.median_ns, 21 * S / 2);
	assert_int_equal(a.youngest_ns, 5 * S);
	assert_memory_equal(&a, &again, sizeof a);
	ages_free(v);
	report_free(r);
	profile_free(p);
}

/*
 * Of index, the object of 4,096 B stands for 1.5819767069, that of 1 MiB for
 * one: of 2.58 half is reached with the older.  All told at 5 s: births at 2 s
 * (1), 3 s (1.58), 4 s (1 and 1), 4.5 s (1): half of 5.58 is 2.79, so 4 s.
 */
static void
by_weight(void **state)
{
	struct profile *p = make(0);
	struct report *r = ask(p, GROUP_FUNCTIONS, 1);
	struct age_view *v = ages_new(r);
	struct ages a = ages_at(v, AGES_ROW, row(r, "index"));

	(void)state;
	assert_true(a.known && !a.exact);
	near(a.objects, 2.5819767069);
	near(a.bytes, 1.5819767069 * 4096 + 1048576);
	assert_int_equal(a.median_ns, 2 * S);
	a = ages_at(v, AGES_ALL, 0);
	assert_int_equal(a.samples, 5);
	assert_int_equal(a.median_ns, 1 * S);
	assert_int_equal(a.oldest_ns, 3 * S);
	ages_free(v);
	report_free(r);
	profile_free(p);
}

static void
of_stacks_and_threads(void **state)
{
	struct profile *p = make(0);
	struct report *r = ask(p, GROUP_STACKS, 1);
	struct age_view *v = ages_new(r);
	uint32_t both[2] = { r->stack_index[0][1] - 1,
		r->stack_index[0][2] - 1 };
	uint32_t decode = row(r, "decode");

	(void)state;
	assert_int_equal(ages_at(v, AGES_STACK, both[0]).samples, 3);
	assert_int_equal(ages_at(v, AGES_ROW, decode).samples, 3);
	assert_int_equal(
	    ages_at(v, AGES_LIST, ages_list(v, both, 2)).samples, 5);
	assert_int_equal(
	    ages_at(v, AGES_LIST, ages_list(v, both + 1, 1)).samples, 2);
	assert_int_equal(ages_list(v, both, 2), ages_list(v, both, 2));
	assert_false(ages_at(v, AGES_STACK, 99).known);
	assert_false(ages_at(v, AGES_LIST, 99).known);
	assert_false(ages_at(v, AGES_ROW, 99).known);
	ages_free(v);
	report_free(r);

	r = ask(p, GROUP_THREADS, 1);
	v = ages_new(r);
	assert_int_equal(ages_at(v, AGES_ROW_ID, 1).samples, 3);
	assert_int_equal(ages_at(v, AGES_ROW_ID, 2).samples, 2);
	assert_int_equal(ages_at(v, AGES_ROW_ID, 3).samples, 0);
	ages_free(v);
	report_free(r);
	profile_free(p);
}

/* Bucket 3 is [64, 256) ms: of 7 freed the fourth is in it. */
static void
lifetimes(void **state)
{
	struct profile *p = make(0);
	struct report *r = ask(p, GROUP_FUNCTIONS, 0);
	struct age_view *v = ages_new(r);
	struct ages_lives l = ages_lives(v, AGES_ROW, row(r, "decode"));

	(void)state;
	assert_true(l.known);
	assert_int_equal(l.freed, 7);
	assert_int_equal(l.bucket[2], 2);
	assert_int_equal(l.median, 3);
	assert_int_equal(ages_life_from(l.median), 64000000);
	assert_int_equal(ages_life_to(l.median), 256000000);
	assert_int_equal(ages_life_from(0), 0);
	assert_true(ages_life_to(PROFILE_LIVES - 1) == UINT64_MAX);
	assert_false(ages_lives(v, AGES_ROW, row(r, "grow")).known);
	ages_free(v);
	report_free(r);
	profile_free(p);
}

/*
 * Born after 2 s, up to 4 s, and alive at 5 s: 300 B of decode; both of index.
 * The sampled one of 4,096 B has variance w (w - 1) = 0.9206736, its bytes
 * 4096^2 times that: errors 1.96 times the roots, 1.8806541 and 7703.1590.
 */
static void
generations(void **state)
{
	struct profile *p = make(0);
	struct report *r = ask(p, GROUP_FUNCTIONS, 1);
	struct age_view *v = ages_new(r);
	struct ages_generation g =
	    ages_generation(v, AGES_ROW, row(r, "decode"), 2 * S, 4 * S);

	(void)state;
	assert_true(g.known && !g.part);
	assert_int_equal(g.born.samples, 1);
	near(g.born.bytes, 300);
	near(g.born.bytes_error, 0);
	near(g.all.objects, 3);
	g = ages_generation(v, AGES_ROW, row(r, "index"), 2 * S, 4 * S);
	near(g.born.objects, 2.5819767069);
	near(g.born.objects_error, 1.8806541);
	near(g.born.bytes_error, 7703.1590);
	g = ages_generation(v, AGES_ALL, 0, 0, UINT64_MAX);
	assert_int_equal(g.born.samples, 5);
	ages_free(v);
	report_free(r);
	/* alive now of what was born by 4 s: all but the one that died */
	r = ask(p, GROUP_FUNCTIONS, 0);
	v = ages_new(r);
	g = ages_generation(v, AGES_ALL, 0, 0, 4 * S);
	assert_int_equal(g.born.samples, 3);
	ages_free(v);
	report_free(r);
	profile_free(p);
}

/* 8 B is in (4, 8], 100 B in (64, 128], 300 B in (256, 512]; 4,096 B in (2048,
 * 4096], 1 MiB in the class that ends there. */
static void
by_size(void **state)
{
	struct profile *p = make(0);
	struct report *r = ask(p, GROUP_FUNCTIONS, 1);
	struct age_view *v = ages_new(r);
	struct ages_sizes s = ages_sizes(v, AGES_ROW, row(r, "decode"));

	(void)state;
	assert_true(s.known && !s.part);
	assert_int_equal(s.first, 3);
	assert_int_equal(s.last, 9);
	near(s.size[3].bytes, 8);
	near(s.size[7].bytes, 100);
	near(s.size[9].bytes, 300);
	assert_int_equal(s.size[8].samples, 0);
	s = ages_sizes(v, AGES_ROW, row(r, "index"));
	assert_int_equal(s.first, 12);
	assert_int_equal(s.last, 20);
	near(s.size[12].objects, 1.5819767069);
	near(s.size[12].bytes_error, 7703.1590);
	near(s.size[20].bytes, 1048576);
	assert_false(ages_sizes(v, AGES_ROW, row(r, "grow")).known);
	ages_free(v);
	report_free(r);
	profile_free(p);
}

/* Three live in decode, and it says that not all were told: there is nothing
 * missing in decode; in grow there is, but of that nothing is known. */
static void
some_were_not_told(void **state)
{
	struct profile *p = make(1);
	struct report *r = ask(p, GROUP_FUNCTIONS, 1);
	struct age_view *v = ages_new(r);

	(void)state;
	assert_false(ages_at(v, AGES_ROW, row(r, "decode")).part);
	assert_true(ages_at(v, AGES_ALL, 0).part);
	assert_false(ages_at(v, AGES_ALL, 0).exact);
	assert_true(ages_sizes(v, AGES_ALL, 0).part);
	assert_true(ages_generation(v, AGES_ALL, 0, 0, S).part);
	ages_free(v);
	report_free(r);
	profile_free(p);
}

/* A dump tells of no births: nothing is known, but lifetimes may be. */
static void
without_births(void **state)
{
	struct profile *p = fixture_profile();
	struct report *r = ask(p, GROUP_FUNCTIONS, 0);
	struct age_view *v = ages_new(r);

	(void)state;
	assert_false(ages_known(v));
	assert_false(ages_at(v, AGES_ALL, 0).known);
	assert_false(ages_sizes(v, AGES_ALL, 0).known);
	assert_false(ages_generation(v, AGES_ALL, 0, 0, S).known);
	assert_false(ages_lives(v, AGES_ALL, 0).known);
	ages_free(v);
	report_free(r);
	profile_free(p);
}

/* The median of many, against adding up in order: ticks from a permutation,
 * weights of 1 and 8. */
static void
median_of_many(void **state)
{
	struct profile *p = fixture_empty();
	static uint8_t thin[1009];
	double sum = 0, half = 0;
	struct report *r;
	struct age_view *v;
	uint32_t tick;

	(void)state;
	cells(p);
	births_begin(profile_births(p), 0, 0, true);
	for (uint32_t i = 0; i < 1009; i++) {
		struct object o = { i, 1, 1, i * 389 % 1009, 48, 0, 0 };

		o.lg_thin = thin[o.tick] = i % 5 == 0 ? 3 : 0;
		half += (o.lg_thin ? 8 : 1) / 2.0;
		put(p, &o);
	}
	fixture_commit(p, 100);
	for (tick = 0;; tick++) {
		sum += thin[tick] ? 8 : 1;
		if (sum >= half)
			break;
	}
	r = ask(p, GROUP_FUNCTIONS, 0);
	v = ages_new(r);
	assert_int_equal(
	    ages_at(v, AGES_ALL, 0).median_ns, 100 * S - tick * BIRTHS_TICK_NS);
	ages_free(v);
	report_free(r);
	profile_free(p);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(ages_at_a_moment),
		cmocka_unit_test(ages_now),
		cmocka_unit_test(by_weight),
		cmocka_unit_test(of_stacks_and_threads),
		cmocka_unit_test(lifetimes),
		cmocka_unit_test(generations),
		cmocka_unit_test(by_size),
		cmocka_unit_test(some_were_not_told),
		cmocka_unit_test(without_births),
		cmocka_unit_test(median_of_many),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
