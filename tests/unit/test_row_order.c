/* needs: src/base/ src/model/ */
/* libs: -lm */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "model/report.h"
#include "model/row_order.h"
#include "profile_fixture.h"

static uint32_t
draw(uint32_t below)
{
	static uint64_t seed = 7;

	seed = seed * UINT64_C(6364136223846793005) + 1442695040888963407;
	return (uint32_t)((seed >> 33) % below);
}

static void
weights(void **state)
{
	static const double down[] = { INFINITY, 3e18, 2, 1.5, 1e-300, 0, -1e-9,
		-1, -7e20, -INFINITY };

	(void)state;
	for (size_t i = 1; i < sizeof down / sizeof *down; i++)
		assert_true(row_weight(down[i - 1]) < row_weight(down[i]));
	assert_true(row_weight(-0.0) == row_weight(0.0));
}

static int
compare(const void *va, const void *vb)
{
	const struct row_key *a = va, *b = vb;

	if (a->weight != b->weight)
		return a->weight < b->weight ? -1 : 1;
	if (a->rank != b->rank)
		return a->rank < b->rank ? -1 : 1;
	return (a->id > b->id) - (a->id < b->id);
}

/* Weights of kinds that defeat one or another way to choose: all the same,
 * few different, alike in their first bits, all over. */
static double
some_weight(unsigned kind)
{
	switch (kind) {
	case 0: return 42;
	case 1: return draw(5);
	case 2: return 1e6 + draw(1000) / 1e6;
	case 3: return (double)draw(1u << 30) - (1u << 29);
	default: return ldexp(1 + draw(4), (int)draw(200) - 100);
	}
}

/* Choosing and sorting give what sorting all of them by comparison gives. */
static void
first_of_many(void **state)
{
	(void)state;
	for (unsigned turn = 0; turn < 60; turn++) {
		size_t n = 1 + draw(turn % 3 ? 20000 : 50);
		size_t most = draw(turn % 2 ? 50 : (uint32_t)n + 1);
		struct row_key *want = calloc(n, sizeof *want);
		struct row_key *got = calloc(n, sizeof *got);
		size_t left;

		if (most > n)
			most = n;
		for (size_t i = 0; i < n; i++)
			want[i] =
			    (struct row_key){ row_weight(some_weight(turn % 5)),
				    draw(300), (uint32_t)i };
		memcpy(got, want, n * sizeof *got);
		qsort(want, n, sizeof *want, compare);
		left = row_order_select(got, n, most);
		assert_true(left >= most && left <= n);
		row_order_sort(got, left);
		assert_memory_equal(got, want, most * sizeof *got);
		free(want);
		free(got);
	}
}

/* Many stacks with the same functions again and again. */
static struct profile *
many_stacks(void)
{
	struct profile *p = fixture_empty();
	char name[32];

	for (uint64_t i = 0; i < 200; i++) {
		snprintf(name, sizeof name, "part%u", (unsigned)(i / 2));
		fixture_name(p, 1, 0x100 + i, name, "part.c", (uint32_t)i);
	}
	for (uint32_t id = 4; id < 3000; id++) {
		struct profile_frame frames[12];
		size_t n = 1 + draw(12);

		for (size_t i = 0; i < n; i++)
			frames[i] = (struct profile_frame){ 1,
				0x100 + draw(draw(4) ? 20 : 200) };
		profile_put_stack(p, id, 0, frames, n, NULL);
		/* whole numbers: any order of adding gives the same */
		fixture_cell(p, id, 1, draw(3) ? draw(5000) : 0, draw(9), 9000,
		    9, draw(100));
	}
	fixture_commit(p, 5);
	return p;
}

/* Few rows say what the first of all rows say. */
static void
few_rows_are_the_first(void **state)
{
	struct profile *p = many_stacks();
	const struct profile *one = p;

	(void)state;
	for (unsigned i = 0; i < 200; i++) {
		struct report *all, *few;
		struct query q;

		query_init(&q);
		q.grouping = (enum grouping)(i % GROUP_COUNT);
		q.order = (enum order)(i / GROUP_COUNT % ORDER_COUNT);
		q.metric = (enum metric)(draw(METRIC_COUNT));
		q.reverse = draw(2);
		q.freed = draw(2);
		q.difference = draw(4) == 0;
		q.max_rows = 0;
		all = report_build(&one, 1, &q);
		q.max_rows = 1 + draw(120);
		few = report_build(&one, 1, &q);
		assert_int_equal(few->group_count, all->group_count);
		assert_int_equal(few->row_count,
		    all->row_count < q.max_rows ? all->row_count : q.max_rows);
		for (size_t k = 0; k < few->row_count; k++) {
			const struct report_row *a = &all->rows[k];
			const struct report_row *b = &few->rows[k];

			assert_string_equal(a->name, b->name);
			assert_int_equal(a->key, b->key);
			assert_memory_equal(&a->f, &b->f, sizeof a->f);
			assert_memory_equal(&a->cum, &b->cum, sizeof a->cum);
			assert_int_equal(a->stack, b->stack);
			assert_int_equal(a->stacks, b->stacks);
			assert_int_equal(a->count, b->count);
		}
		report_free(all);
		report_free(few);
	}
	profile_free(p);
}

/* What a row holds with all it called, by asking every stack. */
static void
cum_is_every_stack_once(void **state)
{
	struct profile *p = many_stacks();
	const struct profile *one = p;
	struct report *r;
	struct query q;

	(void)state;
	query_init(&q);
	q.max_rows = 50;
	r = report_build(&one, 1, &q);
	assert_int_equal(r->row_count, 50);
	for (size_t k = 0; k < r->row_count; k++) {
		const struct report_row *row = &r->rows[k];
		double value = 0, var = 0;
		uint32_t stacks = 0;

		for (size_t i = 0; i < r->stack_count; i++) {
			const struct report_stack *s = &r->stacks[i];
			bool in = false;

			for (uint32_t at = 0; at < s->count && !in; at++)
				in = !strcmp(
				    report_place(r, s->places[at]).function,
				    row->name);
			value += in ? s->f.value : 0;
			var += in ? s->f.var : 0;
			stacks += in;
		}
		assert_true(row->cum.value == value && row->cum.var == var);
		assert_int_equal(row->stacks, stacks);
	}
	report_free(r);
	profile_free(p);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(weights),
		cmocka_unit_test(first_of_many),
		cmocka_unit_test(few_rows_are_the_first),
		cmocka_unit_test(cum_is_every_stack_once),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
