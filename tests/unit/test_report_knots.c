/* needs: src/base/ src/model/ */
/* libs: -lm */
/*
 * Stacks that come few at a time are put into the tree that is kept with the
 * profile; it must be the one that is made of all of them at once, and who
 * holds the one before must not notice.  Nor does it matter what of it was
 * made in advance.
 */
#include "model/report_knots.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "model/report.h"
#include "model/report_shape.h"
#include "model/tree.h"
#include "profile_fixture.h"

static uint32_t seed;

static uint32_t
draw(uint32_t below)
{
	seed = seed * 1664525 + 1013904223;
	return (seed >> 8) % below;
}

#define DEEPEST 24

/* Through few places, so that many begin alike; some end inside of others,
 * some are there already. */
static void
put_stack(struct profile *p, uint32_t id)
{
	struct profile_frame f[DEEPEST];
	uint32_t n, wide;

	seed = id * 2654435761u;
	n = 1 + draw(DEEPEST);
	wide = 1 + draw(6);
	for (uint32_t i = 0; i < n; i++)
		f[n - 1 - i] = (struct profile_frame){ 1,
			0x100 + (i < 6 ? draw(2) : draw(wide)) * 8 };
	profile_put_stack(p, id, 0, f, n, NULL);
}

static void
put_all(struct profile *p, uint32_t from, uint32_t end, uint32_t step)
{
	for (uint32_t id = from; id < end; id++)
		put_stack(p, id + 10);
	for (uint32_t id = 0; id < end; id++) {
		seed = id + step * 1000;
		fixture_cell(p, id + 10, 1, draw(1000) + 1, 1, 1, 1, 0);
	}
	fixture_commit(p, step + 1);
}

/* A piece in advance, of some pieces, which may be all of them. */
static void
prepare(const struct profile *p, bool invert, uint32_t pieces)
{
	struct query q;
	struct report *r;
	bool more = true;

	query_init(&q);
	q.cut = CUT_NOTHING;
	r = report_build(&p, 1, &q);
	for (uint32_t i = 0; i < pieces && more; i++)
		more = shape_prepare(r->shape, invert, 3);
	if (!more)
		assert_false(report_prepare(r, invert));
	report_free(r);
}

static struct report *
build(const struct profile *p, bool invert)
{
	const struct profile *list[1] = { p };
	struct query q;

	query_init(&q);
	q.cut = CUT_NOTHING;
	q.order = ORDER_CUM;
	q.tree = true;
	q.invert = invert;
	return report_build(list, 1, &q);
}

static void
same_trees(const struct report *a, const struct report *b)
{
	assert_int_equal(a->tree_count, b->tree_count);
	for (size_t i = 0; i < a->tree_count; i++) {
		const struct tree_node *x = &a->tree[i], *y = &b->tree[i];

		assert_true(x->path == y->path);
		assert_int_equal(x->next, y->next);
		assert_int_equal(x->first, y->first);
		assert_true(x->cum.value == y->cum.value);
		assert_true(x->self.value == y->self.value);
	}
}

static void
same_rows(const struct report *a, const struct report *b)
{
	assert_int_equal(a->row_count, b->row_count);
	for (size_t i = 0; i < a->row_count; i++) {
		assert_string_equal(a->rows[i].name, b->rows[i].name);
		assert_true(a->rows[i].cum.value == b->rows[i].cum.value);
		assert_int_equal(a->rows[i].stacks, b->rows[i].stacks);
	}
}

/* Its nodes still lead to one another. */
static void
still_stands(struct tree *t, uint32_t node, double *sum)
{
	size_t n, self;

	for (uint32_t c = tree_child(t, node); c != TREE_NONE;
	     c = tree_next(t, c)) {
		assert_int_equal(tree_parent(t, c), node);
		still_stands(t, c, sum);
	}
	tree_stacks(t, node, &n, &self);
	*sum += (double)self;
}

/* At each step up to `most` stacks more, and up to `pieces` in advance. */
static void
grow(bool invert, uint32_t most, uint32_t pieces)
{
	struct profile *old = fixture_empty();
	struct report *before = NULL;
	struct tree *held = NULL;
	uint32_t stacks = 0;

	for (uint32_t step = 0; step < 60; step++) {
		struct profile *new = fixture_empty();
		uint32_t more = (step * 7 + 3) % (most + 1);
		struct report *a, *b;
		double sum = 0;

		put_all(old, stacks, stacks + more, step);
		stacks += more;
		put_all(new, 0, stacks, step);
		if (pieces)
			prepare(old, invert, step * 5 % (pieces + 1));
		a = build(old, invert);
		b = build(new, invert);
		same_trees(a, b);
		same_rows(a, b);
		report_free(b);
		profile_free(new);
		if (held) {
			still_stands(held, TREE_ROOT, &sum);
			assert_true(sum == (double)before->stack_count);
		}
		tree_close(held);
		report_free(before);
		before = a;
		held = tree_open(a);
	}
	tree_close(held);
	report_free(before);
	profile_free(old);
}

static void
grows_a_little(void **state)
{
	(void)state;
	grow(false, 2, 0);
	grow(true, 2, 0);
}

static void
grows_by_leaps(void **state)
{
	(void)state;
	grow(false, 40, 0);
	grow(true, 40, 0);
}

static void
grows_prepared(void **state)
{
	(void)state;
	grow(false, 2, 3);
	grow(true, 2, 3);
	grow(false, 40, 20);
	grow(true, 40, 20);
}

/* It ends, and then there is nothing to do until a stack comes. */
static void
prepares_once(void **state)
{
	struct profile *p = fixture_empty();
	struct report *r;
	struct query q;
	unsigned more;

	(void)state;
	put_all(p, 0, 5000, 0);
	query_init(&q);
	q.grouping = GROUP_STACKS; /* rows that need no tree */
	r = report_build((const struct profile *const *)&p, 1, &q);
	assert_true(report_is_first(r));
	/* In more than one piece. */
	assert_true(report_prepare(r, false));
	for (more = 1; report_prepare(r, false); more++)
		assert_in_range(more, 1, 5000);
	assert_in_range(more, 2, 5000);
	assert_false(report_prepare(r, false));
	report_free(r);
	put_all(p, 5000, 5040, 1);
	r = report_build((const struct profile *const *)&p, 1, &q);
	assert_false(report_is_first(r));
	assert_true(report_prepare(r, false));
	assert_false(report_prepare(r, false));
	report_free(r);
	profile_free(p);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(grows_a_little),
		cmocka_unit_test(grows_by_leaps),
		cmocka_unit_test(grows_prepared),
		cmocka_unit_test(prepares_once),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
