/* needs: src/base/ src/model/ ui/flame_layout.c */
#include "ui/flame_layout.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "model/frames.h"
#include "model/history.h"
#include "model/profile.h"
#include "model/report.h"

/* ---- trees ------------------------------------------------------------------- */

/* A profile whose functions are letters: f is at offset 0x1000 + 'f'. */
struct made {
	struct profile *profile;
	struct report *report;
	struct tree *tree;
	struct flame_layout l;
	uint32_t stacks;
};

static void
begin(struct made *m)
{
	struct profile_facts facts = { .pid = 1,
		.image_ns = 1,
		.image = "/bin/p",
		.command = "p",
		.source = "stream" };

	memset(m, 0, sizeof *m);
	m->profile = profile_new();
	profile_put_facts(m->profile, &facts);
	profile_put_module(
	    m->profile, 1, 1 << 28, 2 << 28, 1 << 28, NULL, 0, "/bin/p", NULL);
	profile_put_thread(m->profile, 1, 1, 0, "p");
}

static void
put_bytes(struct made *m, uint32_t stack, double bytes)
{
	struct cell_values v = { .live_bytes = bytes,
		.live_objects = bytes > 0,
		.alloc_bytes = 1000000,
		.alloc_objects = 1,
		.live_samples = bytes > 0,
		.alloc_samples = 1 };

	profile_put_cell(m->profile, stack, 1, &v, NULL);
}

/* A stack from the root: a function each, by number. */
static void
put_numbers(struct made *m, const unsigned *numbers, size_t n, double bytes)
{
	struct frames *f = profile_frames(m->profile);
	struct profile_frame frames[64];

	for (size_t i = 0; i < n; i++) {
		char text[16];
		struct frame_name name = { text, "", 0 };

		snprintf(text, sizeof text, "f%u", numbers[i]);
		frames[n - 1 - i] =
		    (struct profile_frame){ 1, 0x1000 + numbers[i] };
		frames_set_names(
		    f, frames_add(f, 1, 0x1000 + numbers[i]), &name, 1);
	}
	profile_put_stack(m->profile, ++m->stacks, 0, frames, n, NULL);
	put_bytes(m, m->stacks, bytes);
}

/* The same by letters: "abc" is a, which calls b, which calls c. */
static void
put(struct made *m, const char *letters, double bytes)
{
	unsigned numbers[64];
	size_t n = strlen(letters);

	for (size_t i = 0; i < n; i++)
		numbers[i] = (unsigned char)letters[i];
	put_numbers(m, numbers, n, bytes);
}

static void
commit(struct made *m, uint64_t s)
{
	struct profile_totals t = { .now_ns = s * 1000000000,
		.exact_ns = s * 1000000000,
		.live_bytes = 1000,
		.lg_sample = 19,
		.active = 1 };

	profile_put_totals(m->profile, &t);
	profile_commit(m->profile);
}

static void
open_with(struct made *m, struct query *q)
{
	const struct profile *p = m->profile;

	q->grouping = GROUP_STACKS;
	m->report = report_build(&p, 1, q);
	m->tree = tree_open(m->report);
}

static void
open_tree(struct made *m)
{
	struct query q;

	commit(m, 1);
	query_init(&q);
	open_with(m, &q);
}

static void
done(struct made *m)
{
	flame_layout_fini(&m->l);
	tree_close(m->tree);
	report_free(m->report);
	profile_free(m->profile);
}

static void
lay_out(struct made *m, int width)
{
	struct flame_root all = { TREE_ROOT, TREE_ROOT };

	flame_layout_build(&m->l, m->tree, &all, width);
}

/* "name x w" of each bar, a level a line; several are "*count". */
static void
assert_bars(const struct made *m, const char *expected)
{
	char got[1024] = "";
	size_t n = 0;

	for (size_t i = 0; i < m->l.count; i++) {
		const struct flame_bar *b = &m->l.bars[i];
		bool fresh = i > 0 && b->level != b[-1].level;
		const char *name = tree_name(m->tree, b->node);

		n += (size_t)snprintf(got + n, sizeof got - n, "%s",
		    fresh   ? "\n"
			: i ? ", "
			    : "");
		if (b->count > 1)
			n += (size_t)snprintf(
			    got + n, sizeof got - n, "*%u", b->count);
		else if (b->node == TREE_ROOT)
			n += (size_t)snprintf(got + n, sizeof got - n, "all");
		else
			n += (size_t)snprintf(got + n, sizeof got - n, "%c",
			    (char)atoi(name + 1));
		n += (size_t)snprintf(
		    got + n, sizeof got - n, " %d %d", b->x, b->w);
	}
	assert_string_equal(got, expected);
}

/* ---- by hand ------------------------------------------------------------------- */

/* a has 50, b 30, c 20 of 100: 5, 3 and 2 of 10 columns.  a allocates 20 of
 * its 50 itself, so its child has 30 of 50: 3 of 5. */
static void
shares_the_width(void **state)
{
	struct made m;

	(void)state;
	begin(&m);
	put(&m, "a", 20);
	put(&m, "ad", 30);
	put(&m, "b", 30);
	put(&m, "c", 20);
	open_tree(&m);
	lay_out(&m, 10);
	assert_bars(&m, "all 0 10\na 0 5, b 5 3, c 8 2\nd 0 3");
	done(&m);
}

/* Thirds of 10 columns end at 3.33, 6.67 and 10: at 3, 7 and 10. */
static void
errors_do_not_add_up(void **state)
{
	struct made m;

	(void)state;
	begin(&m);
	put(&m, "a", 100);
	put(&m, "b", 100);
	put(&m, "c", 100);
	open_tree(&m);
	lay_out(&m, 10);
	assert_bars(&m, "all 0 10\na 0 3, b 3 4, c 7 3");
	done(&m);
}

/* Siblings keep the order in which they came, whatever they weigh; of 20
 * columns b, c, d and f have 0.4 each, e has 8. */
static void
narrow_neighbours_are_one_bar(void **state)
{
	struct made m;

	(void)state;
	begin(&m);
	put(&m, "a", 520);
	put(&m, "b", 20);
	put(&m, "c", 20);
	put(&m, "d", 20);
	put(&m, "e", 400);
	put(&m, "f", 20);
	open_tree(&m);
	lay_out(&m, 20);
	/* edges: 10.4, 11.6, 19.6, 20: f alone is itself */
	assert_bars(&m, "all 0 20\na 0 10, *3 10 2, e 12 8");
	assert_int_equal(m.l.bars[2].last - m.l.bars[2].node, 2);
	assert_true(m.l.bars[2].f.value == 60);
	/* 40 columns: 20.8, 23.2, 39.2, 40 */
	lay_out(&m, 40);
	assert_bars(&m, "all 0 40\na 0 21, *3 21 2, e 23 16, f 39 1");
	done(&m);
}

/* What shrank has no width; others share that of their parent. */
static void
only_what_is_above_zero_has_width(void **state)
{
	struct made m;
	struct query q;
	snap_id first;

	(void)state;
	begin(&m);
	put(&m, "ab", 100);
	put(&m, "ac", 100);
	put(&m, "ad", 100);
	commit(&m, 1);
	first =
	    history_at(profile_history(m.profile), 0)->id; /* pinned or not */
	profile_pin(m.profile, first, 1);
	put_bytes(&m, 1, 130); /* +30 */
	put_bytes(&m, 2, 20);  /* -80 */
	put_bytes(&m, 3, 170); /* +70 */
	commit(&m, 2);
	query_init(&q);
	q.base = first;
	q.difference = true;
	open_with(&m, &q);
	lay_out(&m, 10);
	/* a grew by 20; b and d share its width as 30 and 70 */
	assert_bars(&m, "all 0 10\na 0 10\nb 0 3, d 3 7");
	done(&m);
}

/* ---- several as a root ----------------------------------------------------------- */

/* Enter the first of the bars that stand for several until there is none;
 * how often that was. */
static int
enter_all(struct made *m, int width)
{
	struct flame_root root = { TREE_ROOT, TREE_ROOT };
	int times = 0;

	for (;;) {
		size_t i = 1, members = 0;

		flame_layout_build(&m->l, m->tree, &root, width);
		for (size_t k = 1; k <= m->l.bars[0].children; k++)
			members += m->l.bars[k].count;
		if (m->l.bars[0].count > 1)
			assert_true(members <= m->l.bars[0].count);
		while (i < m->l.count && m->l.bars[i].count == 1)
			i++;
		if (i == m->l.count)
			return times;
		root.node = m->l.bars[i].node;
		root.last = m->l.bars[i].last;
		assert_in_range(++times, 1, 20);
	}
}

/* 1000 children of equal weight: 24 columns have no room for one of them.
 * An eighth of them is entered: 125, then at most 16, which have a column
 * each. */
static void
entering_comes_to_an_end(void **state)
{
	struct made m;

	(void)state;
	begin(&m);
	for (unsigned i = 0; i < 1000; i++)
		put_numbers(&m, &i, 1, 10);
	open_tree(&m);
	lay_out(&m, 24);
	assert_int_equal(m.l.count, 2);
	assert_int_equal(m.l.bars[1].count, 1000);
	assert_int_equal(enter_all(&m, 24), 3);
	/* at the end of its siblings: the last may be left out */
	flame_layout_build(&m.l, m.tree,
	    &(struct flame_root){ tree_child(m.tree, TREE_ROOT), TREE_NONE },
	    2000);
	assert_int_equal(m.l.count, 1001);
	assert_int_equal(m.l.bars[0].count, 1000);
	assert_int_equal(m.l.bars[1000].w, 2);
	done(&m);
}

/* ---- properties ---------------------------------------------------------------------- */

static uint64_t seed = 1;

static unsigned
random_below(unsigned n)
{
	seed = seed * UINT64_C(6364136223846793005) + 1442695040888963407;
	return (unsigned)((seed >> 33) % n);
}

/* Deep and shallow, few large ones and many small. */
static void
make_random(struct made *m)
{
	begin(m);
	for (int i = 0; i < 400; i++) {
		unsigned numbers[12], n = 1 + random_below(12);
		double bytes = 1 << random_below(20);

		for (unsigned k = 0; k < n; k++)
			numbers[k] = random_below(2 + k * k);
		put_numbers(m, numbers, n, random_below(9) ? bytes : 0);
	}
	open_tree(m);
}

/* The edge a weight has in a bar. */
static int
edge(const struct flame_bar *up, double share)
{
	return up->x + (int)(share * up->w + 0.5);
}

/* Children are inside of their parent, begin where the one before ends, and
 * end where the sum of their shares does. */
static void
assert_children(const struct made *m, const struct flame_bar *up)
{
	const struct flame_bar *c = &m->l.bars[up->child];
	double sum = 0;
	int x = up->x, end;

	if (up->count > 1 && up->level > 0) {
		assert_int_equal(up->children, 0);
		return;
	}
	for (uint32_t n = tree_child(m->tree, up->node); n != TREE_NONE;
	     n = tree_next(m->tree, n))
		sum += tree_cum(m->tree, n)->value;
	assert_true(sum <= up->f.value * 1.000001);
	for (uint32_t i = 0; i < up->children; i++, c++) {
		assert_ptr_equal(&m->l.bars[c->parent], up);
		assert_int_equal(c->level, up->level + 1);
		assert_int_equal(c->x, x);
		assert_true(c->w >= 1);
		x = c->x + c->w;
	}
	end = sum > 0 ? edge(up, sum / up->f.value) : up->x;
	assert_int_equal(x, end);
	assert_true(x <= up->x + up->w);
}

static void
children_stay_inside(void **state)
{
	(void)state;
	for (int round = 0; round < 5; round++) {
		struct made m;

		make_random(&m);
		for (int width = 1; width <= 300; width++) {
			lay_out(&m, width);
			assert_int_equal(m.l.bars[0].w, width);
			assert_int_equal(
			    m.l.levels[m.l.level_count], m.l.count);
			for (size_t i = 0; i < m.l.count; i++)
				assert_children(&m, &m.l.bars[i]);
		}
		enter_all(&m, 30);
		done(&m);
	}
}

/* A cell has the bar that covers it, and none where there is none. */
static void
bars_are_found_by_place(void **state)
{
	struct made m;
	size_t bar;

	(void)state;
	make_random(&m);
	lay_out(&m, 120);
	for (size_t level = 0; level < m.l.level_count; level++) {
		int covered = 0, found = 0;

		for (size_t i = m.l.levels[level]; i < m.l.levels[level + 1];
		     i++)
			covered += m.l.bars[i].w;
		for (int x = -1; x <= 120; x++) {
			if (!flame_layout_at(&m.l, level, x, &bar))
				continue;
			found++;
			assert_int_equal(m.l.bars[bar].level, level);
			assert_true(x >= m.l.bars[bar].x &&
			    x < m.l.bars[bar].x + m.l.bars[bar].w);
		}
		assert_int_equal(covered, found);
	}
	assert_false(flame_layout_at(&m.l, m.l.level_count, 0, &bar));
	done(&m);
}

static void
nothing_is_laid_out_of_nothing(void **state)
{
	struct made m;

	(void)state;
	begin(&m);
	put(&m, "a", 0);
	open_tree(&m);
	lay_out(&m, 80);
	assert_int_equal(m.l.count, 0);
	lay_out(&m, 0);
	assert_int_equal(m.l.count, 0);
	done(&m);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(shares_the_width),
		cmocka_unit_test(errors_do_not_add_up),
		cmocka_unit_test(narrow_neighbours_are_one_bar),
		cmocka_unit_test(only_what_is_above_zero_has_width),
		cmocka_unit_test(entering_comes_to_an_end),
		cmocka_unit_test(children_stay_inside),
		cmocka_unit_test(bars_are_found_by_place),
		cmocka_unit_test(nothing_is_laid_out_of_nothing),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
