/*
 * Rows of threads: of one profile, of several, of what has changed.
 */
/* needs: src/base/ src/model/ */
/* libs: -lm */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <string.h>

#include "model/report.h"
#include "profile_fixture.h"

#define STACKS 3
#define SLOTS  4

/* Bytes that each thread has of each stack; an object has 10. */
struct held {
	double of[STACKS][SLOTS];
};

static uint32_t
draw(uint32_t below)
{
	static uint64_t seed = 5;

	seed = seed * UINT64_C(6364136223846793005) + 1442695040888963407;
	return (uint32_t)((seed >> 33) % below);
}

static struct held
some(void)
{
	struct held h;

	for (int i = 0; i < STACKS; i++) {
		for (int k = 0; k < SLOTS; k++)
			h.of[i][k] = draw(2) ? 10 * draw(4) : 0;
	}
	return h;
}

static struct profile *
profile_of(const struct held *h)
{
	struct profile *p = fixture_empty();

	for (uint32_t i = 0; i < STACKS; i++) {
		for (uint16_t k = 0; k < SLOTS; k++) {
			double v = h->of[i][k];

			if (v > 0)
				fixture_cell(
				    p, i + 1, k, v, v / 10, v, v / 10, 0);
		}
	}
	fixture_commit(p, 5);
	return p;
}

static const struct report_row *
row_of(const struct report *r, uint64_t slot)
{
	for (size_t i = 0; i < r->row_count; i++) {
		if (r->rows[i].key == slot)
			return &r->rows[i];
	}
	return NULL;
}

/* Everything in a row was allocated by that thread; how many of its stacks
 * hold something or did change, and the heaviest of them. */
static void
row_is(const struct report *r, uint64_t slot, const double of[STACKS])
{
	const struct report_row *row = row_of(r, slot);
	double sum = 0, most = 0;
	uint32_t stacks = 0;

	for (int i = 0; i < STACKS; i++) {
		sum += of[i];
		stacks += of[i] != 0;
		if ((of[i] < 0 ? -of[i] : of[i]) > most)
			most = of[i] < 0 ? -of[i] : of[i];
	}
	if (stacks == 0) {
		assert_null(row);
		return;
	}
	if (!row) { /* it may be that gains and losses are the same */
		assert_true(sum == 0);
		return;
	}
	assert_true(row->f.value == sum);
	assert_true(row->cum.value == sum);
	assert_int_equal(row->stacks, stacks);
	most -= of[r->stacks[row->stack].id - 1] < 0
	    ? -of[r->stacks[row->stack].id - 1]
	    : of[r->stacks[row->stack].id - 1];
	assert_true(most == 0);
}

static void
check(const struct report *r, double of[STACKS][SLOTS])
{
	struct figures sum = r->remainder;

	for (uint64_t k = 0; k < SLOTS; k++) {
		double slot[STACKS];

		for (int i = 0; i < STACKS; i++)
			slot[i] = of[i][k];
		row_is(r, k, slot);
	}
	assert_true(r->remainder.value == 0);
	for (size_t i = 0; i < r->row_count; i++)
		figures_add(&sum, &r->rows[i].f);
	assert_true(sum.value == r->local.value);
	assert_true(r->remainder.samples <= r->local.samples);
}

static void
added_up(void **state)
{
	(void)state;
	for (unsigned turn = 0; turn < 200; turn++) {
		struct held a = some(), b = some();
		struct profile *p[] = { profile_of(&a), profile_of(&b) };
		const struct profile *list[] = { p[0], p[1] };
		struct report *r;
		struct query q;

		query_init(&q);
		q.grouping = GROUP_THREADS;
		r = report_build(list, 1, &q);
		check(r, a.of);
		report_free(r);
		for (int i = 0; i < STACKS; i++) {
			for (int k = 0; k < SLOTS; k++)
				a.of[i][k] += b.of[i][k];
		}
		r = report_build(list, 2, &q);
		check(r, a.of);
		report_free(r);
		profile_free(p[0]);
		profile_free(p[1]);
	}
}

/* What shrank counts as nothing, stack by stack. */
static void
drop(double of[STACKS][SLOTS])
{
	for (int i = 0; i < STACKS; i++) {
		double sum = 0;

		for (int k = 0; k < SLOTS; k++)
			sum += of[i][k];
		for (int k = 0; k < SLOTS && sum <= 0; k++)
			of[i][k] = 0;
	}
}

/* Beside the values the changes are those of the differences. */
static void
check_changes(const struct report *r, double of[STACKS][SLOTS])
{
	double sum = 0;

	for (uint64_t k = 0; k < SLOTS; k++) {
		const struct report_row *row = row_of(r, k);
		double change = row ? figures_change(&row->f) : 0;

		for (int i = 0; i < STACKS; i++)
			change -= of[i][k];
		assert_true(change == 0);
	}
	for (size_t i = 0; i < r->row_count; i++)
		sum += figures_change(&r->rows[i].f);
	assert_true(sum == figures_change(&r->local));
}

static void
differences(void **state)
{
	(void)state;
	for (unsigned turn = 0; turn < 400; turn++) {
		struct held a = some(), b = some();
		struct profile *p = profile_of(&a), *base = profile_of(&b);
		const struct profile *one = p;
		struct report *r;
		struct query q;

		query_init(&q);
		q.grouping = GROUP_THREADS;
		q.base_profile = base;
		q.difference = true;
		q.drop_negative = turn % 2;
		r = report_build(&one, 1, &q);
		for (int i = 0; i < STACKS; i++) {
			for (int k = 0; k < SLOTS; k++)
				a.of[i][k] -= b.of[i][k];
		}
		if (q.drop_negative)
			drop(a.of);
		check(r, a.of);
		report_free(r);
		q.difference = false;
		r = report_build(&one, 1, &q);
		check_changes(r, a.of);
		report_free(r);
		profile_free(p);
		profile_free(base);
	}
}

/* What one thread gained another lost: the stack holds as much as before. */
static void
moved(void **state)
{
	struct held a = { { { 0, 30, 10 } } }, b = { { { 0, 10, 30 } } };
	struct profile *p = profile_of(&a), *base = profile_of(&b);
	const struct profile *one = p;
	struct report *r;
	struct query q;

	(void)state;
	query_init(&q);
	q.grouping = GROUP_THREADS;
	q.base_profile = base;
	q.difference = true;
	r = report_build(&one, 1, &q);
	assert_true(r->total.value == 0);
	assert_int_equal(r->row_count, 2);
	assert_true(row_of(r, 1)->f.value == 20);
	assert_true(row_of(r, 2)->f.value == -20);
	assert_int_equal(r->remainder.samples, 0);
	report_free(r);
	/* nothing at all has changed */
	q.base_profile = p;
	r = report_build(&one, 1, &q);
	assert_int_equal(r->stack_count, 0);
	assert_int_equal(r->row_count, 0);
	report_free(r);
	profile_free(p);
	profile_free(base);
}

/* Whoever knows a thread's name tells it. */
static void
names(void **state)
{
	struct held a = { { { 0, 30 } } }, b = { { { 0, 0, 10, 20 } } };
	struct profile *p = profile_of(&a), *other = profile_of(&b);
	const struct profile *list[] = { p, other };
	struct report *r;
	struct query q;

	(void)state;
	profile_put_thread(other, 3, 77, 0, "flusher");
	query_init(&q);
	q.grouping = GROUP_THREADS;
	r = report_build(list, 2, &q);
	assert_string_equal(row_of(r, 1)->name, "app");
	assert_string_equal(row_of(r, 2)->name, "thread 41238");
	assert_string_equal(row_of(r, 3)->name, "flusher");
	report_free(r);
	q.base_profile = other;
	r = report_build(list, 1, &q);
	assert_string_equal(row_of(r, 3)->name, "flusher");
	report_free(r);
	profile_free(p);
	profile_free(other);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(added_up),
		cmocka_unit_test(differences),
		cmocka_unit_test(moved),
		cmocka_unit_test(names),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
