#include "ui/list.h"

static size_t
last_top(const struct list_rows *r)
{
	return r->count > r->page ? r->count - r->page : 0;
}

static void
show_cursor(struct list *l, const struct list_rows *r)
{
	if (l->cursor < l->top)
		l->top = l->cursor;
	if (r->page == 0)
		return;
	if (l->cursor - l->top >= r->page)
		l->top = l->cursor - r->page + 1;
	if (l->top > last_top(r))
		l->top = last_top(r);
}

void
list_select(struct list *l, const struct list_rows *r, size_t i)
{
	if (r->count == 0) {
		l->cursor = l->top = 0;
		return;
	}
	l->cursor = i < r->count ? i : r->count - 1;
	l->key = r->key_at(r->data, l->cursor);
	l->chosen = true;
	show_cursor(l, r);
}

bool
list_find(struct list *l, const struct list_rows *r, uint64_t key)
{
	for (size_t i = 0; i < r->count; i++) {
		if (r->key_at(r->data, i) == key) {
			list_select(l, r, i);
			return true;
		}
	}
	return false;
}

void
list_update(struct list *l, const struct list_rows *r)
{
	bool same = l->chosen && l->cursor < r->count &&
	    r->key_at(r->data, l->cursor) == l->key;

	if (r->count == 0)
		l->top = 0;
	else if (!l->chosen) {
		l->cursor = l->top = 0;
		l->key = r->key_at(r->data, 0);
	} else if (same)
		show_cursor(l, r);
	else if (!list_find(l, r, l->key))
		list_select(l, r, l->cursor);
}

static size_t
minus(size_t a, size_t b)
{
	return a > b ? a - b : 0;
}

/* A page keeps one row of the page before in sight. */
static size_t
page_step(const struct list_rows *r)
{
	return r->page > 2 ? r->page - 1 : 1;
}

bool
list_act(struct list *l, const struct list_rows *r, enum action a)
{
	size_t to;

	if (a == ACTION_UP)
		to = minus(l->cursor, 1);
	else if (a == ACTION_DOWN)
		to = l->cursor + 1;
	else if (a == ACTION_PAGE_UP)
		to = minus(l->cursor, page_step(r));
	else if (a == ACTION_PAGE_DOWN)
		to = l->cursor + page_step(r);
	else if (a == ACTION_FIRST)
		to = 0;
	else if (a == ACTION_LAST)
		to = r->count;
	else
		return false;
	list_select(l, r, to);
	return true;
}

void
list_scroll(struct list *l, const struct list_rows *r, int rows)
{
	size_t by = rows < 0 ? (size_t) - (rows + 1) + 1 : (size_t)rows;
	size_t top = rows < 0 ? minus(l->top, by) : l->top + by;

	if (r->count == 0 || r->page == 0)
		return;
	l->top = top < last_top(r) ? top : last_top(r);
	if (l->cursor < l->top)
		list_select(l, r, l->top);
	else if (l->cursor - l->top >= r->page)
		list_select(l, r, l->top + r->page - 1);
}
