/* needs: src/base/ src/model/ */
/* libs: -lm */
/*
 * The call tree node by node, by hand on the fixture (profile_fixture.h):
 *
 *	all 1000
 *	  start 900, work 900, loop 900
 *	    decode 600: stack 1
 *	    index 300: stack 2
 *	  main 100, tiny 100, again 100, again 100
 *	    grow 100: stack 3
 *
 * Against the whole tree it is compared on random profiles in test_report.c.
 */
#include "model/tree.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/err.h"
#include "base/map.h"
#include "model/report.h"
#include "profile_fixture.h"

struct open {
	struct profile *p;
	struct report *r;
	struct tree *t;
};

static void
open_tree(struct open *o, bool invert)
{
	const struct profile *list[1];
	struct query q;

	query_init(&q);
	q.invert = invert;
	list[0] = o->p = fixture_profile();
	o->r = report_build(list, 1, &q);
	o->t = tree_open(o->r);
}

static void
close_tree(struct open *o)
{
	tree_close(o->t);
	report_free(o->r);
	profile_free(o->p);
}

/* The node at the end of these names, separated by blanks. */
static uint32_t
at(struct open *o, const char *names)
{
	uint32_t node = TREE_ROOT;

	while (*names) {
		size_t n = strcspn(names, " ");
		uint32_t c = tree_child(o->t, node);

		while (c != TREE_NONE &&
		    (strncmp(tree_name(o->t, c), names, n) != 0 ||
			strlen(tree_name(o->t, c)) != n))
			c = tree_next(o->t, c);
		if (c == TREE_NONE)
			fail_msg("no %s", names);
		node = c;
		names += n + (names[n] == ' ');
	}
	return node;
}

static void
has_nodes(void **state)
{
	struct open o;
	uint32_t loop, decode;
	size_t n, self;
	const uint32_t *stacks;

	(void)state;
	open_tree(&o, false);
	assert_string_equal(tree_name(o.t, TREE_ROOT), "all");
	assert_int_equal(tree_parent(o.t, TREE_ROOT), TREE_NONE);
	assert_int_equal(tree_next(o.t, TREE_ROOT), TREE_NONE);
	assert_int_equal(tree_place(o.t, TREE_ROOT), TREE_ALL);
	assert_int_equal(tree_children(o.t, TREE_ROOT, SIZE_MAX), 2);
	assert_int_equal(tree_children(o.t, TREE_ROOT, 1), 1);
	loop = at(&o, "start work loop");
	decode = at(&o, "start work loop decode");
	assert_int_equal(tree_depth(o.t, decode), 4);
	assert_int_equal(tree_parent(o.t, decode), loop);
	assert_true(tree_cum(o.t, loop)->value == 900);
	assert_true(tree_self(o.t, loop).value == 0);
	assert_false(tree_has_self(o.t, loop));
	assert_true(tree_self(o.t, decode).value == 600);
	assert_true(tree_has_self(o.t, decode));
	assert_true(tree_below(o.t, loop, decode));
	assert_true(tree_below(o.t, loop, loop));
	assert_false(tree_below(o.t, decode, loop));
	assert_false(tree_below(o.t, decode, at(&o, "main")));
	stacks = tree_stacks(o.t, loop, &n, &self);
	assert_int_equal(n, 2);
	assert_int_equal(self, 0);
	assert_int_equal(o.r->stacks[stacks[0]].id, 1);
	assert_int_equal(o.r->stacks[tree_heaviest(o.t, loop)].id, 1);
	stacks = tree_stacks(o.t, TREE_ROOT, &n, &self);
	assert_int_equal(n, 3);
	close_tree(&o);
}

static void
finds_the_way_to_stacks(void **state)
{
	struct open o;
	uint32_t node;

	(void)state;
	open_tree(&o, false);
	assert_int_equal(
	    tree_of_stack(o.t, 1, 0), at(&o, "start work loop index"));
	assert_int_equal(tree_of_stack(o.t, 1, 2), at(&o, "start work"));
	/* above the outermost is none */
	assert_int_equal(tree_of_stack(o.t, 1, 99), at(&o, "start"));
	node = at(&o, "main tiny(int) again");
	assert_int_equal(tree_up(o.t, node, 2), 2);
	assert_int_equal(tree_up(o.t, TREE_ROOT, 2), 0);
	close_tree(&o);
	open_tree(&o, true);
	assert_int_equal(tree_of_stack(o.t, 1, 0), at(&o, "index"));
	assert_int_equal(tree_of_stack(o.t, 1, 2), at(&o, "index loop work"));
	assert_int_equal(tree_up(o.t, at(&o, "index loop work"), 1), 2);
	assert_true(tree_cum(o.t, at(&o, "index loop"))->value == 300);
	assert_true(
	    tree_self(o.t, at(&o, "index loop work start")).value == 300);
	close_tree(&o);
}

static void
knows_nodes_by_their_paths(void **state)
{
	struct open o, other;
	uint64_t path[4] = { 0 }, above = 0;
	uint32_t node = TREE_ROOT;
	size_t found;

	(void)state;
	open_tree(&o, false);
	for (int i = 0; i < 3; i++) {
		node = tree_child(o.t, node);
		path[i] = above = tree_path_below(o.t, above, node);
		assert_true(path[i] == tree_path(o.t, node));
	}
	path[3] = 12345;
	/* the same in another run */
	open_tree(&other, false);
	assert_int_equal(tree_follow(other.t, path, 4, &found),
	    at(&other, "start work loop"));
	assert_int_equal(found, 3);
	assert_int_equal(tree_follow(other.t, path, 0, &found), TREE_ROOT);
	assert_int_equal(found, 0);
	assert_int_equal(tree_find(other.t, TREE_ROOT, 0, path[1]), TREE_NONE);
	close_tree(&other);
	close_tree(&o);
}

static void
sorts_the_largest(void **state)
{
	struct open o;
	uint32_t *nodes;
	size_t n;

	(void)state;
	open_tree(&o, true);
	nodes = tree_sorted(o.t, TREE_ROOT, &n);
	assert_int_equal(n, 3);
	assert_string_equal(tree_name(o.t, nodes[0]), "decode");
	assert_string_equal(tree_name(o.t, nodes[1]), "index");
	assert_string_equal(tree_name(o.t, nodes[2]), "grow");
	free(nodes);
	nodes = tree_largest(o.t, TREE_ROOT, 2, &n);
	assert_int_equal(n, 2);
	assert_string_equal(tree_name(o.t, nodes[1]), "index");
	free(nodes);
	nodes = tree_largest(o.t, TREE_ROOT, 0, &n);
	assert_int_equal(n, 0);
	free(nodes);
	close_tree(&o);
}

/* Of those that weigh the same the first by name. */
static void
sorts_ties_by_name(void **state)
{
	static const char *const expected[] = { "decode", "grow", "index" };
	struct open o;
	const struct profile *list[1];
	struct query q;
	uint32_t *nodes;
	size_t n;

	(void)state;
	o.p = fixture_profile();
	for (uint32_t i = 1; i <= 3; i++)
		fixture_cell(o.p, i, i == 2 ? 2 : 1, 50, 1, 50, 1, 0);
	fixture_commit(o.p, 6);
	query_init(&q);
	q.invert = true;
	list[0] = o.p;
	o.r = report_build(list, 1, &q);
	o.t = tree_open(o.r);
	for (size_t most = 1; most <= 3; most++) {
		nodes = tree_largest(o.t, TREE_ROOT, most, &n);
		assert_int_equal(n, most);
		for (size_t i = 0; i < n; i++)
			assert_string_equal(
			    tree_name(o.t, nodes[i]), expected[i]);
		free(nodes);
	}
	close_tree(&o);
}

static void
marks_what_matches(void **state)
{
	struct open o;
	struct err e;
	struct pattern *p = pattern_new("^again$", &e);
	uint8_t *marks;

	(void)state;
	open_tree(&o, false);
	marks = tree_matching(o.t, p);
	assert_int_equal(marks[TREE_ROOT], TREE_BELOW);
	assert_int_equal(marks[at(&o, "main")], TREE_BELOW);
	assert_int_equal(
	    marks[at(&o, "main tiny(int) again")], TREE_MATCHES | TREE_BELOW);
	assert_int_equal(
	    marks[at(&o, "main tiny(int) again again")], TREE_MATCHES);
	assert_int_equal(marks[at(&o, "main tiny(int) again again grow")], 0);
	assert_int_equal(marks[at(&o, "start")], 0);
	free(marks);
	pattern_free(p);
	close_tree(&o);
}

/* Stacks that come while a tree is open change what is kept with the profile;
 * the open one stays as it is. */
static void
stays_as_it_is(void **state)
{
	static const struct profile_frame more[] = { { 1, AT_GROW },
		{ 1, AT_LOOP }, { 1, AT_WORK }, { 2, AT_START } };
	struct open o, next;
	const struct profile *list[1];
	uint32_t loop;

	(void)state;
	open_tree(&o, false);
	next.p = o.p;
	loop = at(&o, "start work loop");
	profile_put_stack(o.p, 4, 0, more, 4, NULL);
	fixture_cell(o.p, 4, 1, 5000, 1, 5000, 1, 0);
	fixture_commit(o.p, 6);
	list[0] = o.p;
	next.r = report_build(list, 1, &o.r->query);
	next.t = tree_open(next.r);
	assert_int_equal(
	    tree_children(next.t, at(&next, "start work loop"), 9), 3);
	assert_int_equal(tree_children(o.t, loop, 9), 2);
	assert_int_equal(at(&o, "start work loop"), loop);
	tree_close(next.t);
	report_free(next.r);
	assert_true(tree_cum(o.t, loop)->value == 900);
	assert_int_equal(tree_depth(o.t, loop), 3);
	close_tree(&o);
}

/* Nothing at all is a root. */
static void
may_be_empty(void **state)
{
	struct profile *p = fixture_empty();
	const struct profile *list[1] = { p };
	struct query q;
	struct report *r;
	struct tree *t;
	size_t n, self;

	(void)state;
	query_init(&q);
	r = report_build(list, 1, &q);
	t = tree_open(r);
	assert_int_equal(tree_child(t, TREE_ROOT), TREE_NONE);
	assert_true(tree_cum(t, TREE_ROOT)->value == 0);
	assert_false(tree_has_self(t, TREE_ROOT));
	tree_stacks(t, TREE_ROOT, &n, &self);
	assert_int_equal(n, 0);
	tree_close(t);
	report_free(r);
	profile_free(p);
	tree_close(NULL);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(has_nodes),
		cmocka_unit_test(finds_the_way_to_stacks),
		cmocka_unit_test(knows_nodes_by_their_paths),
		cmocka_unit_test(sorts_the_largest),
		cmocka_unit_test(sorts_ties_by_name),
		cmocka_unit_test(marks_what_matches),
		cmocka_unit_test(stays_as_it_is),
		cmocka_unit_test(may_be_empty),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
