/* needs: src/base/ src/model/ */
/* libs: -lm */
#include "model/threads.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "model/report.h"
#include "profile_fixture.h"

static struct report *
by_threads(const struct profile *p, struct query *q)
{
	query_init(q);
	q->grouping = GROUP_THREADS;
	q->freed = true;
	q->since_start = true;
	return report_build(&p, 1, q);
}

static const struct thread_facts *
of_slot(const struct report *r, const struct thread_facts *rows, uint64_t slot)
{
	for (size_t i = 0; i < r->row_count; i++)
		if (r->rows[i].key == slot)
			return &rows[i];
	fail_msg("no row for slot %d", (int)slot);
	return NULL;
}

static uint32_t
stack_id_of(const struct report *r, const struct thread_stack *s)
{
	return r->stacks[s->stack].id;
}

/* Thread 1 has stack 1 (600 of 900 bytes live) and stack 3 (100 of 100);
 * thread 2 has stack 2 (300 of 300). */
static void
what_each_allocated(void **state)
{
	struct profile *p = fixture_profile();
	struct query q;
	struct report *r = by_threads(p, &q);
	struct thread_facts rows[8];
	const struct thread_facts *t;

	(void)state;
	assert_int_equal(r->row_count, 2);
	threads_facts(r, rows);
	t = of_slot(r, rows, 1);
	assert_true(t->alloc_bytes == 1000 && t->alloc_objects == 10);
	assert_true(t->new_bytes == 1000 && t->freed_bytes == 300);
	assert_int_equal(t->first_ns, UINT64_C(5000000000));
	assert_int_equal(t->heaviest_count, 2);
	assert_int_equal(stack_id_of(r, &t->heaviest[0]), 1);
	assert_true(t->heaviest[0].f.value == 600);
	assert_int_equal(stack_id_of(r, &t->heaviest[1]), 3);
	t = of_slot(r, rows, 2);
	assert_true(t->alloc_bytes == 300 && t->freed_bytes == 0);
	assert_int_equal(t->heaviest_count, 1);
	report_free(r);
	profile_free(p);
}

/* All of thread 2 is freed: it is a row still, and holds nothing.  Between
 * the two moments it allocated 200 and freed 500. */
static void
one_that_freed_all(void **state)
{
	struct profile *p = fixture_profile();
	struct thread_facts rows[8];
	const struct thread_facts *t;
	struct query q;
	struct report *r;

	(void)state;
	fixture_cell(p, 2, 2, 0, 0, 500, 5, 0);
	fixture_commit(p, 6);
	query_init(&q);
	q.grouping = GROUP_THREADS;
	q.freed = true;
	q.base = 1;
	r = report_build((const struct profile *const[]){ p }, 1, &q);
	threads_facts(r, rows);
	t = of_slot(r, rows, 2);
	assert_true(t->alloc_bytes == 500 && t->new_bytes == 200);
	assert_true(t->freed_bytes == 500);
	assert_int_equal(t->heaviest_count, 0);
	report_free(r);
	profile_free(p);
}

/* What a filter leaves out does not count: only decode's stack is left. */
static void
filtered(void **state)
{
	struct profile *p = fixture_profile();
	struct pattern *decode = pattern_new("decode", NULL);
	struct thread_facts rows[8];
	const struct thread_facts *t;
	struct query q;
	struct report *r;

	(void)state;
	query_init(&q);
	q.grouping = GROUP_THREADS;
	q.freed = true;
	q.since_start = true;
	q.focus = decode;
	r = report_build((const struct profile *const[]){ p }, 1, &q);
	threads_facts(r, rows);
	t = of_slot(r, rows, 1);
	assert_true(t->alloc_bytes == 900);
	assert_int_equal(t->heaviest_count, 1);
	report_free(r);
	pattern_free(decode);
	profile_free(p);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(what_each_allocated),
		cmocka_unit_test(one_that_freed_all),
		cmocka_unit_test(filtered),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
