/* needs: ui/list.c */
#include "ui/list.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

static uint64_t
key_at(const void *data, size_t i)
{
	return ((const uint64_t *)data)[i];
}

static const uint64_t ten[] = { 10, 11, 12, 13, 14, 15, 16, 17, 18, 19 };

static struct list_rows
rows_of(const uint64_t *keys, size_t count, size_t page)
{
	return (struct list_rows){ count, page, key_at, keys };
}

static void
assert_list(const struct list *l, size_t cursor, size_t top, uint64_t key)
{
	assert_int_equal(l->cursor, cursor);
	assert_int_equal(l->top, top);
	assert_int_equal(l->key, key);
}

static void
moves_and_scrolls_as_needed(void **state)
{
	struct list_rows r = rows_of(ten, 10, 4);
	struct list l = { 0 };

	(void)state;
	list_update(&l, &r);
	assert_list(&l, 0, 0, 10);
	list_act(&l, &r, ACTION_UP);
	assert_list(&l, 0, 0, 10);
	for (int i = 0; i < 3; i++)
		list_act(&l, &r, ACTION_DOWN);
	assert_list(&l, 3, 0, 13);
	list_act(&l, &r, ACTION_DOWN);
	assert_list(&l, 4, 1, 14);
	/* a page is the page less one */
	list_act(&l, &r, ACTION_PAGE_DOWN);
	assert_list(&l, 7, 4, 17);
	list_act(&l, &r, ACTION_LAST);
	assert_list(&l, 9, 6, 19);
	list_act(&l, &r, ACTION_DOWN);
	assert_list(&l, 9, 6, 19);
	list_act(&l, &r, ACTION_PAGE_UP);
	assert_list(&l, 6, 6, 16);
	list_act(&l, &r, ACTION_FIRST);
	assert_list(&l, 0, 0, 10);
	assert_false(list_act(&l, &r, ACTION_QUIT));
}

static void
the_selection_follows_its_thing(void **state)
{
	static const uint64_t moved[] = { 16, 10, 11, 12, 13, 14, 15 };
	static const uint64_t gone[] = { 10, 11, 12, 14, 15 };
	struct list_rows r = rows_of(ten, 10, 4);
	struct list l = { 0 };

	(void)state;
	list_update(&l, &r);
	list_select(&l, &r, 3);
	r = rows_of(moved, 7, 4);
	list_update(&l, &r);
	assert_list(&l, 4, 1, 13);
	assert_true(list_find(&l, &r, 16));
	assert_list(&l, 0, 0, 16);
	list_find(&l, &r, 13);
	assert_list(&l, 4, 1, 13);

	/* It vanished: the same row. */
	r = rows_of(gone, 5, 4);
	list_update(&l, &r);
	assert_list(&l, 4, 1, 15);
	assert_false(list_find(&l, &r, 99));
	assert_list(&l, 4, 1, 15);

	/* Shorter than the row: the last one. */
	r = rows_of(gone, 2, 4);
	list_update(&l, &r);
	assert_list(&l, 1, 0, 11);

	/* All gone for a while: it is found when it comes back. */
	r = rows_of(gone, 0, 4);
	list_update(&l, &r);
	r = rows_of(ten, 10, 4);
	list_update(&l, &r);
	assert_list(&l, 1, 0, 11);
}

static void
another_page_keeps_it_in_view(void **state)
{
	struct list_rows r = rows_of(ten, 10, 8);
	struct list l = { 0 };

	(void)state;
	list_update(&l, &r);
	list_select(&l, &r, 7);
	r.page = 3;
	list_update(&l, &r);
	assert_list(&l, 7, 5, 17);
	r.page = 20;
	list_update(&l, &r);
	assert_list(&l, 7, 0, 17);
	r.page = 0;
	list_update(&l, &r);
	assert_list(&l, 7, 0, 17);
}

static void
the_wheel_scrolls(void **state)
{
	struct list_rows r = rows_of(ten, 10, 4);
	struct list l = { 0 };

	(void)state;
	list_update(&l, &r);
	list_select(&l, &r, 2);
	list_scroll(&l, &r, 2);
	assert_list(&l, 2, 2, 12);
	list_scroll(&l, &r, 3);
	assert_list(&l, 5, 5, 15);
	list_scroll(&l, &r, 30);
	assert_list(&l, 6, 6, 16);
	list_scroll(&l, &r, -5);
	assert_list(&l, 4, 1, 14);
	list_scroll(&l, &r, -30);
	assert_list(&l, 3, 0, 13);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(moves_and_scrolls_as_needed),
		cmocka_unit_test(the_selection_follows_its_thing),
		cmocka_unit_test(another_page_keeps_it_in_view),
		cmocka_unit_test(the_wheel_scrolls),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
