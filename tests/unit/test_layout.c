/* needs: ui/layout.c */
#include "ui/layout.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

static void
assert_rect(struct rect r, int x, int y, int w, int h)
{
	assert_int_equal(r.w, w);
	assert_int_equal(r.h, h);
	if (w == 0 || h == 0)
		return;
	assert_int_equal(r.x, x);
	assert_int_equal(r.y, y);
}

/* All the rectangles of a layout. */
static const size_t parts[] = {
	offsetof(struct layout, title),
	offsetof(struct layout, figures),
	offsetof(struct layout, timeline),
	offsetof(struct layout, ruler),
	offsetof(struct layout, tabs),
	offsetof(struct layout, head),
	offsetof(struct layout, body),
	offsetof(struct layout, rule),
	offsetof(struct layout, split),
	offsetof(struct layout, detail),
	offsetof(struct layout, hints),
};

#define PARTS (sizeof parts / sizeof parts[0])

static struct rect
part(const struct layout *l, size_t i)
{
	return *(const struct rect *)(const void *)((const char *)l + parts[i]);
}

/* Rows as in the mock-ups, counted there. */
static void
is_that_of_the_mock_ups(void **state)
{
	struct layout l;

	(void)state;
	layout_build(&l, 100, 30, CONTEXT_TOP);
	assert_int_equal(l.style, LAYOUT_NORMAL);
	assert_int_equal(l.words, WORDS_LONG);
	assert_rect(l.title, 0, 0, 100, 1);
	assert_rect(l.figures, 0, 1, 100, 1);
	assert_rect(l.timeline, 0, 2, 100, 1);
	assert_rect(l.ruler, 0, 3, 100, 1);
	assert_rect(l.tabs, 0, 4, 100, 1);
	assert_rect(l.head, 0, 5, 100, 1);
	assert_rect(l.body, 0, 6, 100, 17);
	assert_rect(l.rule, 0, 23, 100, 1);
	assert_rect(l.detail, 0, 24, 100, 5);
	assert_rect(l.hints, 0, 29, 100, 1);

	layout_build(&l, 80, 24, CONTEXT_TOP);
	assert_int_equal(l.words, WORDS_SHORT);
	assert_rect(l.body, 0, 6, 80, 13);
	assert_rect(l.rule, 0, 19, 80, 1);
	assert_rect(l.detail, 0, 20, 80, 3);
	assert_rect(l.hints, 0, 23, 80, 1);

	layout_build(&l, 160, 45, CONTEXT_TOP);
	assert_int_equal(l.words, WORDS_LONGEST);
	assert_rect(l.timeline, 0, 2, 160, 2);
	assert_rect(l.ruler, 0, 4, 160, 1);
	assert_rect(l.head, 0, 6, 102, 1);
	assert_rect(l.body, 0, 7, 102, 37);
	assert_rect(l.rule, 0, 0, 0, 0);
	assert_rect(l.split, 102, 6, 1, 38);
	assert_rect(l.detail, 103, 6, 57, 38);
	assert_rect(l.hints, 0, 44, 160, 1);

	layout_build(&l, 60, 15, CONTEXT_TOP);
	assert_int_equal(l.style, LAYOUT_SHORT);
	assert_int_equal(l.words, WORDS_LEAST);
	assert_rect(l.title, 0, 0, 60, 1);
	assert_rect(l.figures, 0, 0, 0, 0);
	assert_rect(l.timeline, 0, 0, 0, 0);
	assert_rect(l.tabs, 0, 1, 60, 1);
	assert_rect(l.head, 0, 2, 60, 1);
	assert_rect(l.body, 0, 3, 60, 11);
	assert_rect(l.detail, 0, 0, 0, 0);
	assert_rect(l.hints, 0, 14, 60, 1);

	layout_build(&l, 36, 8, CONTEXT_TOP);
	assert_int_equal(l.style, LAYOUT_ROWS);
	assert_rect(l.title, 0, 0, 36, 1);
	assert_rect(l.tabs, 0, 0, 0, 0);
	assert_rect(l.head, 0, 0, 0, 0);
	assert_rect(l.body, 0, 1, 36, 7);
	assert_rect(l.hints, 0, 0, 0, 0);
}

static void
views_have_their_shapes(void **state)
{
	struct layout l;

	(void)state;
	layout_build(&l, 100, 30, CONTEXT_GROWTH);
	assert_rect(l.body, 0, 6, 100, 16);
	assert_rect(l.detail, 0, 23, 100, 6);
	layout_build(&l, 100, 30, CONTEXT_TREE);
	assert_rect(l.body, 0, 6, 100, 18);
	layout_build(&l, 100, 30, CONTEXT_SNAPSHOTS);
	assert_rect(l.timeline, 0, 2, 100, 6);
	assert_rect(l.ruler, 0, 8, 100, 1);
	assert_rect(l.body, 0, 11, 100, 14);
	assert_rect(l.rule, 0, 25, 100, 1);
	layout_build(&l, 80, 24, CONTEXT_GROWTH);
	assert_rect(l.body, 0, 6, 80, 14);
	layout_build(&l, 80, 24, CONTEXT_FLAME);
	assert_rect(l.body, 0, 6, 80, 13);
	layout_build(&l, 100, 30, CONTEXT_DETAIL);
	assert_int_equal(l.head.h, 0);
	assert_rect(l.body, 0, 5, 100, 24);
}

static void
breaks_where_the_design_says(void **state)
{
	struct layout l;

	(void)state;
	layout_build(&l, 100, 39, CONTEXT_TOP);
	assert_int_equal(l.timeline.h, 1);
	layout_build(&l, 100, 40, CONTEXT_TOP);
	assert_int_equal(l.timeline.h, 2);
	layout_build(&l, 100, 27, CONTEXT_TOP);
	assert_int_equal(l.detail.h, 3);
	layout_build(&l, 100, 22, CONTEXT_TOP);
	assert_int_equal(l.detail.h, 2);
	layout_build(&l, 100, 21, CONTEXT_TOP);
	assert_int_equal(l.detail.h, 0);
	layout_build(&l, 100, 16, CONTEXT_TOP);
	assert_int_equal(l.timeline.h, 1);
	layout_build(&l, 100, 15, CONTEXT_TOP);
	assert_int_equal(l.timeline.h, 0);
	layout_build(&l, 139, 30, CONTEXT_TOP);
	assert_int_equal(l.split.w, 0);
	layout_build(&l, 140, 30, CONTEXT_TOP);
	assert_int_equal(l.body.w, 100); /* at least 100 */
	layout_build(&l, 19, 30, CONTEXT_TOP);
	assert_int_equal(l.style, LAYOUT_TINY);
	layout_build(&l, 100, 3, CONTEXT_TOP);
	assert_int_equal(l.style, LAYOUT_TINY);
	layout_build(&l, 20, 4, CONTEXT_TOP);
	assert_int_equal(l.style, LAYOUT_ROWS);
}

static bool
overlap(struct rect a, struct rect b)
{
	return a.w > 0 && a.h > 0 && b.w > 0 && b.h > 0 && a.x < b.x + b.w &&
	    b.x < a.x + a.w && a.y < b.y + b.h && b.y < a.y + a.h;
}

static void
check_size(int w, int h, enum context view)
{
	struct layout l;

	layout_build(&l, w, h, view);
	for (size_t i = 0; i < PARTS; i++) {
		struct rect r = part(&l, i);

		assert_true(r.w >= 0 && r.h >= 0);
		assert_true(r.x >= 0 && r.y >= 0);
		assert_true(r.x + r.w <= w && r.y + r.h <= h);
		for (size_t j = 0; j < i; j++)
			assert_false(overlap(r, part(&l, j)));
	}
	assert_true(l.title.w == w && l.title.h == 1);
	if (l.style != LAYOUT_TINY)
		assert_true(l.body.h > 0 && l.body.w > 0);
}

static void
nothing_overlaps_at_any_size(void **state)
{
	struct layout l;

	(void)state;
	for (int view = 0; view < CONTEXT_COUNT; view++) {
		for (int h = 1; h <= 60; h++) {
			for (int w = 1; w <= 200; w++)
				check_size(w, h, (enum context)view);
		}
	}
	layout_build(&l, 0, 0, CONTEXT_TOP);
	assert_rect(l.title, 0, 0, 0, 0);
}

static void
popups_are_in_the_middle(void **state)
{
	(void)state;
	/* the mock-ups of export and help */
	assert_rect(layout_popup(80, 24, 52, 9), 14, 8, 52, 9);
	assert_rect(layout_popup(100, 30, 92, 24), 4, 3, 92, 24);
	assert_rect(layout_popup(30, 5, 92, 24), 0, 0, 30, 5);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(is_that_of_the_mock_ups),
		cmocka_unit_test(views_have_their_shapes),
		cmocka_unit_test(breaks_where_the_design_says),
		cmocka_unit_test(nothing_overlaps_at_any_size),
		cmocka_unit_test(popups_are_in_the_middle),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
