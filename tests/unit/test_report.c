/*
 * Reports: by hand on the fixture, and on random profiles against a slow
 * definition.  One file though it is long: the slow definition (rows, totals
 * and trees counted stack by stack) and the random profiles serve every part.
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

#include "model/alike.h"
#include "model/report.h"
#include "model/tree.h"
#include "profile_fixture.h"

static struct report *
build(const struct profile *p, const struct query *q)
{
	const struct profile *list[1] = { p };

	return report_build(list, 1, q);
}

static const struct report_row *
row(const struct report *r, const char *name)
{
	for (size_t i = 0; i < r->row_count; i++)
		if (!strcmp(r->rows[i].name, name))
			return &r->rows[i];
	fail_msg("no row %s", name);
	return NULL;
}

/* What the rows and the remainder add up to is the local total. */
static void
sums_are_right(const struct report *r)
{
	struct figures f = r->remainder;

	for (size_t i = 0; i < r->row_count; i++)
		figures_add(&f, &r->rows[i].f);
	assert_true(f.value == r->local.value);
	assert_true(f.base == r->local.base);
	assert_true(f.objects == r->local.objects);
	assert_int_equal(f.samples, r->local.samples);
	assert_int_equal(r->row_count + r->remainder_count, r->group_count);
}

static void
functions(void **state)
{
	struct profile *p = fixture_profile();
	struct query q;
	struct report *r;

	(void)state;
	query_init(&q);
	r = build(p, &q);
	sums_are_right(r);
	assert_true(r->total.value == 1000 && r->local.value == 1000);
	/* decode index grow | again loop main start tiny work */
	assert_int_equal(r->row_count, 9);
	assert_string_equal(r->rows[0].name, "decode");
	assert_string_equal(r->rows[1].name, "index");
	assert_string_equal(r->rows[2].name, "grow");
	assert_string_equal(r->rows[3].name, "again");
	assert_true(r->rows[0].f.value == 600 && r->rows[0].cum.value == 600);
	assert_true(row(r, "loop")->f.value == 0);
	assert_true(row(r, "loop")->cum.value == 900);
	/* recursion counts once */
	assert_true(row(r, "again")->cum.value == 100);
	assert_true(row(r, "tiny(int)")->cum.value == 100);
	assert_string_equal(r->rows[0].file, "decode.c");
	assert_int_equal(r->rows[0].line, 214);
	assert_int_equal(r->rows[0].count, 4);
	assert_string_equal(
	    report_place(r, r->rows[0].places[1]).function, "loop");
	assert_int_equal(report_place(r, r->rows[0].places[0]).address,
	    FIXTURE_BIAS + AT_DECODE);
	assert_int_equal(r->rows[0].first_ns, UINT64_C(5000000000));
	report_free(r);
	profile_free(p);
}

static void
cutting_the_leaf(void **state)
{
	struct profile *p = fixture_profile();
	struct query q;
	struct report *r;

	(void)state;
	query_init(&q);
	q.cut = CUT_NOTHING;
	r = build(p, &q);
	assert_string_equal(r->rows[0].name, "operator new(unsigned long)");
	assert_true(r->rows[0].f.value == 900);
	report_free(r);
	q.cut = CUT_ALLOCATOR;
	fixture_name(p, 1, AT_DECODE, "g_malloc", "", 0);
	r = build(p, &q);
	assert_string_equal(r->rows[0].name, "g_malloc");
	report_free(r);
	q.cut = CUT_WRAPPERS;
	r = build(p, &q);
	assert_string_equal(r->rows[0].name, "loop");
	report_free(r);
	profile_free(p);
}

static void
groups(void **state)
{
	static const struct {
		enum grouping by;
		size_t rows;
		const char *first;
		double flat, cum;
	} t[] = {
		{ GROUP_STACKS, 3, "decode", 600, 600 },
		/* decode.c 600+300; loop.c; lru.c; ... */
		{ GROUP_FILES, 7, "decode.c", 900, 900 },
		{ GROUP_MODULES, 2, "app", 1000, 1000 },
		{ GROUP_LINES, 9, "decode", 600, 600 },
		/* tiny and main are one address */
		{ GROUP_ADDRESSES, 8, "decode", 600, 600 },
		{ GROUP_THREADS, 2, "app", 700, 700 },
	};
	struct profile *p = fixture_profile();

	(void)state;
	for (size_t i = 0; i < sizeof t / sizeof t[0]; i++) {
		struct query q;
		struct report *r;

		query_init(&q);
		q.grouping = t[i].by;
		r = build(p, &q);
		sums_are_right(r);
		assert_int_equal(r->row_count, t[i].rows);
		assert_string_equal(r->rows[0].name, t[i].first);
		assert_true(r->rows[0].f.value == t[i].flat);
		assert_true(r->rows[0].cum.value == t[i].cum);
		report_free(r);
	}
	profile_free(p);
}

static void
orders_and_limits(void **state)
{
	struct profile *p = fixture_profile();
	struct query q;
	struct report *r;

	(void)state;
	query_init(&q);
	q.order = ORDER_CUM;
	q.max_rows = 2;
	r = build(p, &q);
	sums_are_right(r);
	/* loop, start and work have 900: ties go by name */
	assert_string_equal(r->rows[0].name, "loop");
	assert_string_equal(r->rows[1].name, "start");
	assert_int_equal(r->remainder_count, 7);
	assert_true(r->remainder.value == 1000);
	report_free(r);
	q.order = ORDER_NAME;
	q.max_rows = 0;
	r = build(p, &q);
	assert_string_equal(r->rows[0].name, "again");
	assert_string_equal(r->rows[8].name, "work");
	report_free(r);
	q.order = ORDER_FLAT;
	q.min_fraction = 0.2;
	q.grouping = GROUP_STACKS;
	r = build(p, &q);
	sums_are_right(r);
	assert_int_equal(r->row_count, 2);
	assert_true(r->remainder.value == 100);
	report_free(r);
	profile_free(p);
}

static void
filters(void **state)
{
	static const struct {
		const char *focus, *ignore, *show, *hide;
		int thread;
		double total, local;
		size_t rows;
	} t[] = {
		{ "^loop$", NULL, NULL, NULL, -1, 1000, 900, 5 },
		{ NULL, "dec", NULL, NULL, -1, 1000, 400, 8 },
		{ "loop", "dec", NULL, NULL, -1, 1000, 300, 4 },
		{ NULL, NULL, "main|loop", NULL, -1, 1000, 1000, 2 },
		{ NULL, NULL, "loop", NULL, -1, 1000, 900, 1 },
		{ NULL, NULL, NULL, "start|work", -1, 1000, 1000, 7 },
		{ NULL, NULL, NULL, ".", -1, 1000, 0, 0 },
		{ NULL, NULL, NULL, NULL, 2, 300, 300, 4 },
		{ "operator", NULL, NULL, NULL, -1, 1000, 0, 0 },
	};
	struct profile *p = fixture_profile();

	(void)state;
	for (size_t i = 0; i < sizeof t / sizeof t[0]; i++) {
		const char *const texts[4] = { t[i].focus, t[i].ignore,
			t[i].show, t[i].hide };
		struct pattern *re[4] = { NULL };
		struct query q;
		struct report *r;

		query_init(&q);
		for (int k = 0; k < 4; k++)
			if (texts[k])
				re[k] = pattern_new(texts[k], NULL);
		q.focus = re[0];
		q.ignore = re[1];
		q.show = re[2];
		q.hide = re[3];
		q.thread = t[i].thread;
		r = build(p, &q);
		sums_are_right(r);
		assert_true(r->total.value == t[i].total);
		assert_true(r->local.value == t[i].local);
		assert_int_equal(r->row_count, t[i].rows);
		report_free(r);
		for (int k = 0; k < 4; k++)
			pattern_free(re[k]);
	}
	profile_free(p);
}

static void
compared_in_time(void **state)
{
	struct profile *p = fixture_profile();
	struct query q;
	struct report *r;

	(void)state;
	fixture_cell(p, 2, 2, 500, 5, 500, 5, 100);
	fixture_cell(p, 3, 1, 0, 0, 100, 1, 0);
	fixture_commit(p, 8);
	query_init(&q);
	q.grouping = GROUP_STACKS;
	q.order = ORDER_CHANGE;
	r = build(p, &q);
	sums_are_right(r);
	assert_int_equal(r->row_count, 3); /* the freed one, too */
	assert_string_equal(r->rows[0].name, "index");
	assert_true(figures_change(&r->rows[0].f) == 200);
	assert_true(figures_change(&r->rows[1].f) == 0);
	assert_true(figures_change(&r->rows[2].f) == -100);
	assert_true(r->have_before);
	assert_int_equal(r->now_ns - r->base_ns, UINT64_C(3000000000));
	report_free(r);
	q.at = 1;
	r = build(p, &q);
	assert_true(r->total.value == 1000);
	assert_int_equal(r->now_ns, UINT64_C(5000000000));
	assert_false(r->have_before);
	report_free(r);
	profile_free(p);
}

/* Two runs of the same builds: stacks meet by identity. */
static void
several_profiles(void **state)
{
	struct profile *a = fixture_profile(), *b = fixture_profile();
	const struct profile *both[2] = { a, b };
	struct query q;
	struct report *r;

	(void)state;
	fixture_cell(b, 1, 1, 1000, 10, 1000, 10, 0);
	fixture_commit(b, 9);
	query_init(&q);
	r = report_build(both, 2, &q);
	sums_are_right(r);
	assert_int_equal(r->stack_count, 3);
	assert_true(r->total.value == 1000 + 1400);
	assert_true(row(r, "decode")->f.value == 1600);
	assert_int_equal(r->row_count, 9);
	report_free(r);
	q.base_profile = a;
	r = build(b, &q);
	assert_true(figures_change(&row(r, "decode")->f) == 400);
	assert_true(figures_change(&row(r, "index")->f) == 0);
	report_free(r);
	q.difference = true;
	q.base_profile = b;
	r = build(a, &q);
	sums_are_right(r);
	assert_true(r->total.value == -400);
	assert_true(row(r, "decode")->f.value == -400);
	assert_int_equal(r->row_count, 4); /* decode loop start work */
	report_free(r);
	q.drop_negative = true;
	r = build(a, &q);
	assert_true(r->total.value == 0);
	report_free(r);
	profile_free(a);
	profile_free(b);
}

/* Average objects of the three stacks: 600/6, 300/3 and 100/1 are 100 bytes
 * each; a cell of another thread makes the second's 360/6 = 60. */
static void
sizes(void **state)
{
	static const struct {
		double min, max, total;
	} t[] = {
		{ 0, 0, 1060 },
		{ 100, 0, 700 }, /* inclusive */
		{ 0, 100, 360 }, /* exclusive */
		{ 60, 100, 360 },
		{ 61, 100, 0 },
		{ 60, 101, 1060 },
	};
	struct profile *p = fixture_profile(), *q = fixture_profile();
	struct query ask;
	struct report *r;

	(void)state;
	fixture_cell(p, 2, 1, 60, 3, 60, 3, 0);
	fixture_commit(p, 9);
	for (size_t i = 0; i < sizeof t / sizeof t[0]; i++) {
		query_init(&ask);
		ask.min_size = t[i].min;
		ask.max_size = t[i].max;
		r = build(p, &ask);
		sums_are_right(r);
		assert_true(r->whole.value == 1060);
		assert_true(r->total.value == t[i].total);
		report_free(r);
	}
	/* what another thread has freed all of is no part of the average */
	fixture_cell(p, 3, 2, 0, 0, 9000, 1, 0);
	fixture_commit(p, 9);
	query_init(&ask);
	ask.max_size = 101;
	r = build(p, &ask);
	assert_true(r->total.value == 1060);
	report_free(r);
	/* freed since: what they were once still tells; the second is now of
	 * 660 bytes in 9 objects, which is too small */
	fixture_cell(p, 1, 1, 0, 0, 900, 9, 0);
	fixture_commit(p, 10);
	query_init(&ask);
	ask.min_size = 100;
	ask.difference = true;
	ask.base_profile = q;
	r = build(p, &ask);
	assert_true(r->total.value == -600); /* the third did not change */
	assert_true(r->base_total == 700);
	report_free(r);
	profile_free(p);
	profile_free(q);
}

/* The same functions in another build, at other offsets and through another
 * allocator: decode 500 of them, and `other` that the first one has not. */
static struct profile *
another_build(void)
{
	static const struct profile_frame stacks[2][5] = {
		{ { 3, 7 }, { 1, 0x21 }, { 1, 0x31 }, { 1, 0x41 }, { 2, 8 } },
		{ { 3, 7 }, { 1, 0x99 }, { 1, 0x41 }, { 2, 8 } },
	};
	struct profile *p = profile_new();

	profile_put_module(p, 1, FIXTURE_BIAS, FIXTURE_BIAS + 0x1000,
	    FIXTURE_BIAS, (const uint8_t *)"\7", 1, "/usr/bin/app", NULL);
	profile_put_module(p, 2, FIXTURE_BIAS2, FIXTURE_BIAS2 + 0x1000,
	    FIXTURE_BIAS2, (const uint8_t *)"\3\4", 2, "/lib/libc.so.6", NULL);
	profile_put_module(p, 3, 0x1000, 0x2000, 0, (const uint8_t *)"\5", 1,
	    "/lib/libjemalloc.so.2", NULL);
	profile_put_stack(p, 1, 0, stacks[0], 5, NULL);
	profile_put_stack(p, 2, 0, stacks[1], 4, NULL);
	fixture_name(p, 3, 7, "prof_backtrace_impl", "", 0);
	fixture_name(p, 1, 0x21, "decode(int) [clone .cold]", "decode.c", 9);
	fixture_name(p, 1, 0x31, "loop", "loop.c", 8);
	fixture_name(p, 1, 0x41, "work", "work.c", 51);
	fixture_name(p, 1, 0x99, "other", "work.c", 51);
	fixture_name(p, 2, 8, "start", "", 0);
	fixture_cell(p, 1, 1, 500, 5, 500, 5, 0);
	fixture_cell(p, 2, 1, 50, 1, 50, 1, 0);
	fixture_commit(p, 5);
	return p;
}

static void
by_name(void **state)
{
	struct profile *a = fixture_profile(), *b = another_build();
	struct profile *none = fixture_empty();
	const struct profile *list[1] = { a };
	struct query q;
	struct report *r;

	(void)state;
	query_init(&q);
	q.difference = true;
	q.base_profile = b;
	q.alike = alike_stacks;
	r = build(a, &q);
	sums_are_right(r);
	assert_int_equal(r->stack_count, 4); /* three, and base's other */
	assert_true(r->total.value == 1000 - 550);
	assert_true(r->base_total == 550);
	assert_true(row(r, "decode")->f.value == 600 - 500);
	assert_true(row(r, "decode")->f.objects == 6 - 5);
	assert_true(row(r, "other")->f.value == -50);
	assert_true(row(r, "work")->cum.value == 900 - 550);
	report_free(r);
	q.drop_negative = true;
	r = build(a, &q);
	assert_true(r->total.value == 100 + 300 + 100);
	report_free(r);
	assert_true(alike_any(b, list, 1));
	list[0] = none;
	assert_true(alike_any(b, list, 1)); /* names, whether used or not */
	profile_free(none);
	list[0] = none = profile_new();
	assert_false(alike_any(b, list, 1));
	profile_free(none);
	profile_free(a);
	profile_free(b);
}

/* The same tree, opened node by node. */
static void
check_node(
    const struct report *r, struct tree *t, uint32_t node, uint32_t expected)
{
	const struct tree_node *e = &r->tree[expected];
	struct figures self = tree_self(t, node);
	size_t n, own, count;
	const uint32_t *stacks = tree_stacks(t, node, &n, &own);
	uint32_t *children = tree_sorted(t, node, &count);
	uint32_t c = expected + 1, parent = tree_parent(t, node);
	struct figures sum = { 0 };

	if (expected == 0)
		assert_int_equal(parent, TREE_NONE);
	assert_true(tree_path(t, node) == e->path);
	assert_int_equal(tree_depth(t, node), e->depth);
	if (n > 0) /* the first in the order of appearance */
		assert_int_equal(tree_place(t, node), e->place);
	assert_true(tree_cum(t, node)->value == e->cum.value);
	assert_true(tree_cum(t, node)->base == e->cum.base);
	assert_true(self.value == e->self.value);
	assert_int_equal(tree_has_self(t, node), own > 0);
	for (size_t i = 0; i < n; i++)
		figures_add(&sum, &r->stacks[stacks[i]].f);
	assert_true(sum.value == e->cum.value);
	assert_int_equal(sum.samples, e->cum.samples);
	for (size_t i = 0; i < count; i++) {
		assert_true(c < e->next);
		assert_int_equal(tree_parent(t, children[i]), node);
		check_node(r, t, children[i], c);
		c = r->tree[c].next;
	}
	assert_int_equal(c, e->next);
	assert_int_equal(tree_children(t, node, 2), count < 2 ? count : 2);
	free(children);
}

/* Compares in the order the tree promises. */
static void
check_tree(const struct report *r)
{
	const struct tree_node *t = r->tree;
	struct tree *nodes;

	assert_int_equal(t[0].next, r->tree_count);
	assert_true(t[0].cum.value == r->local.value);
	for (uint32_t n = 0; n < r->tree_count; n++) {
		struct figures sum = t[n].self;

		for (uint32_t c = n + 1; c < t[n].next; c = t[c].next) {
			assert_int_equal(t[c].parent, n);
			assert_int_equal(t[c].depth, t[n].depth + 1);
			assert_true(t[c].next > c && t[c].next <= t[n].next);
			if (t[c].next < t[n].next)
				assert_true(
				    t[c].cum.value >= t[t[c].next].cum.value);
			figures_add(&sum, &t[c].cum);
		}
		assert_true(sum.value == t[n].cum.value);
	}
	nodes = tree_open(r);
	check_node(r, nodes, TREE_ROOT, 0);
	tree_close(nodes);
}

static void
trees(void **state)
{
	struct profile *p = fixture_profile();
	struct query q;
	struct report *r;

	(void)state;
	query_init(&q);
	q.tree = true;
	r = build(p, &q);
	check_tree(r);
	/* all, start work loop decode index, main tiny again again grow */
	assert_int_equal(r->tree_count, 11);
	assert_int_equal(r->tree[0].place, TREE_ALL);
	assert_string_equal(
	    report_place(r, r->tree[4].place).function, "decode");
	assert_true(r->tree[4].self.value == 600);
	assert_string_equal(report_place(r, r->tree[6].place).function, "main");
	assert_true(report_place(r, r->tree[7].place).inlined);
	report_free(r);
	q.invert = true;
	r = build(p, &q);
	check_tree(r);
	/* all, decode loop work start, index loop work start, grow again
	 * again tiny main */
	assert_int_equal(r->tree_count, 14);
	assert_string_equal(
	    report_place(r, r->tree[1].place).function, "decode");
	assert_true(r->tree[4].self.value == 600);
	report_free(r);
	profile_free(p);
}

/* Random stacks: sums hold and the limit picks the same rows as sorting. */
static void
many(void **state)
{
	struct profile *p = fixture_empty();
	uint32_t seed = 7;

	(void)state;
	for (uint32_t i = 10; i < 1010; i++) {
		struct profile_frame f[12];

		for (int j = 0; j < 12; j++) {
			seed = seed * 1664525 + 1013904223;
			f[j] = (struct profile_frame){ 1,
				0x100 + (seed >> 20) % 40 };
		}
		profile_put_stack(p, i, 0, f, 12, NULL);
		seed = seed * 1664525 + 1013904223;
		fixture_cell(
		    p, i, (uint16_t)(i % 5), seed >> 22, 1, seed >> 20, 2, 0);
	}
	fixture_commit(p, 1);
	for (int g = 0; g < GROUP_COUNT; g++) {
		struct query q;
		struct report *all, *few;

		query_init(&q);
		q.grouping = (enum grouping)g;
		q.tree = true;
		all = build(p, &q);
		sums_are_right(all);
		check_tree(all);
		for (size_t n = 1; n < 40; n += 3) {
			q.max_rows = n;
			few = build(p, &q);
			sums_are_right(few);
			for (size_t i = 0; i < few->row_count; i++)
				assert_int_equal(
				    few->rows[i].key, all->rows[i].key);
			report_free(few);
		}
		report_free(all);
	}
	profile_free(p);
}

/* ---- what is kept between reports -------------------------------------------- */

static uint32_t lot = 1;

static uint32_t
draw(uint32_t below)
{
	lot = lot * 1664525 + 1013904223;
	return (lot >> 8) % below;
}

/* The same in all profiles that are given the same number. */
static void
put_random_stack(struct profile *p, uint32_t id)
{
	struct profile_frame f[30];
	uint32_t n = 1 + draw(30);

	for (uint32_t i = 0; i < n; i++) {
		/* few at the root, many at the leaf; one is malloc's */
		uint32_t wide = 2 + (n - i) / 3;

		f[i] = (struct profile_frame){ 1, 0x100 + draw(60) % wide * 8 };
		if (i == 0 && draw(2))
			f[i].offset = AT_NEW;
	}
	profile_put_stack(p, id, 0, f, n, NULL);
}

/* The newest names of all places, as if they had always been there. */
static void
name_all(struct profile *p, uint32_t round)
{
	struct frames *f = profile_frames(p);

	for (frame_id id = 1; id <= frames_count(f); id++) {
		uint64_t at = frames_offset(f, id);
		char name[32], inner[32];
		struct frame_name n[2] = { { inner, "in.h", 3 },
			{ name, at % 3 ? "a.c" : "", (uint32_t)at } };

		if (at == AT_NEW || (at / 8 + round) % 4 == 0)
			continue;
		snprintf(name, sizeof name, "f%u", (unsigned)(at / 8 % 11));
		snprintf(inner, sizeof inner, "g%u", (unsigned)(at / 8 % 3));
		if (at / 8 % 5 == round % 5)
			frames_set_names(f, id, n, 2);
		else
			frames_set_names(f, id, n + 1, 1);
	}
}

static void
same_figures(const struct figures *a, const struct figures *b)
{
	assert_memory_equal(a, b, sizeof *a);
}

static void
same_reports(const struct report *a, const struct report *b)
{
	assert_int_equal(a->row_count, b->row_count);
	assert_int_equal(a->group_count, b->group_count);
	assert_int_equal(a->stack_count, b->stack_count);
	assert_int_equal(a->tree_count, b->tree_count);
	same_figures(&a->total, &b->total);
	same_figures(&a->local, &b->local);
	same_figures(&a->remainder, &b->remainder);
	for (size_t i = 0; i < a->row_count; i++) {
		const struct report_row *x = &a->rows[i], *y = &b->rows[i];

		assert_int_equal(x->key, y->key);
		assert_string_equal(x->name, y->name);
		same_figures(&x->f, &y->f);
		same_figures(&x->cum, &y->cum);
		assert_int_equal(x->stack, y->stack);
		assert_int_equal(x->stacks, y->stacks);
		assert_int_equal(x->count, y->count);
	}
	for (size_t i = 0; i < a->tree_count; i++) {
		assert_int_equal(a->tree[i].path, b->tree[i].path);
		assert_int_equal(a->tree[i].next, b->tree[i].next);
		assert_int_equal(a->tree[i].first, b->tree[i].first);
		same_figures(&a->tree[i].cum, &b->tree[i].cum);
		same_figures(&a->tree[i].self, &b->tree[i].self);
	}
}

/* Rows as their definition says, the slow way: each stack once. */
static void
rows_by_definition(const struct report *r)
{
	for (size_t i = 0; i < r->row_count; i++) {
		const struct report_row *w = &r->rows[i];
		uint32_t g = r->places[w->places[0]].group;
		struct figures flat = { 0 }, cum = { 0 };
		uint32_t stacks = 0;

		for (size_t k = 0; k < r->stack_count; k++) {
			const struct report_stack *s = &r->stacks[k];
			uint32_t j = 0;

			while (
			    j < s->count && r->places[s->places[j]].group != g)
				j++;
			if (j == s->count)
				continue;
			figures_add(&cum, &s->f);
			stacks++;
			if (j == 0)
				figures_add(&flat, &s->f);
		}
		same_figures(&w->f, &flat);
		same_figures(&w->cum, &cum);
		assert_int_equal(w->stacks, stacks);
		if (i > 0)
			assert_true(w[-1].f.value >= w->f.value);
	}
}

/* A profile that has been asked all along, and one that is asked for the
 * first time, say the same; stacks, figures and names come all the while. */
static void
kept_or_new(void **state)
{
	struct profile *old = fixture_empty();
	struct pattern *re = pattern_new("f[1-4]$", NULL);
	uint32_t stacks = 0;

	(void)state;
	for (uint32_t round = 0; round < 60; round++) {
		struct profile *new = fixture_empty();
		struct query q;
		struct report *a, *b;
		uint32_t more = draw(30), was = stacks;

		lot = 1;
		for (uint32_t i = 0; i < stacks + more; i++) {
			put_random_stack(new, i + 10);
			lot = i + 2;
		}
		lot = was + 1;
		for (uint32_t i = was; i < was + more; i++) {
			put_random_stack(old, i + 10);
			lot = i + 2;
		}
		stacks += more;
		lot = 1000 + round;
		for (uint32_t i = 0; i < stacks; i++) {
			double v = draw(3) ? draw(1000) + 1 : 0;

			fixture_cell(old, i + 10, 1, v, 1, v, 1, v);
			fixture_cell(new, i + 10, 1, v, 1, v, 1, v);
		}
		fixture_commit(old, round + 1);
		fixture_commit(new, round + 1);
		for (uint32_t i = 0; i <= round / 3; i++) {
			if (round % 3 == 0 && i == round / 3)
				name_all(old, i);
			name_all(new, i);
		}
		query_init(&q);
		q.grouping = (enum grouping)draw(GROUP_COUNT);
		q.order = (enum order)draw(2);
		q.cut = (enum cut)draw(3);
		q.tree = draw(2);
		q.invert = draw(2);
		q.since_start = true;
		q.reverse = draw(2);
		if (draw(3) == 0)
			*(draw(2) ? &q.hide : &q.show) = re;
		if (draw(3) == 0)
			*(draw(2) ? &q.focus : &q.ignore) = re;
		a = build(old, &q);
		b = build(new, &q);
		sums_are_right(a);
		same_reports(a, b);
		if (q.tree)
			check_tree(a);
		if (q.grouping == GROUP_FUNCTIONS && !q.reverse &&
		    q.order == ORDER_FLAT)
			rows_by_definition(a);
		report_free(b);
		report_free(a);
		profile_free(new);
	}
	pattern_free(re);
	profile_free(old);
}

/* A report stands while others are made of the same profile. */
static void
reports_stand(void **state)
{
	struct profile *p = fixture_profile();
	struct query q;
	struct report *r[GROUP_COUNT * 3];

	(void)state;
	query_init(&q);
	for (int i = 0; i < GROUP_COUNT * 3; i++) {
		q.grouping = (enum grouping)(i / 3);
		q.cut = (enum cut)(i % 3);
		r[i] = build(p, &q);
	}
	for (int i = 0; i < GROUP_COUNT * 3; i++) {
		uint32_t leaf = r[i]->stacks[0].places[0];

		sums_are_right(r[i]);
		assert_string_equal(report_place(r[i], leaf).function,
		    i % 3 == CUT_NOTHING ? "operator new(unsigned long)"
					 : "decode");
		report_free(r[i]);
	}
	profile_free(p);
}

static void
notes(void **state)
{
	struct profile *p = fixture_profile();
	struct profile_totals t = { .lg_sample = 12,
		.lost = { [LOSS_TABLE_FULL] = 2, [LOSS_CUT_DEPTH] = 1 } };
	struct query q;
	struct report *r;

	(void)state;
	query_init(&q);
	r = build(p, &q);
	assert_string_equal(r->notes, "sampled 1/4 KiB");
	report_free(r);
	frames_set_names(profile_frames(p),
	    frames_add(profile_frames(p), 1, AT_LOOP), NULL, 0);
	profile_put_totals(p, &t);
	profile_commit(p);
	r = build(p, &q);
	assert_string_equal(
	    r->notes, "sampled 1/4 KiB; 2 samples lost; 1 stack cut short");
	report_free(r);
	profile_free(p);
}

/* One rate cannot be said of profiles that have two. */
static void
rates(void **state)
{
	struct profile *p = fixture_profile(), *other = fixture_profile();
	const struct profile *list[] = { p, other };
	struct profile_totals t = { .now_ns = 9, .lg_sample = 12 };
	struct query q;
	struct report *r;

	(void)state;
	query_init(&q);
	r = report_build(list, 2, &q);
	assert_string_equal(r->notes, "sampled 1/4 KiB");
	report_free(r);
	t.lg_sample = 0;
	profile_put_totals(other, &t);
	profile_commit(other);
	r = report_build(list, 2, &q);
	assert_string_equal(r->notes, "sampled at several rates");
	report_free(r);
	profile_free(p);
	profile_free(other);
}

static void
nothing(void **state)
{
	struct profile *p = profile_new();
	struct query q;
	struct report *r;

	(void)state;
	query_init(&q);
	q.tree = true;
	r = build(p, &q);
	assert_int_equal(r->row_count, 0);
	assert_int_equal(r->tree_count, 1);
	assert_string_equal(r->notes, "");
	report_free(r);
	report_free(NULL);
	profile_free(p);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(functions),
		cmocka_unit_test(cutting_the_leaf),
		cmocka_unit_test(groups),
		cmocka_unit_test(orders_and_limits),
		cmocka_unit_test(filters),
		cmocka_unit_test(compared_in_time),
		cmocka_unit_test(several_profiles),
		cmocka_unit_test(sizes),
		cmocka_unit_test(by_name),
		cmocka_unit_test(trees),
		cmocka_unit_test(many),
		cmocka_unit_test(kept_or_new),
		cmocka_unit_test(reports_stand),
		cmocka_unit_test(notes),
		cmocka_unit_test(rates),
		cmocka_unit_test(nothing),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
