/*
 * Rows that are made in pieces, and the order of rows without a name.
 */
/* needs: src/base/ src/model/ */
/* libs: -lm */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "model/report.h"
#include "model/report_ranks.h"
#include "profile_fixture.h"

static uint32_t
draw(uint32_t below)
{
	static uint64_t seed = 11;

	seed = seed * UINT64_C(6364136223846793005) + 1442695040888963407;
	return (uint32_t)((seed >> 33) % below);
}

/* Modules 3 and 4 are called alike, as a library that was mapped twice; a
 * place of either is written the same.  Module 0 is none: bare addresses. */
static struct profile_frame
some_frame(void)
{
	static const uint32_t modules[] = { 0, 1, 1, 2, 3, 4 };

	/* of 1 to 5 digits */
	return (struct profile_frame){ modules[draw(6)],
		1 + draw(16u << 4 * draw(5)) % 0xfffff };
}

static void
name_some(struct profile *p)
{
	struct frames *f = profile_frames(p);
	char text[32];

	for (frame_id id = 1; id <= frames_count(f); id++) {
		struct frame_name n[2] = { { text, "a.c", draw(3) },
			{ "outer", "b.c", draw(3) } };

		snprintf(text, sizeof text, "%s%u", draw(2) ? "lib" : "x",
		    (unsigned)draw(40));
		if (draw(3) == 0)
			frames_set_names(f, id, n, 1 + draw(2));
		else if (draw(4) == 0)
			frames_set_behind(f, id);
	}
}

static struct profile *
mixed(void)
{
	struct profile *p = fixture_empty();

	for (uint32_t m = 3; m <= 4; m++)
		profile_put_module(p, m, UINT64_C(0x600000000000) * m / 4,
		    UINT64_C(0x600000000000) * m / 4 + 0x100000, 0,
		    (const uint8_t *)"\5\6", 2,
		    m == 3 ? "/lib/libz.so" : "/tmp/libz.so", NULL);
	for (uint32_t id = 4; id < 1500; id++) {
		struct profile_frame frames[9];
		size_t n = 1 + draw(9);

		for (size_t i = 0; i < n; i++)
			frames[i] = some_frame();
		profile_put_stack(p, id, 0, frames, n, NULL);
		fixture_cell(p, id, (uint16_t)draw(5), draw(3) ? draw(500) : 0,
		    draw(9), 9000, 9, draw(100));
	}
	fixture_commit(p, 5);
	name_some(p);
	return p;
}

static void
same_rows(const struct report *all, const struct report *r)
{
	struct report_rows rows = { .report = r };
	const struct report_row *b;
	size_t n = 0;

	while ((b = report_rows_next(&rows)) != NULL) {
		const struct report_row *a = &all->rows[n++];

		assert_string_equal(a->name, b->name);
		assert_string_equal(a->file, b->file);
		assert_int_equal(a->line, b->line);
		assert_int_equal(a->inlined, b->inlined);
		assert_int_equal(a->key, b->key);
		assert_memory_equal(&a->f, &b->f, sizeof a->f);
		assert_memory_equal(&a->cum, &b->cum, sizeof a->cum);
		assert_int_equal(a->stack, b->stack);
		assert_int_equal(a->stacks, b->stacks);
		assert_int_equal(a->count, b->count);
		assert_int_equal(a->first_ns, b->first_ns);
		assert_memory_equal(
		    a->places, b->places, a->count * sizeof *a->places);
	}
	assert_int_equal(n, all->row_count);
	assert_null(report_rows_next(&rows));
}

static struct query
some_query(unsigned i)
{
	struct query q;

	query_init(&q);
	q.grouping = (enum grouping)(i % GROUP_COUNT);
	q.order = (enum order)(i / GROUP_COUNT % ORDER_COUNT);
	q.metric = (enum metric)(draw(METRIC_COUNT));
	q.reverse = draw(2);
	q.freed = draw(2);
	q.difference = draw(4) == 0;
	q.max_rows = draw(2) ? 1 + draw(900) : 0;
	q.min_fraction = draw(4) ? 0 : .003;
	return q;
}

/* Rows and remainder add up to the local total, however many rows there are;
 * what is said of all rows is that of the rows when all are there. */
static void
rows_and_remainder_are_the_total(void **state)
{
	struct profile *p = mixed();
	const struct profile *one = p;

	(void)state;
	for (unsigned i = 0; i < 300; i++) {
		struct query q = some_query(i);
		struct report *all, *some;
		struct figures sum;
		size_t idle = 0;
		double max = 0;

		q.piece = q.max_rows = 0;
		q.min_fraction = 0;
		all = report_build(&one, 1, &q);
		q.max_rows = 1 + draw(40);
		some = report_build(&one, 1, &q);
		sum = some->remainder;
		for (size_t k = 0; k < all->row_count; k++) {
			const struct figures *f = &all->rows[k].f;

			idle += f->value == 0 && figures_change(f) == 0;
			max = f->value > max ? f->value : max;
		}
		for (size_t k = 0; k < some->row_count; k++)
			figures_add(&sum, &some->rows[k].f);
		assert_true(sum.value == some->local.value);
		assert_true(sum.base == some->local.base);
		assert_true(sum.objects == some->local.objects);
		assert_int_equal(sum.samples, some->local.samples);
		assert_int_equal(
		    some->row_count + some->remainder_count, all->row_count);
		assert_int_equal(some->idle_count, idle);
		assert_int_equal(all->idle_count, idle);
		assert_true(some->max_value == max && all->max_value == max);
		report_free(all);
		report_free(some);
	}
	profile_free(p);
}

static void
pieces(void **state)
{
	struct profile *p = mixed();
	const struct profile *one = p;

	(void)state;
	for (unsigned i = 0; i < 200; i++) {
		struct query q = some_query(i);
		struct report *all = report_build(&one, 1, &q), *r;

		q.piece = 1 + draw(draw(2) ? 30 : 900);
		r = report_build(&one, 1, &q);
		assert_null(r->rows);
		assert_int_equal(r->row_count, all->row_count);
		assert_int_equal(r->group_count, all->group_count);
		assert_int_equal(r->remainder_count, all->remainder_count);
		assert_memory_equal(
		    &r->remainder, &all->remainder, sizeof r->remainder);
		same_rows(all, r);
		report_free(all);
		report_free(r);
	}
	profile_free(p);
}

/* Who has seen enough gives back what is at hand. */
static void
stopped(void **state)
{
	struct profile *p = mixed();
	const struct profile *one = p;
	struct report_rows rows = { 0 };
	struct query q;
	struct report *r;

	(void)state;
	query_init(&q);
	q.piece = 7;
	r = report_build(&one, 1, &q);
	rows.report = r;
	for (unsigned i = 0; i < 10; i++)
		assert_non_null(report_rows_next(&rows));
	report_rows_end(&rows);
	report_free(r);
	profile_free(p);
}

/* Places that are written the same are one row, and only those: by comparing
 * all texts with each other. */
static void
one_row_each(void **state)
{
	struct profile *p = mixed();
	const struct profile *one = p;
	struct query q;
	struct report *r;

	(void)state;
	query_init(&q);
	q.cut = CUT_NOTHING;
	r = report_build(&one, 1, &q);
	for (size_t i = 0; i < r->place_count; i++) {
		struct place a = report_place(r, (uint32_t)i);
		uint32_t other = draw((uint32_t)r->place_count);

		if (a.group == UINT32_MAX)
			continue;
		for (size_t k = 0; k < 100; k++, other++) {
			struct place b =
			    report_place(r, other % (uint32_t)r->place_count);

			if (b.group == UINT32_MAX)
				continue;
			/* but for a byte behind, which a text has added */
			if (a.group == b.group)
				assert_string_equal(a.function, b.function);
			else if (a.address == b.address)
				assert_string_not_equal(a.function, b.function);
		}
	}
	report_free(r);
	profile_free(p);
}

/* Places at one offset of two libraries that are called alike are at two
 * addresses; of two profiles they are one if their files are the same. */
static void
addresses(void **state)
{
	static const struct profile_frame frames[2] = { { 3, 0x10 },
		{ 4, 0x10 } };
	struct profile *p = fixture_empty(), *other = profile_new();
	const struct profile *list[] = { p, other };
	struct query q;
	struct report *r;

	(void)state;
	for (uint32_t m = 3; m <= 4; m++) {
		profile_put_module(p, m, m << 20, (m + 1) << 20, m << 20,
		    (const uint8_t *)&m, 1, m == 3 ? "/a/x.so" : "/b/x.so",
		    NULL);
		profile_put_stack(p, m + 1, 0, &frames[m - 3], 1, NULL);
		fixture_cell(p, m + 1, 1, m * 100, 1, m * 100, 1, 0);
	}
	fixture_commit(p, 5);
	/* the second one, from elsewhere */
	profile_put_module(other, 3, 9 << 20, 10 << 20, 9 << 20,
	    (const uint8_t *)"\4", 1, "/c/x.so", NULL);
	profile_put_stack(other, 1, 0, &frames[0], 1, NULL);
	fixture_cell(other, 1, 1, 1000, 1, 1000, 1, 0);
	fixture_commit(other, 5);
	query_init(&q);
	q.grouping = GROUP_ADDRESSES;
	r = report_build(list, 1, &q);
	assert_int_equal(r->row_count, 2);
	assert_int_equal(r->rows[0].key, (4 << 20) + 0x10);
	assert_true(r->rows[0].f.value == 400 && r->rows[1].f.value == 300);
	report_free(r);
	r = report_build(list, 2, &q);
	assert_int_equal(r->row_count, 2);
	assert_true(r->rows[0].f.value == 1400 && r->rows[1].f.value == 300);
	report_free(r);
	profile_free(p);
	profile_free(other);
}

/* Ranks are those that comparing the names as strings gives. */
static void
ranks(void **state)
{
	struct profile *p = mixed();
	const struct profile *one = p;
	const struct frames *f = profile_frames(p);
	struct query q;
	struct report *r;
	uint32_t *which, *got, n;

	(void)state;
	query_init(&q);
	r = report_build(&one, 1, &q);
	n = (uint32_t)r->place_count;
	which = xcalloc(n, sizeof *which);
	for (uint32_t i = 0; i < n; i++)
		which[i] = i;
	got = ranks_new(&f, r->places, which, n);
	for (unsigned turn = 0; turn < 200000; turn++) {
		uint32_t a = draw(n), b = draw(n);
		int order = strcmp(
		    report_place(r, a).function, report_place(r, b).function);

		assert_int_equal((order > 0) - (order < 0),
		    (got[a] > got[b]) - (got[a] < got[b]));
	}
	free(got);
	free(which);
	report_free(r);
	profile_free(p);
}

/* A report keeps its places though its profile's next one has more. */
static void
held(void **state)
{
	struct profile *p = mixed();
	const struct profile *one = p;
	struct profile_frame frames[2] = { { 1, 0xabcdef }, { 2, 0xabcdef } };
	struct report_place *copy;
	struct report *r, *next;
	struct query q;
	size_t size;

	(void)state;
	query_init(&q);
	r = report_build(&one, 1, &q);
	size = r->place_count * sizeof *copy;
	copy = xmalloc(size);
	memcpy(copy, r->places, size);
	profile_put_stack(p, 5000, 0, frames, 2, NULL);
	fixture_cell(p, 5000, 1, 5, 5, 5, 5, 0);
	fixture_commit(p, 6);
	next = report_build(&one, 1, &q);
	assert_int_equal(next->place_count, r->place_count + 2);
	assert_memory_equal(copy, r->places, size);
	report_free(r);
	report_free(next);
	free(copy);
	profile_free(p);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(rows_and_remainder_are_the_total),
		cmocka_unit_test(pieces),
		cmocka_unit_test(stopped),
		cmocka_unit_test(one_row_each),
		cmocka_unit_test(addresses),
		cmocka_unit_test(ranks),
		cmocka_unit_test(held),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
